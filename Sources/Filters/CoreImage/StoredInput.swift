import Foundation
// Without key-value coding, only this interface provides the offsets of a class's stored properties.
@_spi(Reflection) import Swift

/// A stored property, with a name that begins with `input`, that is a parameter of a subclass of `CIFilter`.
///
/// Key-value coding finds such properties on Apple's platforms. The property must be a `var`.
struct StoredInput {
    let type: Any.Type
    private let storage: UnsafeMutableRawPointer
    private let owner: CIFilter

    /// Finds the property of `owner` with the name `key`. Returns nil if there is none.
    init?(of owner: CIFilter, named key: String) {
        guard key.hasPrefix("input"), Swift.type(of: owner) != CIFilter.self else { return nil }
        var found: (offset: Int, type: Any.Type)?
        // The value 1 is `_EachFieldOptions.classType`, which Swift 6 treats as mutable global state.
        _ = _forEachField(of: Swift.type(of: owner), options: _EachFieldOptions(rawValue: 1)) { name, offset, type, _ in
            if String(cString: name) == key { found = (offset, type) }
            return found == nil
        }
        guard let found else { return nil }
        type = found.type
        storage = Unmanaged.passUnretained(owner).toOpaque().advanced(by: found.offset)
        self.owner = owner
    }

    /// The value of the property. Nil for an empty optional.
    var value: Any? {
        func read<T>(_ type: T.Type) -> Any? {
            let value = storage.assumingMemoryBound(to: T.self).pointee
            if let optional = value as? any AnyOptional { return optional.wrapped }
            return value
        }
        return withExtendedLifetime(owner) { _openExistential(type, do: read) }
    }

    /// Sets the property.
    /// - Returns: False if the property can't hold `value`. The property then keeps its value.
    func set(_ value: Any?) -> Bool {
        func write<T>(_ type: T.Type) -> Bool {
            guard let new: T = converted(value) else { return false }
            storage.assumingMemoryBound(to: T.self).pointee = new
            return true
        }
        return withExtendedLifetime(owner) { _openExistential(type, do: write) }
    }

    private func converted<T>(_ value: Any?) -> T? {
        guard let value, !(value is NSNull) else {
            return (T.self as? any ExpressibleByNilLiteral.Type).flatMap { $0.init(nilLiteral: ()) as? T }
        }
        if let same = value as? T { return same }
        // Numbers of all types are interchangeable, as with `NSNumber`.
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
    /// The image to filter.
    ///
    /// A subclass can declare a stored property with this name. Every assignment then sets that property:
    ///
    ///     final class GlowFilter: CIFilter {
    ///         var inputImage: CIImage?
    ///     }
    // Declared outside the class, because a subclass can override a property of its superclass but can't redeclare it.
    public var inputImage: CIImage? {
        get { value(forKey: kCIInputImageKey) as? CIImage }
        set { setValue(newValue, forKey: kCIInputImageKey) }
    }
}
