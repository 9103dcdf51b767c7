// test_pool_condvar.c - the tests of the pool once more, its threads sleeping without a futex
//
// The objects of the library that define the same functions stay unused: the linker takes them from
// an archive only when something is missing.
#define CD_NO_FUTEX

#include "base/gate.c"
#include "base/pool.c"
#include "test_pool.c"
