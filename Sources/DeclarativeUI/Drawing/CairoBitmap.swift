import CGTK
import Foundation

/// Pixels in memory that cairo draws, transparent at first.
@MainActor
final class CairoBitmap {
    /// The maximum width and height, in pixels.
    static let limit = 16384
    /// The cairo context, which draws in pixels unless its matrix is changed.
    let cr: OpaquePointer
    private let surface: OpaquePointer

    /// Creates a bitmap. Returns nil if it would be empty or larger than `limit`, or without enough memory.
    init?(width: Int, height: Int) {
        guard width > 0, height > 0, width <= CairoBitmap.limit, height <= CairoBitmap.limit,
            let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(width), Int32(height))
        else { return nil }
        guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS, let cr = cairo_create(surface) else {
            cairo_surface_destroy(surface)
            return nil
        }
        self.cr = cr
        self.surface = surface
    }
    isolated deinit {
        cairo_destroy(cr)
        cairo_surface_destroy(surface)
    }

    /// Returns a copy of the current pixels as a texture, or nil without enough memory.
    /// - Parameter scale: The number of pixels per point.
    func texture(scale: CGFloat) -> TextureBox? {
        cairo_surface_flush(surface)
        guard let pixels = cairo_image_surface_get_data(surface) else { return nil }
        let (width, height) = (cairo_image_surface_get_width(surface), cairo_image_surface_get_height(surface))
        let stride = Int(cairo_image_surface_get_stride(surface))
        let bytes = g_bytes_new(pixels, gsize(stride * Int(height)))
        defer { g_bytes_unref(bytes) }
        return gdk_memory_texture_new(width, height, GDK_MEMORY_B8G8R8A8_PREMULTIPLIED, bytes, gsize(stride)).map {
            TextureBox(owning: $0, scale: scale)
        }
    }
}
