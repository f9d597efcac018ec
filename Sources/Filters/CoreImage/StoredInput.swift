import Foundation
// For the places of a class's stored properties, which nothing else tells where there is no key-value coding.
@_spi(Reflection) import Swift

/// A stored property of a subclass of `CIFilter` that is one of its parameters: what key-value coding finds on Apple's
/// platforms, for names that begin with `input`. It must be a `var`.
struct StoredInput {
    let type: Any.Type
    private let place: UnsafeMutableRawPointer
    private let owner: CIFilter

    /// Nil when there is no such property.
    init?(of owner: CIFilter, named key: String) {
        guard key.hasPrefix("input"), Swift.type(of: owner) != CIFilter.self else { return nil }
        var found: (offset: Int, type: Any.Type)?
        // 1: of a class (`_EachFieldOptions.classType`, which Swift 6 holds for changeable).
        _ = _forEachField(of: Swift.type(of: owner), options: _EachFieldOptions(rawValue: 1)) { name, offset, type, _ in
            if String(cString: name) == key { found = (offset, type) }
            return found == nil
        }
        guard let found else { return nil }
        type = found.type
        place = Unmanaged.passUnretained(owner).toOpaque().advanced(by: found.offset)
        self.owner = owner
    }

    /// Nil also for a property that is an empty optional.
    var value: Any? {
        func read<T>(_ type: T.Type) -> Any? {
            let value = place.assumingMemoryBound(to: T.self).pointee
            if let optional = value as? any AnyOptional { return optional.wrapped }
            return value
        }
        return withExtendedLifetime(owner) { _openExistential(type, do: read) }
    }

    /// - Returns: false for a value that the property cannot hold, which is then as it was.
    func set(_ value: Any?) -> Bool {
        func write<T>(_ type: T.Type) -> Bool {
            guard let new: T = converted(value) else { return false }
            place.assumingMemoryBound(to: T.self).pointee = new
            return true
        }
        return withExtendedLifetime(owner) { _openExistential(type, do: write) }
    }

    private func converted<T>(_ value: Any?) -> T? {
        guard let value, !(value is NSNull) else {
            return (T.self as? any ExpressibleByNilLiteral.Type).flatMap { $0.init(nilLiteral: ()) as? T }
        }
        if let same = value as? T { return same }
        // Numbers of every kind are numbers, as `NSNumber` has it.
        guard let number = FilterValue.plain(value) as? Double else { return nil }
        let kinds: [Any] = [
            CGFloat(number), Float(number), Int(exactly: number.rounded(.towardZero)) ?? 0, number != 0,
            NSNumber(value: number), number,
        ]
        for kind in kinds { if let new = kind as? T { return new } }
        return nil
    }
}

private protocol AnyOptional { var wrapped: Any? { get } }
extension Optional: AnyOptional { var wrapped: Any? { self } }

extension CIFilterProtocol where Self: CIFilter {
    /// What it is applied to. A subclass may have a property of this name itself, which is set then whoever sets it:
    ///
    ///     final class GlowFilter: CIFilter {
    ///         var inputImage: CIImage?
    ///     }
    // Beside the class, not in it: what a class declares, a subclass can override but not declare anew.
    public var inputImage: CIImage? {
        get { value(forKey: kCIInputImageKey) as? CIImage }
        set { setValue(newValue, forKey: kCIInputImageKey) }
    }
}
