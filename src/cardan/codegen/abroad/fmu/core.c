/* The motion of a model in C99: accelerations on constraints and closed stops, impacts, projection, steps.

   M vd + h = A^T lam,  A vd = b;  the rows of A are the constraints, then the gaps of the stops, of which only the
   closed ones are in force. Before this text stand the sizes (NQ, NV, NX, NP, ROWS, TIED, STOPS, OUTPUTS), the tables
   and the kernels of the model. Nothing is allocated, nothing is shared: an instance is one struct. */

#define MOST_ROWS (NV + ROWS)
#define RANK_TOLERANCE 1e-11 /* of the largest pivot, after scaling: rounding of a few hundred operations is 1e-13 */
#define AT_REST 1e-5         /* a bounce slower than this part of the fastest one so far comes to rest */
#define TOUCHING 1e-10       /* of the largest gap so far: what a projection leaves */

typedef struct {
    double t, x[NX], p[NP + 1];
    double e[STOPS + 1], widest[STOPS + 1], fastest[STOPS + 1];
    int closed[STOPS + 1];
    int rank; /* of the equations with the rows in force, -1 until it is known */
    double h; /* the step tried next by cardan_advance, 0 before the first */
    double tolerance;
    char message[200];
} Cardan;

static void cardan_reset(Cardan *c)
{
    memset(c, 0, sizeof *c);
    memcpy(c->x, START, sizeof START);
    if (NP > 0) memcpy(c->p, PARAMETERS, NP * sizeof(double));
    for (int i = 0; i < STOPS; i++) c->e[i] = RESTITUTION[i];
    c->rank = -1;
    c->tolerance = 1e-8;
}

/* K z = r of size n by elimination with complete pivoting after scaling rows and columns; r becomes z, whose entries
   without a pivot are 0. Returns the rank. */
static int cardan_solve(int n, double *K, double *r)
{
    static const double tiny = 1e-300;
    double left[MOST_ROWS + 1], right[MOST_ROWS + 1];
    int column[MOST_ROWS + 1], rank = 0;
    double first = 0.0;
    for (int i = 0; i < n; i++) {
        double most = 0.0;
        for (int j = 0; j < n; j++) most = fmax(most, fabs(K[i * n + j]));
        left[i] = most > tiny ? 1.0 / most : 1.0;
        for (int j = 0; j < n; j++) K[i * n + j] *= left[i];
        r[i] *= left[i];
        column[i] = i;
    }
    for (int j = 0; j < n; j++) {
        double most = 0.0;
        for (int i = 0; i < n; i++) most = fmax(most, fabs(K[i * n + j]));
        right[j] = most > tiny ? 1.0 / most : 1.0;
        for (int i = 0; i < n; i++) K[i * n + j] *= right[j];
    }
    for (; rank < n; rank++) {
        int row = rank, best = rank;
        double most = 0.0;
        for (int i = rank; i < n; i++)
            for (int j = rank; j < n; j++)
                if (fabs(K[i * n + j]) > most) {
                    most = fabs(K[i * n + j]);
                    row = i;
                    best = j;
                }
        if (rank == 0) first = most;
        if (!(most > RANK_TOLERANCE * first)) break;
        for (int j = 0; j < n; j++) {
            double other = K[row * n + j];
            K[row * n + j] = K[rank * n + j];
            K[rank * n + j] = other;
        }
        for (int i = 0; i < n; i++) {
            double other = K[i * n + best];
            K[i * n + best] = K[i * n + rank];
            K[i * n + rank] = other;
        }
        double value = r[row];
        r[row] = r[rank];
        r[rank] = value;
        int label = column[best];
        column[best] = column[rank];
        column[rank] = label;
        for (int i = rank + 1; i < n; i++) {
            double factor = K[i * n + rank] / K[rank * n + rank];
            if (factor == 0.0) continue;
            for (int j = rank; j < n; j++) K[i * n + j] -= factor * K[rank * n + j];
            r[i] -= factor * r[rank];
        }
    }
    double z[MOST_ROWS + 1];
    for (int i = rank; i < n; i++) z[i] = 0.0;
    for (int i = rank - 1; i >= 0; i--) {
        double sum = r[i];
        for (int j = i + 1; j < rank; j++) sum -= K[i * n + j] * z[j];
        z[i] = sum / K[i * n + i];
    }
    for (int i = 0; i < n; i++) r[column[i]] = z[i] * right[column[i]];
    return rank;
}

/* Rows in force: all constraints, and the closed stops. */
static int cardan_in_force(const Cardan *c, const int *extra, int *rows)
{
    int m = 0;
    for (int i = 0; i < TIED; i++) rows[m++] = i;
    for (int i = 0; i < STOPS; i++)
        if (c->closed[i] || (extra && extra[i])) rows[m++] = TIED + i;
    return m;
}

/* M z - A^T mu = force, A z = target for the given rows; z of NV numbers, mu in the places of the rows. */
static int cardan_constrained(const double *M, const double *A, int m, const int *rows, const double *force,
                              const double *target, double *z, double *mu)
{
    static const int n = NV;
    double K[(MOST_ROWS + 1) * (MOST_ROWS + 1)], r[MOST_ROWS + 1];
    int size = n + m;
    memset(K, 0, sizeof(double) * (size_t)(size * size));
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) K[i * size + j] = M[i * n + j];
        r[i] = force ? force[i] : 0.0;
    }
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            K[(n + i) * size + j] = A[rows[i] * n + j];
            K[j * size + n + i] = -A[rows[i] * n + j];
        }
        r[n + i] = target[rows[i]];
    }
    int rank = cardan_solve(size, K, r);
    for (int i = 0; i < n; i++) z[i] = r[i];
    for (int i = 0; i < ROWS; i++) mu[i] = 0.0;
    for (int i = 0; i < m; i++) mu[rows[i]] = r[n + i];
    return rank;
}

typedef struct {
    double qd[NQ + 1], M[NV * NV + 1], h[NV + 1], A[ROWS * NV + 1], b[ROWS + 1], phi[ROWS + 1], rate[ROWS + 1];
} CardanTerms;

static void cardan_terms(const Cardan *c, CardanTerms *of)
{
    double out[NQ + NV * NV + NV + ROWS * NV + ROWS + 1], residual[2 * ROWS + 1];
    memset(of, 0, sizeof *of);
    kernel_terms(c->t, c->x, c->p, out);
    kernel_residual(c->t, c->x, c->p, residual);
    const double *from = out;
    memcpy(of->qd, from, NQ * sizeof(double));
    memcpy(of->M, from += NQ, NV * NV * sizeof(double));
    memcpy(of->h, from += NV * NV, NV * sizeof(double));
    memcpy(of->A, from += NV, ROWS * NV * sizeof(double));
    memcpy(of->b, from += ROWS * NV, ROWS * sizeof(double));
    memcpy(of->phi, residual, ROWS * sizeof(double));
    memcpy(of->rate, residual + ROWS, ROWS * sizeof(double));
}

/* The derivatives of the state and the multipliers. Returns 1, with a message, where there is none. */
static int cardan_derivatives(Cardan *c, double *dx, double *lam)
{
    CardanTerms of;
    double force[NV + 1], own[ROWS + 1];
    int rows[ROWS + 1] = {0};
    cardan_terms(c, &of);
    for (int i = 0; i < NV; i++) force[i] = -of.h[i];
    int m = cardan_in_force(c, NULL, rows);
    int rank = cardan_constrained(of.M, of.A, m, rows, force, of.b, dx + NQ, lam ? lam : own);
    memcpy(dx, of.qd, NQ * sizeof(double));
    if (c->rank < 0) c->rank = rank;
    if (rank < c->rank) {
        snprintf(c->message, sizeof c->message,
                 "t = %.17g: the constraints lose rank here; what follows is a decision that this unit does not make.", c->t);
        return 1;
    }
    for (int i = 0; i < NX; i++)
        if (!(fabs(dx[i]) < HUGE_VAL)) {
            snprintf(c->message, sizeof c->message, "t = %.17g: the derivative of state %d is no finite number.", c->t, i);
            return 1;
        }
    return 0;
}

static void cardan_normalise(Cardan *c)
{
    for (int k = 0; k < QUATERNIONS; k++) {
        double *e = c->x + QUATERNION_STARTS[k];
        double length = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
        for (int i = 0; i < 4; i++) e[i] /= length;
    }
}

/* Back to phi = 0 and A v + b0 = 0 for the rows in force, shortest in the metric of M; `put` are further gaps to close. */
static void cardan_project(Cardan *c, const int *put)
{
    CardanTerms of;
    double target[ROWS + 1], z[NV + 1], mu[ROWS + 1], moved[NX + 1], qd[NQ + 1];
    int rows[ROWS + 1] = {0};
    int m = cardan_in_force(c, put, rows);
    cardan_normalise(c);
    if (m == 0) return;
    for (int round = 0; round < 3; round++) {
        cardan_terms(c, &of);
        for (int i = 0; i < ROWS; i++) target[i] = -of.phi[i];
        cardan_constrained(of.M, of.A, m, rows, NULL, target, z, mu);
        memcpy(moved, c->x, NQ * sizeof(double));
        memcpy(moved + NQ, z, NV * sizeof(double));
        kernel_rates(c->t, moved, c->p, qd);
        for (int i = 0; i < NQ; i++) c->x[i] += qd[i];
        cardan_normalise(c);
    }
    m = cardan_in_force(c, NULL, rows);
    if (m == 0) return;
    cardan_terms(c, &of);
    for (int i = 0; i < ROWS; i++) target[i] = -of.rate[i];
    cardan_constrained(of.M, of.A, m, rows, NULL, target, z, mu);
    for (int i = 0; i < NV; i++) c->x[NQ + i] += z[i];
}

/* What is watched: gaps of open stops, pressing forces of closed ones. Both are positive while nothing happens; a gap is
   told as a little more than it is, so that it is positive also right after an impact, and no bounce is stepped over. */
static void cardan_indicators(Cardan *c, double *z)
{
    CardanTerms of;
    double dx[NX + 1] = {0}, lam[ROWS + 1] = {0};
    cardan_terms(c, &of);
    int any = 0;
    for (int i = 0; i < STOPS; i++) any |= c->closed[i];
    if (any) cardan_derivatives(c, dx, lam);
    for (int i = 0; i < STOPS; i++) {
        if (!c->closed[i]) c->widest[i] = fmax(c->widest[i], fabs(of.phi[TIED + i]));
        z[i] = c->closed[i] ? lam[TIED + i] : of.phi[TIED + i] + TOUCHING * c->widest[i];
    }
}

/* One impact of all stops that touch and approach, by Newton's law; impulses only push. Returns whether there was one. */
static int cardan_impact(Cardan *c)
{
    CardanTerms of;
    double target[ROWS + 1], z[NV + 1], mu[ROWS + 1], before[STOPS + 1];
    int rows[ROWS + 1] = {0}, touching[STOPS + 1] = {0}, hit = 0;
    cardan_terms(c, &of);
    for (int i = 0; i < STOPS; i++) {
        before[i] = of.rate[TIED + i];
        touching[i] = !c->closed[i] && of.phi[TIED + i] <= TOUCHING * c->widest[i] && before[i] < 0.0;
        hit |= touching[i];
    }
    if (!hit) return 0;
    for (int round = 0; round <= STOPS; round++) {
        int m = cardan_in_force(c, touching, rows), pulled = 0;
        for (int i = 0; i < TIED; i++) target[i] = 0.0;
        for (int i = 0; i < STOPS; i++) target[TIED + i] = c->closed[i] ? -before[i] : -(1.0 + c->e[i]) * before[i];
        cardan_constrained(of.M, of.A, m, rows, NULL, target, z, mu);
        for (int i = 0; i < STOPS; i++)
            if (mu[TIED + i] < 0.0) {
                touching[i] = c->closed[i] = 0;
                pulled = 1;
            }
        if (!pulled) break;
    }
    for (int i = 0; i < NV; i++) c->x[NQ + i] += z[i];
    cardan_project(c, touching);
    for (int i = 0; i < STOPS; i++)
        if (touching[i]) {
            c->fastest[i] = fmax(c->fastest[i], -before[i]);
            if (-c->e[i] * before[i] <= AT_REST * c->fastest[i]) c->closed[i] = 1;
        }
    c->rank = -1;
    return 1;
}

/* What has to happen at this instant: impacts, and stops that let go. Returns whether the state changed, -1 on failure. */
static int cardan_event(Cardan *c)
{
    int changed = 0;
    double dx[NX + 1] = {0}, lam[ROWS + 1] = {0};
    for (int round = 0; round < 100; round++) {
        int again = cardan_impact(c), worst = -1;
        int any = 0;
        for (int i = 0; i < STOPS; i++) any |= c->closed[i];
        if (any) {
            c->rank = -1;
            if (cardan_derivatives(c, dx, lam)) return -1;
            for (int i = 0; i < STOPS; i++)
                if (c->closed[i] && lam[TIED + i] < 0.0 && (worst < 0 || lam[TIED + i] < lam[TIED + worst])) worst = i;
            if (worst >= 0) {
                c->closed[worst] = 0;
                c->rank = -1;
                again = 1;
            }
        }
        changed |= again;
        if (!again) {
            if (changed || TIED > 0) cardan_project(c, NULL);
            return changed;
        }
    }
    snprintf(c->message, sizeof c->message, "t = %.17g: impacts follow one another without end.", c->t);
    return -1;
}

/* One step of Dormand and Prince's method of order 5 from the state x at t: the state after h and an estimate of its
   error in units of the tolerance. */
static int cardan_step(Cardan *c, const double *x, double t, double h, double *after, double *error)
{
    static const double a[7][6] = {
        {0}, {1.0 / 5}, {3.0 / 40, 9.0 / 40}, {44.0 / 45, -56.0 / 15, 32.0 / 9},
        {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
        {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
        {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
    static const double node[7] = {0, 0.2, 0.3, 0.8, 8.0 / 9, 1, 1};
    static const double low[7] = {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
    double k[7][NX + 1];
    *error = 0.0;
    for (int s = 0; s < 7; s++) {
        c->t = t + node[s] * h;
        for (int i = 0; i < NX; i++) {
            double sum = 0.0;
            for (int j = 0; j < s; j++) sum += a[s][j] * k[j][i];
            c->x[i] = x[i] + h * sum;
        }
        if (cardan_derivatives(c, k[s], NULL)) return 1;
    }
    memcpy(after, c->x, NX * sizeof(double));
    for (int i = 0; i < NX; i++) {
        double sum = 0.0;
        for (int s = 0; s < 7; s++) sum += low[s] * k[s][i];
        double scale = c->tolerance * (1e-3 + fmax(fabs(x[i]), fabs(after[i])));
        *error = fmax(*error, fabs(h * sum) / scale);
    }
    return 0;
}

static int cardan_happened(Cardan *c, const double *before)
{
    double z[STOPS + 1];
    cardan_indicators(c, z);
    for (int i = 0; i < STOPS; i++)
        if (before[i] > 0.0 && z[i] <= 0.0) return 1;
    return 0;
}

/* The motion up to `end`, with everything that happens on the way. Returns 1, with a message, where it cannot go on. */
static int cardan_advance(Cardan *c, double end)
{
    double x[NX + 1], after[NX + 1], z[STOPS + 1], error;
    if (c->h <= 0.0) c->h = (end - c->t) / 10;
    while (c->t < end) {
        double t = c->t, h = fmin(c->h, end - t);
        int last = h >= end - t;
        memcpy(x, c->x, NX * sizeof(double));
        if (STOPS > 0) cardan_indicators(c, z);
        if (!(t + h > t)) {
            snprintf(c->message, sizeof c->message, "t = %.17g: steps became too short.", t);
            return 1;
        }
        int failed = cardan_step(c, x, t, h, after, &error);
        if (failed || !(error <= 1.0)) {
            c->t = t;
            memcpy(c->x, x, NX * sizeof(double));
            if (failed && h < 1e-12 * (1.0 + fabs(t))) return 1;
            c->h = h * (failed ? 0.25 : fmax(0.2, 0.9 * pow(error, -0.2)));
            continue;
        }
        if (STOPS > 0 && cardan_happened(c, z)) {
            double low = 0.0, high = h;
            for (int k = 0; k < 60 && high - low > 1e-15 * (fabs(t) + h); k++) {
                double middle = (low + high) / 2;
                if (cardan_step(c, x, t, middle, after, &error)) return 1;
                if (cardan_happened(c, z)) high = middle; else low = middle;
            }
            if (cardan_step(c, x, t, high, after, &error)) return 1;
            if (cardan_event(c) < 0) return 1;
            continue;
        }
        c->t = last ? end : t + h;
        if (TIED > 0 || STOPS > 0 || QUATERNIONS > 0) cardan_project(c, NULL);
        c->h = h * fmin(5.0, 0.9 * pow(fmax(error, 1e-10), -0.2));
        if (last) c->h = fmax(c->h, h);
    }
    return 0;
}
