import Foundation

/// The elements of a layout. The alias is needed because inside a collection, `Element` is the collection's own type.
typealias LaidOutElements = [Element]

/// The views of a layout, in order. Valid only while a method of the layout runs. Mirrors SwiftUI's type.
public struct LayoutSubviews: RandomAccessCollection, Equatable, Sendable {
    /// A part of the views, which has the same type.
    public typealias SubSequence = LayoutSubviews
    let elements: LaidOutElements
    let pass: LayoutPass?
    /// The layout direction. A layout always places its views from left to right. If the direction is `.rightToLeft`,
    /// the positions are mirrored afterward.
    public var layoutDirection: LayoutDirection {
        MainActor.assumeIsolated { elements.first?.parent?.isMirrored == true ? .rightToLeft : .leftToRight }
    }
    /// The index of the first view, which is always 0.
    public var startIndex: Int { 0 }
    /// The number of views.
    public var endIndex: Int { elements.count }
    /// Returns the view at an index.
    public subscript(index: Int) -> LayoutSubview { LayoutSubview(element: elements[index], pass: pass) }
    /// Returns the views in a range, with new indices from 0.
    public subscript(bounds: Range<Int>) -> LayoutSubviews {
        LayoutSubviews(elements: Array(elements[bounds]), pass: pass)
    }
    /// Returns the views at some indices, in that order, with new indices from 0.
    public subscript<S: Sequence>(indices: S) -> LayoutSubviews where S.Element == Int {
        LayoutSubviews(elements: indices.map { elements[$0] }, pass: pass)
    }
    public static func == (a: LayoutSubviews, b: LayoutSubviews) -> Bool {
        a.elements.count == b.elements.count && zip(a.elements, b.elements).allSatisfy { $0 === $1 }
    }
}

/// A view of a layout. Use it on the main thread. Mirrors SwiftUI's type.
public struct LayoutSubview: Equatable, Sendable {
    let element: Element
    let pass: LayoutPass?

    /// Returns the value that the view provides with `layoutValue(key:value:)`, or the key's default value.
    public subscript<K: LayoutValueKey>(key: K.Type) -> K.Value {
        // The value may not be `Sendable`, but it stays on the main thread, where layouts run.
        nonisolated(unsafe) var value: K.Value?
        MainActor.assumeIsolated { value = element.trait(LayoutValue<K>.self)?.value }
        return value ?? K.defaultValue
    }
    /// The priority set with `layoutPriority`. The default is 0; a spacer has -∞.
    public var priority: Double { MainActor.assumeIsolated { element.trait(LayoutPriority.self)?.value ?? 0 } }
    /// Returns the size of the view for a proposal, in points.
    public func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize {
        MainActor.assumeIsolated { element.sizeThatFits(proposal) }
    }
    /// Returns the size and the alignments of the view for a proposal.
    public func dimensions(in proposal: ProposedViewSize) -> ViewDimensions {
        let size = sizeThatFits(proposal)
        return ViewDimensions(width: size.width, height: size.height, element: element)
    }
    /// The distances that other views keep from this view: 8 points on each side, or those of an app's layout.
    public var spacing: ViewSpacing {
        MainActor.assumeIsolated { (element as? any SelfSpaced)?.ownSpacing ?? ViewSpacing() }
    }

    /// Places the view. Has an effect only while the layout places its views; the last call counts.
    /// - Parameters:
    ///   - position: The position of `anchor`, in the space of the layout's bounds.
    ///   - anchor: The point of the view at `position`.
    ///   - proposal: The size that is offered to the view.
    public func place(at position: CGPoint, anchor: UnitPoint = .topLeading, proposal: ProposedViewSize) {
        MainActor.assumeIsolated { pass?.place(element, position, anchor, proposal) }
    }
    public static func == (a: LayoutSubview, b: LayoutSubview) -> Bool { a.element === b.element }
}

/// An element that defines the distances that other views keep from it.
@MainActor
protocol SelfSpaced: Element {
    var ownSpacing: ViewSpacing { get }
}

/// One pass in which a layout places its views.
@MainActor
final class LayoutPass {
    private var placed: [ObjectIdentifier: CGRect] = [:]
    private var isOver = false
    /// Whether the pass only computes positions without placing the elements.
    private let isTrial: Bool
    init(isTrial: Bool = false) { self.isTrial = isTrial }

    func place(_ element: Element, _ position: CGPoint, _ anchor: UnitPoint, _ proposal: ProposedViewSize) {
        guard !isOver else { return }
        let size = element.sizeThatFits(proposal)
        let anchor = anchor.sanitized
        let rect = CGRect(
            x: position.x - size.width * anchor.x, y: position.y - size.height * anchor.y, width: size.width,
            height: size.height)
        placed[ObjectIdentifier(element)] = rect
        if !isTrial { element.place(rect, proposal) }
    }

    /// Ends the pass. Centers elements that were not placed.
    func finish(_ elements: [Element], _ bounds: CGRect, _ proposal: ProposedViewSize) {
        for element in elements where placed[ObjectIdentifier(element)] == nil {
            place(element, CGPoint(x: bounds.midX, y: bounds.midY), .center, proposal)
        }
        isOver = true
    }

    /// Returns the position of an alignment that the placed views set.
    ///
    /// For a text baseline, this is the topmost first baseline or the bottommost last baseline. For other alignments,
    /// it is the value of the first view that sets one, as in a stack.
    func guide(_ key: AlignmentKey, _ elements: [Element]) -> CGFloat? {
        let values = elements.compactMap { element -> CGFloat? in
            guard let rect = placed[ObjectIdentifier(element)]?.sanitized,
                let value = element.explicitGuide(key, rect.size)
            else { return nil }
            return value + (key.isVertical ? rect.minY : rect.minX)
        }
        if key == VerticalAlignment.firstTextBaseline.key { return values.min() }
        return key == VerticalAlignment.lastTextBaseline.key ? values.max() : values.first
    }
}
