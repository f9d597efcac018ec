import Foundation

/// An alignment that an app defines. Mirrors SwiftUI's protocol.
public protocol AlignmentID: SendableMetatype {
    /// Returns the position of the alignment in a view that does not set one, in points.
    static func defaultValue(in context: ViewDimensions) -> CGFloat
}

/// The size of a view and the positions of its alignments. Mirrors SwiftUI's type.
@MainActor @preconcurrency
public struct ViewDimensions {
    /// The size of the view, in points.
    nonisolated public let width, height: CGFloat
    nonisolated let element: Element?
    nonisolated init(width: CGFloat, height: CGFloat, element: Element?) {
        self.width = width
        self.height = height
        self.element = element
    }
    /// Returns the position of an alignment, in points from the view's leading edge.
    nonisolated public subscript(guide: HorizontalAlignment) -> CGFloat {
        self[explicit: guide] ?? guide.key.defaultValue(self)
    }
    /// Returns the position of an alignment, in points from the view's top edge.
    nonisolated public subscript(guide: VerticalAlignment) -> CGFloat {
        self[explicit: guide] ?? guide.key.defaultValue(self)
    }
    /// Returns the position of an alignment, in points from the view's leading edge. Nil if the view does not set one.
    nonisolated public subscript(explicit guide: HorizontalAlignment) -> CGFloat? { explicit(guide.key) }
    /// Returns the position of an alignment, in points from the view's top edge. Nil if the view does not set one.
    nonisolated public subscript(explicit guide: VerticalAlignment) -> CGFloat? { explicit(guide.key) }
    // Layouts run only on the main thread.
    nonisolated private func explicit(_ key: AlignmentKey) -> CGFloat? {
        guard let element else { return nil }
        let size = CGSize(width: width, height: height)
        return MainActor.assumeIsolated { element.explicitGuide(key, size) }
    }
}

/// The identity of an alignment, with its default position.
@_spi(Graph) public struct AlignmentKey: Hashable, Sendable {
    let id: ObjectIdentifier
    let defaultValue: @Sendable (ViewDimensions) -> CGFloat
    package let isVertical: Bool
    init<ID: AlignmentID>(_ type: ID.Type, vertical: Bool) {
        id = ObjectIdentifier(type)
        defaultValue = { ID.defaultValue(in: $0) }
        isVertical = vertical
    }
    public static func == (a: Self, b: Self) -> Bool { a.id == b.id && a.isVertical == b.isVertical }
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }

    /// Returns the position that the first child with this alignment sets, in the space of the container.
    ///
    /// For the last text baseline, returns the position that the last such child sets. Returns nil if no child sets the
    /// alignment.
    @MainActor func position(in children: [Element], _ frames: [CGRect]) -> CGFloat? {
        let all = Array(zip(children, frames))
        for (child, frame) in self == VerticalAlignment.lastTextBaseline.key ? all.reversed() : all {
            if let value = child.explicitGuide(self, frame.size) {
                return value + (isVertical ? frame.minY : frame.minX)
            }
        }
        return nil
    }
}

/// A horizontal position at which views are aligned. Mirrors SwiftUI's type.
public struct HorizontalAlignment: Equatable, Sendable {
    package let key: AlignmentKey
    /// Creates an alignment that an app defines.
    public init(_ id: any AlignmentID.Type) { key = HorizontalAlignment.key(id) }
    private static func key<ID: AlignmentID>(_ id: ID.Type) -> AlignmentKey { AlignmentKey(id, vertical: false) }
    enum Leading: AlignmentID { static func defaultValue(in context: ViewDimensions) -> CGFloat { 0 } }
    enum Center: AlignmentID { static func defaultValue(in context: ViewDimensions) -> CGFloat { context.width / 2 } }
    enum Trailing: AlignmentID { static func defaultValue(in context: ViewDimensions) -> CGFloat { context.width } }
    /// The alignment at the leading edge.
    public static let leading = HorizontalAlignment(Leading.self)
    /// The alignment at the horizontal center.
    public static let center = HorizontalAlignment(Center.self)
    /// The alignment at the trailing edge.
    public static let trailing = HorizontalAlignment(Trailing.self)
}

/// A vertical position at which views are aligned. Mirrors SwiftUI's type.
public struct VerticalAlignment: Equatable, Sendable {
    package let key: AlignmentKey
    /// Creates an alignment that an app defines.
    public init(_ id: any AlignmentID.Type) { key = VerticalAlignment.key(id) }
    private static func key<ID: AlignmentID>(_ id: ID.Type) -> AlignmentKey { AlignmentKey(id, vertical: true) }
    enum Top: AlignmentID { static func defaultValue(in context: ViewDimensions) -> CGFloat { 0 } }
    enum Center: AlignmentID { static func defaultValue(in context: ViewDimensions) -> CGFloat { context.height / 2 } }
    enum Bottom: AlignmentID { static func defaultValue(in context: ViewDimensions) -> CGFloat { context.height } }
    // The baseline of a view without text is its bottom edge.
    enum FirstBaseline: AlignmentID {
        static func defaultValue(in context: ViewDimensions) -> CGFloat { context.height }
    }
    enum LastBaseline: AlignmentID {
        static func defaultValue(in context: ViewDimensions) -> CGFloat { context.height }
    }
    /// The alignment at the top edge.
    public static let top = VerticalAlignment(Top.self)
    /// The alignment at the vertical center.
    public static let center = VerticalAlignment(Center.self)
    /// The alignment at the bottom edge.
    public static let bottom = VerticalAlignment(Bottom.self)
    /// The alignment at the baseline of the first line of text, or at the bottom edge of a view without text.
    public static let firstTextBaseline = VerticalAlignment(FirstBaseline.self)
    /// The alignment at the baseline of the last line of text, or at the bottom edge of a view without text.
    public static let lastTextBaseline = VerticalAlignment(LastBaseline.self)
    var isBaseline: Bool { self == .firstTextBaseline || self == .lastTextBaseline }
}

/// A point at which views are aligned in both directions. Mirrors SwiftUI's type.
public struct Alignment: Equatable, Sendable {
    /// The horizontal alignment.
    public var horizontal: HorizontalAlignment
    /// The vertical alignment.
    public var vertical: VerticalAlignment
    /// Creates an alignment from a horizontal and a vertical one.
    public init(horizontal: HorizontalAlignment, vertical: VerticalAlignment) {
        self.horizontal = horizontal
        self.vertical = vertical
    }
    /// The alignment at the center.
    public static let center = Alignment(horizontal: .center, vertical: .center)
    /// The alignment at the center of the leading edge.
    public static let leading = Alignment(horizontal: .leading, vertical: .center)
    /// The alignment at the center of the trailing edge.
    public static let trailing = Alignment(horizontal: .trailing, vertical: .center)
    /// The alignment at the center of the top edge.
    public static let top = Alignment(horizontal: .center, vertical: .top)
    /// The alignment at the center of the bottom edge.
    public static let bottom = Alignment(horizontal: .center, vertical: .bottom)
    /// The alignment at the corner of the top and the leading edge.
    public static let topLeading = Alignment(horizontal: .leading, vertical: .top)
    /// The alignment at the corner of the top and the trailing edge.
    public static let topTrailing = Alignment(horizontal: .trailing, vertical: .top)
    /// The alignment at the corner of the bottom and the leading edge.
    public static let bottomLeading = Alignment(horizontal: .leading, vertical: .bottom)
    /// The alignment at the corner of the bottom and the trailing edge.
    public static let bottomTrailing = Alignment(horizontal: .trailing, vertical: .bottom)
    /// The alignment at the horizontal center and the baseline of the first line of text.
    public static let centerFirstTextBaseline = Alignment(horizontal: .center, vertical: .firstTextBaseline)
    /// The alignment at the leading edge and the baseline of the first line of text.
    public static let leadingFirstTextBaseline = Alignment(horizontal: .leading, vertical: .firstTextBaseline)
    /// The alignment at the trailing edge and the baseline of the first line of text.
    public static let trailingFirstTextBaseline = Alignment(horizontal: .trailing, vertical: .firstTextBaseline)

    /// Returns the origin of `inner` in a rectangle of size `outer` when their guides coincide.
    @MainActor package func origin(of inner: Element, _ size: CGSize, in outer: CGSize) -> CGPoint {
        let whole = ViewDimensions(width: outer.width, height: outer.height, element: nil)
        let part = ViewDimensions(width: size.width, height: size.height, element: inner)
        return CGPoint(x: whole[horizontal] - part[horizontal], y: whole[vertical] - part[vertical])
    }
}
