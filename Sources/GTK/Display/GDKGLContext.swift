import CGTK

/// An OpenGL context on a window's surface.
package struct GDKGLContext: GTKObject {
    package static var type: GType { gdk_gl_context_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    /// Creates a context. Returns nil if OpenGL is not available.
    @MainActor package static func make(on surface: GDKSurface) -> GTKReference<GDKGLContext>? {
        guard let context = gdk_surface_create_gl_context(surface.pointer, nil).map({ GDKGLContext($0) }) else {
            return nil
        }
        let reference = GTKReference(adopting: context)
        return gdk_gl_context_realize(context.pointer, nil) != 0 ? reference : nil
    }

    @MainActor package func makeCurrent() { gdk_gl_context_make_current(pointer) }
    /// Makes no context current.
    @MainActor package static func clearCurrent() { gdk_gl_context_clear_current() }
    /// Calls `body` while the context is current. Afterward, the previous context is current again.
    @MainActor package func whileCurrent(_ body: () -> Void) {
        // GDK would free a context that nothing else keeps.
        let previous = gdk_gl_context_get_current().map { GTKReference(GDKGLContext($0)) }
        makeCurrent()
        body()
        if let previous { previous.object.makeCurrent() } else { GDKGLContext.clearCurrent() }
    }
    /// Whether the context is OpenGL ES.
    @MainActor package var isES: Bool { gdk_gl_context_get_use_es(pointer) != 0 }

    /// Creates a `GdkTexture *` from an OpenGL texture. The caller owns the result.
    ///
    /// - Parameters:
    ///   - colors: The meaning of the samples, which must be half floats. If nil, the samples are bytes in sRGB.
    ///   - owner: An object that is kept alive until GTK no longer uses the texture.
    @MainActor package func texture(
        _ name: UInt32, width: Int, height: Int, colors: TextureColors? = nil, keeping owner: AnyObject
    ) -> OpaquePointer? {
        zt_gdk_gl_texture(
            pointer, name, Int32(width), Int32(height), colors?.state,
            { owner in
                // GTK calls this function on its own thread, the main thread.
                MainThread.run(owner) { owner in
                    if let owner { Unmanaged<AnyObject>.fromOpaque(owner).release() }
                }
            }, Unmanaged.passRetained(owner).toOpaque())
    }
}
