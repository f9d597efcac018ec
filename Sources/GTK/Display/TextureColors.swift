import CGTK

/// What the samples of a texture mean, by the numbers of Rec. ITU-T H.273, as GTK's `GdkColorState`.
@MainActor
package final class TextureColors {
    let state: UnsafeMutableRawPointer

    /// - Parameters:
    ///   - matrix: 0: the samples are red, green and blue.
    ///   - isFullRange: Whether the samples use all codes.
    /// - Returns: nil where GTK cannot show such colors: before 4.16 none, in 4.18 no YUV.
    package init?(primaries: UInt32, transfer: UInt32, matrix: UInt32, isFullRange: Bool) {
        guard let state = zt_gdk_color_state(primaries, transfer, matrix, isFullRange.gboolean) else { return nil }
        self.state = state
    }

    isolated deinit { zt_gdk_color_state_unref(state) }
}
