import CSystem
import Foundation

/// A factory of objects whose class is known only at run time.
///
/// Apple's protocols name a delegate by its class. Objective-C can create an object of any class with `init()`. Swift
/// can do so only with `required` initializers, and the initializer of Foundation's `NSObject` on Linux is not
/// `required`. However, the method tables of all subclasses contain that initializer. The layouts read here are part of
/// Swift's ABI.
@MainActor
enum ObjectMaker {
    /// Creates an object of a class. Returns nil if Foundation's `NSObject` does not have the expected layout.
    ///
    /// If the class has no `init()`, the process ends with a message that names the class.
    static func make<T: NSObject>(_ type: T.Type) -> T? {
        guard let offset = initializer else { return nil }
        let metadata = unsafeBitCast(type as AnyClass, to: UnsafeRawPointer.self)
        let function = metadata.load(fromByteOffset: offset, as: UnsafeRawPointer.self)
        guard let object = zt_swift_object(function, metadata) else { return nil }
        return Unmanaged<T>.fromOpaque(object).takeRetainedValue()
    }

    /// The offset of `init()` in the metadata of `NSObject` and of all its subclasses, in bytes.
    private static let initializer: Int? = {
        let metadata = unsafeBitCast(NSObject.self as AnyClass, to: UnsafeRawPointer.self)
        // The metadata contains the kind, the superclass, flags and sizes before the descriptor.
        let descriptor = metadata.load(fromByteOffset: 40, as: UnsafeRawPointer.self)
        let flags = descriptor.load(as: UInt32.self)
        let isClass = flags & 0x1F == 16
        let isGeneric = flags & 0x80 != 0
        let isInitialized = flags >> 16 & 3 != 0
        let isBelowAnother = flags & 0x2000_0000 != 0
        let holdsMethods = flags & 0x8000_0000 != 0
        guard isClass, holdsMethods, !isGeneric, !isInitialized, !isBelowAnother else { return nil }
        let first = Int(descriptor.load(fromByteOffset: 44, as: UInt32.self))
        let count = Int(descriptor.load(fromByteOffset: 48, as: UInt32.self))
        // A method's flags contain its kind and whether it is an instance method. Initializers have kind 1.
        let initializers = (0..<min(count, 1000)).filter {
            descriptor.load(fromByteOffset: 52 + 8 * $0, as: UInt32.self) & 0x1F == 1
        }
        guard initializers.count == 1 else { return nil }
        return initializers.first.map { (first + $0) * MemoryLayout<Int>.size }
    }()
}
