import Foundation
import MediaCore

/// Numbers as apps compute them before they have data: none, endless, absurd. They are made bearable where they enter:
/// sizes and places in `Element.sizeThatFits` and `place`, points in `Path`, the rest in its modifier.
///
/// Those of numbers are inlinable: `Path`, in another module, calls them for every point.
extension CGFloat {
    /// As far as anything may lie or reach, points: more than a list of a million rows.
    @usableFromInline static var outermost: CGFloat { 100_000_000 }

    /// What is no number is 0, the rest is brought within ±`outermost`.
    @inlinable package var bounded: CGFloat { within(.outermost) }
    /// What is no number is 0, the rest is brought within ±`most`.
    @inlinable package func within(_ most: CGFloat) -> CGFloat { isNaN ? 0 : Swift.min(most, Swift.max(-most, self)) }
    /// What is no number or endless is `neutral`, the rest is brought within ±`most`.
    @inlinable package func within(_ most: CGFloat, else neutral: CGFloat) -> CGFloat {
        isFinite ? within(most) : neutral
    }
}

extension Optional where Wrapped == CGFloat {
    /// A side as an app gives it: what is no number or endless says nothing, negative is 0.
    package var side: CGFloat? { flatMap { $0.isFinite ? Swift.max(0, $0.bounded) : nil } }
    /// The most of a side: it may be endless.
    var most: CGFloat? { flatMap { $0.isNaN ? nil : Swift.max(0, $0) } }
}

extension ProposedViewSize {
    /// What may be proposed: nil, or 0…`outermost`, or endless.
    var proper: ProposedViewSize {
        let side: (CGFloat?) -> CGFloat? = {
            $0.flatMap { $0.isNaN ? nil : $0 == .infinity ? $0 : Swift.max(0, $0.bounded) }
        }
        return ProposedViewSize(width: side(width), height: side(height))
    }
}

extension CGSize {
    /// What may be answered to `proposal`: endless only where it was.
    func answering(_ proposal: ProposedViewSize) -> CGSize {
        let side: (CGFloat, CGFloat?) -> CGFloat = {
            $0 == .infinity && $1 == .infinity ? $0 : Swift.max(0, $0.bounded)
        }
        return CGSize(width: side(width, proposal.width), height: side(height, proposal.height))
    }
}

extension CGRect {
    /// A rectangle of numbers.
    package var proper: CGRect {
        CGRect(
            x: origin.x.bounded, y: origin.y.bounded, width: Swift.max(0, size.width.bounded),
            height: Swift.max(0, size.height.bounded))
    }
}

extension UnitPoint {
    package var proper: UnitPoint { UnitPoint(x: x.within(10_000, else: 0.5), y: y.within(10_000, else: 0.5)) }
}
