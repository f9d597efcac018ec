import Foundation

/// The values that a slider can take.
struct SliderScale: Equatable {
    let lower, upper: Double
    /// Nil is every value between.
    let step: Double?
    /// False when there is nothing to choose: an empty range, or one that is not finite (a duration not known yet).
    let isUsable: Bool

    init(_ lower: Double, _ upper: Double, step: Double? = nil) {
        isUsable = lower.isFinite && upper.isFinite && lower < upper && (upper - lower).isFinite
        self.lower = lower.isFinite ? lower : 0
        self.upper = isUsable ? upper : self.lower + 1
        self.step = step.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    }

    /// Into the range; what is no number is its start.
    func clamped(_ value: Double) -> Double { value.isNaN ? lower : min(max(value, lower), upper) }

    /// The nearest value that can be taken: whole steps from the start.
    func snapped(_ value: Double) -> Double {
        let value = clamped(value)
        guard let step else { return value }
        let last = ((upper - lower) / step + 1e-9).rounded(.down)
        return min(upper, lower + min(((value - lower) / step).rounded(), last) * step)
    }

    /// A value in words: percent of 0…1, else a number as exact as can be told apart.
    func spoken(_ value: Double) -> String {
        if lower == 0, upper == 1 { return "\(Int((value * 100).rounded())) percent" }
        let exactness = -log10(arrow)
        let digits = exactness.isFinite ? Int(min(6, max(0, exactness.rounded(.up)))) : 6
        var text = String(format: "%.\(digits)f", value)
        if text.contains(".") {
            while text.last == "0" { text.removeLast() }
            if text.last == "." { text.removeLast() }
        }
        return text == "-0" ? "0" : text
    }

    /// How far an arrow key goes.
    var arrow: Double { step ?? (upper - lower) / 100 }
    /// How far a page key goes.
    var page: Double { max(arrow, (upper - lower) / 10) }
}
