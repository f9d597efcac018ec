import Foundation

/// Limits for numbers that apps compute. As long as an app has no data, they may be NaN, infinite or extreme.
///
/// Numbers are limited where they enter: sizes and positions in `Element.sizeThatFits` and `place`, points in `Path`,
/// others in their modifiers. The members of `CGFloat` are inlinable, because `Path`, in another module, calls them for
/// every point.
extension CGFloat {
    /// The limit of positions and lengths, in points, which is more than a list of a million rows.
    @usableFromInline static var outermost: CGFloat { 100_000_000 }

    /// The number clamped to ±`outermost`. NaN becomes 0.
    @inlinable package var bounded: CGFloat { within(.outermost) }
    /// Returns the number clamped to ±`most`. NaN becomes 0.
    @inlinable package func within(_ most: CGFloat) -> CGFloat { isNaN ? 0 : Swift.min(most, Swift.max(-most, self)) }
    /// Returns the number clamped to ±`most`. NaN and infinity become `neutral`.
    @inlinable package func within(_ most: CGFloat, else neutral: CGFloat) -> CGFloat {
        isFinite ? within(most) : neutral
    }
}

extension Optional where Wrapped == CGFloat {
    /// A valid length for a side that an app sets. Nil if the value is NaN or infinite, and 0 if it is negative.
    package var side: CGFloat? { flatMap { $0.isFinite ? Swift.max(0, $0.bounded) : nil } }
    /// A valid maximum for a side. Infinity is allowed, NaN becomes nil, and negative becomes 0.
    var most: CGFloat? { flatMap { $0.isNaN ? nil : Swift.max(0, $0) } }
}

extension ProposedViewSize {
    /// A valid proposal. Each side is nil, infinite or in 0…`outermost`.
    var sanitized: ProposedViewSize {
        let side: (CGFloat?) -> CGFloat? = {
            $0.flatMap { $0.isNaN ? nil : $0 == .infinity ? $0 : Swift.max(0, $0.bounded) }
        }
        return ProposedViewSize(width: side(width), height: side(height))
    }

    /// The proposal for content that has `insets` around it.
    package func inset(by insets: EdgeInsets) -> ProposedViewSize {
        ProposedViewSize(
            width: width.map { Swift.max(0, $0 - insets.horizontal) },
            height: height.map { Swift.max(0, $0 - insets.vertical) })
    }
}

extension CGSize {
    /// Returns a valid size for a proposal. A side is infinite only if the proposed side is infinite.
    func answering(_ proposal: ProposedViewSize) -> CGSize {
        let side: (CGFloat, CGFloat?) -> CGFloat = {
            $0 == .infinity && $1 == .infinity ? $0 : Swift.max(0, $0.bounded)
        }
        return CGSize(width: side(width, proposal.width), height: side(height, proposal.height))
    }
}

extension CGRect {
    /// A valid rectangle without NaN or infinity. A negative width or height becomes 0.
    package var sanitized: CGRect {
        CGRect(
            x: origin.x.bounded, y: origin.y.bounded, width: Swift.max(0, size.width.bounded),
            height: Swift.max(0, size.height.bounded))
    }
}

extension UnitPoint {
    package var sanitized: UnitPoint { UnitPoint(x: x.within(10_000, else: 0.5), y: y.within(10_000, else: 0.5)) }
}
