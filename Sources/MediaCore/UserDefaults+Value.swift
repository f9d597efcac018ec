import Foundation

extension UserDefaults {
    /// Returns the value for `key`, like `object(forKey:)`. This is the part of key-value coding that is used with
    /// defaults.
    public func value(forKey key: String) -> Any? { object(forKey: key) }
    /// Sets the value for `key`, like `set(_:forKey:)`. Nil removes the value.
    ///
    /// ```swift
    /// UserDefaults.standard.setValue(0.8, forKey: "volume")
    /// ```
    public func setValue(_ value: Any?, forKey key: String) { set(value, forKey: key) }
}
