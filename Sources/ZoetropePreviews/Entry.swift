/// Adds a value to `EnvironmentValues` or `FocusedValues`. Mirrors SwiftUI's macro.
///
/// Declare a property with a default value in an extension. The macro generates its key, getter and setter:
///
/// ```swift
/// extension EnvironmentValues {
///     @Entry var skipInterval: Double = 10
/// }
/// ```
///
/// Views read the value with `@Environment(\.skipInterval)` and set it with `.environment(\.skipInterval, 30)`.
///
/// The default value is evaluated whenever it is read, so a default value that is an object should be a constant
/// declared elsewhere. An optional property needs no default value. A property of `FocusedValues` is always optional.
@attached(accessor)
@attached(peer, names: prefixed(__Key_))
public macro Entry() = #externalMacro(module: "PreviewMacros", type: "EntryMacro")

/// The key of a value whose type is inferred. `Marker` is the type that `@Entry` generates for the property.
private struct EntryKey<Marker, Value>: EnvironmentKey {
    /// A value that is set. The type makes an optional value that is nil different from no value.
    struct Entry { let value: Value }
    static var defaultValue: Entry? { nil }
}

extension EnvironmentValues {
    /// The value of a property that `@Entry` declares without a type. Only the code that the macro generates uses this
    /// subscript.
    public subscript<Marker, Value>(_entry marker: Marker.Type, default defaultValue: @autoclosure () -> Value) -> Value
    {
        get { self[EntryKey<Marker, Value>.self].map(\.value) ?? defaultValue() }
        set { self[EntryKey<Marker, Value>.self] = EntryKey<Marker, Value>.Entry(value: newValue) }
    }
}
