import Foundation

/// The metadata, subtitles and thumbnails that an app adds to an item.
struct ItemExtras {
    var metadata: [AVMetadataItem] = []
    var audioMix: AVAudioMix?
    var pitchAlgorithm = AVAudioTimePitchAlgorithm.timeDomain
    /// The URL of a separate subtitle file, which an external device loads if it supports the format.
    var subtitleFile: URL?
    /// The URL of a WebVTT file whose cues refer to thumbnails; nil if thumbnails are made from keyframes.
    var thumbnailTrack: URL? { didSet { if thumbnailTrack != oldValue { thumbnails = nil } } }
    private var thumbnails: SeekThumbnails?

    /// Returns the thumbnails of `asset`, which all items with its URL, HTTP options and thumbnail track share.
    mutating func thumbnails(of asset: AVURLAsset) -> SeekThumbnails {
        let found = thumbnails ?? SeekThumbnails.shared(for: asset, track: thumbnailTrack)
        thumbnails = found
        return found
    }
}
