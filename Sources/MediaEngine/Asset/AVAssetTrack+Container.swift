import CFFmpeg
import MediaCore

extension AVAssetTrack {
    convenience init(stream: UnsafeMutablePointer<AVStream>, in source: MediaSource, assetDuration: CMTime) {
        self.init(
            stream: stream,
            in: Container(
                context: source.context, startTime: source.startTime, delay: source.delay,
                formatName: source.formatName),
            assetDuration: assetDuration)
    }

    convenience init(stream: UnsafeMutablePointer<AVStream>, in source: Container, assetDuration: CMTime) {
        self.init(TrackFacts(stream: stream, in: source, assetDuration: assetDuration))
    }

    /// The properties of a container that are needed to describe its tracks.
    struct Container {
        let context: UnsafeMutablePointer<AVFormatContext>
        /// The container's timestamp at media time zero.
        let startTime: MediaTime
        var delay = CompositionDelay()
        let formatName: String
        /// The playlist's description of a stream's track; nil for a file.
        var rendition: Rendition?
    }

    /// The description of an HLS stream's track in its playlists.
    struct Rendition {
        /// The number of tracks in the containers before this one. The track identifiers continue from this number.
        var firstID: Int32
        /// The language as a BCP 47 tag.
        var language: String?
        var name: String?
        var isDefault: Bool
        var characteristics: Set<AVMediaCharacteristic>
        /// The frame rate in frames per second; nil if only the container gives it.
        var frameRate: Double?
    }
}
