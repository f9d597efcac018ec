import Foundation
import MediaCore

/// The options of a download: which media to load, and how. Stored with the download, except for secrets.
///
/// ```swift
/// var options = DownloadOptions()
/// options.title = "The Kid"
/// options.quality = .height(1080)
/// options.audioLanguages = ["en", "de"]
/// options.subtitleLanguages = ["en"]
/// ```
public struct DownloadOptions: Sendable, Hashable {
    /// The choice of a stream's video variant.
    public enum Quality: Sendable, Hashable, Codable {
        /// The most demanding variant of the stream. The default.
        case best
        /// The least demanding variant of the stream.
        case worst
        /// The best variant of at most this height, in pixels. If all are higher, the least demanding one.
        case height(Int)
        /// The best variant of at most this peak bit rate, in bits per second. If all are above, the least demanding
        /// one.
        case peakBitRate(Int)
        /// The least demanding variant of at least this peak bit rate, in bits per second
        /// (`AVAssetDownloadTaskMinimumRequiredMediaBitrateKey`). If all are below, the best one.
        case minimumBitRate(Int)
        /// The least demanding variant of at least this peak bit rate, in bits per second, and this size, in pixels. If
        /// there is none, the best one.
        case minimum(bitRate: Int, width: Int, height: Int)
        /// The variant with this peak bit rate and height. If the stream no longer contains it, the variant with the
        /// nearest bit rate.
        case exactly(peakBitRate: Int, height: Int?)
    }

    /// An alternative audio track or subtitles of a stream.
    public enum Rendition: Sendable, Hashable, Codable {
        /// The rendition that plays by default. Many streams have no default subtitles.
        case defaultAudio, defaultSubtitles
        /// The audio track with this name in the playlist. Names distinguish tracks of the same language.
        case audio(named: String)
        /// The subtitles with this name in the playlist.
        case subtitles(named: String)
    }

    /// The identity of the package. Downloads with the same identity share a package, and a later download adds the
    /// media that the package lacks.
    ///
    /// If nil, the identity is the URL without its query, fragment and credentials, because tokens in queries change.
    public var id: String?
    /// The title to show to the user. If nil, the title is made from the last parts of the URL's path.
    public var title: String?
    /// An encoded image of at most 8 MiB, which is stored beside the media. A larger image is not stored.
    public var artwork: Data?
    /// The video variant to load. Default: `.best`.
    public var quality = Quality.best
    /// The languages of audio tracks, as BCP 47 tags. The best match for each is loaded.
    ///
    /// An empty array loads the track that plays by default. `["*"]` loads all. If a stream has separate audio tracks
    /// but none that matches, the download fails with ``DownloadError/Code/notFound``.
    public var audioLanguages: [String] = []
    /// The languages of subtitles, as BCP 47 tags. The best match for each is loaded.
    ///
    /// An empty array loads none, `["*"]` all. If a stream has subtitles but none that match, the download fails with
    /// ``DownloadError/Code/notFound``.
    public var subtitleLanguages: [String] = []
    /// The renditions to load in place of those in `audioLanguages` and `subtitleLanguages`. Nil applies the languages.
    ///
    /// If a stream has renditions of the kind but none with the requested name, the download fails with
    /// ``DownloadError/Code/notFound``.
    public var renditions: [Rendition]?
    /// Additional variants to load into the same package.
    public var otherQualities: [Quality]?
    /// Whether to prefer a variant with surround sound, among variants of the same size. False prefers a variant
    /// without surround sound. Nil sets no preference.
    public var prefersMultichannel: Bool?
    /// Whether to load the stream's I-frames, which seek bars show as thumbnails. Default: true.
    public var includesIFrames = true
    /// The duration to record of a live stream, in seconds from the start of the download.
    ///
    /// The value is limited to 1 s … 7 days. If it is not greater than 0, adding the download fails with
    /// ``DownloadError/Code/invalidArgument``. If nil, the download of a live stream fails with
    /// ``DownloadError/Code/live``.
    ///
    /// ```swift
    /// options.recordedDuration = 2 * 60 * 60  // Records two hours.
    /// ```
    public var recordedDuration: Double?
    /// The expiration date, after which the download is removed as soon as it is not playing. If nil, the download does
    /// not expire. An unfinished download does not expire either.
    public var expirationDate: Date?
    /// Whether the download is exempt from the quota and from expiration.
    public var isProtected = false
    /// The options for the network.
    public var network = Network()

    /// Creates options for the best variant in the language that plays by default, without subtitles.
    public init() {}
}

/// The rules for all downloads of a library.
///
/// A value that is set outside the range of its property becomes the nearest limit. Where no range is stated, negative
/// values become 0.
public struct DownloadPolicy: Sendable, Hashable, Codable {
    /// The maximum number of simultaneous downloads, 1 … 16.
    public var simultaneousDownloads = 3 {
        didSet { simultaneousDownloads = simultaneousDownloads.bounded(to: 1...16) }
    }
    /// The maximum number of simultaneous transfers of a download, for segments or parts of a file, 1 … 16.
    public var simultaneousSegments = 4 { didSet { simultaneousSegments = simultaneousSegments.bounded(to: 1...16) } }
    /// The maximum download speed of all downloads together, in bytes per second. 0 sets no limit.
    public var bytesPerSecond: Int64 = 0 { didSet { bytesPerSecond = max(0, bytesPerSecond) } }
    /// The maximum size of all packages together, in bytes. 0 sets no limit.
    ///
    /// When the limit is reached, the package that was played longest ago is removed. For a package that was never
    /// played, the time when it was finished applies. Packages that are playing, protected or unfinished are not
    /// removed.
    public var quota: Int64 = 0 { didSet { quota = max(0, quota) } }
    /// The disk space that downloads must leave free, in bytes.
    public var reservedSpace: Int64 = 64 << 20 { didSet { reservedSpace = max(0, reservedSpace) } }
    /// Whether downloads may use a metered network. If false, they wait for another network.
    public var allowsMeteredNetwork = false
    /// The maximum time to retry after network failures, in seconds from the first of consecutive failures. Failures
    /// are consecutive if fewer than 16 KiB of new bytes arrive between them.
    ///
    /// After this time the download fails with ``DownloadError/Code/network`` and can be resumed. A download that has
    /// not received any bytes yet fails after a tenth of the time. Negative values become 0. `.infinity` retries until
    /// the network works.
    public var patience = 300.0 { didSet { patience = max(0, patience) } }

    /// Creates a policy with the default values.
    public init() {}

    /// Decodes a policy. Values beyond a limit become the limit, as if they were set.
    public init(from decoder: any Decoder) throws {
        self.init()
        try set(from: decoder)
    }

    // The observers of properties are called here, but not in an initializer.
    private mutating func set(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        simultaneousDownloads = try values.decode(Int.self, forKey: .simultaneousDownloads)
        simultaneousSegments = try values.decode(Int.self, forKey: .simultaneousSegments)
        bytesPerSecond = try values.decode(Int64.self, forKey: .bytesPerSecond)
        quota = try values.decode(Int64.self, forKey: .quota)
        reservedSpace = try values.decode(Int64.self, forKey: .reservedSpace)
        allowsMeteredNetwork = try values.decode(Bool.self, forKey: .allowsMeteredNetwork)
        patience = try values.decode(Double.self, forKey: .patience)
    }
}
