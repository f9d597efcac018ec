import Foundation
import MediaCore

/// Source → demux → decode → clock → frames and sound, for one player.
///
/// Three long-lived threads: the `Feeder` opens, reads and seeks, the `VideoWorker` decodes into a short frame queue,
/// the `AudioWorker` into the device's PCM ring. What they share, and what is decided about it, is `PipelineState`;
/// between them stand bounded queues of units. Displays pull. All calls are safe from any thread.
final class PlaybackPipeline: VideoFrameSource {
    static let longestCrossfade: MediaTime = 12_000_000_000

    let context: PipelineContext
    var state: Guarded<PipelineState> { context.state }
    private let threads: [WorkerThread]

    /// - Parameter onEvents: called on any thread when there are events to take.
    init(title: String, audioServer: String? = nil, onEvents: @escaping @Sendable () -> Void) {
        let context = PipelineContext(title: title, audioServer: audioServer, onEvents: onEvents)
        self.context = context
        // The threads hold what they work with until `close` ends them. Its player must call it.
        threads = [
            WorkerThread(name: "zt-feeder") { Feeder(context).run() },
            WorkerThread(name: "zt-video") { VideoWorker(context).run() },
            WorkerThread(name: "zt-audio", isUrgent: true) { AudioWorker(context).run() },
        ]
    }

    /// Ends the threads and waits for them; frees decoders, file and sound. Safe to call twice.
    func close() {
        guard state.withLock({ $0.close() }) else { return }
        for thread in threads { thread.join() }
        context.close()
    }

    /// The events since the last call, in order.
    func takeEvents() -> [PipelineEvent] { state.withLock { $0.takeEvents() } }

    // MARK: transport

    /// Shows the next picture while paused; false when it is not at hand and a seek must fetch it.
    func stepForward() -> Bool { state.withLock { $0.stepForward() } }
    /// 0 pauses; else plays at that speed as soon as there is something to play.
    func setRate(_ rate: Double) { state.withLock { $0.setRate(rate) } }
    /// The next time playing begins it does so with what there is.
    func beginAtOnce() { state.withLock { $0.beginAtOnce() } }
    func setVolume(_ volume: Float, muted: Bool) { state.withLock { $0.setVolume(volume, muted: muted) } }
    func setTitle(_ title: String) { state.withLock { $0.setTitle(title) } }
    func seek(_ seek: SeekRequest) { state.withLock { $0.seek(seek) } }

    // MARK: what plays

    /// See `PipelineState.setPlaylist`.
    func setPlaylist(_ entries: [PlaybackEntry], feedsNext: Bool) {
        state.withLock { $0.setPlaylist(entries, feedsNext: feedsNext) }
        context.measureLoudness()
    }
    /// See `PipelineState.setLoops`.
    func setLoops(_ entry: PlaybackEntry, _ loops: Bool, in range: ClosedRange<MediaTime>? = nil, passes: Int? = nil) {
        state.withLock { $0.setLoops(entry, loops, in: range, passes: passes) }
    }
    func setSelection(_ entry: PlaybackEntry, _ selection: TrackSelection) {
        state.withLock { $0.setSelection(entry, selection) }
    }
    /// - Parameter length: 0: items are joined without a gap. Of a fade under way nothing changes.
    func setCrossfade(_ length: MediaTime) { state.withLock { $0.setCrossfade(length) } }
    /// - Parameter target: LUFS; nil: as recorded.
    func setLoudness(_ target: Double?) {
        state.withLock { $0.settings.loudnessTarget = target }
        context.measureLoudness()
    }
    /// How far ahead is loaded of what is remote; 0: as its source thinks best.
    func setForwardDuration(_ ahead: MediaTime) { context.setForwardDuration(ahead) }
    func setWaitsForBuffer(_ waits: Bool) { state.withLock { $0.setWaitsForBuffer(waits) } }
    /// `entry` has failed: no picture of it is waited for.
    func abandon(_ entry: PlaybackEntry) { state.withLock { $0.abandon(entry) } }

    // MARK: where it stands

    func position(atHostTime host: HostTime = .now()) -> PlaybackPosition? { state.withLock { $0.position(at: host) } }
    /// Which of its passes `entry` has come to, or ended with.
    func round(of entry: PlaybackEntry) -> Int { state.withLock { $0.round(of: entry) } }
    /// See `PipelineState.hostTime(media:)`.
    func hostTime(media: MediaTime) -> HostTime? { state.withLock { $0.hostTime(media: media) } }
    /// See `PipelineState.hostTime(seamAfter:of:)`.
    func hostTime(seamAfter pass: Int, of entry: PlaybackEntry?) -> HostTime? {
        state.withLock { $0.hostTime(seamAfter: pass, of: entry) }
    }
    var isRunning: Bool { state.withLock { $0.clock.isRunning } }
    /// Why time stands; nil while it runs, or is not meant to.
    var waitReason: WaitReason? { state.withLock { $0.waitReason } }
    /// The media time of the picture that stands now; nil when there is none.
    func currentPictureTime() -> MediaTime? { state.withLock { $0.frames.standing } }
    /// Whose picture stands.
    var shownEntry: PlaybackEntry? { state.withLock { $0.frames.current?.segment.entry } }
    var currentStatistics: PlaybackStatistics { state.withLock { $0.currentStatistics } }

    // MARK: VideoFrameSource

    func tick(forHostTime hostTime: HostTime, presented: PresentedFrame?) -> DisplayTick {
        state.withLock { $0.tick(at: hostTime, presented: presented) }
    }
    func pull(forHostTime hostTime: HostTime) -> PulledFrame? { state.withLock { $0.pull(at: hostTime) } }
    func didPresent(sequence: UInt64, atHostTime hostTime: HostTime) {
        state.withLock { $0.didPresent(sequence, at: hostTime) }
    }
    var isMoving: Bool { state.withLock { $0.isMoving } }
    var isChanging: Bool { state.withLock { $0.isChanging } }
    func addWakeHandler(_ wake: @escaping @Sendable () -> Void) -> Int { context.displays.add(wake) }
    func removeWakeHandler(_ token: Int) { context.displays.remove(token) }
    /// A stream need not have more pixels than are shown.
    func isShown(width: Int, height: Int) {
        let entries = state.withLock {
            $0.settings.displaySize = (width, height)
            return $0.playlist.entries
        }
        for entry in entries { entry.limit { $0.displaySize = .init(width: width, height: height) } }
    }
}
