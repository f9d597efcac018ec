import Foundation
import MediaCore

/// Hit testing: the element that receives input at a point.
///
/// Coordinates are converted with `placement` and `childTransform`, which drawing uses too.
extension Element {
    private var now: Double { host?.now ?? 0 }
    private var presentedSize: CGSize { presentedFrame(now).size }
    private var transformOfChildren: CGAffineTransform { childTransform(presentedSize) }

    /// The bounds in the element's own space, as they are drawn now.
    package final var bounds: CGRect { CGRect(origin: .zero, size: presentedSize) }

    /// Returns whether a touch at `point`, in this element's space, hits a child.
    package final func childrenContain(_ point: CGPoint) -> Bool {
        guard let inner = transformOfChildren.inverse.map({ point.applying($0) }) else { return false }
        return shownChildren.contains { $0.isHit(at: inner) }
    }

    /// Returns whether a touch at a point hits this element.
    /// - Parameter point: A point in the space of the element's `frame`.
    private func isHit(at point: CGPoint) -> Bool {
        guard takesInput, let own = placement(now).inverse.map({ point.applying($0) }) else { return false }
        return contains(own)
    }

    /// Whether the element and its descendants receive input.
    private var takesInput: Bool { !isHidden && !isInert && !letsPointerThrough }

    // MARK: coordinates

    /// Converts a point of the host to this element's space, as it is drawn now. Returns nil if nothing of the element
    /// is drawn.
    package final func fromHost(_ point: CGPoint) -> CGPoint? {
        var outer = point
        if let parent {
            guard let around = parent.fromHost(point), let inverse = parent.transformOfChildren.inverse else {
                return nil
            }
            outer = around.applying(inverse)
        }
        return placement(now).inverse.map { outer.applying($0) }
    }

    /// Converts a point of this element's space to the host, as it is drawn now.
    package final func toHost(_ point: CGPoint) -> CGPoint {
        let outer = point.applying(placement(now))
        return parent.map { $0.toHost(outer.applying($0.transformOfChildren)) } ?? outer
    }

    /// Converts a point of this element's host to another space.
    /// - Returns: The point, or nil if no ancestor has the name of the space, or if nothing of that ancestor is drawn.
    package final func point(ofHost point: CGPoint, in space: CoordinateSpace) -> CGPoint? {
        switch space {
        case .local: return fromHost(point)
        case .global: return host?.enclosing.flatMap { $0.point(ofHost: $0.toHost(outside(point)), in: space) } ?? point
        case .named(let name):
            guard let named = ancestor(withSpace: name) else { return nil }
            if named.host === host { return named.fromHost(point) }
            return host?.enclosing.flatMap { outer in
                // The element around the host may itself have the name.
                outer === named ? outside(point) : outer.point(ofHost: outer.toHost(outside(point)), in: space)
            }
        }
    }

    /// Converts a point of this element's space to another space. Returns the same point if the other space is unknown.
    package final func point(_ point: CGPoint, in space: CoordinateSpace) -> CGPoint {
        space == .local ? point : self.point(ofHost: toHost(point), in: space) ?? point
    }

    /// Converts a point of this element's host to the space of the element around that host.
    private func outside(_ point: CGPoint) -> CGPoint {
        let visibleOrigin = host?.visibleRect?.origin ?? .zero
        return CGPoint(x: point.x - visibleOrigin.x, y: point.y - visibleOrigin.y)
    }

    /// Converts `point` from this element's space to the space of the element around it, and returns that element.
    /// Leaves a scrolled host if necessary.
    private func step(_ point: inout CGPoint) -> Element? {
        point = point.applying(placement(now))
        if let parent {
            point = point.applying(parent.transformOfChildren)
            return parent
        }
        point = outside(point)
        return host?.enclosing
    }

    // MARK: hit testing

    /// Returns the point in this element's space if the input at a point of the host is for this element, or nil.
    ///
    /// All input handling uses this method. Input is for other elements if nothing of this element is drawn there. The
    /// same applies if an ancestor clips, hides or ignores input at the point.
    package final func hit(_ point: CGPoint) -> CGPoint? {
        guard let own = fromHost(point), contains(own), isReached(at: own) else { return nil }
        return own
    }

    /// Returns whether input at `point`, in this element's space, passes through all ancestors.
    ///
    /// An element that is scaled to nothing is never reached, because no point of the screen maps to it.
    package final func isReached(at point: CGPoint) -> Bool {
        var (element, point) = (self, point)
        while true {
            guard element.takesInput, element.admits(point) else { return false }
            guard let next = element.step(&point) else { return true }
            element = next
        }
    }

    /// Whether ancestors in this host clip the whole bounds, so that no input reaches the element.
    package final var isCutOff: Bool {
        var (element, rect) = (self, bounds)
        while let parent = element.parent {
            rect = rect.applying(element.placement(now)).applying(parent.transformOfChildren)
            guard parent.admitsSome(of: rect) else { return true }
            element = parent
        }
        return false
    }
}
