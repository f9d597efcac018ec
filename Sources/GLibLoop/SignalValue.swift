import CGIO

/// An argument of a signal as a Swift value.
package protocol SignalValue: SendableMetatype {
    /// Returns whether arguments of this type can be read as this Swift type.
    static func fits(_ type: GType) -> Bool
    /// Returns the value of an argument.
    /// - Parameter value: A value of a type that fits.
    static func read(_ value: UnsafePointer<GValue>) -> Self
}

/// The return value of a signal's handler.
package protocol SignalAnswer: SendableMetatype {
    static func fits(_ type: GType) -> Bool
    /// Stores the return value.
    /// - Parameter value: An empty value of a type that fits.
    func write(_ value: UnsafeMutablePointer<GValue>)
}

/// The fundamental types of GObject, whose names in C are macros (gtype.h).
package enum FundamentalType {
    package static let boolean = GType(5 << 2)
    package static let int = GType(6 << 2)
    package static let uint = GType(7 << 2)
    package static let enumeration = GType(12 << 2)
    package static let flags = GType(13 << 2)
    package static let double = GType(15 << 2)
    package static let string = GType(16 << 2)
    package static let object = GType(20 << 2)
}

extension Bool: SignalValue, SignalAnswer {
    package static func fits(_ type: GType) -> Bool { g_type_fundamental(type) == FundamentalType.boolean }
    package static func read(_ value: UnsafePointer<GValue>) -> Bool { g_value_get_boolean(value) != 0 }
    package func write(_ value: UnsafeMutablePointer<GValue>) { g_value_set_boolean(value, self ? 1 : 0) }
}

// An argument of the type `gint`, or a C enumeration.
extension Int32: SignalValue {
    package static func fits(_ type: GType) -> Bool {
        [FundamentalType.int, FundamentalType.enumeration].contains(g_type_fundamental(type))
    }
    package static func read(_ value: UnsafePointer<GValue>) -> Int32 {
        g_type_fundamental(value.pointee.g_type) == FundamentalType.int
            ? g_value_get_int(value) : g_value_get_enum(value)
    }
}

// An argument of the type `guint`, or flags.
extension UInt32: SignalValue, SignalAnswer {
    package static func fits(_ type: GType) -> Bool {
        [FundamentalType.uint, FundamentalType.flags].contains(g_type_fundamental(type))
    }
    package static func read(_ value: UnsafePointer<GValue>) -> UInt32 {
        g_type_fundamental(value.pointee.g_type) == FundamentalType.uint
            ? g_value_get_uint(value) : g_value_get_flags(value)
    }
    package func write(_ value: UnsafeMutablePointer<GValue>) {
        if g_type_fundamental(value.pointee.g_type) == FundamentalType.uint {
            g_value_set_uint(value, self)
        } else {
            g_value_set_flags(value, self)
        }
    }
}

extension Double: SignalValue {
    package static func fits(_ type: GType) -> Bool { g_type_fundamental(type) == FundamentalType.double }
    package static func read(_ value: UnsafePointer<GValue>) -> Double { g_value_get_double(value) }
}

// Objects, boxed values, GDK's events and plain pointers: all values with an address. The signal owns an argument. A
// return value is a new object, which the emitter then owns.
extension Optional: SignalValue, SignalAnswer where Wrapped == OpaquePointer {
    package static func fits(_ type: GType) -> Bool { g_type_value_table_peek(type)?.pointee.value_peek_pointer != nil }
    package static func read(_ value: UnsafePointer<GValue>) -> OpaquePointer? {
        g_value_peek_pointer(value).map { OpaquePointer($0) }
    }
    package func write(_ value: UnsafeMutablePointer<GValue>) {
        g_value_take_object(value, map { UnsafeMutableRawPointer($0) })
    }
}

/// A pointer to a `GObject`, in one of the forms in which Swift imports C pointers.
package protocol ObjectPointer {
    var objectPointer: UnsafeMutableRawPointer { get }
}
extension UnsafeMutableRawPointer: ObjectPointer {
    package var objectPointer: UnsafeMutableRawPointer { self }
}
extension UnsafeMutablePointer: ObjectPointer {
    package var objectPointer: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}
extension OpaquePointer: ObjectPointer {
    package var objectPointer: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}
