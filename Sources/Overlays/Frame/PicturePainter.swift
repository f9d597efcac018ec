import Filters
import MediaEngine

/// Paints a picture as it is seen into memory: placed, its colours changed, everything over it laid on.
package final class PicturePainter {
    private let scaler: FrameScaler

    /// Bytes that must be writable behind the last row.
    package static var slack: Int { FrameScaler.slack }

    /// - Parameter alphaFlags: libswscale's, for pictures with alpha.
    package init(alphaFlags: Int32 = FrameScaler.quickAlpha) { scaler = FrameScaler(alphaFlags: alphaFlags) }

    /// A part of the view's space, device pixels.
    package struct Area: Equatable, Sendable {
        package var x: Int, y: Int, width: Int, height: Int
        package init(x: Int, y: Int, width: Int, height: Int) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }
    }

    /// What must be painted: the picture's place, or the whole view where something lies beside the picture too.
    package static func area(_ placement: VideoPlacement, _ overlays: [OverlayContent], width: Int, height: Int) -> Area
    {
        let isBeside = overlays.contains { content in
            content.bitmaps.contains { bitmap in
                max(bitmap.x, 0) < placement.x || min(bitmap.x + bitmap.width, width) > placement.x + placement.width
                    || max(bitmap.y, 0) < placement.y
                    || min(bitmap.y + bitmap.height, height) > placement.y + placement.height
            }
        }
        return isBeside
            ? Area(x: 0, y: 0, width: width, height: height)
            : Area(x: placement.x, y: placement.y, width: placement.width, height: placement.height)
    }

    /// Paints `area`; what of it the picture does not cover is black, and clear where the picture has alpha.
    ///
    /// - Parameters:
    ///   - placement: inside `area`.
    ///   - target: first pixel; BGRX, native 32-bit words; `slack` bytes more than the rows take. X is alpha,
    ///     premultiplied, if `frame` has alpha.
    ///   - stride: bytes a row.
    /// - Returns: false when the picture cannot be converted.
    package func paint(
        _ frame: VideoFrame, placement: VideoPlacement, colors: FoldedColors?, overlays: [OverlayContent],
        area: Area, into target: UnsafeMutableRawPointer, stride: Int
    ) -> Bool {
        let left = placement.x - area.x
        let top = placement.y - area.y
        let picture = target + top * stride + left * 4
        guard scaler.draw(frame, placement: placement, colors: colors, into: picture, stride: stride) else {
            return false
        }
        // After the picture: its last row's slack may have gone over the edge.
        let right = left + placement.width
        for row in 0..<area.height where left > 0 || right < area.width || row < top || row >= top + placement.height {
            let line = target + row * stride
            if row < top || row >= top + placement.height {
                line.initializeMemory(as: UInt8.self, repeating: 0, count: area.width * 4)
            } else {
                line.initializeMemory(as: UInt8.self, repeating: 0, count: left * 4)
                (line + right * 4).initializeMemory(as: UInt8.self, repeating: 0, count: (area.width - right) * 4)
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
