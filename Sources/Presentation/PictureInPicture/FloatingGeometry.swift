import Foundation
import MediaCore

/// The possible sizes and positions of a floating video window, in points with y downward. Pure computation.
struct FloatingGeometry {
    /// The aspect ratio (width/height) of the window: that of the video, within `shapes`. Outside of these limits, the
    /// window has black bars.
    let shape: Double
    /// The aspect ratio as whole numbers, for window managers.
    let ratio: (width: Int32, height: Int32)
    /// The area for windows, which is the monitor without panels.
    let area: CGRect

    /// The limits of the aspect ratio. Beyond them, a window would be too narrow or too flat.
    static let shapes = 0.4...2.5
    /// The initial width as a share of the area's width, and the maximum of the initial width, in points.
    static let share = 0.25, widest = 480.0
    /// The initial distance from the edges of the area.
    static let margin = 24.0
    /// The minimum size, which the controls need.
    static let minimumSize = CGSize(width: 160, height: 108)
    /// The maximum size as a share of the area.
    static let maximumShare = 0.75

    /// Creates the geometry for a video.
    /// - Parameters:
    ///   - picture: The size of the video. An empty size counts as 16:9.
    ///   - area: The area for windows.
    init(picture: CGSize, area: CGRect) {
        let whole = picture.width > 0 && picture.height > 0 ? Double(picture.width / picture.height) : 16 / 9
        shape = min(max(whole, FloatingGeometry.shapes.lowerBound), FloatingGeometry.shapes.upperBound)
        let isExact =
            shape == whole && picture.width.rounded() == picture.width && picture.height.rounded() == picture.height
        ratio =
            isExact && picture.width > 0 && picture.width < 1e6 && picture.height < 1e6
            ? (Int32(saturating: picture.width), Int32(saturating: picture.height))
            : (Int32(saturating: (shape * 10_000).rounded()), 10_000)
        self.area = area
    }

    private func size(width: Double) -> CGSize {
        let height = (width / shape).rounded()
        return CGSize(width: width.rounded(), height: max(1, height))
    }

    var minimum: CGSize {
        size(width: max(FloatingGeometry.minimumSize.width, FloatingGeometry.minimumSize.height * shape))
    }
    /// The maximum size. At least the minimum size, even in a small area.
    var maximum: CGSize {
        size(width: max(Double(minimum.width), min(area.width, area.height * shape) * FloatingGeometry.maximumShare))
    }

    /// Returns the size with this aspect ratio and a width, within the limits.
    func fitted(width: Double) -> CGSize { size(width: min(max(width, Double(minimum.width)), Double(maximum.width))) }

    /// The initial size: a quarter of the area's width, but at most 480 points wide and half of the area's height.
    var initial: CGSize {
        fitted(width: min(area.width * FloatingGeometry.share, FloatingGeometry.widest, area.height / 2 * shape))
    }

    /// Returns a frame of a size in the lower right corner of the area.
    func corner(_ size: CGSize) -> CGRect {
        CGRect(
            x: max(area.minX, area.maxX - size.width - FloatingGeometry.margin),
            y: max(area.minY, area.maxY - size.height - FloatingGeometry.margin), width: size.width, height: size.height
        )
    }

    /// Returns a frame with this aspect ratio, about as large as `old` and with the same lower right corner.
    func reshaped(_ old: CGRect) -> CGRect {
        let new = fitted(width: (Double(old.width) * Double(old.height) * shape).squareRoot())
        return CGRect(x: old.maxX - new.width, y: old.maxY - new.height, width: new.width, height: new.height)
    }

    /// Returns whether a window of `size` shows the video without visible bars.
    func isShaped(_ size: CGSize) -> Bool {
        let fitting = fitted(width: Double(size.width))
        return abs(fitting.width - size.width) <= 1 && abs(fitting.height - size.height) <= 1.5
    }

    /// An edge or a corner of a window.
    struct Edge: Equatable {
        /// The side in each direction: -1 is left or top, 1 is right or bottom, 0 is neither.
        var x: Int, y: Int

        /// The width of the area inside the window's border in which an edge can be dragged. Corners have a larger
        /// area.
        static let reach = 6.0, cornerReach = 16.0

        /// Creates the edge or corner at `point` of a window of `size`. Returns nil inside the window.
        init?(at point: CGPoint, in size: CGSize) {
            let left = point.x
            let right = size.width - point.x
            let top = point.y
            let bottom = size.height - point.y
            let isNear = min(left, right, top, bottom) < Edge.reach
            guard isNear else { return nil }
            x = left < Edge.cornerReach ? -1 : right < Edge.cornerReach ? 1 : 0
            y = top < Edge.cornerReach ? -1 : bottom < Edge.cornerReach ? 1 : 0
        }

        init(x: Int, y: Int) {
            self.x = x
            self.y = y
        }
    }

    /// Returns `frame` after `edge` was dragged by `dx` and `dy`. The aspect ratio and the opposite edge or corner stay
    /// the same.
    func resized(_ frame: CGRect, edge: Edge, dx: Double, dy: Double) -> CGRect {
        let byWidth = Double(frame.width) + Double(edge.x) * dx
        let byHeight = (Double(frame.height) + Double(edge.y) * dy) * shape
        let width = edge.x == 0 ? byHeight : edge.y == 0 ? byWidth : max(byWidth, byHeight)
        let new = fitted(width: width)
        return CGRect(
            x: edge.x < 0 ? frame.maxX - new.width : frame.minX, y: edge.y < 0 ? frame.maxY - new.height : frame.minY,
            width: new.width, height: new.height)
    }
}
