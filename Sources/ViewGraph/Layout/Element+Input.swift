import Foundation
import MediaCore

/// Which element input at a point is for. The way from one space to the next is `placement` and `childTransform`, by
/// which elements are drawn too.
extension Element {
    private var now: Double { host?.now ?? 0 }
    private var presentedSize: CGSize { presentedFrame(now).size }
    private var transformOfChildren: CGAffineTransform { childTransform(presentedSize) }

    /// Its own bounds, as they are drawn now.
    package final var bounds: CGRect { CGRect(origin: .zero, size: presentedSize) }

    /// Whether a touch at `point`, of its own space, meets something of a child.
    package final func childrenContain(_ point: CGPoint) -> Bool {
        guard let inner = transformOfChildren.inverse.map({ point.applying($0) }) else { return false }
        return children.contains { $0.isMet(at: inner) }
    }

    /// - Parameter point: of the space that its frame is in.
    private func isMet(at point: CGPoint) -> Bool {
        guard takesInput, let own = placement(now).inverse.map({ point.applying($0) }) else { return false }
        return contains(own)
    }

    /// False: input passes it and everything in it.
    private var takesInput: Bool { !isHidden && !isInert && !letsPointerThrough }

    // MARK: between an element and its host

    /// A point of the host in its own space, where it is drawn now; nil where nothing of it is drawn.
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

    /// A point of its own space in the host's, where it is drawn now.
    package final func toHost(_ point: CGPoint) -> CGPoint {
        let outer = point.applying(placement(now))
        return parent.map { $0.toHost(outer.applying($0.transformOfChildren)) } ?? outer
    }

    /// A point of its host in another space; nil for a name that no view above it has, and where nothing of that view
    /// is drawn.
    package final func point(ofHost point: CGPoint, in space: CoordinateSpace) -> CGPoint? {
        switch space {
        case .local: return fromHost(point)
        case .global: return host?.enclosing.flatMap { $0.point(ofHost: $0.toHost(outside(point)), in: space) } ?? point
        case .named(let name):
            var named = outward
            while let element = named, (element as? TraitElement<SpaceName>)?.value.name != name {
                named = element.outward
            }
            guard let named else { return nil }
            if named.host === host { return named.fromHost(point) }
            return host?.enclosing.flatMap { outer in
                // The element around the host may have the name itself.
                outer === named ? outside(point) : outer.point(ofHost: outer.toHost(outside(point)), in: space)
            }
        }
    }

    /// A point of its own space in another one; the same point where that is not known.
    package final func point(_ point: CGPoint, in space: CoordinateSpace) -> CGPoint {
        space == .local ? point : self.point(ofHost: toHost(point), in: space) ?? point
    }

    /// A point of its host in the space of the element around that host.
    private func outside(_ point: CGPoint) -> CGPoint {
        let seen = host?.visibleRect?.origin ?? .zero
        return CGPoint(x: point.x - seen.x, y: point.y - seen.y)
    }

    /// Takes `point`, of its own space, to the space of the element around it, also across the edge of a scrolled host.
    private func step(_ point: inout CGPoint) -> Element? {
        point = point.applying(placement(now))
        if let parent {
            point = point.applying(parent.transformOfChildren)
            return parent
        }
        point = outside(point)
        return host?.enclosing
    }

    // MARK: who takes input

    /// The point of the host in its own space if input there is for it, else nil. Everything that takes input goes by
    /// this: a point where nothing of it is drawn, or that something around it cuts off, hides or lets through, is for
    /// others.
    package final func hit(_ point: CGPoint) -> CGPoint? {
        guard let own = fromHost(point), contains(own), isReached(at: own) else { return nil }
        return own
    }

    /// Whether input at `point`, of its own space, comes to it through what is around it.
    ///
    /// What is squeezed to nothing has no point of the screen that leads here.
    package final func isReached(at point: CGPoint) -> Bool {
        var (element, point) = (self, point)
        while true {
            guard element.takesInput, element.admits(point) else { return false }
            guard let next = element.step(&point) else { return true }
            element = next
        }
    }

    /// Whether nothing of its bounds is where input comes to it: what is around it cuts all of it off.
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
