import MediaCore

/// Why time stands though a rate is set. Each reason has a way out that needs nobody else:
///
/// | reason | what ends it, at the latest |
/// |---|---|
/// | `opening` | the item opens or fails: opening has a time limit |
/// | `seeking` | the feeder carries the seek out, or answers that it cannot |
/// | `firstFrame` | the track has ended, or the other track's packets fill the queue (`Feed.isMissing`), or the decoder gives out nothing (`VideoWorker`) |
/// | `firstSound` | the same of sound: silence takes its place |
/// | `data` | enough has come; or nothing more comes (`BufferStatus.isLikelyToKeepUp`): the source is full, at its end or broken |
enum WaitReason: Equatable, Sendable { case opening, seeking, firstFrame, firstSound, data }

/// Packets of the segment being fed that have been read so far.
struct FedPackets {
    private var segment: Segment?
    private var video: MediaTime?
    private var audio: MediaTime?

    mutating func begin(_ segment: Segment) { self = FedPackets(segment: segment) }
    /// The same packets belong to `segment` from now on.
    mutating func goOn(in segment: Segment) { self.segment = segment }
    mutating func takeVideo(_ end: MediaTime?) { video = max(video ?? .min, end ?? .min) }
    mutating func takeAudio(_ end: MediaTime?) { audio = max(audio ?? .min, end ?? .min) }

    /// Media time up to which all tracks of `entry` have been read; nil: it is not being fed.
    func reach(of entry: PlaybackEntry) -> MediaTime? {
        guard let segment, segment.entry === entry else { return nil }
        let tracks = [
            segment.hasVideo ? video ?? segment.mediaStart : nil, segment.hasAudio ? audio ?? segment.mediaStart : nil,
        ]
        return tracks.compactMap { $0 }.min()
    }
}

/// What playing waits for, and when it has waited long enough.
extension PipelineState {
    /// What is not there yet of what playing needs besides data; nil: it is all there.
    private var missing: WaitReason? {
        if playlist.pendingOpen || timeline.isEmpty && seeks.running == nil && seeks.pending == nil { return .opening }
        if timeline.isEmpty || run.soundIsStale || seeks.isScrubbing { return .seeking }
        if !run.hasFirstPicture, !run.videoEnded { return .firstFrame }
        if !run.hasFirstSound, !run.audioEnded { return .firstSound }
        return nil
    }

    /// Pictures and sound of the current serial are there, as far as it has them.
    var isPrimed: Bool { missing == nil }

    /// Nil while time runs, or is not meant to.
    var waitReason: WaitReason? {
        guard settings.rate > 0, !clock.isRunning, !isClosed else { return nil }
        return missing ?? .data
    }

    /// After a packet of one track was fed: the other one is not waited for in vain.
    mutating func noteMissingTrack() {
        if !run.hasFirstPicture, feed.isMissing(.video) { firstPictureIsThere() }
        // The audio thread writes silence in its place.
        if feed.isMissing(.audio) { outbox.wake(.audio) }
    }
}
