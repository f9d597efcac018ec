import CFFmpeg
import MediaCore

extension AVAssetTrack {
    convenience init(stream: UnsafeMutablePointer<AVStream>, in source: MediaSource, assetDuration: CMTime) {
        self.init(
            stream: stream,
            in: Container(context: source.context, startTime: source.startTime, formatName: source.formatName),
            assetDuration: assetDuration)
    }

    /// What a track's description needs of the container it is in.
    struct Container {
        let context: UnsafeMutablePointer<AVFormatContext>
        /// Media time zero lies here.
        let startTime: MediaTime
        let formatName: String
        /// What the playlist says of a stream's track, beyond the container; nil for a file.
        var rendition: Rendition?
    }

    /// A track of an HLS stream, as its playlists describe it.
    struct Rendition {
        /// Tracks of other containers come before this one's.
        var firstID: Int32
        /// BCP 47.
        var language: String?
        var name: String?
        var isDefault: Bool
        var characteristics: Set<AVMediaCharacteristic>
        /// Pictures a second; nil: as the container seems to say.
        var frameRate: Double?
    }
}
