import Foundation

extension UserDefaults {
    /// As `object(forKey:)`: the part of key-value coding that is used of defaults.
    public func value(forKey key: String) -> Any? { object(forKey: key) }
    /// As `set(_:forKey:)`.
    public func setValue(_ value: Any?, forKey key: String) { set(value, forKey: key) }
}
