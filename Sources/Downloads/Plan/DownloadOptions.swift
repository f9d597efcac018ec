import Foundation
import MediaCore

/// What of a source is downloaded, and how. A value; stored with the download.
public struct DownloadOptions: Sendable, Hashable {
    /// Which of a stream's video rungs.
    public enum Quality: Sendable, Hashable, Codable {
        /// The stream's highest rung. The default.
        case best
        /// The stream's lowest rung.
        case worst
        /// The best that is no higher, pixels; the worst where all are.
        case height(Int)
        /// The best that needs no more, bits a second at its peak; the worst where all do.
        case peakBitRate(Int)
        /// The least demanding that has at least so many bits a second; the best where none has
        /// (`AVAssetDownloadTaskMinimumRequiredMediaBitrateKey`).
        case minimumBitRate(Int)
        /// The least demanding that has at least so many bits a second at its peak and is at least so large, pixels;
        /// the best where none is.
        case minimum(bitRate: Int, width: Int, height: Int)
        /// That one; where it is no longer offered, the one whose bit rate is nearest.
        case exactly(peakBitRate: Int, height: Int?)
    }

    /// One of a stream's alternatives of sound or subtitles.
    public enum Rendition: Sendable, Hashable, Codable {
        /// What plays unless something else is asked for; of subtitles often nothing.
        case defaultAudio, defaultSubtitles
        /// By its name in the playlist, which tells apart what has the same language.
        case audio(named: String)
        /// By its name in the playlist, likewise.
        case subtitles(named: String)
    }

    /// Two downloads of one id are one package on the disk, and the later one adds what the earlier one has not. Nil:
    /// the URL's own, without its query, in which tokens change.
    public var id: String?
    /// For people; nil: the URL's last part.
    public var title: String?
    /// A picture of it, at most 8 MiB; kept beside it.
    public var artwork: Data?
    /// Default `.best`.
    public var quality = Quality.best
    /// BCP 47, each the best match among the stream's; empty: the one that plays by default. `["*"]`: all.
    public var audioLanguages: [String] = []
    /// BCP 47, each the best match; empty: none. `["*"]`: all.
    public var subtitleLanguages: [String] = []
    /// Exactly these, whatever the languages say; nil: by the languages.
    public var renditions: [Rendition]?
    /// Rungs beside that of `quality`, in the same package; nil: none.
    public var otherQualities: [Quality]?
    /// Of rungs that are equally large, one with surround sound (true) or without (false), where both are offered; nil:
    /// whichever it is.
    public var prefersMultichannel: Bool?
    /// Single pictures for whoever looks for a place, where the stream has them.
    public var includesIFrames = true
    /// Of a live stream: so many seconds from the time it begins are recorded. Nil: a live stream is refused.
    public var recordedDuration: Double?
    /// From then on it is removed when it does not play; nil: never.
    public var expirationDate: Date?
    /// Neither quota nor expiry removes it.
    public var isProtected = false
    /// How the download uses the network.
    public var network = Network()

    /// The best rung in the language that plays by default, without subtitles.
    public init() {}
}

/// What holds for a library.
public struct DownloadPolicy: Sendable, Hashable, Codable {
    /// Downloads under way at once, 1 … 16.
    public var simultaneousDownloads = 3 {
        didSet { simultaneousDownloads = simultaneousDownloads.bounded(to: 1...16) }
    }
    /// Segments of a download, or parts of a file, under way at once, 1 … 16.
    public var simultaneousSegments = 4 { didSet { simultaneousSegments = simultaneousSegments.bounded(to: 1...16) } }
    /// Of all downloads together; 0: no limit.
    public var bytesPerSecond: Int64 = 0 { didSet { bytesPerSecond = max(0, bytesPerSecond) } }
    /// Bytes that all packages may take; 0: no limit. When it is reached, what was played longest ago goes (what was
    /// never played by the time it was finished), never what plays, is protected or is not finished.
    public var quota: Int64 = 0 { didSet { quota = max(0, quota) } }
    /// Bytes of the disk that are left to others.
    public var reservedSpace: Int64 = 64 << 20 { didSet { reservedSpace = max(0, reservedSpace) } }
    /// False: over a network that costs by the byte everything waits.
    public var allowsMeteredNetwork = false
    /// How long a download waits for the network, in seconds from the first failure in a row; only new bytes end such a
    /// row. A download of which nothing has come yet waits a tenth of it. Then it fails with
    /// ``DownloadError/Code/network`` and can be resumed. `.infinity`: it waits until the network works.
    public var patience = 300.0

    /// The defaults that stand at each property.
    public init() {}
}
