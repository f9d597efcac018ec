import GTK
import CGTK
import Filters
import Foundation
import MediaCore
import MediaEngine
import Overlays

// Pictures through GTK: with the GL renderer, on Wayland, with alpha, and through masks and turns.
extension PlayerView: PaintableContent {
    package var intrinsicSize: CGSize { frame?.presentationSize ?? .zero }

    package func snapshot(_ snapshot: GTKSnapshot, width: Double, height: Double) {
        // Last: what of its own GTK draws lies over nothing.
        defer { if !triesGL { VideoMark.append(mark, to: snapshot) } }
        defer { if let notice { append(notice, to: snapshot, width: width, height: height) } }
        // GTK draws when there is a size, and another one: the moment to place the video anew.
        if drawn == nil || drawn?.placement != placement(frame) { wake() }
        // The window has just got its size, and a first picture may wait for it: a turn of the display would come 16 ms
        // later, when the second one is almost due.
        if shown == 0 { DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.woken() } } }
        // A view that fades in over others must not begin with its black background.
        if frame == nil, isDrawnByGTK { frame = currentFrame() }
        let scale = Double(picture.scaleFactor)
        let (pixelWidth, pixelHeight) = (Int((width * scale).rounded()), Int((height * scale).rounded()))
        let placement = VideoPlacement(
            picture: frame?.presentationSize ?? .zero, width: pixelWidth, height: pixelHeight, gravity: videoGravity)
        // What the video's own surface does not show yet, or soon no more, GTK shows.
        let isOnSurface = surface?.isMapped == true && !isDrawnByGTK && leaving == nil
        let isDrawn = frame != nil && !isOnSurface && placement.width > 0
        // Where the picture covers all of it, nobody would see the black below; a software renderer fills it all the
        // same.
        if isBackgroundBlack,
            !isDrawn || frame?.hasAlpha == true || placement.x > 0 || placement.y > 0 || placement.width < pixelWidth
                || placement.height < pixelHeight
        {
            var whole = graphene_rect_t()
            graphene_rect_init(&whole, 0, 0, Float(width), Float(height))
            let black = GdkRGBA(red: 0, green: 0, blue: 0, alpha: 1)
            snapshot.append(black, whole)
        }
        guard isDrawn, let frame else { return }
        let overlays = overlays(of: frame, placement, .now())
        if triesGL, let texture = glTexture(frame, placement) {
            append(
                texture, x: placement.x, y: placement.y, width: placement.width, height: placement.height, snapshot,
                scale)
            for bitmap in overlays.flatMap(\.bitmaps) {
                guard let texture = memoryTexture(bitmap) else { continue }
                append(texture, x: bitmap.x, y: bitmap.y, width: bitmap.width, height: bitmap.height, snapshot, scale)
            }
            return
        }
        appendImage(frame, placement, overlays, snapshot, width: pixelWidth, height: pixelHeight, scale)
    }

    /// Draws a text as `OSD` shows it: in a dark box in the middle of the lower end.
    private func append(_ text: String, to snapshot: GTKSnapshot, width: Double, height: Double) {
        let (margin, side, above) = (24.0, 16.0, 8.0)
        let room = width - 2 * (margin + side)
        guard room >= 60, let layout = picture.makeLayout(text) else { return }
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        let list = pango_attr_list_new()
        pango_attr_list_insert(list, pango_attr_scale_new(1.2))
        pango_layout_set_attributes(layout, list)
        pango_attr_list_unref(list)
        pango_layout_set_width(layout, Int32(room) * PANGO_SCALE)
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        pango_layout_set_alignment(layout, PANGO_ALIGN_CENTER)
        var words = PangoRectangle()
        pango_layout_get_pixel_extents(layout, nil, &words)
        let size = (width: Double(words.width) + 2 * side, height: Double(words.height) + 2 * above)
        let y = max(0, height - coveredBottom - margin - size.height)
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
            x: Float((width - size.width) / 2 + side) - Float(words.x), y: Float(y + above) - Float(words.y))
        snapshot.append(layout: layout, white)
        snapshot.restore()
    }

    /// Gives the texture's reference away.
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

    /// As a cairo image with nothing to filter, and, if opaque, nothing to blend: half the cost of a memory texture on
    /// GSK's cairo renderer.
    private func appendImage(
        _ frame: VideoFrame, _ p: VideoPlacement, _ overlays: [OverlayContent], _ snapshot: GTKSnapshot, width: Int,
        height: Int, _ scale: Double
    ) {
        let area = PicturePainter.area(p, overlays, width: width, height: height)
        // A fresh surface each time: GTK may still hold the last one in its render tree.
        // Rows enough for the scaler's slack, never shown.
        let spare = (PicturePainter.slack + area.width * 4 - 1) / (area.width * 4)
        guard
            let fresh = cairo_image_surface_create(
                frame.hasAlpha ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24, Int32(area.width), Int32(area.height + spare)
            ),
            let pixels = cairo_image_surface_get_data(fresh)
        else { return }
        defer { cairo_surface_destroy(fresh) }
        cairo_surface_flush(fresh)
        guard
            painter.paint(
                frame, placement: p, colors: composition?.colors, overlays: overlays, area: area,
                into: pixels, stride: Int(cairo_image_surface_get_stride(fresh)))
        else { return }
        // Drawn by GTK it would be drawn again with each picture.
        for tile in isDrawnByGTK ? [] : cover.tiles {
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
        cairo_set_operator(cr, frame.hasAlpha ? CAIRO_OPERATOR_OVER : CAIRO_OPERATOR_SOURCE)
        cairo_rectangle(cr, x, y, w, h)
        cairo_fill(cr)
    }

    private func glTexture(_ frame: VideoFrame, _ placement: VideoPlacement) -> OpaquePointer? {
        if gl == nil {
            guard let surface = picture.native?.surface else {
                return nil
            }
            gl = GLPresenter(surface: surface)
            if gl == nil {
                triesGL = false
                composition?.displayTakesColors = true
                redraw()
                FileHandle.standardError.write(
                    Data("zoetrope: OpenGL is not available. The CPU draws the video.\n".utf8))
                return nil
            }
        }
        return gl?.texture(for: frame, placement: placement)
    }
}
