import Foundation

/// A column of a `LazyVGrid` or a row of a `LazyHGrid`. SwiftUI's type.
public struct GridItem: Equatable, Sendable {
    /// How wide a column, or how high a row, may be.
    public enum Size: Equatable, Sendable {
        /// Points.
        case fixed(CGFloat)
        /// An equal share of what is left, within these. Points.
        case flexible(minimum: CGFloat = 10, maximum: CGFloat = .infinity)
        /// As many as fit into its share, each within these. Points.
        case adaptive(minimum: CGFloat, maximum: CGFloat = .infinity)
    }
    /// How wide the column, or how high the row, may be.
    public var size: Size
    /// To the next one, points; nil is 8.
    public var spacing: CGFloat?
    /// Of each view in its place; nil is the middle.
    public var alignment: Alignment?
    /// Makes a column or a row.
    /// - Parameter spacing: to the next one, points; nil is 8.
    public init(_ size: Size = .flexible(), spacing: CGFloat? = nil, alignment: Alignment? = nil) {
        self.size = size
        self.spacing = spacing
        self.alignment = alignment
    }
}

/// Views in columns, line by line; what is out of sight is not made. In a `ScrollView`. SwiftUI's view. (Headers are
/// not pinned.)
public struct LazyVGrid<Content: View>: _PrimitiveView {
    let columns: [GridItem]
    let alignment: HorizontalAlignment
    let spacing: CGFloat?
    let content: Content
    /// - Parameters:
    ///   - alignment: of all columns in the width there is.
    ///   - spacing: points between lines; nil is 8.
    public init(
        columns: [GridItem], alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {
        self.columns = columns
        self.alignment = alignment
        self.spacing = spacing
        self.content = content()
    }
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        ContainerFiber(
            view, inputs, LazyGridElement(axis: .vertical), content: { $0.content },
            environment: { environment, _ in with(environment) { $0.isLazy = true } }
        ) { element, view, _ in
            element.set(view.columns, view.alignment.key, view.spacing ?? 8)
        }
    }
}

/// Views in rows, column by column; what is out of sight is not made. In a horizontal `ScrollView`. SwiftUI's view.
/// (Headers are not pinned.)
public struct LazyHGrid<Content: View>: _PrimitiveView {
    let rows: [GridItem]
    let alignment: VerticalAlignment
    let spacing: CGFloat?
    let content: Content
    /// - Parameters:
    ///   - alignment: of all rows in the height there is.
    ///   - spacing: points between columns; nil is 8.
    public init(
        rows: [GridItem], alignment: VerticalAlignment = .center, spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {
        self.rows = rows
        self.alignment = alignment
        self.spacing = spacing
        self.content = content()
    }
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        ContainerFiber(
            view, inputs, LazyGridElement(axis: .horizontal), content: { $0.content },
            environment: { environment, _ in with(environment) { $0.isLazy = true } }
        ) { element, view, _ in
            element.set(view.rows, view.alignment.key, view.spacing ?? 8)
        }
    }
}

/// The columns of a grid in a width, or its rows in a height.
struct GridTracks: Equatable {
    struct Track: Equatable {
        var start: CGFloat
        var length: CGFloat
        var alignment: Alignment
    }
    private(set) var tracks: [Track] = []
    private(set) var length: CGFloat = 0

    /// - Parameters:
    ///   - room: points; nil or endless: as little as the items like.
    ///   - ideal: what a view likes best, where nothing is offered.
    init(_ items: [GridItem], room: CGFloat?, ideal: CGFloat) {
        // Of no columns, one.
        let items = items.isEmpty ? [GridItem()] : items
        let spacings = items.map { max(0, ($0.spacing ?? 8).bounded) }
        var left = room.flatMap { $0.isFinite ? $0.bounded - spacings.dropLast().reduce(0, +) : nil }
        for case .fixed(let length) in items.map(\.size) { left? -= Self.side(length) }
        var sharing = items.filter { if case .fixed = $0.size { false } else { true } }.count
        var at: CGFloat = 0
        for (item, spacing) in zip(items, spacings) {
            let alignment = item.alignment ?? .center
            let share = left.map { max(0, $0 / CGFloat(max(1, sharing))) }
            switch item.size {
            case .fixed(let length): add(&at, Self.side(length), alignment)
            case .flexible(let low, let high):
                let length = Self.clamp(share ?? ideal, low, high)
                add(&at, length, alignment)
                left? -= length
                sharing -= 1
            case .adaptive(let low, let high):
                // A width of nothing would be columns without end.
                let least = max(1, Self.side(low))
                let count = share.map { Int(max(1, min(10_000, ($0 + spacing) / (least + spacing)))) } ?? 1
                let length =
                    share.map { Self.clamp(($0 - spacing * CGFloat(count - 1)) / CGFloat(count), least, high) } ?? least
                for index in 0..<count {
                    add(&at, length, alignment)
                    if index < count - 1 { at += spacing }
                }
                left? -= length * CGFloat(count) + spacing * CGFloat(count - 1)
                sharing -= 1
            }
            self.length = at
            at += spacing
        }
    }

    private mutating func add(_ at: inout CGFloat, _ length: CGFloat, _ alignment: Alignment) {
        tracks.append(Track(start: at, length: length, alignment: alignment))
        at += length
    }
    private static func side(_ length: CGFloat) -> CGFloat { length.isFinite ? max(0, length.bounded) : 0 }
    private static func clamp(_ length: CGFloat, _ low: CGFloat, _ high: CGFloat) -> CGFloat {
        max(side(low), min(length, high.isNaN ? .infinity : high)).bounded
    }
}
