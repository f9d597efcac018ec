import Foundation
import MediaCore

/// Assets are equal when they are the same object, as on Apple platforms.
extension AVAsset: Hashable {
    public static func == (a: AVAsset, b: AVAsset) -> Bool { a === b }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Lets `AVAsset` have an initializer that gives an `AVURLAsset`, as Apple's does.
public protocol AssetMaking {}
extension AVAsset: AssetMaking {}

extension AssetMaking where Self == AVAsset {
    /// An `AVURLAsset` at `url`.
    public init(url: URL) { self = AVURLAsset(url: url, options: nil) }
}

extension AVAsset {
    /// This asset as the only kind there is.
    package var atURL: AVURLAsset { (self as? AVURLAsset) ?? AVURLAsset(url: loader.url) }
}

/// What `load(_:)` gives, at once: read on the calling thread when nobody has yet, which blocks it for as long as
/// opening the file or the stream takes. What cannot be read is unknown: no tracks, no metadata, an indefinite
/// duration. Apple's older names.
extension AVAsset {
    private var now: AssetDetails? { try? loader.detailsNow() }

    /// `.indefinite` where it is not known, as of a live stream, or cannot be read.
    public var duration: CMTime { now?.duration ?? .indefinite }
    /// In the container's order; of a stream those of what plays by default.
    public var tracks: [AVAssetTrack] { now?.tracks ?? [] }
    /// Those of one kind, in the container's order.
    public func tracks(withMediaType type: AVMediaType) -> [AVAssetTrack] { tracks.filter { $0.mediaType == type } }
    /// Those that have `trait`, in the container's order.
    public func tracks(withMediaCharacteristic trait: AVMediaCharacteristic) -> [AVAssetTrack] {
        tracks.filter { $0.hasMediaCharacteristic(trait) }
    }
    /// The track of that number; nil: there is none.
    public func track(withTrackID id: Int32) -> AVAssetTrack? { tracks.first { $0.trackID == id } }
    /// It can be read, and some installed decoder takes it.
    public var isPlayable: Bool { now.map { $0.unplayable == nil } ?? false }
    /// It is encrypted by a system that only licensed players have keys of; such an asset is not played here.
    public var hasProtectedContent: Bool { now?.unplayable?.code == .unsupportedKeySystem }
    /// What the container says of the whole, in its order.
    public var metadata: [AVMetadataItem] { now?.metadata ?? [] }
    /// Of `metadata` what has a common key, whatever the container calls it.
    public var commonMetadata: [AVMetadataItem] { metadata.filter { $0.commonKey != nil } }
    /// How the first video track's pictures are turned and mirrored for display; the identity where there is none.
    public var preferredTransform: CGAffineTransform {
        tracks.first { $0.mediaType == .video }?.preferredTransform ?? .identity
    }

    /// Of a stream its multivariant playlist alone is read.
    public var availableMediaCharacteristicsWithMediaSelectionOptions: [AVMediaCharacteristic] {
        let property = AVAsyncProperty<AVAsset, [AVMediaCharacteristic]>
            .availableMediaCharacteristicsWithMediaSelectionOptions
        if let told = property.toldByPlaylist, let stream = loader.streamPresentationNow() { return told(stream) }
        return now.flatMap { try? value(of: property, $0) } ?? []
    }
    /// Nil when there is nothing to choose. Of a stream its multivariant playlist alone is read.
    public func mediaSelectionGroup(forMediaCharacteristic trait: AVMediaCharacteristic) -> AVMediaSelectionGroup? {
        if let stream = loader.streamPresentationNow() { return AVMediaSelectionGroup(stream: stream, for: trait) }
        guard let now else { return nil }
        if let stream = now.stream { return AVMediaSelectionGroup(stream: stream.presentation, for: trait) }
        return AVMediaSelectionGroup(tracks: now.tracks, for: trait)
    }
    /// Each group's default; nothing is read for it.
    public var preferredMediaSelection: AVMediaSelection { AVMediaSelection(asset: self) }
    /// Each sound with each of the subtitles, and without any.
    public var allMediaSelections: [AVMediaSelection] {
        var all = [preferredMediaSelection]
        for trait in [AVMediaCharacteristic.audible, .legible] {
            guard let group = mediaSelectionGroup(forMediaCharacteristic: trait) else { continue }
            let none: [AVMediaSelectionOption?] = group.allowsEmptySelection ? [nil] : []
            all = all.flatMap { selection in (group.options + none).map { selection.selecting($0, in: group) } }
        }
        return all
    }
}
