// signals.h - inside system/: sensors that forces and other sensors read
//
// The functions of the model stay as they are. A work has copies of the items that read sensors, in
// which such functions are bound to the numbers that the sensors have now.
//
//   f = X^T (w_0 + sum E_k(x, s) D_k)      E_k: functions, s: numbers of sensors, D_k = dw/dE_k
//   df/dq += X^T D_k dE_k/ds ds/dq,        df/dv += X^T D_k dE_k/ds ds/dv
//
// The law is affine in E_k, so D_k is a difference; or the law gives it.
#ifndef CARDAN_SYSTEM_SIGNALS_H
#define CARDAN_SYSTEM_SIGNALS_H

#include "system/sense.h"

// velocities that something depends on
typedef struct CdColumns {
    int n;
    int *v;
} CdColumns;

// how a number goes on from the last accepted step
typedef enum CdTurn { CD_TURN_NONE, CD_TURN_ANGLE, CD_TURN_QUATERNION /* of four */ } CdTurn;

// a sensor that is read or computed
typedef struct CdSystemSensor {
    CdProbe probe;
    int first;   // of its numbers among all
    int reader;  // whose functions decide its value: its own or those of a connector; -1: none
    bool needed; // by forces
    bool delayed;
    double start;      // delayed: what others see during the first step
    int memory0;       // its numbers at the last accepted step; -1: not kept
    CdTurn *turns;     // of its numbers; NULL: all are plain
    CdColumns columns; // velocities that its numbers depend on, at once
    size_t slope0;     // of their derivatives: n x columns to coordinates, then to velocities
} CdSystemSensor;

// a function of an item that reads sensors
typedef struct CdSystemFunction {
    const CdReading *reading;
    int *sensor;       // of every name: number among the sensors
    int *pick;         // of every name: which of all numbers
    CdColumns columns; // of forces: velocities that the value depends on
    int *slots;        // rows of the force x columns, in the pattern of derivatives
} CdSystemFunction;

typedef enum CdReaderKind { CD_READER_FORCE, CD_READER_COORDINATES, CD_READER_SENSOR } CdReaderKind;

// an item with such functions
typedef struct CdSystemReader {
    CdReaderKind kind;
    const CdItem *item;
    int number; // among forces, items on coordinates, or sensors of the model
    int first;  // of its functions among all
    int n;
    CdSystemFunction *functions;
} CdSystemReader;

typedef struct CdSystemSignals {
    int nsensors, nreaders, nfunctions, nvalues;
    CdSystemSensor *sensors; // each behind those that it reads, delayed ones last
    CdSystemReader *readers;
    size_t nslopes;
} CdSystemSignals;

// of one run
typedef struct CdSignalWork {
    double *value;          // of all sensors, as others see them
    double *next;           // of delayed sensors: what others will see
    CdBoundFunction *bound; // all functions
    void **copy;            // of every reader: its struct with bound functions
    void **bare;            // and with zeros in their place
    double *slope;          // of sensors
    double *row[2];         // nv: derivatives of one number to coordinates and to velocities
} CdSignalWork;

// ---- assembly; all do nothing for a model without such sensors

CdStatus cdi_signals_number(CdSystem *s);
CdStatus cdi_signals_pattern(const CdSystem *s, CdPatternBuilder *b);
CdStatus cdi_signals_place(CdSystem *s);
CdStatus cdi_signals_vary(CdSystem *s); // those of the base with the items of a variant
CdStatus cdi_signals_work(CdSystemWork *w);
void cdi_signals_bind(CdSystemWork *w); // functions of the items that the system has now

// ---- values, after cdi_system_place with velocities

void cdi_signals_force(CdSystemWork *w, const CdPoint *at);    // those that forces need
void cdi_signals_complete(CdSystemWork *w, const CdPoint *at); // all, at a complete point
// -(df/dv) and -(df/dq) through sensors, added to C and K (NULL: not wanted); after the derivatives
// of all forces
void cdi_signals_derivatives(CdSystemWork *w, const CdPoint *at, double *C, double *K);

// ---- history

void cdi_signals_begin(CdSystemWork *w);                       // of a new run
void cdi_signals_remember(CdSystemWork *w, const CdPoint *at); // of an accepted step

#endif
