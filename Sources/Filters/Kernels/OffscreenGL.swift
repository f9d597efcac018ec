import CEGL
import Foundation
import MediaCore

/// OpenGL without a window: a context of our own that draws into textures only.
///
/// No display server is needed: Mesa's surfaceless platform, else an EGL device, else the default display with a
/// surface of one pixel. OpenGL 3.2 core, else OpenGL ES 3.0. Without a graphics device Mesa computes on the CPU.
/// An OpenGL context is current on one thread, so it is made, used and freed there.
final class OffscreenGL {
    private let display: EGLDisplay
    private let context: EGLContext
    private let surface: EGLSurface?
    private let thread: pthread_t

    /// - Throws: `.operationNotSupported` when the machine has no OpenGL.
    init() throws(AVError) {
        thread = pthread_self()
        for case let display? in OffscreenGL.displays() where zc_eglInitialize(display) != 0 {
            // Displays are shared by the whole process and therefore never terminated.
            let isSurfaceless = zc_eglHasExtension(display, "EGL_KHR_surfaceless_context") != 0
            var config: EGLConfig?
            guard let context = zc_eglContext(display, isSurfaceless ? 0 : zc_pbufferBit, &config) else { continue }
            let surface = isSurfaceless ? nil : zc_eglPbuffer(display, config)
            guard isSurfaceless || surface != nil, zc_eglMakeCurrent(display, surface, context) != 0 else {
                zc_eglDestroy(display, surface, context)
                continue
            }
            self.display = display
            self.context = context
            self.surface = surface
            return
        }
        throw AVError(
            .operationNotSupported, at: "",
            reason: "filters require OpenGL 3.2 or OpenGL ES 3.0, which was not found on this computer",
            suggestion: "Install Mesa's drivers (Debian, Ubuntu: libgl1-mesa-dri and libegl1)")
    }

    deinit { zc_eglDestroy(display, surface, context) }

    /// To be called before anything is drawn.
    ///
    /// - Throws: `.operationNotSupported` on another thread than the one that made it, or when the driver refuses.
    func makeCurrent() throws(AVError) {
        if pthread_equal(pthread_self(), thread) == 0 {
            throw AVError(
                .operationNotSupported, at: "",
                reason: "the OpenGL context is used on another thread than the one that created it",
                suggestion: "Create a renderer for each thread")
        }
        if zc_eglCurrent() == context { return }
        guard zc_eglMakeCurrent(display, surface, context) != 0 else {
            throw AVError(
                .operationNotSupported, at: "",
                reason: "the OpenGL context can't be used (EGL error 0x\(String(zc_eglError(), radix: 16)))")
        }
    }

    /// The driver's name for people and logs.
    var renderer: String { zc_glRenderer().map { String(cString: $0) } ?? "unknown" }

    private static func displays() -> [EGLDisplay?] {
        var found: [EGLDisplay?] = []
        let hasPlatforms = zc_eglHasClientExtension("EGL_EXT_platform_base") != 0
        if hasPlatforms, zc_eglHasClientExtension("EGL_MESA_platform_surfaceless") != 0 {
            found.append(zc_eglPlatformDisplay(zc_platformSurfaceless, nil))
        }
        if hasPlatforms, zc_eglHasClientExtension("EGL_EXT_platform_device") != 0,
            zc_eglHasClientExtension("EGL_EXT_device_enumeration") != 0
                || zc_eglHasClientExtension("EGL_EXT_device_base") != 0
        {
            var devices = [EGLDeviceEXT?](repeating: nil, count: 8)
            let count = Int(zc_eglDevices(&devices, 8))
            for device in devices.prefix(count) { found.append(zc_eglPlatformDisplay(zc_platformDevice, device)) }
        }
        found.append(zc_eglDefaultDisplay())
        return found
    }
}
