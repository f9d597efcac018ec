import CEGL
import Foundation
import MediaCore

/// An OpenGL context without a window that draws only into textures.
///
/// No display server is needed. The context uses a graphics device, else Mesa's surfaceless platform, else the default
/// display with a surface of one pixel. It is OpenGL 3.2 core, else OpenGL ES 3.0. Devices come first because the
/// surfaceless platform is Mesa's, which computes on the CPU if the device has a driver that is not part of Mesa. An
/// OpenGL context is current on one thread, so it must be created, used and freed on the same thread. When it is freed,
/// the context that was current before its creation is current again.
final class OffscreenGL {
    private let display: EGLDisplay
    private let context: EGLContext
    private let surface: EGLSurface?
    /// What was current before. GTK 4.8 does not notice that its context is no longer current.
    private let previous: zc_eglBinding

    /// Creates the context and makes it current on the calling thread.
    /// - Throws: `.operationNotSupported` if the machine has no suitable OpenGL.
    init() throws(AVError) {
        previous = zc_eglCurrentBinding()
        for case let display? in OffscreenGL.displays() where zc_eglInitialize(display) != 0 {
            // The whole process shares displays, so they are never terminated.
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

    deinit {
        let wasCurrent = zc_eglCurrent() == context
        zc_eglDestroy(display, surface, context)
        if wasCurrent { zc_eglRestore(previous) }
    }

    /// Makes the context current. Call it before drawing.
    ///
    /// - Throws: `.operationNotSupported` if the driver fails.
    func makeCurrent() throws(AVError) {
        if zc_eglCurrent() == context { return }
        guard zc_eglMakeCurrent(display, surface, context) != 0 else {
            throw AVError(
                .operationNotSupported, at: "",
                reason: "the OpenGL context can't be used (EGL error 0x\(String(zc_eglError(), radix: 16)))")
        }
    }

    private static func displays() -> [EGLDisplay?] {
        var found: [EGLDisplay?] = []
        if zc_eglHasClientExtension("EGL_EXT_platform_base") != 0 {
            found += devices().map { zc_eglPlatformDisplay(zc_platformDevice, $0) }
            if zc_eglHasClientExtension("EGL_MESA_platform_surfaceless") != 0 {
                found.append(zc_eglPlatformDisplay(zc_platformSurfaceless, nil))
            }
        }
        found.append(zc_eglDefaultDisplay())
        return found
    }

    /// Returns the graphics devices of the computer.
    private static func devices() -> [EGLDeviceEXT?] {
        let canUse = zc_eglHasClientExtension("EGL_EXT_platform_device") != 0
        let canList =
            zc_eglHasClientExtension("EGL_EXT_device_base") != 0
            || zc_eglHasClientExtension("EGL_EXT_device_enumeration") != 0
                && zc_eglHasClientExtension("EGL_EXT_device_query") != 0
        guard canUse, canList else { return [] }
        var devices = [EGLDeviceEXT?](repeating: nil, count: 8)
        let count = Int(zc_eglDevices(&devices, Int32(devices.count)))
        return devices.prefix(count).filter { zc_eglIsSoftware($0) == 0 }
    }
}
