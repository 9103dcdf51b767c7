// linsol_eigen.cpp - SparseLU of Eigen with COLAMD, pattern analysed once
#include <Eigen/SparseCore>
#include <Eigen/SparseLU>

#include "linsol_peers.h"

using Matrix = Eigen::SparseMatrix<double>;

struct Solver {
    Matrix a;
    Eigen::SparseLU<Matrix, Eigen::COLAMDOrdering<int>> lu;
};

void *eigen_open(const PeerMatrix *a) {
    Solver *s = new Solver;
    s->a = Eigen::Map<const Matrix>(a->n, a->n, a->nnz, a->ptr, a->row, a->v);
    s->lu.analyzePattern(s->a);
    return s;
}

bool eigen_run(void *solver, const double *b, double *x) {
    Solver *s = static_cast<Solver *>(solver);
    s->lu.factorize(s->a);
    if (s->lu.info() != Eigen::Success) return false;
    Eigen::Map<Eigen::VectorXd> out(x, s->a.rows());
    out = s->lu.solve(Eigen::Map<const Eigen::VectorXd>(b, s->a.rows()));
    return s->lu.info() == Eigen::Success;
}

void eigen_close(void *solver) {
    delete static_cast<Solver *>(solver);
}
