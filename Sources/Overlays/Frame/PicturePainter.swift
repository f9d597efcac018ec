import Filters
import MediaEngine

/// A painter that draws a frame as it is displayed into memory: placed, with changed colors and with overlays.
package final class PicturePainter {
    private let scaler: FrameScaler

    /// The number of bytes after the last row that must be writable.
    package static var slack: Int { FrameScaler.slack }

    /// - Parameter alphaFlags: libswscale's scaling flags for frames with alpha.
    package init(alphaFlags: Int32 = FrameScaler.quickAlpha) { scaler = FrameScaler(alphaFlags: alphaFlags) }

    /// A part of the view, in device pixels.
    package struct Area: Equatable, Sendable {
        package var x: Int, y: Int, width: Int, height: Int
        package init(x: Int, y: Int, width: Int, height: Int) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }
    }

    /// Returns whether an overlay extends beyond the frame within the view.
    package static func isBeside(
        _ placement: VideoPlacement, _ overlays: [OverlayContent], width: Int, height: Int
    ) -> Bool {
        overlays.contains { content in
            content.bitmaps.contains { bitmap in
                max(bitmap.x, 0) < placement.x || min(bitmap.x + bitmap.width, width) > placement.x + placement.width
                    || max(bitmap.y, 0) < placement.y
                    || min(bitmap.y + bitmap.height, height) > placement.y + placement.height
            }
        }
    }

    /// Returns the area to paint: the frame's area, or the whole view if an overlay extends beyond the frame.
    package static func area(_ placement: VideoPlacement, _ overlays: [OverlayContent], width: Int, height: Int) -> Area
    {
        isBeside(placement, overlays, width: width, height: height)
            ? Area(x: 0, y: 0, width: width, height: height)
            : Area(x: placement.x, y: placement.y, width: placement.width, height: placement.height)
    }

    /// Paints `area` into memory. Pixels outside the frame become black, or transparent if the frame has alpha or the
    /// bars are transparent.
    ///
    /// - Parameters:
    ///   - placement: The frame's position and size, inside `area`.
    ///   - hasTransparentBars: Whether content behind the view is visible beside an opaque frame.
    ///   - target: The first pixel, in BGRX as native 32-bit words. `slack` bytes after the last row must be writable.
    ///     X is the premultiplied alpha: 255 in a frame without alpha.
    ///   - stride: The number of bytes per row.
    /// - Returns: False if the frame cannot be converted.
    package func paint(
        _ frame: VideoFrame, placement: VideoPlacement, colors: FoldedColors?, overlays: [OverlayContent],
        area: Area, hasTransparentBars: Bool = false, into target: UnsafeMutableRawPointer, stride: Int
    ) -> Bool {
        let left = placement.x - area.x
        let top = placement.y - area.y
        let frameStart = target + top * stride + left * 4
        guard scaler.draw(frame, placement: placement, colors: colors, into: frameStart, stride: stride) else {
            return false
        }
        // Fill the bars after the frame is scaled, because scaling may write `slack` bytes after the frame's last row.
        let right = left + placement.width
        let bar: UInt32 = frame.hasAlpha || hasTransparentBars ? 0 : 0xFF00_0000
        for row in 0..<area.height where left > 0 || right < area.width || row < top || row >= top + placement.height {
            let line = target + row * stride
            if row < top || row >= top + placement.height {
                line.initializeMemory(as: UInt32.self, repeating: bar, count: area.width)
            } else {
                line.initializeMemory(as: UInt32.self, repeating: bar, count: left)
                (line + right * 4).initializeMemory(as: UInt32.self, repeating: bar, count: area.width - right)
            }
        }
        for content in overlays {
            for bitmap in content.bitmaps {
                OverlayBlend.draw(
                    bitmap, over: target, x: area.x, y: area.y, width: area.width, height: area.height, stride: stride)
            }
        }
        return true
    }
}
