// test_expr.c - expressions: values, exact derivatives, messages, limits
#include "ad/expr.h"

#include <math.h>
#include <string.h>

#include "test.h"

static const char *const variables[] = {"x", "tip.y"};
static const char *const constants[] = {"k", "mass"};
static const double values[] = {3, 2.5};
static const CdExprScope scope = {variables, 2, constants, values, 2, false};

static CdJet eval(const char *text, double x) {
    CdContext *ctx = cd_context_new(NULL);
    CdExpr *expr;
    CdExprError error;
    CdJet jet = {NAN, NAN, NAN};
    CdStatus status = cdi_expr_compile(ctx, text, &scope, &expr, &error);
    if (status == CD_OK) {
        jet = cdi_expr_jet(expr, (CdJet[]){{x, 1, 0}, {10, 0, 0}});
        double plain = cdi_expr_value(expr, (double[]){x, 10});
        CHECK_INT(isnan(plain) != 0, isnan(jet.v) != 0);
        if (!isnan(plain)) CHECK_BITS(plain, jet.v);
        cdi_expr_free(ctx, expr);
    } else {
        printf("\"%s\" column %d: %s\n", text, error.col, error.text);
    }
    CHECK_INT(cd_context_memory(ctx).live_blocks, 0);
    cd_context_free(ctx);
    return jet;
}

TEST(values_follow_the_usual_rules) {
    CHECK_BITS(eval("1 + 2*3", 0).v, 7);
    CHECK_BITS(eval("(1 + 2)*3", 0).v, 9);
    CHECK_BITS(eval("-2^2", 0).v, -4);
    CHECK_BITS(eval("2^3^2", 0).v, 512);
    CHECK_BITS(eval("2^-1", 0).v, 0.5);
    CHECK_BITS(eval("8/4/2", 0).v, 1);
    CHECK_BITS(eval("7 - 4 - 2", 0).v, 1);
    CHECK_BITS(eval("1 < 2 && !(3 <= 2) || 0", 0).v, 1);
    CHECK_BITS(eval("1 == 1 && 2 != 2", 0).v, 0);
    CHECK_BITS(eval("3 >= 3 && 3 > 2", 0).v, 1);
    CHECK_BITS(eval("x < 0 ? -1 : x > 0 ? 1 : 0", 5).v, 1);
    CHECK_BITS(eval("x < 0 ? -1 : x > 0 ? 1 : 0", -5).v, -1);
    CHECK_BITS(eval("if(x, k, mass)", 0).v, 2.5);
    CHECK_BITS(eval("k*x + mass*tip.y", 2).v, 31);
    CHECK_BITS(eval("mod(-1, 3)", 0).v, 2);
    CHECK_BITS(eval("clamp(5, 0, 3) + min(1, 2) + max(1, 2)", 0).v, 6);
    CHECK_BITS(eval("sign(-3) + floor(1.5) + ceil(1.5) + abs(-2)", 0).v, 4);
    CHECK_BITS(eval("atan2(1, 1)*4", 0).v, 3.14159265358979323846);
    CHECK_BITS(eval("pi", 0).v, 3.14159265358979323846);
    CHECK_BITS(eval(" 1.5e3\t", 0).v, 1500);
    CHECK(isnan(eval("min(x, 1)", NAN).v));
    CHECK(isnan(eval("max(x, 1)", NAN).v));
    CHECK_BITS(eval("+5 - +2", 0).v, 3);
    static const char *const poisoned[] = {"sign(x)", "!x",     "x < 1 ? 3 : 4", "x && 1",
                                           "x || 1",  "x == x", "abs(x)",        "if(x, 1, 2)"};
    for (int i = 0; i < 8; i++) CHECK(isnan(eval(poisoned[i], NAN).v));
}

// every function beside its first and second derivative, written by hand in the same language
static const char *const derivatives[][3] = {
    {"sqrt(x)", "1/(2*sqrt(x))", "-1/(4*x*sqrt(x))"},
    {"sin(x)", "cos(x)", "-sin(x)"},
    {"cos(x)", "-sin(x)", "-cos(x)"},
    {"tan(x)", "1/cos(x)^2", "2*sin(x)/cos(x)^3"},
    {"asin(x)", "1/sqrt(1 - x^2)", "x/(1 - x^2)^1.5"},
    {"acos(x)", "-1/sqrt(1 - x^2)", "-x/(1 - x^2)^1.5"},
    {"atan(x)", "1/(1 + x^2)", "-2*x/(1 + x^2)^2"},
    {"sinh(x)", "cosh(x)", "sinh(x)"},
    {"cosh(x)", "sinh(x)", "cosh(x)"},
    {"tanh(x)", "1/cosh(x)^2", "-2*sinh(x)/cosh(x)^3"},
    {"exp(x)", "exp(x)", "exp(x)"},
    {"log(x)", "1/x", "-1/x^2"},
    {"log10(x)", "1/(x*log(10))", "-1/(x^2*log(10))"},
    {"abs(-x)", "1", "0"},
    {"sign(x)", "0", "0"},
    {"floor(5*x)", "0", "0"},
    {"ceil(5*x)", "0", "0"},
    {"-x", "-1", "0"},
    {"x + x^2", "1 + 2*x", "2"},
    {"x - x^2", "1 - 2*x", "-2"},
    {"x^2*sin(x)", "2*x*sin(x) + x^2*cos(x)", "(2 - x^2)*sin(x) + 4*x*cos(x)"},
    {"sin(x)/x", "(x*cos(x) - sin(x))/x^2", "(2*sin(x) - 2*x*cos(x) - x^2*sin(x))/x^3"},
    {"x^3.5", "3.5*x^2.5", "8.75*x^1.5"},
    {"pow(x, 3)", "3*x^2", "6*x"},
    {"2^x", "log(2)*2^x", "log(2)^2*2^x"},
    {"x^x", "x^x*(log(x) + 1)", "x^x*((log(x) + 1)^2 + 1/x)"},
    {"atan2(x, 2)", "2/(4 + x^2)", "-4*x/(4 + x^2)^2"},
    {"atan2(2, x)", "-2/(4 + x^2)", "4*x/(4 + x^2)^2"},
    {"atan2(x^2, x)", "1/(1 + x^2)", "-2*x/(1 + x^2)^2"},
    {"hypot(x, 2)", "x/sqrt(4 + x^2)", "4/(4 + x^2)^1.5"},
    {"hypot(3, x^2)", "2*x^3/sqrt(9 + x^4)", "(2*x^6 + 54*x^2)/(9 + x^4)^1.5"},
    {"mod(7*x, 0.5)", "7", "0"},
    {"mod(3, x)", "-floor(3/x)", "0"},
    {"min(x^2, 9)", "2*x", "2"},
    {"max(9, x^2)", "0", "0"},
    {"clamp(x^2, 0, 9)", "2*x", "2"},
    {"clamp(x^2, 0, 0.001)", "0", "0"},
    {"x > 0.5 ? x^2 : x^3", "x > 0.5 ? 2*x : 3*x^2", "x > 0.5 ? 2 : 6*x"},
    {"sin(exp(x^2))", "cos(exp(x^2))*exp(x^2)*2*x",
     "exp(x^2)*((2 + 4*x^2)*cos(exp(x^2)) - 4*x^2*exp(x^2)*sin(exp(x^2)))"},
};

TEST(derivatives_are_exact) {
    static const double points[] = {0.1, 0.3, 0.7, 0.95};
    for (size_t i = 0; i < sizeof derivatives / sizeof *derivatives; i++) {
        for (size_t k = 0; k < 4; k++) {
            CdJet jet = eval(derivatives[i][0], points[k]);
            double d = eval(derivatives[i][1], points[k]).v;
            double dd = eval(derivatives[i][2], points[k]).v;
            bool ok = CHECK_NEAR(jet.d, d, 1e-13 * (1 + fabs(d)));
            ok = CHECK_NEAR(jet.dd, dd, 1e-13 * (1 + fabs(dd))) && ok;
            if (!ok) printf("in %s at %g\n", derivatives[i][0], points[k]);
        }
    }
}

TEST(derivatives_at_awkward_points) {
    CHECK_BITS(eval("x^2", 0).d, 0);
    CHECK_BITS(eval("x^2", 0).dd, 2);
    CHECK_BITS(eval("x^1", 0).d, 1);
    CHECK_BITS(eval("x^0", 0).d, 0);
    CHECK_BITS(eval("(-x)^3", 2).d, -12);
    CHECK_BITS(eval("sqrt(0*k) + x", 2).d, 1);
    CHECK_BITS(eval("x > 0 ? 1/x : 0", 0).d, 0);
    CHECK_BITS(eval("x + hypot(tip.y - 10, 0)", 2).d, 1);
    CHECK_BITS(eval("x + atan2(tip.y - 10, 0)", 2).d, 1);
    CHECK_BITS(eval("x + 1/(tip.y - 10)", 2).d, 1);
    CHECK_BITS(eval("0^x", 2).d, 0);
    CHECK_BITS(eval("hypot(x, 0)", 0).d, 1);
}

// compile must fail with this message
static void check_error(const char *text, int col, const char *message) {
    CdContext *ctx = cd_context_new(NULL);
    CdExpr *expr;
    CdExprError error = {0, ""};
    CHECK_INT(cdi_expr_compile(ctx, text, &scope, &expr, &error), CD_INVALID);
    if (!CHECK_INT(error.col, col) || !CHECK_TEXT(error.text, message)) printf("in %s\n", text);
    cd_context_free(ctx);
}

TEST(mistakes_are_explained) {
    check_error("", 1, "the expression ends where a value is expected");
    check_error("2*", 3, "the expression ends where a value is expected");
    check_error("2**3", 3, "expected a value, not '*'");
    check_error("(1 + 2", 7, "')' is missing");
    check_error("1 2", 3, "expected an operator, not '2'");
    check_error("x == = 3", 6, "expected a value, not '='");
    check_error("x = 3; x", 1, "there is already something of the name 'x'");
    check_error("k = 3; k", 1, "there is already something of the name 'k'");
    check_error("pi = 3; pi", 1, "there is already something of the name 'pi'");
    check_error("a = 1; a = 2; a", 8, "there is already something of the name 'a'");
    check_error("a = 3", 6, "';' is missing behind the value of 'a'");
    check_error("a = 3;", 7, "the expression ends where a value is expected");
    check_error("a = a + 1; a", 5, "unknown name 'a'");
    check_error("b + 1; b = 2", 1, "unknown name 'b'");
    check_error("x; 2", 2, "expected an operator, not ';'");
    check_error("(a = 2; a)", 2, "unknown name 'a'");
    check_error("a.b = 2; x", 1, "unknown name 'a.b'");
    check_error("mas*2", 1, "unknown name 'mas'; did you mean 'mass'?");
    check_error("sine(2)", 1, "unknown name 'sine'; did you mean 'sin'?");
    check_error("foo", 1, "unknown name 'foo'");
    check_error("sin(1, 2)", 6, "too many arguments for 'sin'");
    check_error("atan2(1)", 8, "too few arguments for 'atan2'");
    check_error("sin(1", 6, "')' is missing after the arguments of 'sin'");
    check_error("1 ? 2", 6, "':' is missing after '?'");
    check_error("3x", 1, "not a number: '3x'");
    check_error("1.2.3", 1, "not a number: '1.2.3'");
    check_error("$", 1, "expected a value, not '$'");
    check_error("é", 1, "expected a value, not 'é'");
    check_error("1e999", 1, "the number is too large: '1e999'");
    check_error("0 < x < 1", 7, "comparisons do not chain; write a < b && b < c");
    check_error("PI", 1, "unknown name 'PI'; did you mean 'pi'?");
}

// what stands for a name is computed once and has its derivatives; constants stay where they are
TEST(names_stand_for_what_is_used_again) {
    static const char *const same[][2] = {
        {"a = x*x; a + a^2", "x*x + (x*x)^2"},
        {"a = 2; b = a*3; x*b - a", "x*6 - 2"},
        {"a = 2; 3 + a", "5"},
        {"a = 2; a + 3", "5"},
        {"a = 2; a", "2"},
        {"a = 2; -a*a + x", "x - 4"},
        {"a = x; b = a + 1; a", "x"},
        {"a = sin(x); b = cos(x); c = x; a", "sin(x)"},
        {"a=1;b=2;max(a,b)+min(b,3)+x", "x + 4"},
        {"_1 = x + 1; _2 = _1 > 1.5 ? _1 : 2*_1; hypot(_1, _2)",
         "hypot(x + 1, x + 1 > 1.5 ? x + 1 : 2*(x + 1))"},
        {"e = 2; e1 = 3; e*e1 + x", "6 + x"},
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        const CdJet a = eval(same[i][0], 0.3), b = eval(same[i][1], 0.3);
        const bool ok = CHECK_BITS(a.v, b.v) && CHECK_BITS(a.d, b.d);
        if (!ok || !CHECK_NEAR(a.dd, b.dd, 1e-14)) printf("in %s\n", same[i][0]);
    }
}

// y <- y - h y^2, which as one formula would double at every step
TEST(long_laws_are_written_with_names) {
    enum { N = 2000 };
    static char text[N * 40];
    int n = sprintf(text, "_0 = x;");
    double y = 0.5, d = 1;
    for (int i = 0; i < N; i++) {
        n += sprintf(text + n, "_%d = _%d - _%d*_%d/1024;", i + 1, i, i, i);
        d -= 2 * y * d / 1024;
        y -= y * y / 1024;
    }
    sprintf(text + n, "_%d", N);
    // 8001 operations
    const CdJet jet = eval(text, 0.5);
    CHECK_NEAR(jet.v, y, 1e-13);
    CHECK_NEAR(jet.d, d, 1e-13);
}

TEST(hostile_texts_are_bounded) {
    static char text[262146];
    memset(text, '(', sizeof text - 1);
    check_error(text, 1, "the expression is too long; split it into parameters");
    text[262144] = '\0';
    check_error(text, CD_EXPR_DEPTH_MAX + 1, "nested too deeply; split it into parameters");
    text[1000] = '\0';
    check_error(text, CD_EXPR_DEPTH_MAX + 1, "nested too deeply; split it into parameters");
    memset(text, '-', 1000);
    check_error(text, CD_EXPR_DEPTH_MAX + 1, "nested too deeply; split it into parameters");
    for (int i = 0; i < 500; i++) memcpy(text + 4 * i, "1?1:", 4);
    text[2000] = '\0';
    check_error(text, 4 * CD_EXPR_DEPTH_MAX - 1, "nested too deeply; split it into parameters");

    // one operation more than allowed
    for (int i = 0; i < CD_EXPR_OPS_MAX; i++) memcpy(text + 2 * i, "x+", 2);
    text[CD_EXPR_OPS_MAX] = 'x';
    text[CD_EXPR_OPS_MAX + 1] = '\0';
    check_error(text, CD_EXPR_OPS_MAX + 2, "the expression is too long; split it into parameters");
    text[CD_EXPR_OPS_MAX - 1] = '\0';
    CHECK_BITS(eval(text, 1).v, CD_EXPR_OPS_MAX / 2);
    memmove(text + 1, text, CD_EXPR_OPS_MAX); // a sign in front makes it as long as allowed
    text[0] = '-';
    CHECK_BITS(eval(text, 1).v, CD_EXPR_OPS_MAX / 2 - 2);
}

// as many names as there may be operations, without any operation
TEST(names_are_bounded_too) {
    static char text[CD_EXPR_OPS_MAX * 16];
    int n = sprintf(text, "_0 = x;");
    for (int i = 1; i < CD_EXPR_OPS_MAX; i++) n += sprintf(text + n, "_%d=_0;", i);
    sprintf(text + n, "_0");
    CHECK_BITS(eval(text, 3).v, 3);
    sprintf(text + n, "a=x;a");
    check_error(text, n + 1, "the expression is too long; split it into parameters");
}

static CdStatus compile(CdContext *ctx, void *user) {
    CdExpr *expr;
    CdExprError error;
    CD_TRY(cdi_expr_compile(ctx, user, &scope, &expr, &error));
    cdi_expr_free(ctx, expr);
    return CD_OK;
}

TEST(lack_of_memory_is_survived) {
    CHECK_OOM(compile, "x + 2*sin(k)");
    CHECK_OOM(compile, "a = x; b = sin(a); a*b + a/b - b^a - a*b*a*b*a*b*x*x*x*x*x");
}

TEST(variables_can_be_listed) {
    CdContext *ctx = cd_context_new(NULL);
    CdExpr *expr;
    CdExprError error;
    CHECK_OK(cdi_expr_compile(ctx, "k + tip.y*x", &scope, &expr, &error));
    size_t at = 0, i = 99;
    CHECK(cdi_expr_next(expr, &at, &i));
    CHECK_INT(i, 1);
    CHECK(cdi_expr_next(expr, &at, &i));
    CHECK_INT(i, 0);
    CHECK(!cdi_expr_next(expr, &at, &i));
    cdi_expr_free(ctx, expr);
    cd_context_free(ctx);
}

// a b^2 with a count of its calls
static double product(void *user, const double *args) {
    ++*(int *)user;
    return args[0] * args[1] * args[1];
}

static double seven(void *user, const double *args) {
    (void)user;
    (void)args;
    return 7;
}

TEST(functions_of_the_user_are_called) {
    CdContext *ctx = cd_context_new(NULL);
    CdExpr *expr;
    CdExprError error;
    int calls = 0;
    CHECK_OK(cd_context_define(ctx, "product", 2, product, &calls));
    CHECK_OK(cd_context_define(ctx, "seven", 0, seven, NULL));
    CHECK_OK(cdi_expr_compile(ctx, "1 + product(2*x, sin(x)) + seven()", &scope, &expr, &error));
    // y = 2 x sin(x)^2
    const double x = 0.7, s = sin(x), c = cos(x);
    const CdJet y = cdi_expr_jet(expr, (CdJet[]){{x, 1, 0}, {0, 0, 0}});
    CHECK_NEAR(y.v, 8 + 2 * x * s * s, 1e-14);
    CHECK_NEAR(y.d, 2 * s * s + 4 * x * s * c, 1e-9);
    CHECK_NEAR(y.dd, 8 * s * c + 4 * x * (c * c - s * s), 1e-4);
    // without anything that moves one call is enough
    calls = 0;
    CHECK_NEAR(cdi_expr_value(expr, (double[]){x, 0}), 8 + 2 * x * s * s, 1e-14);
    CHECK_INT(calls, 1);
    cdi_expr_free(ctx, expr);
    CHECK_INT(cdi_expr_compile(ctx, "product(x)", &scope, &expr, &error), CD_INVALID);
    CHECK_TEXT(error.text, "too few arguments for 'product'");
    CHECK_INT(cdi_expr_compile(ctx, "product(x, x, x)", &scope, &expr, &error), CD_INVALID);
    CHECK_TEXT(error.text, "too many arguments for 'product'");
    CHECK_INT(cd_context_define(ctx, "2x", 1, product, NULL), CD_INVALID);
    CHECK_INT(cd_context_define(ctx, "f", CD_USER_ARGS_MAX + 1, product, NULL), CD_INVALID);
    cd_context_free(ctx);
}

int main(void) {
    RUN(values_follow_the_usual_rules);
    RUN(derivatives_are_exact);
    RUN(derivatives_at_awkward_points);
    RUN(mistakes_are_explained);
    RUN(names_stand_for_what_is_used_again);
    RUN(long_laws_are_written_with_names);
    RUN(hostile_texts_are_bounded);
    RUN(names_are_bounded_too);
    RUN(lack_of_memory_is_survived);
    RUN(variables_can_be_listed);
    RUN(functions_of_the_user_are_called);
    return test_end();
}
