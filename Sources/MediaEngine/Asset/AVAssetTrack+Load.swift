import Foundation
import MediaCore

/// Asynchronous loading of a track's properties, as in `try await track.load(.naturalSize, .nominalFrameRate)`.
///
/// AVFoundation reads a track's properties when they are requested. Here they are read together with the asset, so
/// these methods neither wait nor throw. They can be called from any thread.
extension AVAssetTrack {
    /// A property of a track that can be loaded. The equivalent of AVFoundation's `AVAsyncProperty<AVAssetTrack,
    /// Value>`.
    public struct AsyncProperty<Value: Sendable>: Sendable {
        let value: @Sendable (AVAssetTrack) -> Value
    }

    /// Returns a property immediately. Never throws.
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
    /// Returns four properties immediately. Never throws.
    public func load<A: Sendable, B: Sendable, C: Sendable, D: Sendable>(
        _ a: AsyncProperty<A>, _ b: AsyncProperty<B>, _ c: AsyncProperty<C>, _ d: AsyncProperty<D>
    ) async throws(AVError) -> (A, B, C, D) { (a.value(self), b.value(self), c.value(self), d.value(self)) }
}

extension AVAssetTrack.AsyncProperty where Value == CGSize {
    /// The stored frame size in pixels; zero if the track is not video.
    public static var naturalSize: Self { Self { $0.naturalSize } }
}
extension AVAssetTrack.AsyncProperty where Value == Float {
    /// The average frame rate in frames per second; 0 if unknown or not video.
    public static var nominalFrameRate: Self { Self { $0.nominalFrameRate } }
    /// The bit rate in bit/s; 0 if unknown.
    public static var estimatedDataRate: Self { Self { $0.estimatedDataRate } }
    /// The preferred volume of the track; see `AVAssetTrack.preferredVolume`.
    public static var preferredVolume: Self { Self { $0.preferredVolume } }
}
extension AVAssetTrack.AsyncProperty where Value == CMTimeScale {
    /// The number of time units per second; see `AVAssetTrack.naturalTimeScale`.
    public static var naturalTimeScale: Self { Self { $0.naturalTimeScale } }
}
extension AVAssetTrack.AsyncProperty where Value == CGAffineTransform {
    /// The transform for display; see `AVAssetTrack.preferredTransform`.
    public static var preferredTransform: Self { Self { $0.preferredTransform } }
}
extension AVAssetTrack.AsyncProperty where Value == CMTimeRange {
    /// The time range of the track; see `AVAssetTrack.timeRange`.
    public static var timeRange: Self { Self { $0.timeRange } }
}
extension AVAssetTrack.AsyncProperty where Value == Bool {
    /// Whether the track can be decoded; see `AVAssetTrack.isPlayable`.
    public static var isPlayable: Self { Self { $0.isPlayable } }
    /// Whether the track is a default track; see `AVAssetTrack.isEnabled`.
    public static var isEnabled: Self { Self { $0.isEnabled } }
}
extension AVAssetTrack.AsyncProperty where Value == String? {
    /// The language as a three-letter code of ISO 639-2/T; nil if unknown.
    public static var languageCode: Self { Self { $0.languageCode } }
    /// The language as a BCP 47 tag; nil if unknown.
    public static var extendedLanguageTag: Self { Self { $0.extendedLanguageTag } }
}
extension AVAssetTrack.AsyncProperty where Value == [AVMetadataItem] {
    /// The metadata of the track; see `AVAssetTrack.metadata`.
    public static var metadata: Self { Self { $0.metadata } }
    /// The metadata of the track that has common keys.
    public static var commonMetadata: Self { Self { $0.commonMetadata } }
}
extension AVAssetTrack.AsyncProperty where Value == [AVMediaCharacteristic] {
    /// The characteristics of the track, in no particular order.
    public static var mediaCharacteristics: Self { Self { Array($0.characteristics) } }
}
