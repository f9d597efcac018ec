import CGTK

/// A list of drawing commands for a widget. A snapshot is made for each frame, so this handle allocates nothing.
package struct GTKSnapshot {
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }
}

@MainActor
extension GTKSnapshot {
    /// Returns the drawing of `body` as a `GskRenderNode *`, which the caller frees. Returns nil if it drew nothing.
    package static func node(_ body: (GTKSnapshot) -> Void) -> OpaquePointer? {
        guard let fresh = gtk_snapshot_new() else { return nil }
        body(GTKSnapshot(fresh))
        return gtk_snapshot_free_to_node(fresh)
    }

    package func save() { gtk_snapshot_save(pointer) }
    package func restore() { gtk_snapshot_restore(pointer) }
    package func pop() { gtk_snapshot_pop(pointer) }
    package func translate(x: Float, y: Float) {
        var point = graphene_point_t(x: x, y: y)
        gtk_snapshot_translate(pointer, &point)
    }
    /// - Parameter transform: A `GskTransform *`.
    package func transform(_ transform: OpaquePointer?) { gtk_snapshot_transform(pointer, transform) }

    package func pushOpacity(_ opacity: Double) { gtk_snapshot_push_opacity(pointer, opacity) }
    /// Applies a color matrix to all drawing until `pop()`. Does nothing unless there are 16 and 4 numbers.
    ///
    /// - Parameters:
    ///   - rows: The 4 × 4 matrix. Each row belongs to one component of the old color (red, green, blue, alpha). It
    ///     contains the factors by which that component is added to the four components of the new color.
    ///   - offset: The four numbers to add.
    package func pushColorMatrix(_ rows: [Float], _ offset: [Float]) {
        var matrix = graphene_matrix_t()
        var added = graphene_vec4_t()
        guard rows.count == 16, offset.count == 4 else { return }
        rows.withUnsafeBufferPointer { _ = graphene_matrix_init_from_float(&matrix, $0.baseAddress) }
        graphene_vec4_init(&added, offset[0], offset[1], offset[2], offset[3])
        gtk_snapshot_push_color_matrix(pointer, &matrix, &added)
    }
    package func pushClip(_ bounds: graphene_rect_t) {
        withUnsafePointer(to: bounds) { gtk_snapshot_push_clip(pointer, $0) }
    }
    package func pushClip(_ bounds: GskRoundedRect) {
        withUnsafePointer(to: bounds) { gtk_snapshot_push_rounded_clip(pointer, $0) }
    }
    package func pushRepeat(_ bounds: graphene_rect_t, of part: graphene_rect_t) {
        withUnsafePointer(to: bounds) { bounds in
            withUnsafePointer(to: part) { gtk_snapshot_push_repeat(pointer, bounds, $0) }
        }
    }
    package func pushBlur(_ radius: Double) { gtk_snapshot_push_blur(pointer, radius) }
    package func pushShadow(_ shadow: GskShadow) {
        withUnsafePointer(to: shadow) { gtk_snapshot_push_shadow(pointer, $0, 1) }
    }

    /// - Parameter node: A `GskRenderNode *`.
    package func append(_ node: OpaquePointer) { gtk_snapshot_append_node(pointer, node) }
    package func append(_ color: GdkRGBA, _ bounds: graphene_rect_t) {
        withUnsafePointer(to: color) { color in
            withUnsafePointer(to: bounds) { gtk_snapshot_append_color(pointer, color, $0) }
        }
    }
    /// Draws a shadow around `outline`, but not inside it.
    ///
    /// - Parameter blur: The width of the blurred edge, in points.
    package func append(shadow color: GdkRGBA, around outline: GskRoundedRect, dx: Float, dy: Float, blur: Float) {
        withUnsafePointer(to: outline) { outline in
            withUnsafePointer(to: color) {
                gtk_snapshot_append_outset_shadow(pointer, outline, $0, dx, dy, 0, blur)
            }
        }
    }
    /// - Parameter texture: A `GdkTexture *`.
    package func append(texture: OpaquePointer, _ bounds: graphene_rect_t) {
        withUnsafePointer(to: bounds) { gtk_snapshot_append_texture(pointer, texture, $0) }
    }
    /// - Parameter layout: A `PangoLayout *`.
    package func append(layout: OpaquePointer, _ color: GdkRGBA) {
        withUnsafePointer(to: color) { gtk_snapshot_append_layout(pointer, layout, $0) }
    }
    /// Returns a `cairo_t *` to draw with, which the caller frees.
    package func cairo(_ bounds: graphene_rect_t) -> OpaquePointer? {
        withUnsafePointer(to: bounds) { gtk_snapshot_append_cairo(pointer, $0) }
    }
    /// Draws a child widget.
    package func append<Child: GTKWidgetObject, Parent: GTKWidgetObject>(child: Child, of parent: Parent) {
        gtk_widget_snapshot_child(parent.raw(), child.raw(), pointer)
    }
}
