import CGTK
import Filters
import Foundation
import GTK
import MediaCore
import MediaEngine
import Overlays

/// A painter that draws a view's frames and a text over them into a GTK snapshot, with OpenGL or as a cairo image.
@MainActor
final class SnapshotPainter {
    private let canvas: VideoCanvas
    private let painter: PicturePainter
    private var gl: GLPresenter?
    /// Whether OpenGL draws. False after it has turned out to be unavailable.
    var triesGL: Bool { OpenGLDrawing.isUsed }
    /// Whether the view is black where its frame is transparent or missing. If false, content behind the view is
    /// visible.
    var isBackgroundBlack = true

    /// A frame with everything above it.
    struct Picture {
        let frame: VideoFrame
        let placement: VideoPlacement
        let overlays: [OverlayContent]
        let colors: FoldedColors?
        /// The content of the app that is blended into the frame.
        let tiles: [VideoCover.Tile]
    }

    init(_ canvas: VideoCanvas, _ painter: PicturePainter) { (self.canvas, self.painter) = (canvas, painter) }

    /// Frees everything that belongs to a window.
    func close() {
        gl?.close()
        gl = nil
    }

    /// Draws the black background, if it is visible.
    /// - Parameter frame: The frame that is drawn above. Nil if none is drawn.
    func appendBackground(
        of frame: VideoFrame?, _ placement: VideoPlacement, _ snapshot: GTKSnapshot, in space: CanvasSpace,
        width: Double, height: Double
    ) {
        // Skip a background that the frame covers, because a software renderer would fill the background anyway.
        guard
            isBackgroundBlack,
            frame == nil || frame?.hasAlpha == true || placement.x > 0 || placement.y > 0
                || placement.width < space.width || placement.height < space.height
        else { return }
        var whole = graphene_rect_t()
        graphene_rect_init(&whole, 0, 0, Float(width), Float(height))
        let black = GdkRGBA(red: 0, green: 0, blue: 0, alpha: 1)
        snapshot.append(black, whole)
    }

    /// Draws a frame and its overlays with OpenGL.
    /// - Returns: False if OpenGL cannot draw now.
    func appendTexture(
        of frame: VideoFrame, _ placement: VideoPlacement, _ overlays: [OverlayContent], _ snapshot: GTKSnapshot,
        in space: CanvasSpace
    ) -> Bool {
        guard triesGL, let texture = texture(frame, placement) else { return false }
        let scale = Double(space.scale)
        append(
            texture, x: placement.x, y: placement.y, width: placement.width, height: placement.height, snapshot, scale)
        for bitmap in overlays.flatMap(\.bitmaps) {
            guard let texture = memoryTexture(bitmap) else { continue }
            append(texture, x: bitmap.x, y: bitmap.y, width: bitmap.width, height: bitmap.height, snapshot, scale)
        }
        return true
    }

    private func texture(_ frame: VideoFrame, _ placement: VideoPlacement) -> OpaquePointer? {
        if gl == nil {
            guard let surface = canvas.picture.native?.surface else { return nil }
            gl = GLPresenter(surface: surface)
            if gl == nil { OpenGLDrawing.giveUp() }
        }
        return gl?.texture(for: frame, placement: placement)
    }

    /// Draws a text as `OSD` does: in a dark box at the center of the lower edge.
    func append(_ text: String, to snapshot: GTKSnapshot, width: Double, height: Double, above covered: Double) {
        let (margin, side, above) = (24.0, 16.0, 8.0)
        let availableWidth = width - 2 * (margin + side)
        guard availableWidth >= 60, let layout = canvas.picture.makeLayout(text) else { return }
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        let list = pango_attr_list_new()
        pango_attr_list_insert(list, pango_attr_scale_new(1.2))
        pango_layout_set_attributes(layout, list)
        pango_attr_list_unref(list)
        pango_layout_set_width(layout, Int32(availableWidth) * PANGO_SCALE)
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        pango_layout_set_alignment(layout, PANGO_ALIGN_CENTER)
        var extents = PangoRectangle()
        pango_layout_get_pixel_extents(layout, nil, &extents)
        let size = (width: Double(extents.width) + 2 * side, height: Double(extents.height) + 2 * above)
        let y = max(0, height - covered - margin - size.height)
        var box = graphene_rect_t()
        graphene_rect_init(
            &box, Float((width - size.width) / 2), Float(y), Float(size.width), Float(size.height))
        var rounded = GskRoundedRect()
        gsk_rounded_rect_init_from_rect(&rounded, &box, 8)
        let dark = GdkRGBA(red: 0, green: 0, blue: 0, alpha: 0.7)
        let white = GdkRGBA(red: 1, green: 1, blue: 1, alpha: 1)
        snapshot.pushClip(rounded)
        snapshot.append(dark, box)
        snapshot.pop()
        snapshot.save()
        snapshot.translate(
            x: Float((width - size.width) / 2 + side) - Float(extents.x), y: Float(y + above) - Float(extents.y))
        snapshot.append(layout: layout, white)
        snapshot.restore()
    }

    /// Draws a texture and releases its reference.
    private func append(
        _ texture: OpaquePointer, x: Int, y: Int, width: Int, height: Int, _ snapshot: GTKSnapshot, _ scale: Double
    ) {
        var area = graphene_rect_t()
        graphene_rect_init(
            &area, Float(Double(x) / scale), Float(Double(y) / scale), Float(Double(width) / scale),
            Float(Double(height) / scale))
        snapshot.append(texture: texture, area)
        g_object_unref(UnsafeMutableRawPointer(texture))
    }

    private func memoryTexture(_ bitmap: OverlayBitmap) -> OpaquePointer? {
        bitmap.pixels.withUnsafeBytes { raw in
            guard let bytes = g_bytes_new(raw.baseAddress, gsize(raw.count)) else { return nil }
            defer { g_bytes_unref(bytes) }
            return gdk_memory_texture_new(
                Int32(bitmap.width), Int32(bitmap.height), GDK_MEMORY_B8G8R8A8_PREMULTIPLIED, bytes,
                gsize(bitmap.width * 4))
        }
    }

    /// Returns whether the image of a frame with its overlays may have transparent parts: in the frame itself, or in
    /// bars into which an overlay extends while the background is not black.
    func isBlended(
        _ frame: VideoFrame, _ overlays: [OverlayContent], _ placement: VideoPlacement, in space: CanvasSpace
    ) -> Bool {
        frame.hasAlpha
            || !isBackgroundBlack
                && PicturePainter.isBeside(placement, overlays, width: space.width, height: space.height)
    }

    /// Draws a frame as a cairo image without filtering and, if it is opaque, without blending. On GSK's cairo
    /// renderer, this costs half as much as a memory texture.
    func appendImage(_ content: Picture, _ snapshot: GTKSnapshot, in space: CanvasSpace) {
        let (frame, scale) = (content.frame, Double(space.scale))
        let area = PicturePainter.area(content.placement, content.overlays, width: space.width, height: space.height)
        let isBlended = isBlended(frame, content.overlays, content.placement, in: space)
        // Uses a new surface each time, because GTK may still hold the last one in its render tree.
        // The spare rows for the scaler's slack are never displayed.
        let spare = (PicturePainter.slack + area.width * 4 - 1) / (area.width * 4)
        guard
            let fresh = cairo_image_surface_create(
                isBlended ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24, Int32(area.width), Int32(area.height + spare)),
            let pixels = cairo_image_surface_get_data(fresh)
        else { return }
        defer { cairo_surface_destroy(fresh) }
        cairo_surface_flush(fresh)
        guard
            painter.paint(
                frame, placement: content.placement, colors: content.colors, overlays: content.overlays, area: area,
                hasTransparentBars: isBlended, into: pixels, stride: Int(cairo_image_surface_get_stride(fresh)))
        else { return }
        for tile in content.tiles {
            OverlayBlend.draw(
                tile.bitmap, over: pixels, x: area.x, y: area.y, width: area.width, height: area.height,
                stride: Int(cairo_image_surface_get_stride(fresh)), share: tile.share)
        }
        cairo_surface_mark_dirty(fresh)
        cairo_surface_set_device_scale(fresh, scale, scale)
        let (x, y, w, h) = (
            Double(area.x) / scale, Double(area.y) / scale, Double(area.width) / scale, Double(area.height) / scale
        )
        var whole = graphene_rect_t()
        graphene_rect_init(&whole, Float(x), Float(y), Float(w), Float(h))
        guard let cr = snapshot.cairo(whole) else { return }
        defer { cairo_destroy(cr) }
        cairo_set_source_surface(cr, fresh, x, y)
        cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_NEAREST)
        cairo_set_operator(cr, isBlended ? CAIRO_OPERATOR_OVER : CAIRO_OPERATOR_SOURCE)
        cairo_rectangle(cr, x, y, w, h)
        cairo_fill(cr)
    }
}
