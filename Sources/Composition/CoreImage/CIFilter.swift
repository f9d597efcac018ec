import Foundation
import Synchronization

/// A filter for pictures: its name and its parameters. Core Image's type.
///
/// Holds what to do, draws nothing itself. Safe on any thread.
public final class CIFilter: Sendable {
    /// As Core Image's catalogue has it: `CIGaussianBlur`.
    public let name: String
    private let values: Mutex<[String: any Sendable]>

    /// Nil for what is no filter's name: they are `CI` and letters or digits, the first one a capital.
    public convenience init?(name: String) { self.init(name: name, parameters: nil) }

    /// - Parameter parameters: as by `setValue(_:forKey:)`.
    public init?(name: String, parameters: [String: any Sendable]?) {
        let rest = name.dropFirst(2)
        guard name.hasPrefix("CI"), rest.first?.isUppercase == true, rest.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else { return nil }
        self.name = name
        values = Mutex((parameters ?? [:]).mapValues(CIFilter.plain))
    }

    private init(copyOf other: CIFilter) {
        name = other.name
        let copied = other.all
        values = Mutex(copied)
    }

    /// Sets a parameter; nil removes it. Numbers of every kind are kept as `Double`.
    public func setValue(_ value: (any Sendable)?, forKey key: String) {
        let plain = value.map(CIFilter.plain)
        values.withLock { $0[key] = plain }
    }

    /// Nil for a parameter that was not set. Numbers are `Double`.
    public func value(forKey key: String) -> (any Sendable)? { values.withLock { $0[key] } }

    /// The parameters that were set.
    package var all: [String: any Sendable] { values.withLock { $0 } }

    /// A filter of its own with the same parameters, which later changes of this one do not reach.
    package func snapshot() -> CIFilter { CIFilter(copyOf: self) }

    private static func plain(_ value: any Sendable) -> any Sendable {
        // Objects first: an NSNumber of 1 would pass for `true`.
        if type(of: value) is AnyClass { return (value as? NSNumber)?.doubleValue ?? value }
        return switch value {
        case let bool as Bool: bool
        case let number as any BinaryInteger: Double(number)
        case let number as any BinaryFloatingPoint: Double(number)
        default: value
        }
    }
}

extension CIFilter: Equatable {
    /// The same name and equal parameters. A parameter that knows no equality is equal to itself only as an object.
    public static func == (a: CIFilter, b: CIFilter) -> Bool {
        if a === b { return true }
        let mine = a.all, theirs = b.all
        guard a.name == b.name, mine.count == theirs.count else { return false }
        return mine.allSatisfy { key, value in theirs[key].map { same(value, $0) } ?? false }
    }

    private static func same(_ a: any Sendable, _ b: any Sendable) -> Bool {
        func equal<T: Equatable>(_ x: T) -> Bool { (b as? T) == x }
        if let x = a as? any Equatable { return equal(x) }
        return type(of: a) is AnyClass && type(of: b) is AnyClass && (a as AnyObject) === (b as AnyObject)
    }
}

extension CIFilter: CustomStringConvertible {
    public var description: String {
        ([name] + all.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }).joined(separator: " ")
    }
}
