import Foundation

/// What an app adds to an item: metadata, subtitles and thumbnails.
struct ItemExtras {
    var metadata: [AVMetadataItem] = []
    /// Subtitles from beside the file, for an external device.
    var subtitleFile: URL?
    /// A WebVTT file whose cues name thumbnails; nil: thumbnails are made of the item's key frames.
    var thumbnailTrack: URL? { didSet { if thumbnailTrack != oldValue { thumbnails = nil } } }
    private var thumbnails: SeekPictures?

    /// Returns the thumbnails of `asset`, which all items of its URL share.
    mutating func thumbnails(of asset: AVURLAsset) -> SeekPictures {
        let found = thumbnails ?? SeekPictures.shared(for: asset, track: thumbnailTrack)
        thumbnails = found
        return found
    }
}
