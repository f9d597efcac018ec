import Foundation

extension DownloadOptions {
    /// How a download uses the network: its limits and its requests.
    public struct Network: Sendable, Hashable, Codable {
        /// The maximum download speed, in bytes per second; nil: the library's limit alone.
        public var bytesPerSecond: Int64?
        /// Whether the download may use a metered network; nil: as the library's policy says.
        public var allowsMeteredNetwork: Bool?
        /// Headers added to requests. Other servers than the URL's (another scheme, host or port) get only those that
        /// are no secret, such as `Referer`, unless `sharesCredentials` is true.
        public var headers: [String: String] = [:]
        /// Whether other servers that a playlist or a redirect names get the headers and the URL's password too.
        /// Default: false. Use only if you trust each of these servers.
        public var sharesCredentials: Bool {
            get { sharing ?? false }
            set { sharing = newValue ? true : nil }
        }
        /// Optional, as records of earlier versions do not have it.
        private var sharing: Bool?
        /// The `User-Agent` of every request; nil: Zoetrope's own.
        public var userAgent: String?
        /// How long to wait for the network after its first failure in a row, in seconds; nil: as the library's policy
        /// says. `.infinity`, which is stored as the greatest number: until the network works.
        public var patience: Double? {
            didSet { patience = patience.map { min(max(0, $0), .greatestFiniteMagnitude) } }
        }
        /// Whether to skip TLS certificate verification. Use only with a server of your own in development.
        public var allowsUntrustedCertificates = false

        /// No limits of its own, and requests without additional headers.
        public init() {}
    }
}

// Records of downloads that exist have the properties of `network` beside the others.
extension DownloadOptions: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, title, artwork, quality, audioLanguages, subtitleLanguages, renditions, otherQualities,
            prefersMultichannel, includesIFrames, recordedDuration, expirationDate, isProtected
    }

    /// Reads options as ``encode(to:)`` writes them.
    public init(from decoder: any Decoder) throws {
        self.init()
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decodeIfPresent(String.self, forKey: .id)
        title = try values.decodeIfPresent(String.self, forKey: .title)
        artwork = try values.decodeIfPresent(Data.self, forKey: .artwork)
        quality = try values.decode(Quality.self, forKey: .quality)
        audioLanguages = try values.decode([String].self, forKey: .audioLanguages)
        subtitleLanguages = try values.decode([String].self, forKey: .subtitleLanguages)
        renditions = try values.decodeIfPresent([Rendition].self, forKey: .renditions)
        otherQualities = try values.decodeIfPresent([Quality].self, forKey: .otherQualities)
        prefersMultichannel = try values.decodeIfPresent(Bool.self, forKey: .prefersMultichannel)
        includesIFrames = try values.decode(Bool.self, forKey: .includesIFrames)
        recordedDuration = try values.decodeIfPresent(Double.self, forKey: .recordedDuration)
        expirationDate = try values.decodeIfPresent(Date.self, forKey: .expirationDate)
        isProtected = try values.decode(Bool.self, forKey: .isProtected)
        network = try Network(from: decoder)
    }

    /// Writes the properties of ``network`` beside the others.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(id, forKey: .id)
        try values.encodeIfPresent(title, forKey: .title)
        try values.encodeIfPresent(artwork, forKey: .artwork)
        try values.encode(quality, forKey: .quality)
        try values.encode(audioLanguages, forKey: .audioLanguages)
        try values.encode(subtitleLanguages, forKey: .subtitleLanguages)
        try values.encodeIfPresent(renditions, forKey: .renditions)
        try values.encodeIfPresent(otherQualities, forKey: .otherQualities)
        try values.encodeIfPresent(prefersMultichannel, forKey: .prefersMultichannel)
        try values.encode(includesIFrames, forKey: .includesIFrames)
        try values.encodeIfPresent(recordedDuration, forKey: .recordedDuration)
        try values.encodeIfPresent(expirationDate, forKey: .expirationDate)
        try values.encode(isProtected, forKey: .isProtected)
        try network.encode(to: encoder)
    }
}
