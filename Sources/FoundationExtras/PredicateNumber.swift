import Foundation

/// A number of any type. Integers and `Double` values are compared without rounding. A `Decimal` is first rounded to a
/// `Double`.
enum PredicateNumber {
    case integer(Int128)
    case real(Double)

    /// Returns nil for values that are not numbers. A Boolean value is 0 or 1.
    init?(_ value: Any) {
        switch value {
        case let value as Bool: self = .integer(value ? 1 : 0)
        case let value as any BinaryInteger: self = Int128(exactly: value).map(Self.integer) ?? .real(Double(value))
        case let value as any BinaryFloatingPoint: self = .real(Double(value))
        case let value as Decimal: self = .real(NSDecimalNumber(decimal: value).doubleValue)
        case let value as NSNumber:
            switch UInt8(bitPattern: value.objCType.pointee) {
            case UInt8(ascii: "d"), UInt8(ascii: "f"): self = .real(value.doubleValue)
            case UInt8(ascii: "Q"): self = .integer(Int128(value.uint64Value))
            default: self = .integer(Int128(value.int64Value))
            }
        default: return nil
        }
    }

    var real: Double {
        switch self {
        case .integer(let value): Double(value)
        case .real(let value): value
        }
    }

    /// Returns nil if one of the numbers is not a number (NaN).
    static func order(_ a: PredicateNumber, _ b: PredicateNumber) -> ComparisonResult? {
        switch (a, b) {
        case (.integer(let a), .integer(let b)): order(a, b)
        case (.real(let a), .real(let b)): a.isNaN || b.isNaN ? nil : order(a, b)
        case (.integer(let a), .real(let b)): order(a, b)
        case (.real(let a), .integer(let b)): order(b, a).map { ComparisonResult(rawValue: -$0.rawValue) ?? $0 }
        }
    }
    private static func order<T: Comparable>(_ a: T, _ b: T) -> ComparisonResult {
        a == b ? .orderedSame : a < b ? .orderedAscending : .orderedDescending
    }
    private static func order(_ a: Int128, _ b: Double) -> ComparisonResult? {
        if b.isNaN { return nil }
        let whole = b.rounded(.down)
        guard let integer = Int128(exactly: whole) else { return b > 0 ? .orderedAscending : .orderedDescending }
        return a == integer && whole < b ? .orderedAscending : order(a, integer)
    }
}
