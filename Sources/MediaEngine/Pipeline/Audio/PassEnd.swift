import MediaCore

/// The rule for where a pass ends, in media time. Playback and decoded clips (`DecodedClip`) share this rule.
///
/// The next pass begins exactly there, for audio and video alike, so they stay synchronous over any number of passes.
enum PassEnd {
    /// The rounding error of timestamps in milliseconds. If packets end earlier by more than this, the difference is
    /// padding.
    private static let stampError: MediaTime = 1_500_000

    /// Returns the media time at which the audio ends.
    ///
    /// - Parameters:
    ///   - counted: The end according to the number of decoded samples.
    ///   - packets: The end according to the packets, which exclude the padding of the encoder; `nil` if unknown.
    static func audioEnd(counted: MediaTime, packets: MediaTime?, _ track: AudioTrackDescription?) -> MediaTime {
        guard let packets, packets < counted, track?.hasExactTimes == true || counted - packets > stampError else {
            return counted
        }
        return packets
    }

    /// Returns the media time at which the pass ends.
    ///
    /// If the audio ends at most about half a frame before the video, or later, the pass ends with the audio. The last
    /// frame is then displayed slightly longer or shorter, which is invisible, while a gap in the audio would be
    /// audible. If the audio is longer, the last frame stays visible. If the audio ends earlier, the pass ends with the
    /// video and silence is added.
    ///
    /// - Parameters:
    ///   - audio: The end of the audio; `nil` if there is none.
    ///   - video: The end of the video; `nil` if there is none.
    static func of(audio: MediaTime?, video: MediaTime?, frameDuration: MediaTime) -> MediaTime {
        guard let audio else { return video ?? 0 }
        guard let video else { return audio }
        let half = max(frameDuration, 16_000_000) / 2 + 1_000_000
        return audio >= video - half ? audio : video
    }
}
