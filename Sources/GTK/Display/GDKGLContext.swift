import CGTK

/// An OpenGL context on a window's surface.
package struct GDKGLContext: GTKObject {
    package static var type: GType { gdk_gl_context_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    /// Nil where there is no OpenGL.
    @MainActor package static func make(on surface: GDKSurface) -> GTKReference<GDKGLContext>? {
        guard let context = gdk_surface_create_gl_context(surface.pointer, nil).map({ GDKGLContext($0) }) else {
            return nil
        }
        let reference = GTKReference(adopting: context)
        return gdk_gl_context_realize(context.pointer, nil) != 0 ? reference : nil
    }

    @MainActor package func makeCurrent() { gdk_gl_context_make_current(pointer) }
    /// No context is current afterwards.
    @MainActor package static func clearCurrent() { gdk_gl_context_clear_current() }
    /// Whether it is OpenGL ES.
    @MainActor package var isES: Bool { gdk_gl_context_get_use_es(pointer) != 0 }

    /// A `GdkTexture *` of a texture of OpenGL's, which the caller owns.
    /// - Parameters:
    ///   - colors: What its samples mean, which are half floats then; nil: they are bytes of sRGB.
    ///   - owner: What must live until GTK no longer uses the texture.
    @MainActor package func texture(
        _ name: UInt32, width: Int, height: Int, colors: TextureColors? = nil, keeping owner: AnyObject
    ) -> OpaquePointer? {
        zt_gdk_gl_texture(
            pointer, name, Int32(width), Int32(height), colors?.state,
            { owner in
                // GTK lets go on its own thread, the main one.
                MainThread.run(owner) { owner in
                    if let owner { Unmanaged<AnyObject>.fromOpaque(owner).release() }
                }
            }, Unmanaged.passRetained(owner).toOpaque())
    }
}
