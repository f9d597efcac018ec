// PulseAudio's client API, which both PulseAudio and PipeWire implement.
#ifndef ZOETROPE_CPULSE_SHIM_H
#define ZOETROPE_CPULSE_SHIM_H
#include <pulse/pulseaudio.h>
#endif
