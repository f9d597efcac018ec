import MediaCore

/// The reason why the clock is stopped although a rate is set.
///
/// Each reason ends without action by the app, at the latest when:
///
/// - `opening`: the item is open or has failed. Opening has a time limit.
/// - `seeking`: the feeder has carried out the seek, or reports that it cannot.
/// - `firstFrame`: the track has ended, the other track's packets fill the queue (`Feed.isMissing`), or the decoder
///   returns no frames (`VideoWorker`).
/// - `firstAudio`: as for `firstFrame`, but for audio. Silence replaces it.
/// - `data`: enough data is loaded, or no more will arrive (`BufferStatus.isLikelyToKeepUp`) because the source is
///   full, complete or failed.
enum WaitReason: Equatable, Sendable { case opening, seeking, firstFrame, firstAudio, data }

/// The end times of the packets that were read for the segment being fed.
struct FedPackets {
    private(set) var segment: Segment?
    private var video: MediaTime?
    private var audio: MediaTime?

    mutating func begin(_ segment: Segment) { self = FedPackets(segment: segment) }
    /// Assigns the packets to `segment`.
    mutating func assign(to segment: Segment) { self.segment = segment }
    mutating func takeVideo(_ end: MediaTime?) { video = max(video ?? .min, end ?? .min) }
    mutating func takeAudio(_ end: MediaTime?) { audio = max(audio ?? .min, end ?? .min) }

    /// Returns the media time up to which all tracks of `entry` have been read; `nil` if `entry` is not being fed.
    func reach(of entry: PlaybackEntry) -> MediaTime? {
        guard let segment, segment.entry === entry else { return nil }
        let tracks = [
            segment.hasVideo ? video ?? segment.mediaStart : nil, segment.hasAudio ? audio ?? segment.mediaStart : nil,
        ]
        return tracks.compactMap { $0 }.min()
    }
}

/// The conditions under which playback can run, and the reason for which it has to wait.
extension PipelineState {
    /// The first requirement of playback, apart from buffered data, that is not met; `nil` if all are met.
    private var missing: WaitReason? {
        if playlist.pendingOpen || timeline.isEmpty && seeks.running == nil && seeks.pending == nil { return .opening }
        if timeline.isEmpty || run.audioIsStale || seeks.isScrubbing { return .seeking }
        if !run.hasFirstFrame, !run.videoEnded { return .firstFrame }
        if !run.hasFirstAudio, !run.audioEnded { return .firstAudio }
        return nil
    }

    /// Whether the first frame and the first audio of the current serial are available, if it has such tracks.
    var isPrimed: Bool { missing == nil }

    /// The reason why the clock is stopped although a rate is set; `nil` while the clock runs or the rate is 0.
    var waitReason: WaitReason? {
        guard settings.rate > 0, !clock.isRunning, !isClosed else { return nil }
        return missing ?? .data
    }

    /// Stops the wait for a track that is missing. Called after a packet of the other track was fed.
    mutating func noteMissingTrack() {
        if !run.hasFirstFrame, feed.isMissing(.video) { firstFrameReady() }
        // The audio thread writes silence instead.
        if feed.isMissing(.audio) { outbox.wake(.audio) }
    }
}
