import CGTK

/// The meaning of a texture's samples, by the numbers of Rec. ITU-T H.273. Wraps GTK's `GdkColorState`.
@MainActor
package final class TextureColors {
    let state: UnsafeMutableRawPointer

    /// Creates a color state.
    ///
    /// Returns nil if GTK does not support the colors. GTK before 4.16 supports none; GTK 4.16 to 4.18 support only
    /// red, green and blue with the full range.
    /// - Parameters:
    ///   - matrix: The matrix coefficients. 0 means that the samples are red, green and blue.
    ///   - isFullRange: Whether the samples use the full range of values.
    package init?(primaries: UInt32, transfer: UInt32, matrix: UInt32, isFullRange: Bool) {
        guard let state = zt_gdk_color_state(primaries, transfer, matrix, isFullRange.gboolean) else { return nil }
        self.state = state
    }

    isolated deinit { zt_gdk_color_state_unref(state) }
}
