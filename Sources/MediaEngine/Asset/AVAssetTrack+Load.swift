import Foundation
import MediaCore

/// `try await track.load(.naturalSize, .nominalFrameRate)`, as view code asks a track since AVFoundation reads it late.
/// Here a track that anybody has got is read, so that nothing is waited for and nothing is thrown. Any thread.
extension AVAssetTrack {
    /// What can be asked of a track: `AVAsyncProperty<AVAssetTrack, Value>` of AVFoundation.
    public struct AsyncProperty<Value: Sendable>: Sendable {
        let value: @Sendable (AVAssetTrack) -> Value
    }

    /// A property, at once. Never throws.
    public func load<A: Sendable>(_ a: AsyncProperty<A>) async throws(AVError) -> A { a.value(self) }
    /// Two properties, at once. Never throws.
    public func load<A: Sendable, B: Sendable>(_ a: AsyncProperty<A>, _ b: AsyncProperty<B>) async throws(AVError) -> (
        A, B
    ) {
        (a.value(self), b.value(self))
    }
    /// Three properties, at once. Never throws.
    public func load<A: Sendable, B: Sendable, C: Sendable>(
        _ a: AsyncProperty<A>, _ b: AsyncProperty<B>, _ c: AsyncProperty<C>
    ) async throws(AVError) -> (A, B, C) { (a.value(self), b.value(self), c.value(self)) }
    /// Four properties, at once. Never throws.
    public func load<A: Sendable, B: Sendable, C: Sendable, D: Sendable>(
        _ a: AsyncProperty<A>, _ b: AsyncProperty<B>, _ c: AsyncProperty<C>, _ d: AsyncProperty<D>
    ) async throws(AVError) -> (A, B, C, D) { (a.value(self), b.value(self), c.value(self), d.value(self)) }
}

extension AVAssetTrack.AsyncProperty where Value == CGSize {
    /// Stored pixels; zero for what is no picture.
    public static var naturalSize: Self { Self { $0.naturalSize } }
}
extension AVAssetTrack.AsyncProperty where Value == Float {
    /// Frames per second; 0 if unknown or not video.
    public static var nominalFrameRate: Self { Self { $0.nominalFrameRate } }
    /// Bits per second; 0 if unknown.
    public static var estimatedDataRate: Self { Self { $0.estimatedDataRate } }
}
extension AVAssetTrack.AsyncProperty where Value == CGAffineTransform {
    /// As `AVAssetTrack.preferredTransform`.
    public static var preferredTransform: Self { Self { $0.preferredTransform } }
}
extension AVAssetTrack.AsyncProperty where Value == CMTimeRange {
    /// As `AVAssetTrack.timeRange`.
    public static var timeRange: Self { Self { $0.timeRange } }
}
extension AVAssetTrack.AsyncProperty where Value == Bool {
    /// As `AVAssetTrack.isPlayable`.
    public static var isPlayable: Self { Self { $0.isPlayable } }
    /// As `AVAssetTrack.isEnabled`.
    public static var isEnabled: Self { Self { $0.isEnabled } }
}
extension AVAssetTrack.AsyncProperty where Value == String? {
    /// ISO 639-2/T, three letters; nil if unknown.
    public static var languageCode: Self { Self { $0.languageCode } }
    /// BCP 47; nil if unknown.
    public static var extendedLanguageTag: Self { Self { $0.extendedLanguageTag } }
}
extension AVAssetTrack.AsyncProperty where Value == [AVMetadataItem] {
    /// As `AVAssetTrack.metadata`.
    public static var metadata: Self { Self { $0.metadata } }
}
extension AVAssetTrack.AsyncProperty where Value == [AVMediaCharacteristic] {
    /// In no order.
    public static var mediaCharacteristics: Self { Self { Array($0.characteristics) } }
}
