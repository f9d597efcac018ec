/// The methods that an audio player calls on its delegate. All methods are optional.
///
/// ```swift
/// final class Announcer: AVAudioPlayerDelegate {
///     func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
///         print(flag ? "The announcement has ended." : "The announcement is damaged.")
///     }
/// }
/// ```
@MainActor @preconcurrency
public protocol AVAudioPlayerDelegate: AnyObject {
    /// Called when the audio has played to its end, after the last repetition, or when it fails during playback. Not
    /// called after `stop()` or `pause()`.
    /// - Parameters:
    ///   - player: The audio player. After the end, its `currentTime` is 0 again.
    ///   - flag: False if playback ended because the rest of the audio could not be read or decoded.
    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool)
    /// Called when the audio, or the rest of it, can't be read or decoded. During playback,
    /// `audioPlayerDidFinishPlaying(_:successfully:)` follows with false.
    /// - Parameters:
    ///   - player: The audio player.
    ///   - error: The reason, an `AVError`; never nil.
    func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?)
}

extension AVAudioPlayerDelegate {
    public func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {}
    public func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {}
}
