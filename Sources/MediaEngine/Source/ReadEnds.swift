import MediaCore

/// The ends of the video and the audio that a reader has returned in one pass.
struct ReadEnds {
    /// The latest end of a video packet; `nil` before the first packet.
    private(set) var video: MediaTime?
    /// The latest end of an audio packet; `nil` before the first packet.
    private(set) var audio: MediaTime?

    /// Returns the end of one of the tracks.
    func end(isVideo: Bool) -> MediaTime? { isVideo ? video : audio }

    /// Records that a packet was returned.
    mutating func didReturn(isVideo: Bool, until end: MediaTime) {
        if isVideo { video = max(video ?? end, end) } else { audio = max(audio ?? end, end) }
    }
}
