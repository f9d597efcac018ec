/// A number of sample frames. A frame contains one sample for each channel.
public typealias AVAudioFrameCount = UInt32
/// A position in an audio file, in sample frames from its start.
public typealias AVAudioFramePosition = Int64
/// A number of audio channels.
public typealias AVAudioChannelCount = UInt32

/// The type of the samples of an `AVAudioFormat`. The equivalent of AVFAudio's type.
public enum AVAudioCommonFormat: UInt, Sendable {
    /// Compressed audio, or samples of a type that is not listed here.
    case otherFormat = 0
    /// Floating-point samples of 32 bits, from −1 to 1.
    case pcmFormatFloat32 = 1
    /// Floating-point samples of 64 bits, from −1 to 1.
    case pcmFormatFloat64 = 2
    /// Signed samples of 16 bits.
    case pcmFormatInt16 = 3
    /// Signed samples of 32 bits.
    case pcmFormatInt32 = 4
}

/// The format of audio: sample type, sample rate and number of channels. The equivalent of AVFAudio's `AVAudioFormat`.
///
/// Can be used on any thread. Formats are equal if all their properties are.
public final class AVAudioFormat: Sendable, Hashable {
    /// The type of the samples.
    public let commonFormat: AVAudioCommonFormat
    /// The number of sample frames per second.
    public let sampleRate: Double
    /// The number of channels.
    public let channelCount: AVAudioChannelCount
    /// Whether the samples of a frame follow one another. If false, each channel has memory of its own.
    public let isInterleaved: Bool

    init(known commonFormat: AVAudioCommonFormat, _ sampleRate: Double, _ channelCount: Int, isInterleaved: Bool) {
        self.commonFormat = commonFormat
        self.sampleRate = sampleRate
        self.channelCount = AVAudioChannelCount(clamping: channelCount)
        self.isInterleaved = isInterleaved
    }

    /// Creates a format of uncompressed audio.
    ///
    /// Returns nil for `otherFormat`, for a sample rate that is not greater than 0 or not finite, and for less than one
    /// or more than two channels. Only the formats of files have more channels.
    /// - Parameters:
    ///   - format: The type of the samples.
    ///   - sampleRate: The number of sample frames per second.
    ///   - channels: The number of channels.
    ///   - interleaved: Whether the samples of a frame follow one another.
    public convenience init?(
        commonFormat format: AVAudioCommonFormat, sampleRate: Double, channels: AVAudioChannelCount, interleaved: Bool
    ) {
        guard format != .otherFormat, sampleRate > 0, sampleRate.isFinite, (1...2).contains(channels) else {
            return nil
        }
        self.init(known: format, sampleRate, Int(channels), isInterleaved: interleaved)
    }
    /// Creates the standard format: floating-point samples of 32 bits that are not interleaved.
    ///
    /// Returns nil in the same cases as `init(commonFormat:sampleRate:channels:interleaved:)`.
    /// - Parameters:
    ///   - sampleRate: The number of sample frames per second.
    ///   - channels: The number of channels.
    public convenience init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) {
        self.init(commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, channels: channels, interleaved: false)
    }

    /// Whether the samples are floating-point samples of 32 bits that are not interleaved.
    public var isStandard: Bool { commonFormat == .pcmFormatFloat32 && !isInterleaved }
    /// The sample rate and the number of channels, by `AVSampleRateKey` and `AVNumberOfChannelsKey`.
    public var settings: [String: Any] {
        [AVSampleRateKey: sampleRate, AVNumberOfChannelsKey: Int(channelCount)]
    }

    public static func == (a: AVAudioFormat, b: AVAudioFormat) -> Bool {
        a.commonFormat == b.commonFormat && a.sampleRate == b.sampleRate && a.channelCount == b.channelCount
            && a.isInterleaved == b.isInterleaved
    }
    public func hash(into hasher: inout Hasher) {
        hasher.combine(commonFormat)
        hasher.combine(sampleRate)
        hasher.combine(channelCount)
        hasher.combine(isInterleaved)
    }
}
