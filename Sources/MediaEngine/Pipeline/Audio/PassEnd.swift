import MediaCore

/// Where a pass ends, media time: the one rule for what is decoded while it plays and for what was decoded before
/// (`DecodedClip`).
///
/// **The seam.** The next pass begins exactly there, for sound and picture alike, so nothing drifts over any number of
/// passes.
enum PassEnd {
    /// Stamps in milliseconds are off by as much; what is cut by more is padding.
    private static let stampError: MediaTime = 1_500_000

    /// Where the sound ends.
    /// - Parameters:
    ///   - counted: by its samples, to the sample.
    ///   - packets: where the packets say it does: encoders fill the last one up. Nil: they do not.
    static func sound(counted: MediaTime, packets: MediaTime?, _ track: AudioTrackDescription?) -> MediaTime {
        guard let packets, packets < counted, track?.hasExactTimes == true || counted - packets > stampError else {
            return counted
        }
        return packets
    }

    /// Where the pass does, from where its sound and its picture end.
    ///
    /// When they end within half a frame of each other, sound decides, to the sample: the last picture
    /// stands a little longer or shorter, which nobody sees, and sound has no gap, which everybody hears.
    /// When sound is shorter than that it is padded with silence; when longer, the last picture stands.
    static func of(sound: MediaTime?, picture: MediaTime?, frameDuration: MediaTime) -> MediaTime {
        guard let sound else { return picture ?? 0 }
        guard let picture else { return sound }
        let half = max(frameDuration, 16_000_000) / 2 + 1_000_000
        return sound >= picture - half ? sound : picture
    }
}
