import Foundation
import Presentation
@_spi(Graph) import ViewGraph

/// The position of a view in a bar.
enum BarPart: Equatable { case leading, back, middle, trailing }

/// A layout of the navigation bar's row: the title, or an item in its place, between the buttons at both ends.
///
/// As on iOS, the title is in the middle of the bar if it fits there. Otherwise, it moves beside the buttons, and
/// finally it is truncated. The back button becomes shorter before a title is truncated. A title is truncated before an
/// app's items become narrower.
struct BarRowLayout: ElementLayout {
    typealias AnimatableData = EmptyAnimatableData
    static var layoutProperties: LayoutProperties { with(LayoutProperties()) { $0.stackOrientation = .horizontal } }

    func usesBaselines(_ elements: [Element]) -> Bool { false }

    func arrange(_ elements: [Element], _ proposal: ProposedViewSize) -> (
        places: [(CGRect, ProposedViewSize)], size: CGSize
    ) {
        var row = BarRow(elements, proposal)
        row.chooseBack()
        row.distributeWidth()
        return row.places()
    }
}

/// A layout pass of a navigation bar's row.
@MainActor
private struct BarRow {
    private let elements: [Element]
    private let parts: [BarPart]
    private let proposal: ProposedViewSize
    /// The widths that are offered to the elements, in points. An element that is offered nil takes its ideal width.
    private var offers: [CGFloat?]
    /// The widths that the elements take, in points.
    private var widths: [CGFloat]
    /// The width of the bar, in points. Without a proposed width, the sum of the ideal widths.
    private let whole: CGFloat
    private static let spacing = Space.snug
    /// The tolerance in comparisons of widths, in points. Without it, rounding could truncate a title's last letter.
    private static let slack: CGFloat = 0.01

    init(_ elements: [Element], _ proposal: ProposedViewSize) {
        (self.elements, self.proposal) = (elements, proposal)
        parts = elements.map { $0.trait(BarPart.self) ?? .trailing }
        offers = elements.map { _ in nil }
        widths = elements.map { $0.sizeThatFits(ProposedViewSize(width: nil, height: proposal.height)).width }
        whole =
            proposal.width.flatMap { $0.isFinite ? $0 : nil }
            ?? max(0, widths.reduce(0) { $0 + BarRow.taken($1) } - BarRow.spacing)
    }

    /// Returns the sum of an element's width and the spacing after it, in points, or 0 for an element without width.
    private static func taken(_ width: CGFloat) -> CGFloat { width > 0 ? width + spacing : 0 }
    private func taken(_ indices: [Int]) -> CGFloat { indices.reduce(0) { $0 + BarRow.taken(widths[$1]) } }
    private func offer(_ width: CGFloat?) -> ProposedViewSize {
        ProposedViewSize(width: width, height: proposal.height)
    }
    private func width(_ index: Int, _ offered: CGFloat?) -> CGFloat {
        elements[index].sizeThatFits(offer(offered)).width
    }

    private var back: Int? { parts.firstIndex(of: .back) }
    private var middle: Int? { parts.firstIndex(of: .middle) }
    private var items: [Int] { parts.indices.filter { parts[$0] == .leading || parts[$0] == .trailing } }
    private var leastMiddle: CGFloat { middle.map { min(widths[$0], width($0, 0)) } ?? 0 }

    /// Chooses the longest back button that fits beside the other elements at their ideal widths, or else the shortest
    /// back button.
    mutating func chooseBack() {
        guard let back else { return }
        let full = widths[back]
        for offered in [full, full - 1, 0] {
            (offers[back], widths[back]) = (offered, width(back, offered))
            if taken(Array(parts.indices)) - BarRow.spacing <= whole + BarRow.slack { return }
        }
    }

    /// Distributes the bar's width among the items.
    ///
    /// Items take their ideal widths. Without a title, items that can grow share the remaining width. Items become
    /// narrower only if they do not fit beside the title at its minimum width.
    mutating func distributeWidth() {
        let space = whole - (back.map { BarRow.taken(widths[$0]) } ?? 0) - BarRow.taken(leastMiddle)
        let items = items
        var remaining = space - (taken(items) - BarRow.spacing)
        if remaining < -BarRow.slack {
            let found = StackArrangement(
                axis: .horizontal, alignment: VerticalAlignment.center.key, spacing: BarRow.spacing
            )
            .arrange(items.map { elements[$0] }, offer(max(0, space)))
            for (index, arranged) in zip(items, found.places) {
                (widths[index], offers[index]) = (arranged.0.width, arranged.1.width)
            }
        } else if middle == nil {
            let growing = items.filter { width($0, .infinity) > widths[$0] }
            for (position, index) in growing.enumerated() {
                let offered = widths[index] + remaining / CGFloat(growing.count - position)
                let taken = width(index, offered)
                remaining -= taken - widths[index]
                (widths[index], offers[index]) = (taken, offered)
            }
        }
    }

    mutating func places() -> (places: [(CGRect, ProposedViewSize)], size: CGSize) {
        var xs = [CGFloat](repeating: 0, count: elements.count)
        var leadingEnd: CGFloat = 0
        for index in parts.indices where parts[index] == .leading || parts[index] == .back {
            xs[index] = leadingEnd
            leadingEnd += BarRow.taken(widths[index])
        }
        let trailing = parts.indices.filter { parts[$0] == .trailing }
        let trailingWidth = taken(trailing)
        var middleEnd = leadingEnd
        if let middle {
            let space = max(leastMiddle, whole - leadingEnd - trailingWidth)
            offers[middle] = widths[middle] <= space + BarRow.slack ? max(space, widths[middle]) : space
            widths[middle] = width(middle, offers[middle])
            xs[middle] = max(leadingEnd, min((whole - widths[middle]) / 2, whole - trailingWidth - widths[middle]))
            middleEnd = xs[middle] + BarRow.taken(widths[middle])
        }
        // In a bar that is too narrow, the trailing items extend beyond the bar, so that no element overlaps another.
        var x = max(middleEnd, whole - max(0, trailingWidth - BarRow.spacing))
        for index in trailing {
            xs[index] = x
            x += BarRow.taken(widths[index])
        }
        let sizes = elements.indices.map { elements[$0].sizeThatFits(offer(offers[$0])) }
        let height = sizes.map(\.height).max() ?? 0
        let rects = elements.indices.map {
            CGRect(x: xs[$0], y: (height - sizes[$0].height) / 2, width: sizes[$0].width, height: sizes[$0].height)
        }
        return (
            zip(rects, offers).map { ($0, offer($1)) },
            CGSize(width: max(whole, rects.map(\.maxX).max() ?? 0), height: height)
        )
    }
}

extension View {
    func barPart(_ part: BarPart) -> some View { elementModifier(LayoutTraitModifier(value: part)) }
}

/// A button that goes back to the previous page.
///
/// It shows the first of these that fits: an arrow with the previous page's title, an arrow with “Back”, or only an
/// arrow. Its accessibility label is always the previous page's title.
struct BackButton: View {
    let title: String
    let action: @MainActor () -> Void
    @Environment(\.layoutDirection) private var direction
    private var arrow: String { direction == .rightToLeft ? "chevron.right" : "chevron.left" }
    var body: some View {
        Button(action: action) {
            FirstThatFits(
                content: Group {
                    Label(title, systemImage: arrow).elementModifier(ChoiceModifier())
                    Label(PlayerWords.localized("Back"), systemImage: arrow).elementModifier(ChoiceModifier())
                    Image(systemName: arrow).elementModifier(ChoiceModifier())
                }.lineLimit(1))
        }
        .buttonStyle(.borderless)
        .accessibilityLabel(Text(verbatim: title))
    }
}

/// A view that shows the first of its children whose ideal width fits into the proposed width, or else the last child.
struct FirstThatFits<Content: View>: _PrimitiveView {
    let content: Content
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        ContainerFiber(view, inputs, FirstThatFitsElement(), content: { $0.content }) { _, _, _ in }
    }
}

struct ChoiceModifier: ElementModifier {
    func makeElement() -> ChoiceElement { ChoiceElement() }
    func update(_ element: ChoiceElement, _ fiber: _Fiber) {}
}
final class ChoiceElement: WrapperElement {
    fileprivate(set) var isHiddenByParent = false
    override var isHidden: Bool { isHiddenByParent }
}

final class FirstThatFitsElement: Element {
    private func chosen(_ proposal: ProposedViewSize) -> (element: Element, proposal: ProposedViewSize)? {
        guard let width = proposal.width else { return children.first.map { ($0, proposal) } }
        let free = ProposedViewSize(width: nil, height: proposal.height)
        return children.first { $0.sizeThatFits(free).width <= width + 0.01 }.map { ($0, free) }
            ?? children.last.map { ($0, proposal) }
    }
    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        chosen(proposal).map { $0.element.sizeThatFits($0.proposal) } ?? .zero
    }
    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        let chosen = chosen(proposal)
        for child in children {
            (child as? ChoiceElement)?.isHiddenByParent = child !== chosen?.element
            let offered = child === chosen?.element ? chosen?.proposal ?? proposal : proposal
            child.place(CGRect(origin: .zero, size: child.sizeThatFits(offered)), offered)
        }
    }
    override func guide(_ key: AlignmentKey, _ size: CGSize) -> CGFloat? {
        chosen(ProposedViewSize(size))?.element.explicitGuide(key, size)
    }
}
