/* The functions of FMI 2.0 for model exchange and co-simulation, declared here as the standard lays them down. */

typedef void *fmi2Component;
typedef void *fmi2ComponentEnvironment;
typedef void *fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer;
typedef int fmi2Boolean;
typedef char fmi2Char;
typedef const fmi2Char *fmi2String;
typedef char fmi2Byte;
typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated } fmi2StatusKind;
typedef void (*fmi2CallbackLogger)(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String, fmi2String, ...);
typedef struct {
    fmi2CallbackLogger logger;
    void *(*allocateMemory)(size_t, size_t);
    void (*freeMemory)(void *);
    void (*stepFinished)(fmi2ComponentEnvironment, fmi2Status);
    fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;
typedef struct {
    fmi2Boolean newDiscreteStatesNeeded, terminateSimulation, nominalsOfContinuousStatesChanged,
        valuesOfContinuousStatesChanged, nextEventTimeDefined;
    fmi2Real nextEventTime;
} fmi2EventInfo;

typedef struct {
    Cardan model;
    char name[100];
    fmi2CallbackLogger logger;
    fmi2ComponentEnvironment environment;
} Instance;

static fmi2Status said(Instance *one, int failed)
{
    if (!failed) return fmi2OK;
    if (one->logger) one->logger(one->environment, one->name, fmi2Error, "logStatusError", "%s", one->model.message);
    return fmi2Error;
}

EXPORT const char *fmi2GetTypesPlatform(void) { return "default"; }
EXPORT const char *fmi2GetVersion(void) { return "2.0"; }
EXPORT fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n, const fmi2String names[])
{
    (void)c, (void)on, (void)n, (void)names;
    return fmi2OK;
}

EXPORT fmi2Component fmi2Instantiate(fmi2String name, fmi2Type kind, fmi2String guid, fmi2String resources,
                                     const fmi2CallbackFunctions *functions, fmi2Boolean visible, fmi2Boolean logging)
{
    (void)kind, (void)resources, (void)visible, (void)logging;
    if (!guid || strcmp(guid, TOKEN) != 0) {
        if (functions && functions->logger)
            functions->logger(functions->componentEnvironment, name, fmi2Error, "logStatusError",
                              "the guid is not that of this unit: description and binary do not belong together");
        return NULL;
    }
    Instance *one = calloc(1, sizeof *one);
    if (!one) return NULL;
    cardan_reset(&one->model);
    snprintf(one->name, sizeof one->name, "%s", name ? name : "");
    if (functions) {
        one->logger = functions->logger;
        one->environment = functions->componentEnvironment;
    }
    return one;
}

EXPORT void fmi2FreeInstance(fmi2Component c) { free(c); }

EXPORT fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real start,
                                      fmi2Boolean has_stop, fmi2Real stop)
{
    Instance *one = c;
    (void)has_stop, (void)stop;
    one->model.t = start;
    if (has_tolerance && tolerance > 0.0) one->model.tolerance = tolerance;
    return fmi2OK;
}

EXPORT fmi2Status fmi2EnterInitializationMode(fmi2Component c)
{
    (void)c;
    return fmi2OK;
}
EXPORT fmi2Status fmi2ExitInitializationMode(fmi2Component c) { return said(c, cardan_begin(&((Instance *)c)->model)); }
EXPORT fmi2Status fmi2Terminate(fmi2Component c)
{
    (void)c;
    return fmi2OK;
}
EXPORT fmi2Status fmi2Reset(fmi2Component c)
{
    cardan_reset(&((Instance *)c)->model);
    return fmi2OK;
}

EXPORT fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Real value[])
{
    for (size_t i = 0; i < n; i++)
        if (cardan_get(&((Instance *)c)->model, vr[i], &value[i])) return said(c, 1);
    return fmi2OK;
}
EXPORT fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Real value[])
{
    for (size_t i = 0; i < n; i++)
        if (cardan_set(&((Instance *)c)->model, vr[i], value[i])) return said(c, 1);
    return fmi2OK;
}

/* This unit has real variables only: asking for none of another type is right, asking for some is not. */
#define NO_SUCH_TYPE(Get, Set, Type)                                                                                 \
    EXPORT fmi2Status Get(fmi2Component c, const fmi2ValueReference vr[], size_t n, Type value[])                    \
    {                                                                                                                \
        (void)c, (void)vr, (void)value;                                                                              \
        return n == 0 ? fmi2OK : fmi2Error;                                                                          \
    }                                                                                                                \
    EXPORT fmi2Status Set(fmi2Component c, const fmi2ValueReference vr[], size_t n, const Type value[])              \
    {                                                                                                                \
        (void)c, (void)vr, (void)value;                                                                              \
        return n == 0 ? fmi2OK : fmi2Error;                                                                          \
    }
NO_SUCH_TYPE(fmi2GetInteger, fmi2SetInteger, fmi2Integer)
NO_SUCH_TYPE(fmi2GetBoolean, fmi2SetBoolean, fmi2Boolean)
NO_SUCH_TYPE(fmi2GetString, fmi2SetString, fmi2String)

EXPORT fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state)
{
    if (!*state) *state = malloc(sizeof(Cardan));
    if (!*state) return fmi2Error;
    memcpy(*state, &((Instance *)c)->model, sizeof(Cardan));
    return fmi2OK;
}
EXPORT fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state)
{
    memcpy(&((Instance *)c)->model, state, sizeof(Cardan));
    return fmi2OK;
}
EXPORT fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state)
{
    (void)c;
    free(*state);
    *state = NULL;
    return fmi2OK;
}
EXPORT fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size)
{
    (void)c, (void)state;
    *size = sizeof(Cardan);
    return fmi2OK;
}
EXPORT fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size)
{
    (void)c;
    if (size < sizeof(Cardan)) return fmi2Error;
    memcpy(bytes, state, sizeof(Cardan));
    return fmi2OK;
}
EXPORT fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state)
{
    (void)c;
    if (size < sizeof(Cardan)) return fmi2Error;
    if (!*state) *state = malloc(sizeof(Cardan));
    if (!*state) return fmi2Error;
    memcpy(*state, bytes, sizeof(Cardan));
    return fmi2OK;
}
EXPORT fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknown[], size_t n,
                                               const fmi2ValueReference known[], size_t m, const fmi2Real seed[],
                                               fmi2Real sensitivity[])
{
    (void)c, (void)unknown, (void)n, (void)known, (void)m, (void)seed, (void)sensitivity;
    return fmi2Error;
}

/* ---- model exchange ---- */

EXPORT fmi2Status fmi2EnterEventMode(fmi2Component c)
{
    (void)c;
    return fmi2OK;
}
EXPORT fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *info)
{
    Instance *one = c;
    double before[NX + 1];
    memcpy(before, one->model.x, NX * sizeof(double));
    int happened = cardan_event(&one->model);
    if (happened >= 0 && cardan_drifted(&one->model)) cardan_project(&one->model, NULL);
    memset(info, 0, sizeof *info);
    info->valuesOfContinuousStatesChanged = memcmp(before, one->model.x, NX * sizeof(double)) != 0;
    return said(one, happened < 0);
}
EXPORT fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c)
{
    (void)c;
    return fmi2OK;
}
EXPORT fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean no_return, fmi2Boolean *enter_event_mode,
                                              fmi2Boolean *terminate)
{
    (void)no_return;
    *enter_event_mode = cardan_drifted(&((Instance *)c)->model);
    *terminate = 0;
    return fmi2OK;
}
EXPORT fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time)
{
    ((Instance *)c)->model.t = time;
    return fmi2OK;
}
EXPORT fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], size_t n)
{
    if (n != NX) return fmi2Error;
    memcpy(((Instance *)c)->model.x, x, NX * sizeof(double));
    return fmi2OK;
}
EXPORT fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real derivatives[], size_t n)
{
    if (n != NX) return fmi2Error;
    return said(c, cardan_derivatives(&((Instance *)c)->model, derivatives, NULL));
}
EXPORT fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real z[], size_t n)
{
    if (n != STOPS) return fmi2Error;
    if (n > 0) cardan_indicators(&((Instance *)c)->model, z);
    return fmi2OK;
}
EXPORT fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], size_t n)
{
    if (n != NX) return fmi2Error;
    memcpy(x, ((Instance *)c)->model.x, NX * sizeof(double));
    return fmi2OK;
}
EXPORT fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real nominal[], size_t n)
{
    (void)c;
    for (size_t i = 0; i < n; i++) nominal[i] = 1.0;
    return fmi2OK;
}

/* ---- co-simulation ---- */

EXPORT fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                                              const fmi2Integer order[], const fmi2Real value[])
{
    (void)c, (void)vr, (void)order, (void)value;
    return n == 0 ? fmi2OK : fmi2Error;
}
EXPORT fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                                               const fmi2Integer order[], fmi2Real value[])
{
    (void)c, (void)vr, (void)order, (void)value;
    return n == 0 ? fmi2OK : fmi2Error;
}
EXPORT fmi2Status fmi2DoStep(fmi2Component c, fmi2Real now, fmi2Real step, fmi2Boolean no_return)
{
    Instance *one = c;
    (void)no_return;
    one->model.t = now;
    return said(one, cardan_advance(&one->model, now + step));
}
EXPORT fmi2Status fmi2CancelStep(fmi2Component c)
{
    (void)c;
    return fmi2Error;
}
EXPORT fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Status *value)
{
    (void)c, (void)kind, (void)value;
    return fmi2Discard;
}
EXPORT fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real *value)
{
    if (kind != fmi2LastSuccessfulTime) return fmi2Discard;
    *value = ((Instance *)c)->model.t;
    return fmi2OK;
}
EXPORT fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Integer *value)
{
    (void)c, (void)kind, (void)value;
    return fmi2Discard;
}
EXPORT fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value)
{
    (void)c;
    if (kind != fmi2Terminated) return fmi2Discard;
    *value = 0;
    return fmi2OK;
}
EXPORT fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind kind, fmi2String *value)
{
    (void)c, (void)kind, (void)value;
    return fmi2Discard;
}
