import Foundation
import MediaCore

/// Asynchronous loading of an item's properties, as in `try await item.load(.stringValue)`.
///
/// AVFoundation reads a value when it is requested. Here it is read together with the asset, so these methods neither
/// wait nor throw. They can be called from any thread.
extension AVMetadataItem {
    /// A property of an item that can be loaded. The equivalent of AVFoundation's `AVAsyncProperty<AVMetadataItem,
    /// Value>`.
    public struct AsyncProperty<Value: Sendable>: Sendable {
        let value: @Sendable (AVMetadataItem) -> Value
    }

    /// Returns a property immediately. Never throws.
    ///
    /// ```swift
    /// if let artwork = try await item.load(.dataValue) {
    ///     image = UIImage(data: artwork)
    /// }
    /// ```
    public func load<A: Sendable>(_ a: AsyncProperty<A>) async throws(AVError) -> A { a.value(self) }
    /// Returns two properties immediately. Never throws.
    public func load<A: Sendable, B: Sendable>(_ a: AsyncProperty<A>, _ b: AsyncProperty<B>) async throws(AVError) -> (
        A, B
    ) {
        (a.value(self), b.value(self))
    }
    /// Returns three properties immediately. Never throws.
    public func load<A: Sendable, B: Sendable, C: Sendable>(
        _ a: AsyncProperty<A>, _ b: AsyncProperty<B>, _ c: AsyncProperty<C>
    ) async throws(AVError) -> (A, B, C) { (a.value(self), b.value(self), c.value(self)) }
}

extension AVMetadataItem.AsyncProperty where Value == String? {
    /// The value as text; nil for binary values.
    public static var stringValue: Self { Self { $0.stringValue } }
}
extension AVMetadataItem.AsyncProperty where Value == Data? {
    /// The value as bytes: an image file for artwork, UTF-8 for text.
    public static var dataValue: Self { Self { $0.dataValue } }
}
extension AVMetadataItem.AsyncProperty where Value == Double? {
    /// The value as a number; nil if the text is not a number.
    public static var numberValue: Self { Self { $0.numberValue } }
}
extension AVMetadataItem.AsyncProperty where Value == Date? {
    /// The value as a date; see `AVMetadataItem.dateValue`.
    public static var dateValue: Self { Self { $0.dateValue } }
}
extension AVMetadataItem.AsyncProperty where Value == (any Sendable)? {
    /// The value: a `String`, or `Data` if it is not text.
    public static var value: Self { Self { item in item.stringValue ?? item.dataValue } }
}
