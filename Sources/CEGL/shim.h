// EGL and OpenGL through libepoxy, for the composition's own context and for drawing in GTK's. This is the only module
// that declares their names. Only what Swift cannot import is here: macros and variadic functions.
#ifndef ZOETROPE_CEGL_SHIM_H
#define ZOETROPE_CEGL_SHIM_H
#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <string.h>

// libepoxy's egl* and gl* functions are macros over function pointers. Swift needs functions.

static inline EGLDisplay zc_eglPlatformDisplay(EGLenum platform, void *native) {
    return eglGetPlatformDisplayEXT(platform, native, 0);
}
// Returns whether the client library (without a display) supports an extension, which its functions require.
static inline int zc_eglHasClientExtension(const char *name) { return epoxy_has_egl_extension(EGL_NO_DISPLAY, name); }
static inline EGLDisplay zc_eglDefaultDisplay(void) { return eglGetDisplay(EGL_DEFAULT_DISPLAY); }
static inline int zc_eglDevices(EGLDeviceEXT *devices, int size) {
    EGLint count = 0;
    return eglQueryDevicesEXT(size, devices, &count) ? count : 0;
}
// Returns whether a device computes on the CPU, as one of Mesa's devices does, which exists on every computer.
static inline int zc_eglIsSoftware(EGLDeviceEXT device) {
    const char *names = eglQueryDeviceStringEXT(device, EGL_EXTENSIONS);
    return names && strstr(names, "EGL_MESA_device_software");
}
static inline int zc_eglInitialize(EGLDisplay d) { EGLint major = 0, minor = 0; return eglInitialize(d, &major, &minor); }
static inline int zc_eglHasExtension(EGLDisplay d, const char *name) { return epoxy_has_egl_extension(d, name); }
// Creates an OpenGL 3.2 core context, or else an OpenGL ES 3.0 context. Returns EGL_NO_CONTEXT if both fail.
static inline EGLContext zc_eglContext(EGLDisplay d, int surfaceType, EGLConfig *config) {
    for (int isES = 0; isES < 2; isES++) {
        EGLint wanted[] = { EGL_SURFACE_TYPE, surfaceType, EGL_RENDERABLE_TYPE, isES ? EGL_OPENGL_ES3_BIT : EGL_OPENGL_BIT, EGL_NONE };
        EGLint desktop[] = { EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 2,
                             EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE };
        EGLint embedded[] = { EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE };
        EGLint count = 0;
        if (!eglBindAPI(isES ? EGL_OPENGL_ES_API : EGL_OPENGL_API)) continue;
        if (!eglChooseConfig(d, wanted, config, 1, &count) || count < 1) continue;
        EGLContext c = eglCreateContext(d, *config, EGL_NO_CONTEXT, isES ? embedded : desktop);
        if (c != EGL_NO_CONTEXT) return c;
    }
    return EGL_NO_CONTEXT;
}
static inline EGLSurface zc_eglPbuffer(EGLDisplay d, EGLConfig c) {
    EGLint size[] = { EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE };
    return eglCreatePbufferSurface(d, c, size);
}
static inline int zc_eglMakeCurrent(EGLDisplay d, EGLSurface s, EGLContext c) { return eglMakeCurrent(d, s, s, c); }
static inline EGLContext zc_eglCurrent(void) { return eglGetCurrentContext(); }
// The context that is current on the calling thread, with its surfaces. EGL_NO_CONTEXT if there is none.
typedef struct { EGLDisplay display; EGLSurface draw, read; EGLContext context; } zc_eglBinding;
static inline zc_eglBinding zc_eglCurrentBinding(void) {
    return (zc_eglBinding) { eglGetCurrentDisplay(), eglGetCurrentSurface(EGL_DRAW), eglGetCurrentSurface(EGL_READ), eglGetCurrentContext() };
}
static inline void zc_eglRestore(zc_eglBinding b) {
    if (b.context != EGL_NO_CONTEXT) eglMakeCurrent(b.display, b.draw, b.read, b.context);
}
static inline void zc_eglDestroy(EGLDisplay d, EGLSurface s, EGLContext c) {
    if (eglGetCurrentContext() == c) eglMakeCurrent(d, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (s) eglDestroySurface(d, s);
    eglDestroyContext(d, c);
}
static inline int zc_eglError(void) { return eglGetError(); }

static inline int zc_glIsDesktop(void) { return epoxy_is_desktop_gl(); }
static inline int zc_glVersion(void) { return epoxy_gl_version(); }
// Returns whether the current context computes on the CPU: Mesa's llvmpipe, softpipe and swrast.
static inline int zc_glIsSoftware(void) {
    const char *name = (const char *)glGetString(GL_RENDERER);
    return name && (strstr(name, "llvmpipe") || strstr(name, "softpipe") || strstr(name, "swrast") || strstr(name, "Software"));
}
static inline int zc_glInteger(GLenum name) { GLint v = 0; glGetIntegerv(name, &v); return v; }

static inline GLuint zc_glGenTexture(void) { GLuint t = 0; glGenTextures(1, &t); return t; }
static inline void zc_glDeleteTexture(GLuint t) { glDeleteTextures(1, &t); }
static inline GLuint zc_glGenFramebuffer(void) { GLuint f = 0; glGenFramebuffers(1, &f); return f; }
static inline void zc_glDeleteFramebuffer(GLuint f) { glDeleteFramebuffers(1, &f); }
static inline GLuint zc_glGenVertexArray(void) { GLuint v = 0; glGenVertexArrays(1, &v); return v; }
static inline void zc_glDeleteVertexArray(GLuint v) { glDeleteVertexArrays(1, &v); }
static inline void zc_glParameters(GLenum kind) {
    glTexParameteri(kind, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(kind, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(kind, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(kind, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    if (kind == GL_TEXTURE_3D) glTexParameteri(kind, GL_TEXTURE_WRAP_R, GL_CLAMP_TO_EDGE);
}
// Allocates memory for RGBA pixels of 8 bits or half floats.
static inline void zc_glAllocate(GLuint t, int isHalf, int width, int height) {
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, t);
    if (isHalf) glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA16F, width, height, 0, GL_RGBA, GL_HALF_FLOAT, 0);
    else glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, 0);
    zc_glParameters(GL_TEXTURE_2D);
}
static inline void zc_glUpload(GLuint t, int width, int height, int stride, const void *rgba) {
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, t);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, stride / 4);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}
// Uploads a cube as half floats, because some OpenGL ES drivers cannot interpolate floats.
static inline void zc_glUploadCube(GLuint t, int size, const float *rgba) {
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_3D, t);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA16F, size, size, size, 0, GL_RGBA, GL_FLOAT, rgba);
    zc_glParameters(GL_TEXTURE_3D);
}
static inline void zc_glBindTexture(int unit, int isCube, GLuint t) {
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(isCube ? GL_TEXTURE_3D : GL_TEXTURE_2D, t);
}
// Returns whether textures can have 16 bits per sample. OpenGL ES needs an extension for them.
static inline int zc_glHas16Bits(void) { return epoxy_is_desktop_gl() || epoxy_has_gl_extension("GL_EXT_texture_norm16"); }
// Sets whether red and blue of the bound texture are swapped when a shader reads them.
static inline void zc_glSwapRedAndBlue(int isSwapped) {
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_R, isSwapped ? GL_BLUE : GL_RED);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_B, isSwapped ? GL_RED : GL_BLUE);
}
// Uploads a plane of a frame to the texture that is bound to the active unit. `bytes` per sample (2 only if
// zc_glHas16Bits), `samples` per pixel (4: blue, green, red, alpha), `stride` bytes per row.
static inline void zc_glUploadPlane(int width, int height, int stride, int bytes, int samples, const void *data) {
    // OpenGL ES cannot upload pixels that begin with blue, so the texture swaps red and blue there.
    int isES = !epoxy_is_desktop_gl();
    GLenum internal = bytes == 2 ? (samples == 2 ? GL_RG16 : GL_R16) : (samples == 2 ? GL_RG8 : samples == 4 ? GL_RGBA8 : GL_R8);
    GLenum format = samples == 2 ? GL_RG : samples == 4 ? (isES ? GL_RGBA : GL_BGRA) : GL_RED;
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, stride / (bytes * samples));
    glTexImage2D(GL_TEXTURE_2D, 0, internal, width, height, 0, format, bytes == 2 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_BYTE, data);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    zc_glParameters(GL_TEXTURE_2D);
    if (isES) zc_glSwapRedAndBlue(samples == 4);
}
// Uploads a table of floats, and binds it to `unit`. It is read without interpolation.
static inline void zc_glUploadTable(int unit, GLuint t, int width, int height, const float *data) {
    zc_glBindTexture(unit, 0, t);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, width, height, 0, GL_RED, GL_FLOAT, data);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}
static inline int zc_glTarget(GLuint framebuffer, GLuint t) {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t, 0);
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}
static inline void zc_glRelease(void) {
    glUseProgram(0);
    glBindVertexArray(0);
    glDisable(GL_SCISSOR_TEST);
    glActiveTexture(GL_TEXTURE0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}
static inline void zc_glClear(float alpha) {
    glDisable(GL_SCISSOR_TEST);
    glColorMask(1, 1, 1, 1);
    glClearColor(0, 0, 0, alpha);
    glClear(GL_COLOR_BUFFER_BIT);
}
// Draws the rectangle x, y, width, height of the target with one triangle that covers it.
static inline void zc_glDraw(GLuint vertexArray, int x, int y, int width, int height) {
    glDisable(GL_BLEND); glDisable(GL_SCISSOR_TEST); glDisable(GL_DEPTH_TEST); glDisable(GL_STENCIL_TEST); glDisable(GL_CULL_FACE);
    glColorMask(1, 1, 1, 1);
    glViewport(x, y, width, height);
    glBindVertexArray(vertexArray);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}
static inline void zc_glFinish(void) { glFinish(); }
static inline void zc_glRead(int width, int height, int stride, void *pixels) {
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glPixelStorei(GL_PACK_ROW_LENGTH, stride / 4);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    glPixelStorei(GL_PACK_ROW_LENGTH, 0);
}
static inline void zc_glReadFloats(int width, int height, float *pixels) {
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_FLOAT, pixels);
}

static inline GLuint zc_glShader(int isFragment, const char *source, char *log, int size) {
    GLuint s = glCreateShader(isFragment ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
    GLint ok = 0;
    glShaderSource(s, 1, &source, 0);
    glCompileShader(s);
    glGetShaderiv(s, GL_COMPILE_STATUS, &ok);
    if (ok) return s;
    glGetShaderInfoLog(s, size, 0, log);
    glDeleteShader(s);
    return 0;
}
static inline void zc_glDeleteShader(GLuint s) { glDeleteShader(s); }
// Links two shaders into a program. The caller keeps ownership of the shaders.
static inline GLuint zc_glProgram(GLuint vertex, GLuint fragment, char *log, int size) {
    GLuint p = glCreateProgram();
    GLint ok = 0;
    glAttachShader(p, vertex); glAttachShader(p, fragment);
    glLinkProgram(p);
    glGetProgramiv(p, GL_LINK_STATUS, &ok);
    glDetachShader(p, vertex); glDetachShader(p, fragment);
    if (ok) return p;
    glGetProgramInfoLog(p, size, 0, log);
    glDeleteProgram(p);
    return 0;
}
static inline void zc_glDeleteProgram(GLuint p) { glDeleteProgram(p); }
static inline void zc_glUseProgram(GLuint p) { glUseProgram(p); }
static inline int zc_glLocation(GLuint p, const char *name) { return glGetUniformLocation(p, name); }
static inline void zc_glInt(int location, int v) { glUniform1i(location, v); }
// Sets a uniform of 1 to 4 components.
static inline void zc_glFloats(int location, int components, const float *v) {
    switch (components) {
    case 1: glUniform1fv(location, 1, v); break;
    case 2: glUniform2fv(location, 1, v); break;
    case 3: glUniform3fv(location, 1, v); break;
    default: glUniform4fv(location, 1, v); break;
    }
}
// Sets a uniform matrix of 3×3 or 4×4 in column order.
static inline void zc_glMatrix(int location, int size, const float *v) {
    if (size == 3) glUniformMatrix3fv(location, 1, GL_FALSE, v); else glUniformMatrix4fv(location, 1, GL_FALSE, v);
}

static const EGLenum zc_platformSurfaceless = EGL_PLATFORM_SURFACELESS_MESA, zc_platformDevice = EGL_PLATFORM_DEVICE_EXT;
static const int zc_pbufferBit = EGL_PBUFFER_BIT;
static const GLenum zc_maxTextureSize = GL_MAX_TEXTURE_SIZE;

// Swaps red and blue of a texture that was uploaded in the order blue, green, red, alpha.
static inline void zc_glReadAsBGRA(GLuint t) {
    glBindTexture(GL_TEXTURE_2D, t);
    zc_glSwapRedAndBlue(1);
}
#endif
