/// A variant of a stream, with the attributes that the choice between variants needs (RFC 8216 §4.3.4.2).
package struct AdaptationVariant: Sendable, Hashable {
    package typealias Resolution = Variant.Resolution

    /// The highest bit rate of any segment, in bits per second (`BANDWIDTH`). A value below 1 counts as 1.
    package var peakBitRate: Int
    /// The average bit rate of the stream, in bits per second (`AVERAGE-BANDWIDTH`), or nil if the playlist does not
    /// state it.
    package var averageBitRate: Int?
    package var resolution: Resolution?
    /// The frame rate, in frames per second (`FRAME-RATE`).
    package var frameRate: Double?
    /// The codecs (`CODECS`, RFC 6381), or an empty array if the playlist does not state them.
    package var codecs: [String]

    package init(
        peakBitRate: Int, averageBitRate: Int? = nil, resolution: Resolution? = nil, frameRate: Double? = nil,
        codecs: [String] = []
    ) {
        self.peakBitRate = peakBitRate
        self.averageBitRate = averageBitRate
        self.resolution = resolution
        self.frameRate = frameRate
        self.codecs = codecs
    }

    /// The average bit rate, in bits per second, at least 1. It is the peak bit rate if the average is not stated or
    /// not valid.
    package var sustainedBitRate: Double {
        let peak = Double(max(1, peakBitRate))
        guard let averageBitRate, averageBitRate > 0 else { return peak }
        return min(peak, Double(averageBitRate))
    }
}
