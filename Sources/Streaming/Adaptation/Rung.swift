/// What one variant stream offers, as far as the choice between them needs to know (RFC 8216 §4.3.4.2).
package struct Rung: Sendable, Hashable {
    /// Pixels (`RESOLUTION`).
    package struct Resolution: Sendable, Hashable {
        package var width: Int
        package var height: Int
        package init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }
    }

    /// Bit/s, the highest of any segment (`BANDWIDTH`). Not positive: taken as 1.
    package var peakBitRate: Int
    /// Bit/s over the whole stream (`AVERAGE-BANDWIDTH`); nil if the playlist does not say.
    package var averageBitRate: Int?
    package var resolution: Resolution?
    /// Frames a second (`FRAME-RATE`).
    package var frameRate: Double?
    /// As RFC 6381 spells them (`CODECS`); empty if the playlist does not say.
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

    /// What a second of it costs on the average, bit/s, at least 1. The peak where no average is told or it makes no
    /// sense.
    package var sustainedBitRate: Double {
        let peak = Double(max(1, peakBitRate))
        guard let averageBitRate, averageBitRate > 0 else { return peak }
        return min(peak, Double(averageBitRate))
    }
}
