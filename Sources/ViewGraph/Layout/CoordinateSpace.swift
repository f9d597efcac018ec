import Foundation

/// A coordinate space. Mirrors SwiftUI's type.
public enum CoordinateSpace: Hashable {
    /// The space of the window.
    case global
    /// The space of the view itself.
    case local
    /// The space of the ancestor with this name, set with `coordinateSpace(_:)`.
    case named(AnyHashable)

    /// Whether this is the space of the window.
    public var isGlobal: Bool { self == .global }
    /// Whether this is the space of the view itself.
    public var isLocal: Bool { self == .local }
}

/// A type that identifies a coordinate space. Mirrors SwiftUI's protocol.
///
/// ```swift
/// GeometryReader { geometry in
///     let top = geometry.frame(in: .scrollView(axis: .vertical)).minY
///     Color.blue.opacity(top < 0 ? 0.5 : 1)
/// }
/// ```
public protocol CoordinateSpaceProtocol {
    /// The space as a value of the older type.
    var coordinateSpace: CoordinateSpace { get }
}

/// The space of the view itself. Mirrors SwiftUI's type.
public struct LocalCoordinateSpace: CoordinateSpaceProtocol, Sendable {
    /// Creates the space. The short form is `.local`.
    public init() {}
    public var coordinateSpace: CoordinateSpace { .local }
}

/// The space of the window. Mirrors SwiftUI's type.
public struct GlobalCoordinateSpace: CoordinateSpaceProtocol, Sendable {
    /// Creates the space. The short form is `.global`.
    public init() {}
    public var coordinateSpace: CoordinateSpace { .global }
}

/// The space of an ancestor that has a name, or of the scroll view around a view. Mirrors SwiftUI's type.
public struct NamedCoordinateSpace: CoordinateSpaceProtocol, Equatable {
    let name: AnyHashable
    public var coordinateSpace: CoordinateSpace { .named(name) }
}

extension CoordinateSpaceProtocol where Self == LocalCoordinateSpace {
    /// The space of the view itself.
    public static var local: LocalCoordinateSpace { LocalCoordinateSpace() }
}

extension CoordinateSpaceProtocol where Self == GlobalCoordinateSpace {
    /// The space of the window.
    public static var global: GlobalCoordinateSpace { GlobalCoordinateSpace() }
}

extension CoordinateSpaceProtocol where Self == NamedCoordinateSpace {
    /// Returns the space of the ancestor whose name `coordinateSpace(_:)` sets.
    public static func named(_ name: some Hashable) -> NamedCoordinateSpace {
        NamedCoordinateSpace(name: AnyHashable(name))
    }
    /// The space of the innermost scroll view or list around a view. Its origin is the top left of the visible area.
    public static var scrollView: NamedCoordinateSpace { NamedCoordinateSpace(name: ScrollSpace.name(axis: nil)) }
    /// Returns the space of the innermost scroll view around a view that scrolls along `axis`. Its origin is the top
    /// left of the visible area.
    public static func scrollView(axis: Axis) -> Self { NamedCoordinateSpace(name: ScrollSpace.name(axis: axis)) }
}

/// The name of a scroll view's space.
package enum ScrollSpace {
    private struct Name: Hashable { let axis: Axis? }
    static func name(axis: Axis?) -> AnyHashable { AnyHashable(Name(axis: axis)) }

    /// Returns whether a scroll view that scrolls along `axes` has the space `name`. A view that scrolls along no axis
    /// has none.
    package static func isName(_ name: AnyHashable, ofScrollingAlong axes: Axis.Set) -> Bool {
        guard let scroll = name.base as? Name, !axes.isEmpty else { return false }
        return switch scroll.axis {
        case .horizontal: axes.contains(.horizontal)
        case .vertical: axes.contains(.vertical)
        case nil: true
        }
    }
}

struct SpaceName { let name: AnyHashable }

extension Element {
    /// Returns the innermost element around this one, also in surrounding hosts, that has the coordinate space `name`.
    final func ancestor(withSpace name: AnyHashable) -> Element? {
        var above = enclosingElement
        while let current = above, !current.hasSpace(name) { above = current.enclosingElement }
        return above
    }
}

extension View {
    /// Gives the space of this view a name, for `GeometryProxy.frame(in:)` and gestures.
    public func coordinateSpace(_ name: NamedCoordinateSpace) -> some View {
        elementModifier(TraitModifier(value: SpaceName(name: name.name)))
    }
    /// Gives the space of this view a name, for `GeometryProxy.frame(in:)` and gestures. This is an older form of
    /// `coordinateSpace(_:)`.
    public func coordinateSpace<T: Hashable>(name: T) -> some View {
        elementModifier(TraitModifier(value: SpaceName(name: AnyHashable(name))))
    }
}
