/// A method to change the speed of audio. Raw values are AVFoundation's.
///
/// Zoetrope has one method, which works in the time domain and keeps the pitch. A player item stores the other values,
/// but plays as with `timeDomain`.
public struct AVAudioTimePitchAlgorithm: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A method with moderate quality and little computation that keeps the pitch.
    public static let timeDomain = AVAudioTimePitchAlgorithm(rawValue: "TimeDomain")
    /// A method with the highest quality that keeps the pitch. Plays as `timeDomain`.
    public static let spectral = AVAudioTimePitchAlgorithm(rawValue: "Spectral")
    /// A method that changes the pitch with the speed. Not supported: plays as `timeDomain`.
    public static let varispeed = AVAudioTimePitchAlgorithm(rawValue: "Varispeed")
    /// A method with low quality for fast changes of speed. Plays as `timeDomain`.
    public static let lowQualityZeroLatency = AVAudioTimePitchAlgorithm(rawValue: "LowQualityZeroLatency")
}
