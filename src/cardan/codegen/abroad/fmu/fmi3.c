/* The functions of FMI 3.0 for model exchange and co-simulation, declared here as the standard lays them down. */

#include <stdbool.h>

typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef void *fmi3Instance;
typedef unsigned int fmi3ValueReference;
typedef const char *fmi3String;
typedef void (*fmi3LogMessageCallback)(void *, fmi3Status, fmi3String, fmi3String);

typedef struct {
    Cardan model;
    void *environment;
    fmi3LogMessageCallback log;
} Instance;

typedef const fmi3ValueReference References[];

static fmi3Status said(Instance *one, int failed)
{
    if (!failed) return fmi3OK;
    if (one->log) one->log(one->environment, fmi3Error, "logStatusError", one->model.message);
    return fmi3Error;
}

static fmi3Instance instantiated(fmi3String token, void *environment, fmi3LogMessageCallback log)
{
    if (!token || strcmp(token, TOKEN) != 0) {
        if (log)
            log(environment, fmi3Error, "logStatusError",
                "the token is not that of this unit: description and binary do not belong together");
        return NULL;
    }
    Instance *one = calloc(1, sizeof *one);
    if (!one) return NULL;
    cardan_reset(&one->model);
    one->environment = environment;
    one->log = log;
    return one;
}

EXPORT const char *fmi3GetVersion(void) { return "3.0"; }
EXPORT fmi3Status fmi3SetDebugLogging(fmi3Instance c, bool on, size_t n, const fmi3String names[])
{
    (void)c, (void)on, (void)n, (void)names;
    return fmi3OK;
}
EXPORT fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources, bool visible,
                                                 bool logging, void *environment, fmi3LogMessageCallback log)
{
    (void)name, (void)resources, (void)visible, (void)logging;
    return instantiated(token, environment, log);
}
EXPORT fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources, bool visible,
                                                bool logging, bool events, bool early, References needed, size_t n,
                                                void *environment, fmi3LogMessageCallback log, void (*update)(void))
{
    (void)name, (void)resources, (void)visible, (void)logging, (void)events, (void)early, (void)needed, (void)n;
    (void)update;
    return instantiated(token, environment, log);
}
EXPORT fmi3Instance fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token, fmi3String resources,
                                                      bool visible, bool logging, void *environment,
                                                      fmi3LogMessageCallback log, void (*update)(void),
                                                      void (*lock)(void), void (*unlock)(void))
{
    (void)name, (void)token, (void)resources, (void)visible, (void)logging, (void)environment, (void)log;
    (void)update, (void)lock, (void)unlock;
    return NULL;
}
EXPORT void fmi3FreeInstance(fmi3Instance c) { free(c); }

EXPORT fmi3Status fmi3EnterInitializationMode(fmi3Instance c, bool has_tolerance, double tolerance, double start,
                                              bool has_stop, double stop)
{
    Instance *one = c;
    (void)has_stop, (void)stop;
    one->model.t = start;
    if (has_tolerance && tolerance > 0.0) one->model.tolerance = tolerance;
    return fmi3OK;
}
EXPORT fmi3Status fmi3ExitInitializationMode(fmi3Instance c) { return said(c, cardan_begin(&((Instance *)c)->model)); }
EXPORT fmi3Status fmi3Reset(fmi3Instance c)
{
    cardan_reset(&((Instance *)c)->model);
    return fmi3OK;
}

/* Changes of mode that mean nothing here, and what this unit does not offer. */
#define NOTHING(Name, Answer)                                                                                        \
    EXPORT fmi3Status Name(fmi3Instance c)                                                                           \
    {                                                                                                                \
        (void)c;                                                                                                     \
        return Answer;                                                                                               \
    }
NOTHING(fmi3EnterEventMode, fmi3OK)
NOTHING(fmi3Terminate, fmi3OK)
NOTHING(fmi3EnterContinuousTimeMode, fmi3OK)
NOTHING(fmi3EnterStepMode, fmi3OK)
NOTHING(fmi3EvaluateDiscreteStates, fmi3OK)
NOTHING(fmi3EnterConfigurationMode, fmi3Error)
NOTHING(fmi3ExitConfigurationMode, fmi3Error)

EXPORT fmi3Status fmi3GetFloat64(fmi3Instance c, References vr, size_t n, double values[], size_t count)
{
    if (count != n) return fmi3Error;
    for (size_t i = 0; i < n; i++)
        if (cardan_get(&((Instance *)c)->model, vr[i], &values[i])) return said(c, 1);
    return fmi3OK;
}
EXPORT fmi3Status fmi3SetFloat64(fmi3Instance c, References vr, size_t n, const double values[], size_t count)
{
    if (count != n) return fmi3Error;
    for (size_t i = 0; i < n; i++)
        if (cardan_set(&((Instance *)c)->model, vr[i], values[i])) return said(c, 1);
    return fmi3OK;
}

/* This unit has variables of type Float64 only: asking for none of another type is right, asking for some is not. */
#define NO_SUCH_TYPE(Name, Type)                                                                                     \
    EXPORT fmi3Status fmi3Get##Name(fmi3Instance c, References vr, size_t n, Type values[], size_t count)            \
    {                                                                                                                \
        (void)c, (void)vr, (void)values, (void)count;                                                                \
        return n == 0 ? fmi3OK : fmi3Error;                                                                          \
    }                                                                                                                \
    EXPORT fmi3Status fmi3Set##Name(fmi3Instance c, References vr, size_t n, const Type values[], size_t count)      \
    {                                                                                                                \
        (void)c, (void)vr, (void)values, (void)count;                                                                \
        return n == 0 ? fmi3OK : fmi3Error;                                                                          \
    }
NO_SUCH_TYPE(Float32, float)
NO_SUCH_TYPE(Int8, int8_t)
NO_SUCH_TYPE(UInt8, uint8_t)
NO_SUCH_TYPE(Int16, int16_t)
NO_SUCH_TYPE(UInt16, uint16_t)
NO_SUCH_TYPE(Int32, int32_t)
NO_SUCH_TYPE(UInt32, uint32_t)
NO_SUCH_TYPE(Int64, int64_t)
NO_SUCH_TYPE(UInt64, uint64_t)
NO_SUCH_TYPE(Boolean, bool)
NO_SUCH_TYPE(String, fmi3String)

EXPORT fmi3Status fmi3GetBinary(fmi3Instance c, References vr, size_t n, size_t sizes[], const uint8_t *values[], size_t m)
{
    (void)c, (void)vr, (void)sizes, (void)values, (void)m;
    return n == 0 ? fmi3OK : fmi3Error;
}
EXPORT fmi3Status fmi3SetBinary(fmi3Instance c, References vr, size_t n, const size_t sizes[],
                                const uint8_t *const values[], size_t m)
{
    (void)c, (void)vr, (void)sizes, (void)values, (void)m;
    return n == 0 ? fmi3OK : fmi3Error;
}

/* Clocks and what belongs to them: there are none. */
#define NO_CLOCKS(Name, ...)                                                                                         \
    EXPORT fmi3Status Name(fmi3Instance c, References vr, size_t n, __VA_ARGS__)                                     \
    {                                                                                                                \
        (void)c, (void)vr, (void)a, (void)b;                                                                         \
        return n == 0 ? fmi3OK : fmi3Error;                                                                          \
    }
#define NO_CLOCK(Name, Type)                                                                                         \
    EXPORT fmi3Status Name(fmi3Instance c, References vr, size_t n, Type a[])                                        \
    {                                                                                                                \
        (void)c, (void)vr, (void)a;                                                                                  \
        return n == 0 ? fmi3OK : fmi3Error;                                                                          \
    }
NO_CLOCK(fmi3GetClock, bool)
NO_CLOCK(fmi3SetClock, const bool)
NO_CLOCK(fmi3GetShiftDecimal, double)
NO_CLOCK(fmi3SetShiftDecimal, const double)
NO_CLOCK(fmi3SetIntervalDecimal, const double)
NO_CLOCKS(fmi3GetIntervalDecimal, double a[], int b[])
NO_CLOCKS(fmi3GetShiftFraction, uint64_t a[], uint64_t b[])
NO_CLOCKS(fmi3SetShiftFraction, const uint64_t a[], const uint64_t b[])
NO_CLOCKS(fmi3SetIntervalFraction, const uint64_t a[], const uint64_t b[])
EXPORT fmi3Status fmi3GetIntervalFraction(fmi3Instance c, References vr, size_t n, uint64_t a[], uint64_t b[], int q[])
{
    (void)c, (void)vr, (void)a, (void)b, (void)q;
    return n == 0 ? fmi3OK : fmi3Error;
}

EXPORT fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance c, fmi3ValueReference vr, size_t *n)
{
    (void)c, (void)vr, (void)n;
    return fmi3Error;
}
EXPORT fmi3Status fmi3GetVariableDependencies(fmi3Instance c, fmi3ValueReference vr, size_t own[],
                                              fmi3ValueReference others[], size_t theirs[], int kinds[], size_t n)
{
    (void)c, (void)vr, (void)own, (void)others, (void)theirs, (void)kinds, (void)n;
    return fmi3Error;
}
#define NO_DERIVATIVE(Name)                                                                                          \
    EXPORT fmi3Status Name(fmi3Instance c, References unknown, size_t n, References known, size_t m,                 \
                           const double seed[], size_t k, double sensitivity[], size_t l)                            \
    {                                                                                                                \
        (void)c, (void)unknown, (void)n, (void)known, (void)m, (void)seed, (void)k, (void)sensitivity, (void)l;      \
        return fmi3Error;                                                                                            \
    }
NO_DERIVATIVE(fmi3GetDirectionalDerivative)
NO_DERIVATIVE(fmi3GetAdjointDerivative)

EXPORT fmi3Status fmi3GetFMUState(fmi3Instance c, void **state)
{
    if (!*state) *state = malloc(sizeof(Cardan));
    if (!*state) return fmi3Error;
    memcpy(*state, &((Instance *)c)->model, sizeof(Cardan));
    return fmi3OK;
}
EXPORT fmi3Status fmi3SetFMUState(fmi3Instance c, void *state)
{
    memcpy(&((Instance *)c)->model, state, sizeof(Cardan));
    return fmi3OK;
}
EXPORT fmi3Status fmi3FreeFMUState(fmi3Instance c, void **state)
{
    (void)c;
    free(*state);
    *state = NULL;
    return fmi3OK;
}
EXPORT fmi3Status fmi3SerializedFMUStateSize(fmi3Instance c, void *state, size_t *size)
{
    (void)c, (void)state;
    *size = sizeof(Cardan);
    return fmi3OK;
}
EXPORT fmi3Status fmi3SerializeFMUState(fmi3Instance c, void *state, uint8_t bytes[], size_t size)
{
    (void)c;
    if (size < sizeof(Cardan)) return fmi3Error;
    memcpy(bytes, state, sizeof(Cardan));
    return fmi3OK;
}
EXPORT fmi3Status fmi3DeserializeFMUState(fmi3Instance c, const uint8_t bytes[], size_t size, void **state)
{
    (void)c;
    if (size < sizeof(Cardan)) return fmi3Error;
    if (!*state) *state = malloc(sizeof(Cardan));
    if (!*state) return fmi3Error;
    memcpy(*state, bytes, sizeof(Cardan));
    return fmi3OK;
}

/* ---- model exchange ---- */

EXPORT fmi3Status fmi3UpdateDiscreteStates(fmi3Instance c, bool *again, bool *terminate, bool *nominals, bool *values,
                                           bool *has_next, double *next)
{
    Instance *one = c;
    double before[NX + 1];
    memcpy(before, one->model.x, NX * sizeof(double));
    int happened = cardan_event(&one->model);
    if (happened >= 0 && cardan_drifted(&one->model)) cardan_project(&one->model, NULL);
    *again = *terminate = *nominals = *has_next = false;
    *next = 0.0;
    *values = memcmp(before, one->model.x, NX * sizeof(double)) != 0;
    return said(one, happened < 0);
}
EXPORT fmi3Status fmi3CompletedIntegratorStep(fmi3Instance c, bool no_return, bool *enter_event_mode, bool *terminate)
{
    (void)no_return;
    *enter_event_mode = cardan_drifted(&((Instance *)c)->model);
    *terminate = false;
    return fmi3OK;
}
EXPORT fmi3Status fmi3SetTime(fmi3Instance c, double time)
{
    ((Instance *)c)->model.t = time;
    return fmi3OK;
}
EXPORT fmi3Status fmi3SetContinuousStates(fmi3Instance c, const double x[], size_t n)
{
    if (n != NX) return fmi3Error;
    memcpy(((Instance *)c)->model.x, x, NX * sizeof(double));
    return fmi3OK;
}
EXPORT fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance c, double derivatives[], size_t n)
{
    if (n != NX) return fmi3Error;
    return said(c, cardan_derivatives(&((Instance *)c)->model, derivatives, NULL));
}
EXPORT fmi3Status fmi3GetEventIndicators(fmi3Instance c, double z[], size_t n)
{
    if (n != STOPS) return fmi3Error;
    if (n > 0) cardan_indicators(&((Instance *)c)->model, z);
    return fmi3OK;
}
EXPORT fmi3Status fmi3GetContinuousStates(fmi3Instance c, double x[], size_t n)
{
    if (n != NX) return fmi3Error;
    memcpy(x, ((Instance *)c)->model.x, NX * sizeof(double));
    return fmi3OK;
}
EXPORT fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance c, double nominal[], size_t n)
{
    (void)c;
    for (size_t i = 0; i < n; i++) nominal[i] = 1.0;
    return fmi3OK;
}
EXPORT fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance c, size_t *n)
{
    (void)c;
    *n = STOPS;
    return fmi3OK;
}
EXPORT fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance c, size_t *n)
{
    (void)c;
    *n = NX;
    return fmi3OK;
}

/* ---- co-simulation ---- */

EXPORT fmi3Status fmi3GetOutputDerivatives(fmi3Instance c, References vr, size_t n, const int32_t orders[],
                                           double values[], size_t count)
{
    (void)c, (void)vr, (void)orders, (void)values, (void)count;
    return n == 0 ? fmi3OK : fmi3Error;
}
EXPORT fmi3Status fmi3DoStep(fmi3Instance c, double now, double step, bool no_return, bool *events, bool *terminate,
                             bool *early, double *last)
{
    Instance *one = c;
    (void)no_return;
    *events = *terminate = *early = false;
    one->model.t = now;
    int failed = cardan_advance(&one->model, now + step);
    *last = one->model.t;
    return said(one, failed);
}
EXPORT fmi3Status fmi3ActivateModelPartition(fmi3Instance c, fmi3ValueReference clock, double time)
{
    (void)c, (void)clock, (void)time;
    return fmi3Error;
}
