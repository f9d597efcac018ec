import CSystem
import Foundation

/// Makes objects of classes that are known only while the program runs.
///
/// Apple's protocols name a delegate by its class, and Objective-C can make an object of any class with `init()`. Swift
/// does so only for initialisers that are `required`, and Foundation's on Linux is not. It stands in the classes' tables
/// of methods all the same; the shapes read here are part of Swift's ABI.
@MainActor
enum ObjectMaker {
    /// Nil if Foundation's `NSObject` is not built as expected. A class that has no `init()` ends the process, with its
    /// name.
    static func make<T: NSObject>(_ type: T.Type) -> T? {
        guard let place = initializer else { return nil }
        let metadata = unsafeBitCast(type as AnyClass, to: UnsafeRawPointer.self)
        let function = metadata.load(fromByteOffset: place, as: UnsafeRawPointer.self)
        guard let object = zt_swift_object(function, metadata) else { return nil }
        return Unmanaged<T>.fromOpaque(object).takeRetainedValue()
    }

    /// Where `init()` stands in the metadata of `NSObject` and of all classes below it, bytes.
    private static let initializer: Int? = {
        let metadata = unsafeBitCast(NSObject.self as AnyClass, to: UnsafeRawPointer.self)
        // Kind, superclass, flags, sizes, then the descriptor.
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
        // A kind and whether it is an instance's; initialisers are kind 1.
        let places = (0..<min(count, 1000)).filter {
            descriptor.load(fromByteOffset: 52 + 8 * $0, as: UInt32.self) & 0x1F == 1
        }
        guard places.count == 1 else { return nil }
        return places.first.map { (first + $0) * MemoryLayout<Int>.size }
    }()
}
