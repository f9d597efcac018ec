import Foundation

/// An alignment of one's own. SwiftUI's protocol.
public protocol AlignmentID: SendableMetatype {
    /// Where it lies in a view that says nothing of its own.
    static func defaultValue(in context: ViewDimensions) -> CGFloat
}

/// A view's size and where its alignments lie in it.
@MainActor @preconcurrency
public struct ViewDimensions {
    /// The view's size, points.
    nonisolated public let width, height: CGFloat
    nonisolated let element: Element?
    nonisolated init(width: CGFloat, height: CGFloat, element: Element?) {
        self.width = width
        self.height = height
        self.element = element
    }
    /// Where an alignment lies, points from the view's leading edge.
    nonisolated public subscript(guide: HorizontalAlignment) -> CGFloat {
        self[explicit: guide] ?? guide.key.defaultValue(self)
    }
    /// Where an alignment lies, points from the view's top.
    nonisolated public subscript(guide: VerticalAlignment) -> CGFloat {
        self[explicit: guide] ?? guide.key.defaultValue(self)
    }
    /// Nil where the view says nothing of its own.
    nonisolated public subscript(explicit guide: HorizontalAlignment) -> CGFloat? { explicit(guide.key) }
    /// Where an alignment lies, points from the view's top; nil where the view says nothing of its own.
    nonisolated public subscript(explicit guide: VerticalAlignment) -> CGFloat? { explicit(guide.key) }
    /// Layouts are asked on the main thread only.
    nonisolated private func explicit(_ key: AlignmentKey) -> CGFloat? {
        guard let element else { return nil }
        let size = CGSize(width: width, height: height)
        return MainActor.assumeIsolated { element.explicitGuide(key, size) }
    }
}

/// What names an alignment, and where it lies by default.
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
}

/// Where views beside or below each other meet, across. SwiftUI's type.
public struct HorizontalAlignment: Equatable, Sendable {
    let key: AlignmentKey
    /// Makes an alignment of one's own.
    public init(_ id: any AlignmentID.Type) { key = HorizontalAlignment.key(id) }
    private static func key<ID: AlignmentID>(_ id: ID.Type) -> AlignmentKey { AlignmentKey(id, vertical: false) }
    enum Leading: AlignmentID { static func defaultValue(in context: ViewDimensions) -> CGFloat { 0 } }
    enum Center: AlignmentID { static func defaultValue(in context: ViewDimensions) -> CGFloat { context.width / 2 } }
    enum Trailing: AlignmentID { static func defaultValue(in context: ViewDimensions) -> CGFloat { context.width } }
    /// The leading edge.
    public static let leading = HorizontalAlignment(Leading.self)
    /// The middle of the width.
    public static let center = HorizontalAlignment(Center.self)
    /// The trailing edge.
    public static let trailing = HorizontalAlignment(Trailing.self)
}

/// Where views beside each other meet, up and down. SwiftUI's type.
public struct VerticalAlignment: Equatable, Sendable {
    package let key: AlignmentKey
    /// Makes an alignment of one's own.
    public init(_ id: any AlignmentID.Type) { key = VerticalAlignment.key(id) }
    private static func key<ID: AlignmentID>(_ id: ID.Type) -> AlignmentKey { AlignmentKey(id, vertical: true) }
    enum Top: AlignmentID { static func defaultValue(in context: ViewDimensions) -> CGFloat { 0 } }
    enum Center: AlignmentID { static func defaultValue(in context: ViewDimensions) -> CGFloat { context.height / 2 } }
    enum Bottom: AlignmentID { static func defaultValue(in context: ViewDimensions) -> CGFloat { context.height } }
    // A view without text sits on the baseline with its bottom.
    enum FirstBaseline: AlignmentID {
        static func defaultValue(in context: ViewDimensions) -> CGFloat { context.height }
    }
    enum LastBaseline: AlignmentID {
        static func defaultValue(in context: ViewDimensions) -> CGFloat { context.height }
    }
    /// The upper edge.
    public static let top = VerticalAlignment(Top.self)
    /// The middle of the height.
    public static let center = VerticalAlignment(Center.self)
    /// The lower edge.
    public static let bottom = VerticalAlignment(Bottom.self)
    /// Where the first line's letters stand; the lower edge of a view without text.
    public static let firstTextBaseline = VerticalAlignment(FirstBaseline.self)
    /// Where the last line's letters stand; the lower edge of a view without text.
    public static let lastTextBaseline = VerticalAlignment(LastBaseline.self)
    var isBaseline: Bool { self == .firstTextBaseline || self == .lastTextBaseline }
}

/// Where views meet in both directions. SwiftUI's type.
public struct Alignment: Equatable, Sendable {
    /// Where they meet across.
    public var horizontal: HorizontalAlignment
    /// Where they meet up and down.
    public var vertical: VerticalAlignment
    /// Makes an alignment of one for each direction.
    public init(horizontal: HorizontalAlignment, vertical: VerticalAlignment) {
        self.horizontal = horizontal
        self.vertical = vertical
    }
    /// The middle.
    public static let center = Alignment(horizontal: .center, vertical: .center)
    /// The middle of the leading edge.
    public static let leading = Alignment(horizontal: .leading, vertical: .center)
    /// The middle of the trailing edge.
    public static let trailing = Alignment(horizontal: .trailing, vertical: .center)
    /// The middle of the upper edge.
    public static let top = Alignment(horizontal: .center, vertical: .top)
    /// The middle of the lower edge.
    public static let bottom = Alignment(horizontal: .center, vertical: .bottom)
    /// The corner of the upper and the leading edge.
    public static let topLeading = Alignment(horizontal: .leading, vertical: .top)
    /// The corner of the upper and the trailing edge.
    public static let topTrailing = Alignment(horizontal: .trailing, vertical: .top)
    /// The corner of the lower and the leading edge.
    public static let bottomLeading = Alignment(horizontal: .leading, vertical: .bottom)
    /// The corner of the lower and the trailing edge.
    public static let bottomTrailing = Alignment(horizontal: .trailing, vertical: .bottom)
    /// In the middle of the width, on the first line of text.
    public static let centerFirstTextBaseline = Alignment(horizontal: .center, vertical: .firstTextBaseline)
    /// At the leading edge, on the first line of text.
    public static let leadingFirstTextBaseline = Alignment(horizontal: .leading, vertical: .firstTextBaseline)
    /// At the trailing edge, on the first line of text.
    public static let trailingFirstTextBaseline = Alignment(horizontal: .trailing, vertical: .firstTextBaseline)

    /// Where `inner` lies in `outer` when their guides meet.
    @MainActor package func origin(of inner: Element, _ size: CGSize, in outer: CGSize) -> CGPoint {
        let whole = ViewDimensions(width: outer.width, height: outer.height, element: nil)
        let part = ViewDimensions(width: size.width, height: size.height, element: inner)
        return CGPoint(x: whole[horizontal] - part[horizontal], y: whole[vertical] - part[vertical])
    }
}
