// The PulseAudio client API (served by PulseAudio and PipeWire).
#ifndef ZOETROPE_CPULSE_SHIM_H
#define ZOETROPE_CPULSE_SHIM_H
#include <pulse/pulseaudio.h>
#endif
