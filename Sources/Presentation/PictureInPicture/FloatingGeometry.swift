import Foundation
import MediaCore

/// How large a floating picture may be and where it goes: numbers only, points, y down.
struct FloatingGeometry {
    /// Width to height of the window: the picture's, within `shapes`; what lies beyond is shown with black beside it.
    let shape: Double
    /// The same in whole numbers, as window managers are told.
    let ratio: (width: Int32, height: Int32)
    /// Where windows may lie: the monitor without panels.
    let area: CGRect

    /// Beyond these a window would be a line.
    static let shapes = 0.4...2.5
    /// Of the area's width, at first; and no wider than `widest`.
    static let share = 0.25, widest = 480.0
    /// From the area's edges, at first.
    static let margin = 24.0
    /// The controls need that much.
    static let least = CGSize(width: 160, height: 108)
    /// Of the area, at most.
    static let most = 0.75

    /// - Parameters:
    ///   - picture: its size; a shape of 16:9 while it is empty.
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

    var minimum: CGSize { size(width: max(FloatingGeometry.least.width, FloatingGeometry.least.height * shape)) }
    /// Never less than the minimum, however small the area is.
    var maximum: CGSize {
        size(width: max(Double(minimum.width), min(area.width, area.height * shape) * FloatingGeometry.most))
    }

    /// The size of this shape, within the bounds, that is `width` wide.
    func fitted(width: Double) -> CGSize { size(width: min(max(width, Double(minimum.width)), Double(maximum.width))) }

    /// What it has at first: a quarter of the area's width, at most 480, and no higher than half of the area.
    var initial: CGSize {
        fitted(width: min(area.width * FloatingGeometry.share, FloatingGeometry.widest, area.height / 2 * shape))
    }

    /// In the lower right corner.
    func corner(_ size: CGSize) -> CGRect {
        CGRect(
            x: max(area.minX, area.maxX - size.width - FloatingGeometry.margin),
            y: max(area.minY, area.maxY - size.height - FloatingGeometry.margin), width: size.width, height: size.height
        )
    }

    /// Of this shape and about as large as `old`, its lower right corner where it was.
    func reshaped(_ old: CGRect) -> CGRect {
        let new = fitted(width: (Double(old.width) * Double(old.height) * shape).squareRoot())
        return CGRect(x: old.maxX - new.width, y: old.maxY - new.height, width: new.width, height: new.height)
    }

    /// Whether a window of `size` shows the picture without a border that can be seen.
    func isShaped(_ size: CGSize) -> Bool {
        let wanted = fitted(width: Double(size.width))
        return abs(wanted.width - size.width) <= 1 && abs(wanted.height - size.height) <= 1.5
    }

    /// An edge or a corner of a window.
    struct Edge: Equatable {
        /// −1 left or top, 1 right or bottom, 0 neither.
        var x: Int, y: Int

        /// Where the hand reaches it, from the window's border inwards; corners reach further.
        static let reach = 6.0, cornerReach = 16.0

        /// What lies at `point` of a window of `size`; nil in its middle.
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

    /// `frame` with `edge` pulled by `dx`, `dy`: the shape stays, and so does the opposite edge or corner.
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
