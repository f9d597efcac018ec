import Foundation

/// A column of a `LazyVGrid` or a row of a `LazyHGrid`. Mirrors SwiftUI's type.
public struct GridItem: Equatable, Sendable {
    /// The width of a column or the height of a row.
    public enum Size: Equatable, Sendable {
        /// A fixed length, in points.
        case fixed(CGFloat)
        /// An equal share of the remaining space, within these limits in points.
        case flexible(minimum: CGFloat = 10, maximum: CGFloat = .infinity)
        /// As many tracks as fit into the share of this item, each within these limits in points. A minimum below 1
        /// counts as 1.
        case adaptive(minimum: CGFloat, maximum: CGFloat = .infinity)
    }
    /// The width of the column or the height of the row.
    public var size: Size
    /// The distance to the next item and between the tracks of an adaptive item, in points. Nil is 8, and a negative
    /// value counts as 0.
    public var spacing: CGFloat?
    /// The alignment of each view in its cell. Nil is the center.
    public var alignment: Alignment?
    /// Creates a column or a row.
    /// - Parameters:
    ///   - size: The width of the column or the height of the row.
    ///   - spacing: The distance to the next item and between the tracks of an adaptive item, in points. Nil is 8, and
    ///     a negative value counts as 0.
    ///   - alignment: The alignment of each view in its cell. Nil is the center.
    public init(_ size: Size = .flexible(), spacing: CGFloat? = nil, alignment: Alignment? = nil) {
        self.size = size
        self.spacing = spacing
        self.alignment = alignment
    }
}

/// A grid of columns that creates its views only when they come near the visible area of a `ScrollView`. Mirrors
/// SwiftUI's view.
///
/// ```swift
/// ScrollView {
///     LazyVGrid(columns: [GridItem(.adaptive(minimum: 160))], spacing: 12) {
///         ForEach(posters, id: \.self) { url in
///             AsyncImage(url: url).frame(height: 90)
///         }
///     }
/// }
/// ```
/// Views fill the grid line by line. Headers are not pinned.
public struct LazyVGrid<Content: View>: _PrimitiveView {
    let columns: [GridItem]
    let alignment: HorizontalAlignment
    let spacing: CGFloat?
    let content: Content
    /// Creates a vertical grid.
    /// - Parameters:
    ///   - columns: The columns.
    ///   - alignment: The alignment of the columns in the available width.
    ///   - spacing: The distance between lines, in points. Nil is 8.
    ///   - content: The views.
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

/// A grid of rows that creates its views only when they come near the visible area of a horizontal `ScrollView`.
/// Mirrors SwiftUI's view.
///
/// Views fill the grid column by column. Headers are not pinned.
public struct LazyHGrid<Content: View>: _PrimitiveView {
    let rows: [GridItem]
    let alignment: VerticalAlignment
    let spacing: CGFloat?
    let content: Content
    /// Creates a horizontal grid.
    /// - Parameters:
    ///   - rows: The rows.
    ///   - alignment: The alignment of the rows in the available height.
    ///   - spacing: The distance between columns, in points. Nil is 8.
    ///   - content: The views.
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

/// The tracks of a lazy grid: columns within a width, or rows within a height.
struct GridTracks: Equatable {
    struct Track: Equatable {
        var start: CGFloat
        var length: CGFloat
        var alignment: Alignment
    }
    private(set) var tracks: [Track] = []
    private(set) var length: CGFloat = 0

    /// Creates the tracks for an available length.
    /// - Parameters:
    ///   - items: The columns or rows that the app has set.
    ///   - available: The available length in points. If it is nil or infinite, an adaptive item has one track of its
    ///     minimum length.
    ///   - ideal: The ideal length of a view, for flexible items if `available` is nil or infinite.
    init(_ items: [GridItem], available: CGFloat?, ideal: CGFloat) {
        // A grid without columns has one column.
        let items = items.isEmpty ? [GridItem()] : items
        let spacings = items.map { max(0, ($0.spacing ?? 8).bounded) }
        var remaining = available.flatMap { $0.isFinite ? $0.bounded - spacings.dropLast().reduce(0, +) : nil }
        for case .fixed(let length) in items.map(\.size) { remaining? -= Self.side(length) }
        var sharingCount = items.filter { if case .fixed = $0.size { false } else { true } }.count
        var offset: CGFloat = 0
        for (item, spacing) in zip(items, spacings) {
            let alignment = item.alignment ?? .center
            let share = remaining.map { max(0, $0 / CGFloat(max(1, sharingCount))) }
            switch item.size {
            case .fixed(let length): add(&offset, Self.side(length), alignment)
            case .flexible(let low, let high):
                let length = Self.clamp(share ?? ideal, low, high)
                add(&offset, length, alignment)
                remaining? -= length
                sharingCount -= 1
            case .adaptive(let low, let high):
                // A minimum of 0 would result in an infinite number of columns.
                let least = max(1, Self.side(low))
                let count = share.map { Int(max(1, min(10_000, ($0 + spacing) / (least + spacing)))) } ?? 1
                let length =
                    share.map { Self.clamp(($0 - spacing * CGFloat(count - 1)) / CGFloat(count), least, high) } ?? least
                for index in 0..<count {
                    add(&offset, length, alignment)
                    if index < count - 1 { offset += spacing }
                }
                remaining? -= length * CGFloat(count) + spacing * CGFloat(count - 1)
                sharingCount -= 1
            }
            self.length = offset
            offset += spacing
        }
    }

    private mutating func add(_ offset: inout CGFloat, _ length: CGFloat, _ alignment: Alignment) {
        tracks.append(Track(start: offset, length: length, alignment: alignment))
        offset += length
    }
    private static func side(_ length: CGFloat) -> CGFloat { length.isFinite ? max(0, length.bounded) : 0 }
    private static func clamp(_ length: CGFloat, _ low: CGFloat, _ high: CGFloat) -> CGFloat {
        max(side(low), min(length, high.isNaN ? .infinity : high)).bounded
    }
}
