import Foundation
import MediaCore

/// Assets are equal if they are the same object, as on Apple platforms.
extension AVAsset: Hashable {
    public static func == (a: AVAsset, b: AVAsset) -> Bool { a === b }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A protocol that allows an initializer of `AVAsset` to return an `AVURLAsset`, as AVFoundation's does.
public protocol AssetMaking {}
extension AVAsset: AssetMaking {}

extension AssetMaking where Self == AVAsset {
    /// Creates an `AVURLAsset` for `url`.
    public init(url: URL) { self = AVURLAsset(url: url, options: nil) }
}

extension AVAsset {
    /// The asset as an `AVURLAsset`, which players, generators and exports open. For a composition, an asset with the
    /// present content of the composition, which does not change.
    package var atURL: AVURLAsset {
        (self as? AVURLAsset) ?? (self as? AVComposition)?.playable ?? AVURLAsset(url: loader.url)
    }
}

/// Synchronous properties, AVFoundation's older alternative to `load(_:)`.
///
/// If the asset has not been read yet, these properties read it, which blocks the calling thread for up to 60 s. If it
/// cannot be read, or not in this time, they return no tracks, no metadata and an indefinite duration. The next access
/// then reads it again.
extension AVAsset {
    /// The details, or nil if the asset cannot be read.
    var loadedDetails: AssetDetails? { try? loader.detailsNow() }

    /// The duration; `.indefinite` if it is unknown, the stream is live, or the asset cannot be read.
    public var duration: CMTime { loadedDetails?.duration ?? .indefinite }
    /// Whether the asset can be read, at least one audio or video track has an installed decoder, and no encryption
    /// prevents playback (`hasProtectedContent`).
    public var isPlayable: Bool { loadedDetails.map { $0.unplayable == nil } ?? false }
    /// Whether the asset cannot be played because it is encrypted: a stream with an unsupported key system, or an
    /// encrypted file.
    public var hasProtectedContent: Bool { loadedDetails?.unplayable?.code == .unsupportedKeySystem }
    /// The metadata of the asset, in the container's order.
    public var metadata: [AVMetadataItem] { loadedDetails?.metadata ?? [] }
    /// The items in `metadata` that have a common key.
    public var commonMetadata: [AVMetadataItem] { metadata.filter { $0.commonKey != nil } }
    /// The lyrics in the metadata of the file; nil if there are none.
    public var lyrics: String? { loadedDetails?.lyrics }
    /// The transform of the first video track for display; the identity if there is none.
    public var preferredTransform: CGAffineTransform {
        tracks.first { $0.mediaType == .video }?.preferredTransform ?? .identity
    }

    /// The characteristics for which there is a media selection group. For a stream, only the multivariant playlist is
    /// read.
    public var availableMediaCharacteristicsWithMediaSelectionOptions: [AVMediaCharacteristic] {
        let property = AVAsyncProperty<AVAsset, [AVMediaCharacteristic]>
            .availableMediaCharacteristicsWithMediaSelectionOptions
        do throws(AVError) {
            if let read = property.valueFromPlaylist, let stream = try loader.streamPresentationNow() {
                return read(stream)
            }
        } catch {
            return []
        }
        return loadedDetails.flatMap { try? value(of: property, $0) } ?? []
    }
    /// Returns the group of options with the characteristic `trait`; nil if there are no options. For a stream, only
    /// the multivariant playlist is read.
    public func mediaSelectionGroup(forMediaCharacteristic trait: AVMediaCharacteristic) -> AVMediaSelectionGroup? {
        do throws(AVError) {
            if let stream = try loader.streamPresentationNow() {
                return AVMediaSelectionGroup(stream: stream, for: trait)
            }
        } catch {
            return nil
        }
        return loadedDetails.flatMap { AVMediaSelectionGroup(tracks: $0.selectableTracks, for: trait) }
    }
    /// The default option of each group, which is available without reading the asset.
    public var preferredMediaSelection: AVMediaSelection { AVMediaSelection(asset: self) }
    /// Every combination of an audio option with a subtitle option, or with no subtitles. Without such options, only
    /// the default selection.
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

/// The tracks of an asset, read like the synchronous properties of `AVAsset`.
///
/// They are members of the protocol, so that a composition can return tracks of its own type.
extension AssetMaking where Self: AVAsset {
    /// The tracks in the container's order; for a stream, those that play by default.
    public var tracks: [AVAssetTrack] { loadedDetails?.tracks ?? [] }
    /// Returns the tracks of `type`, in the container's order.
    public func tracks(withMediaType type: AVMediaType) -> [AVAssetTrack] { tracks.filter { $0.mediaType == type } }
    /// Returns the tracks with the characteristic `trait`, in the container's order.
    public func tracks(withMediaCharacteristic trait: AVMediaCharacteristic) -> [AVAssetTrack] {
        tracks.filter { $0.hasMediaCharacteristic(trait) }
    }
    /// Returns the track with the identifier `id`; nil if there is none.
    public func track(withTrackID id: CMPersistentTrackID) -> AVAssetTrack? { tracks.first { $0.trackID == id } }
}
