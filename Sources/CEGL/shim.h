// EGL and OpenGL through libepoxy, for the composition's own context. Only macros and varargs stand here.
#ifndef ZOETROPE_CEGL_SHIM_H
#define ZOETROPE_CEGL_SHIM_H
#include <epoxy/egl.h>
#include <epoxy/gl.h>
#endif
