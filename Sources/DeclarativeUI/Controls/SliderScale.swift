import Foundation
import Presentation

/// The values that a slider can have.
struct SliderScale: Equatable {
    let lower, upper: Double
    /// The distance between values, or nil without steps.
    let step: Double?
    /// Whether there is a value to select. False for a range that is empty or not finite, such as that of an unknown
    /// duration.
    let isUsable: Bool

    init(_ lower: Double, _ upper: Double, step: Double? = nil) {
        isUsable = lower.isFinite && upper.isFinite && lower < upper && (upper - lower).isFinite
        self.lower = lower.isFinite ? lower : 0
        self.upper = isUsable ? upper : self.lower + 1
        self.step = step.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    }

    /// Returns `value` clamped to the range. NaN becomes the start of the range.
    func clamped(_ value: Double) -> Double { value.isNaN ? lower : min(max(value, lower), upper) }

    /// Returns the nearest value that the slider can have, a whole number of steps from the start.
    func snapped(_ value: Double) -> Double {
        let value = clamped(value)
        guard let step else { return value }
        let last = ((upper - lower) / step + 1e-9).rounded(.down)
        return min(upper, lower + min(((value - lower) / step).rounded(), last) * step)
    }

    /// Returns the text for a value: a percentage in the range 0…1, or else a number with as many digits as a step
    /// needs.
    func spoken(_ value: Double) -> String {
        if lower == 0, upper == 1 { return PlayerWords.localized("%@ percent", "\(Int((value * 100).rounded()))") }
        let exactness = -log10(arrow)
        let digits = exactness.isFinite ? Int(min(6, max(0, exactness.rounded(.up)))) : 6
        var text = String(format: "%.\(digits)f", value)
        if text.contains(".") {
            while text.last == "0" { text.removeLast() }
            if text.last == "." { text.removeLast() }
        }
        return text == "-0" ? "0" : text
    }

    /// The distance that an arrow key moves the value.
    var arrow: Double { step ?? (upper - lower) / 100 }
    /// The distance that Page Up and Page Down move the value.
    var page: Double { max(arrow, (upper - lower) / 10) }
}
