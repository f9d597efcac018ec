import Foundation

extension DownloadOptions {
    /// The options for a download's network access: its limits, headers and retries.
    ///
    /// ```swift
    /// options.network.bytesPerSecond = 1_000_000
    /// options.network.allowsMeteredNetwork = false
    /// options.network.headers = ["Referer": "https://example.com/"]
    /// ```
    public struct Network: Sendable, Hashable, Codable {
        /// The maximum download speed, in bytes per second. Nil or a value below 1 applies only the library's limit.
        public var bytesPerSecond: Int64?
        /// Whether the download may use a metered network. Nil applies the library's policy.
        public var allowsMeteredNetwork: Bool?
        /// The headers to add to requests.
        ///
        /// Servers with another scheme, host or port than the URL's receive only headers that contain no secret, such
        /// as `Referer`, unless `sharesCredentials` is true.
        public var headers: [String: String] = [:]
        /// Whether other servers that a playlist or a redirect names receive the headers and the URL's password too.
        /// Default: false. Use only if you trust each of these servers.
        public var sharesCredentials: Bool {
            get { sharing ?? false }
            set { sharing = newValue ? true : nil }
        }
        /// Optional, because older databases do not contain the value.
        private var sharing: Bool?
        /// The `User-Agent` header of every request. If nil, Zoetrope's own header is sent.
        public var userAgent: String?
        /// The maximum time to retry after network failures, in seconds from the first of consecutive failures. Nil
        /// applies the library's policy.
        ///
        /// Negative values become 0. `.infinity` retries until the network works; it is stored as the greatest finite
        /// number.
        public var patience: Double? {
            didSet { patience = patience.map { min(max(0, $0), .greatestFiniteMagnitude) } }
        }
        /// Whether to skip TLS certificate verification. Use only with servers you trust, in development.
        public var allowsUntrustedCertificates = false

        /// Creates options that set no limits and add no headers.
        public init() {}

        /// Decodes options. A negative `patience` becomes 0.
        public init(from decoder: any Decoder) throws {
            self.init()
            try set(from: decoder)
        }

        // The observer of `patience` is called here, but not in an initializer.
        private mutating func set(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            bytesPerSecond = try values.decodeIfPresent(Int64.self, forKey: .bytesPerSecond)
            allowsMeteredNetwork = try values.decodeIfPresent(Bool.self, forKey: .allowsMeteredNetwork)
            headers = try values.decode([String: String].self, forKey: .headers)
            sharing = try values.decodeIfPresent(Bool.self, forKey: .sharing)
            userAgent = try values.decodeIfPresent(String.self, forKey: .userAgent)
            patience = try values.decodeIfPresent(Double.self, forKey: .patience)
            allowsUntrustedCertificates = try values.decode(Bool.self, forKey: .allowsUntrustedCertificates)
        }
    }
}

// The properties of `network` are encoded beside the others, as in existing databases.
extension DownloadOptions: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, title, artwork, quality, audioLanguages, subtitleLanguages, renditions, otherQualities,
            prefersMultichannel, includesIFrames, recordedDuration, expirationDate, isProtected
    }

    /// Decodes options that ``encode(to:)`` has written.
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

    /// Encodes the options, with the properties of ``network`` beside the others.
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
