import CGIO

/// What a signal brings with it, as a value of Swift's.
package protocol SignalValue: SendableMetatype {
    /// Whether arguments of this type can be read as such.
    static func fits(_ type: GType) -> Bool
    /// - Parameter value: of a type that fits.
    static func read(_ value: UnsafePointer<GValue>) -> Self
}

/// What a signal's handler answers.
package protocol SignalAnswer: SendableMetatype {
    static func fits(_ type: GType) -> Bool
    /// - Parameter value: of a type that fits, empty.
    func write(_ value: UnsafeMutablePointer<GValue>)
}

/// GObject's fundamental types, whose names are macros (gtype.h).
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

/// `gint`, and what an enumeration is in C.
extension Int32: SignalValue {
    package static func fits(_ type: GType) -> Bool {
        [FundamentalType.int, FundamentalType.enumeration].contains(g_type_fundamental(type))
    }
    package static func read(_ value: UnsafePointer<GValue>) -> Int32 {
        g_type_fundamental(value.pointee.g_type) == FundamentalType.int
            ? g_value_get_int(value) : g_value_get_enum(value)
    }
}

/// `guint`, and flags.
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

/// Objects, boxed values, GDK's events and plain pointers: all that has an address. It stays the signal's. As an
/// answer: a new object, which whoever asked takes.
extension Optional: SignalValue, SignalAnswer where Wrapped == OpaquePointer {
    package static func fits(_ type: GType) -> Bool { g_type_value_table_peek(type)?.pointee.value_peek_pointer != nil }
    package static func read(_ value: UnsafePointer<GValue>) -> OpaquePointer? {
        g_value_peek_pointer(value).map { OpaquePointer($0) }
    }
    package func write(_ value: UnsafeMutablePointer<GValue>) {
        g_value_take_object(value, map { UnsafeMutableRawPointer($0) })
    }
}

/// A `GObject *` in one of the ways that Swift has C's pointers.
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
