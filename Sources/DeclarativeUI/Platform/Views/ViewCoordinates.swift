import Foundation
import GTK
import MediaCore
import Overlays

// The conversion of points between views.
//
// Views of one tree are converted by their layers. Other views are converted by the window that contains both.
extension UIView {
    /// Converts a point of this view to the space of another view, or to the window's space for nil.
    final func converted(_ point: CGPoint, to view: UIView?) -> CGPoint {
        guard let view else { return windowPoint(point) }
        if view.outermost === outermost { return backing.convert(point, to: view.backing) }
        return view.ownPoint(windowPoint(point))
    }
    /// Converts a point of another view, or of the window's space for nil, to the space of this view.
    final func converted(_ point: CGPoint, from view: UIView?) -> CGPoint {
        guard let view else { return ownPoint(point) }
        return view.converted(point, to: self)
    }
    /// Returns the smallest rectangle around the converted corners of a rectangle.
    static func box(around rect: CGRect, _ convert: (CGPoint) -> CGPoint) -> CGRect {
        CGRect.around(
            [
                CGPoint(x: rect.minX, y: rect.minY), CGPoint(x: rect.maxX, y: rect.minY),
                CGPoint(x: rect.minX, y: rect.maxY), CGPoint(x: rect.maxX, y: rect.maxY),
            ].map(convert))
    }

    /// Converts a point of this view to the space of the window's content. Outside of windows, returns a point of the
    /// space that contains the outermost view.
    private func windowPoint(_ point: CGPoint) -> CGPoint {
        guard !(self is UIWindow) else { return point }
        let outer = backing.convert(point, to: nil)
        guard let host = outermost.host, let content = host.windowContent else { return outer }
        return host.widget.convert(outer, to: content) ?? outer
    }
    private func ownPoint(_ point: CGPoint) -> CGPoint {
        guard !(self is UIWindow) else { return point }
        guard let host = outermost.host, let content = host.windowContent else {
            return backing.convert(point, from: nil)
        }
        return backing.convert(content.convert(point, to: host.widget) ?? point, from: nil)
    }
}
