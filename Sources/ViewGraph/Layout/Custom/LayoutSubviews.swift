import Foundation

/// The elements of a layout. (A collection has an `Element` of its own.)
typealias LaidOutElements = [Element]

/// The views of a layout, in order. SwiftUI's type. Holds while the layout is asked.
public struct LayoutSubviews: RandomAccessCollection, Equatable, Sendable {
    /// Views of a part of the layout are such a collection too.
    public typealias SubSequence = LayoutSubviews
    let elements: LaidOutElements
    let pass: LayoutPass?
    /// A layout places as from left to right: what it says is mirrored.
    public var layoutDirection: LayoutDirection {
        MainActor.assumeIsolated { elements.first?.parent?.isMirrored == true ? .rightToLeft : .leftToRight }
    }
    /// Always 0.
    public var startIndex: Int { 0 }
    /// How many views there are.
    public var endIndex: Int { elements.count }
    /// The view at an index, from 0.
    public subscript(index: Int) -> LayoutSubview { LayoutSubview(element: elements[index], pass: pass) }
    /// Those of a range; they are counted from 0 again.
    public subscript(bounds: Range<Int>) -> LayoutSubviews {
        LayoutSubviews(elements: Array(elements[bounds]), pass: pass)
    }
    /// The views at some indices, in that order; they are counted from 0 again.
    public subscript<S: Sequence>(indices: S) -> LayoutSubviews where S.Element == Int {
        LayoutSubviews(elements: indices.map { elements[$0] }, pass: pass)
    }
    public static func == (a: LayoutSubviews, b: LayoutSubviews) -> Bool {
        a.elements.count == b.elements.count && zip(a.elements, b.elements).allSatisfy { $0 === $1 }
    }
}

/// One view of a layout. SwiftUI's type. Main thread.
public struct LayoutSubview: Equatable, Sendable {
    let element: Element
    let pass: LayoutPass?

    /// What the view says for a key by `layoutValue(key:value:)`; else the key's default.
    public subscript<K: LayoutValueKey>(key: K.Type) -> K.Value {
        // An app's value need not be sendable; it does not leave the main thread, on which layouts run.
        nonisolated(unsafe) var value: K.Value?
        MainActor.assumeIsolated { value = element.trait(LayoutValue<K>.self)?.value }
        return value ?? K.defaultValue
    }
    /// What `layoutPriority` says, 0 by default; of a spacer −∞.
    public var priority: Double { MainActor.assumeIsolated { element.trait(LayoutPriority.self)?.value ?? 0 } }
    /// What the view takes when `proposal` is offered, points.
    public func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize {
        MainActor.assumeIsolated { element.sizeThatFits(proposal) }
    }
    /// The same with its alignments.
    public func dimensions(in proposal: ProposedViewSize) -> ViewDimensions {
        let size = sizeThatFits(proposal)
        return ViewDimensions(width: size.width, height: size.height, element: element)
    }
    /// How far others are to stay away from the view: 8 points on each side, or what a layout of the app's says.
    public var spacing: ViewSpacing {
        MainActor.assumeIsolated { (element as? any SelfSpaced)?.ownSpacing ?? ViewSpacing() }
    }

    /// Puts `anchor` of the view at `position`, offering it `proposal`. Only while views are placed; placed twice, the
    /// last place holds.
    public func place(at position: CGPoint, anchor: UnitPoint = .topLeading, proposal: ProposedViewSize) {
        MainActor.assumeIsolated { pass?.place(element, position, anchor, proposal) }
    }
    public static func == (a: LayoutSubview, b: LayoutSubview) -> Bool { a.element === b.element }
}

/// Knows how far others are to stay away from it.
@MainActor
protocol SelfSpaced: Element {
    var ownSpacing: ViewSpacing { get }
}

/// One time that a layout places its views.
@MainActor
final class LayoutPass {
    private var placed: [ObjectIdentifier: CGRect] = [:]
    private var isOver = false
    /// Places are found out only: nothing is put there.
    private let isTrial: Bool
    init(isTrial: Bool = false) { self.isTrial = isTrial }

    func place(_ element: Element, _ position: CGPoint, _ anchor: UnitPoint, _ proposal: ProposedViewSize) {
        guard !isOver else { return }
        let size = element.sizeThatFits(proposal)
        let anchor = anchor.proper
        let rect = CGRect(
            x: position.x - size.width * anchor.x, y: position.y - size.height * anchor.y, width: size.width,
            height: size.height)
        placed[ObjectIdentifier(element)] = rect
        if !isTrial { element.place(rect, proposal) }
    }

    /// What nobody placed stands in the middle.
    func finish(_ elements: [Element], _ bounds: CGRect, _ proposal: ProposedViewSize) {
        for element in elements where placed[ObjectIdentifier(element)] == nil {
            place(element, CGPoint(x: bounds.midX, y: bounds.midY), .center, proposal)
        }
        isOver = true
    }

    /// Where an alignment lies, as the views say it where they are placed: of baselines the first line of all, or the
    /// last; of others what the first view that says something says, as in a stack.
    func guide(_ key: AlignmentKey, _ elements: [Element]) -> CGFloat? {
        let values = elements.compactMap { element -> CGFloat? in
            guard let rect = placed[ObjectIdentifier(element)]?.proper,
                let value = element.explicitGuide(key, rect.size)
            else { return nil }
            return value + (key.isVertical ? rect.minY : rect.minX)
        }
        if key == VerticalAlignment.firstTextBaseline.key { return values.min() }
        return key == VerticalAlignment.lastTextBaseline.key ? values.max() : values.first
    }
}
