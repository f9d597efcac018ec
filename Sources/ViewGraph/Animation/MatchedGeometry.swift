import Foundation
import MediaCore

/// A property wrapper that creates a namespace for `matchedGeometryEffect`. Mirrors SwiftUI's property wrapper.
@propertyWrapper
public struct Namespace: DynamicProperty {
    /// The identifier of a namespace.
    public struct ID: Hashable, Sendable {
        private let number: UInt64
        fileprivate init() { number = UInt64.random(in: .min ... .max) }
    }
    private let state = State(wrappedValue: ID())
    /// Creates a namespace that lives as long as the view.
    nonisolated public init() {}
    /// The identifier of the namespace.
    @MainActor @preconcurrency public var wrappedValue: ID { state.wrappedValue }
}

/// The geometry that matched views share while one replaces the other. Mirrors SwiftUI's type.
public struct MatchedGeometryProperties: OptionSet, Sendable {
    /// The bits of the set, one per property.
    public let rawValue: UInt32
    /// Creates a set from raw bits. Unknown bits have no effect.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// The position.
    public static let position = MatchedGeometryProperties(rawValue: 1)
    /// The size.
    public static let size = MatchedGeometryProperties(rawValue: 2)
    /// The position and the size.
    public static let frame: MatchedGeometryProperties = [.position, .size]
}

/// The last frames of views with matched geometry, in window coordinates.
@MainActor
private enum MatchedFrames {
    struct Key: Hashable {
        let namespace: Namespace.ID
        let id: AnyHashable
    }
    private static var frames: [Key: CGRect] = [:]
    /// The limit at which all stored frames are removed, so that abandoned names do not accumulate.
    private static let maximumCount = 512

    static subscript(key: Key) -> CGRect? {
        get { frames[key] }
        set {
            if frames.count >= maximumCount, frames[key] == nil { frames = [:] }
            frames[key] = newValue
        }
    }
}

private struct MatchedGeometry: ElementModifier {
    let key: MatchedFrames.Key
    let isSource: Bool
    func makeElement() -> MatchedElement { MatchedElement(key) }
    func update(_ element: MatchedElement, _ fiber: _Fiber) {
        element.key = key
        element.isSource = isSource
    }
}

/// An element that starts its animation at the last frame of another view with the same name.
private final class MatchedElement: WrapperElement {
    var key: MatchedFrames.Key
    var isSource = true
    init(_ key: MatchedFrames.Key) { self.key = key }

    override func attached(to host: any ElementHost) {
        guard host.animation != nil, let old = MatchedFrames[key], let parent else { return }
        let origin = parent.frameInWindow.origin
        assumePlace(old.offsetBy(dx: -origin.x, dy: -origin.y))
    }
    override func located(_ transform: CGAffineTransform, _ size: CGSize) {
        if isSource, !isInert { MatchedFrames[key] = frameInWindow }
    }
}

extension View {
    /// Moves this view from the last frame of another view with the same name to its own frame.
    ///
    /// ```swift
    /// @State private var isLarge = false
    /// @Namespace private var namespace
    ///
    /// var body: some View {
    ///     VStack {
    ///         if isLarge {
    ///             Image("poster").resizable().matchedGeometryEffect(id: "poster", in: namespace)
    ///         } else {
    ///             Image("poster").matchedGeometryEffect(id: "poster", in: namespace)
    ///         }
    ///     }.onTapGesture { withAnimation { isLarge.toggle() } }
    /// }
    /// ```
    /// The view moves only if it is inserted with an animation. The removed view and the inserted view then look like
    /// one.
    /// - Parameters:
    ///   - id: The name of the view in the namespace.
    ///   - namespace: A namespace that a `@Namespace` property creates.
    ///   - properties: Has no effect. Position and size always match.
    ///   - anchor: Has no effect.
    ///   - isSource: Whether other views can start from the frame of this view.
    public func matchedGeometryEffect<ID: Hashable>(
        id: ID, in namespace: Namespace.ID, properties: MatchedGeometryProperties = .frame,
        anchor: UnitPoint = .center, isSource: Bool = true
    ) -> some View {
        elementModifier(
            MatchedGeometry(key: MatchedFrames.Key(namespace: namespace, id: AnyHashable(id)), isSource: isSource))
    }
}
