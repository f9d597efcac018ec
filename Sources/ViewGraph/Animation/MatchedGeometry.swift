import Foundation
import MediaCore

/// A space of names that belongs to a view, for `matchedGeometryEffect`. SwiftUI's property wrapper.
@propertyWrapper
public struct Namespace: DynamicProperty {
    /// A space of names.
    public struct ID: Hashable, Sendable {
        private let number: UInt64
        fileprivate init() { number = UInt64.random(in: .min ... .max) }
    }
    private let state = State(wrappedValue: ID())
    /// Makes a space of names, which lives as long as the view.
    nonisolated public init() {}
    /// The space.
    @MainActor @preconcurrency public var wrappedValue: ID { state.wrappedValue }
}

/// What of two views' geometry is the same while one becomes the other. SwiftUI's type.
public struct MatchedGeometryProperties: OptionSet, Sendable {
    /// One bit a property.
    public let rawValue: UInt32
    /// Makes a set of raw bits; other bits mean nothing.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// The place.
    public static let position = MatchedGeometryProperties(rawValue: 1)
    /// The size.
    public static let size = MatchedGeometryProperties(rawValue: 2)
    /// Both.
    public static let frame: MatchedGeometryProperties = [.position, .size]
}

/// Where views with names of a space were last.
@MainActor
private enum MatchedPlaces {
    struct Key: Hashable {
        let namespace: Namespace.ID
        let id: AnyHashable
    }
    private static var places: [Key: CGRect] = [:]
    /// So that names that never come back are not kept for ever.
    private static let most = 512

    static subscript(key: Key) -> CGRect? {
        get { places[key] }
        set {
            if places.count >= most, places[key] == nil { places = [:] }
            places[key] = newValue
        }
    }
}

private struct MatchedGeometry: ElementModifier {
    let key: MatchedPlaces.Key
    let isSource: Bool
    func makeElement() -> MatchedElement { MatchedElement(key) }
    func update(_ element: MatchedElement, _ fiber: _Fiber) {
        element.key = key
        element.isSource = isSource
    }
}

/// Comes from where another view with its name was.
private final class MatchedElement: WrapperElement {
    var key: MatchedPlaces.Key
    var isSource = true
    init(_ key: MatchedPlaces.Key) { self.key = key }

    override func attached(to host: any ElementHost) {
        guard host.animation != nil, let old = MatchedPlaces[key], let parent else { return }
        let origin = parent.frameInWindow.origin
        assumePlace(old.offsetBy(dx: -origin.x, dy: -origin.y))
    }
    override func located(_ transform: CGAffineTransform, _ size: CGSize) {
        if isSource, !isInert { MatchedPlaces[key] = frameInWindow }
    }
}

extension View {
    /// Moves this view, when it comes by an animation, from where another view with the same name was to its own place:
    /// one that goes and one that comes seem to be one.
    /// - Parameters:
    ///   - id: The name, in a space that a `@Namespace` property makes.
    ///   - properties: Of no effect: place and size are the same.
    ///   - anchor: Of no effect.
    ///   - isSource: Whether others come from this view's place.
    public func matchedGeometryEffect<ID: Hashable>(
        id: ID, in namespace: Namespace.ID, properties: MatchedGeometryProperties = .frame,
        anchor: UnitPoint = .center, isSource: Bool = true
    ) -> some View {
        elementModifier(
            MatchedGeometry(key: MatchedPlaces.Key(namespace: namespace, id: AnyHashable(id)), isSource: isSource))
    }
}
