/* Variables by their value references, the same for both versions of the standard: time, states, their derivatives,
   parameters and inputs, outputs, indicators. */

#define STATE_0 1
#define RATE_0 (STATE_0 + NX)
#define P_0 (RATE_0 + NX)
#define OUTPUT_0 (P_0 + NP)
#define INDICATOR_0 (OUTPUT_0 + OUTPUTS)
#define END_OF_VARIABLES (INDICATOR_0 + STOPS)

static int cardan_get(Cardan *c, unsigned which, double *value)
{
    double many[NX + OUTPUTS + STOPS + 1];
    if (which == 0) *value = c->t;
    else if (which < RATE_0) *value = c->x[which - STATE_0];
    else if (which < P_0) {
        if (cardan_derivatives(c, many, NULL)) return 1;
        *value = many[which - RATE_0];
    } else if (which < OUTPUT_0) *value = c->p[which - P_0];
    else if (which < INDICATOR_0) {
        kernel_outputs(c->t, c->x, c->p, many);
        *value = many[which - OUTPUT_0];
    } else if (which < END_OF_VARIABLES) {
        cardan_indicators(c, many);
        *value = many[which - INDICATOR_0];
    } else {
        snprintf(c->message, sizeof c->message, "there is no variable with value reference %u", which);
        return 1;
    }
    return 0;
}

static int cardan_set(Cardan *c, unsigned which, double value)
{
    if (which == 0) c->t = value;
    else if (which < RATE_0) c->x[which - STATE_0] = value;
    else if (which >= P_0 && which < OUTPUT_0) c->p[which - P_0] = value;
    else {
        snprintf(c->message, sizeof c->message, "the variable with value reference %u cannot be set", which);
        return 1;
    }
    return 0;
}

static int cardan_begin(Cardan *c)
{
    double z[STOPS + 1];
    c->rank = -1;
    cardan_project(c, NULL);
    if (STOPS > 0) cardan_indicators(c, z);
    return cardan_event(c) < 0;
}

/* How far the state is off its constraints, in units of what it moves by in a unit of time: told by velocities. */
static int cardan_drifted(const Cardan *c)
{
    CardanTerms of;
    cardan_terms(c, &of);
    for (int i = 0; i < TIED; i++)
        if (fabs(of.phi[i]) > DRIFT[i]) return 1;
    for (int k = 0; k < QUATERNIONS; k++) {
        const double *e = c->x + QUATERNION_STARTS[k];
        if (fabs(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] - 1.0) > 1e-9) return 1;
    }
    return 0;
}
