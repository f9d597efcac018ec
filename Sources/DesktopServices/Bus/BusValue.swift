import CGIO

/// A D-Bus value of the types that desktop interfaces use (D-Bus Specification, "Type System").
package enum BusValue: Sendable, Equatable {
    case string(String)
    /// An object path.
    case path(String)
    case bool(Bool)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case double(Double)
    case strings([String])
    case paths([String])
    /// A dictionary of the type `a{sv}`.
    case table([String: BusValue])
    /// An array of dictionaries, of the type `aa{sv}`.
    case tables([[String: BusValue]])
    /// A variant, which contains its own type.
    indirect case variant(BusValue)
    /// The arguments of a call or a signal.
    case tuple([BusValue])

    package var string: String? {
        switch self {
        case .string(let text), .path(let text): text
        default: nil
        }
    }
    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    package var int64: Int64? { if case .int64(let value) = self { value } else { nil } }
    package var double: Double? { if case .double(let value) = self { value } else { nil } }
    package var table: [String: BusValue]? { if case .table(let value) = self { value } else { nil } }
    package var tables: [[String: BusValue]]? { if case .tables(let value) = self { value } else { nil } }
    package var items: [BusValue]? { if case .tuple(let value) = self { value } else { nil } }
    /// The list of strings or paths, or nil for other types.
    package var list: [String]? {
        switch self {
        case .strings(let list), .paths(let list): list
        default: nil
        }
    }
}

// MARK: conversion to and from GLib

extension BusValue {
    /// A floating GLib variant, whose receiver sinks it. Strings end at their first NUL, and an invalid path becomes
    /// the root.
    var variant: OpaquePointer? {
        switch self {
        case .string(let text): return g_variant_new_string(text)
        case .path(let path): return g_variant_new_object_path(BusValue.isPath(path) ? path : "/")
        case .bool(let value): return g_variant_new_boolean(value ? 1 : 0)
        case .int32(let value): return g_variant_new_int32(value)
        case .uint32(let value): return g_variant_new_uint32(value)
        case .int64(let value): return g_variant_new_int64(gint64(value))
        case .double(let value): return g_variant_new_double(value)
        case .strings(let list): return BusValue.array("as", list.map { .string($0) })
        case .paths(let list): return BusValue.array("ao", list.map { .path($0) })
        case .table(let table): return BusValue.dictionary(table)
        case .tables(let tables): return BusValue.array("aa{sv}", tables.map { .table($0) })
        case .variant(let value): return g_variant_new_variant(value.variant)
        case .tuple(let items):
            var variants = items.map(\.variant)
            return g_variant_new_tuple(&variants, gsize(variants.count))
        }
    }

    package static func isPath(_ text: String) -> Bool { g_variant_is_object_path(text) != 0 }

    private static func array(_ type: String, _ items: [BusValue]) -> OpaquePointer? {
        build(type) { builder in for item in items { g_variant_builder_add_value(builder, item.variant) } }
    }

    /// Sorts the entries by their keys, so that equal values are equal messages.
    private static func dictionary(_ table: [String: BusValue]) -> OpaquePointer? {
        build("a{sv}") { builder in
            for (key, value) in table.sorted(by: { $0.key < $1.key }) {
                g_variant_builder_add_value(
                    builder, g_variant_new_dict_entry(g_variant_new_string(key), g_variant_new_variant(value.variant)))
            }
        }
    }

    private static func build(_ type: String, _ fill: (UnsafeMutablePointer<GVariantBuilder>?) -> Void)
        -> OpaquePointer?
    {
        let kind = g_variant_type_new(type)
        defer { g_variant_type_free(kind) }
        let builder = g_variant_builder_new(kind)
        defer { g_variant_builder_unref(builder) }
        fill(builder)
        return g_variant_builder_end(builder)
    }

    /// Converts a GLib variant, or returns nil for a type that `BusValue` does not have.
    init?(_ variant: OpaquePointer?) {
        guard let variant else { return nil }
        let type = String(cString: g_variant_get_type_string(variant))
        switch type {
        case "s": self = .string(BusValue.text(variant))
        case "o": self = .path(BusValue.text(variant))
        case "b": self = .bool(g_variant_get_boolean(variant) != 0)
        case "i": self = .int32(g_variant_get_int32(variant))
        case "u": self = .uint32(g_variant_get_uint32(variant))
        case "x": self = .int64(Int64(g_variant_get_int64(variant)))
        case "d": self = .double(g_variant_get_double(variant))
        case "as": self = .strings(BusValue.children(variant).compactMap(\.string))
        case "ao": self = .paths(BusValue.children(variant).compactMap(\.string))
        case "a{sv}": self = .table(BusValue.entries(variant))
        case "aa{sv}": self = .tables(BusValue.children(variant).compactMap(\.table))
        case "v":
            guard let inner = g_variant_get_variant(variant) else { return nil }
            defer { g_variant_unref(inner) }
            self.init(inner)
        case _ where type.hasPrefix("("): self = .tuple(BusValue.children(variant))
        default: return nil
        }
    }

    private static func text(_ variant: OpaquePointer) -> String {
        g_variant_get_string(variant, nil).map { String(cString: $0) } ?? ""
    }

    private static func children(_ variant: OpaquePointer) -> [BusValue] {
        (0..<g_variant_n_children(variant)).compactMap { index in
            guard let child = g_variant_get_child_value(variant, index) else { return nil }
            defer { g_variant_unref(child) }
            return BusValue(child)
        }
    }

    private static func entries(_ variant: OpaquePointer) -> [String: BusValue] {
        var table: [String: BusValue] = [:]
        for index in 0..<g_variant_n_children(variant) {
            guard let entry = g_variant_get_child_value(variant, index) else { continue }
            defer { g_variant_unref(entry) }
            guard let key = g_variant_get_child_value(entry, 0) else { continue }
            defer { g_variant_unref(key) }
            guard let value = g_variant_get_child_value(entry, 1) else { continue }
            defer { g_variant_unref(value) }
            table[text(key)] = BusValue(value)
        }
        return table
    }
}
