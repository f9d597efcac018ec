import Foundation
import MediaCore

/// The playback engine of one player: reads, demuxes and decodes items, and outputs frames and audio.
///
/// Three threads run until `close`: `Feeder` opens, reads and seeks; `VideoWorker` decodes into a short queue of
/// frames; `AudioWorker` decodes into the ring buffer of the audio device. The threads share `PipelineState`, which
/// also makes the decisions. Bounded queues of units connect the feeder with the decoders. Displays request frames when
/// they need them. All methods are thread-safe.
final class PlaybackPipeline: VideoFrameSource {
    static let longestCrossfade: MediaTime = 12_000_000_000

    let context: PipelineContext
    var state: Guarded<PipelineState> { context.state }
    private let threads: [WorkerThread]

    /// Creates a pipeline and starts its threads.
    ///
    /// - Parameter onEvents: Called on any thread when there are events for `takeEvents`.
    init(title: String, audioServer: String? = nil, onEvents: @escaping @Sendable () -> Void) {
        let context = PipelineContext(title: title, audioServer: audioServer, onEvents: onEvents)
        self.context = context
        // The threads keep the context alive until `close` ends them, so the player must call `close`.
        threads = [
            WorkerThread(name: "zt-feeder") { Feeder(context).run() },
            WorkerThread(name: "zt-video") { VideoWorker(context).run() },
            WorkerThread(name: "zt-audio", isUrgent: true) { AudioWorker(context).run() },
        ]
    }

    /// Ends the threads and waits for them, then releases decoders, files and the audio output. Further calls do
    /// nothing.
    func close() {
        guard state.withLock({ $0.close() }) else { return }
        for thread in threads { thread.join() }
        context.close()
    }

    /// Returns the events since the last call, in order, and removes them.
    func takeEvents() -> [PipelineEvent] { state.withLock { $0.takeEvents() } }

    // MARK: transport

    /// Shows the next decoded frame while paused.
    ///
    /// - Returns: `false` if no decoded frame is available, so that the player has to seek to it.
    func stepForward() -> Bool { state.withLock { $0.stepForward() } }
    /// Sets the playback rate. 0 pauses; with any other rate, playback starts as soon as enough data is available.
    func setRate(_ rate: Double) { state.withLock { $0.setRate(rate) } }
    /// Makes the next start of playback use the data that is available, without waiting for more.
    func beginAtOnce() { state.withLock { $0.beginAtOnce() } }
    /// See `PipelineState.isReadyToRun(_:)`.
    func isReadyToRun(_ entry: PlaybackEntry) -> Bool { state.withLock { $0.isReadyToRun(entry.id) } }
    /// See `PipelineState.reportReadiness(of:)`.
    func reportReadiness(of entry: PlaybackEntry) { state.withLock { $0.reportReadiness(of: entry.id) } }
    func setVolume(_ volume: Float, muted: Bool) { state.withLock { $0.setVolume(volume, muted: muted) } }
    func setTitle(_ title: String) { state.withLock { $0.setTitle(title) } }
    func seek(_ seek: SeekRequest) { state.withLock { $0.seek(seek) } }

    // MARK: items

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
    /// Sets the length of crossfades.
    ///
    /// - Parameter length: The overlap of two items. 0 joins items without a gap. A running crossfade keeps its length.
    func setCrossfade(_ length: MediaTime) { state.withLock { $0.setCrossfade(length) } }
    /// Sets the loudness to which items are normalized.
    ///
    /// - Parameter target: The loudness target in LUFS; `nil` plays items as recorded.
    func setLoudness(_ target: Double?) {
        state.withLock { $0.settings.loudnessTarget = target }
        context.measureLoudness()
    }
    /// Sets how much media of a remote source is loaded ahead. 0 lets the source decide.
    func setForwardDuration(_ ahead: MediaTime) { context.setForwardDuration(ahead) }
    func setWaitsForBuffer(_ waits: Bool) { state.withLock { $0.setWaitsForBuffer(waits) } }
    /// Marks `entry` as failed, so that displays stop waiting for a frame of it.
    func abandon(_ entry: PlaybackEntry) { state.withLock { $0.abandon(entry) } }

    /// Makes the displays request the current frame again, because it looks different.
    func redisplay() { state.withLock { $0.wakeDisplays() } }

    // MARK: position

    /// See `PipelineState.position(at:)`.
    func position(atHostTime host: HostTime? = nil) -> PlaybackPosition? { state.withLock { $0.position(at: host) } }
    /// Returns the loop number at which `entry` is playing or has ended. Loop numbers count the passes of a looping
    /// item.
    func loopNumber(of entry: PlaybackEntry) -> Int { state.withLock { $0.loopNumber(of: entry) } }
    /// See `PipelineState.hostTime(media:of:)`.
    func hostTime(media: MediaTime, of entry: PlaybackEntry? = nil) -> HostTime? {
        state.withLock { $0.hostTime(media: media, of: entry) }
    }
    /// See `PipelineState.hostTime(endOfPass:of:)`.
    func hostTime(endOfPass pass: Int, of entry: PlaybackEntry?) -> HostTime? {
        state.withLock { $0.hostTime(endOfPass: pass, of: entry) }
    }
    var isRunning: Bool { state.withLock { $0.clock.isRunning } }
    /// The reason why playback is waiting although a rate is set; `nil` while the clock runs or the rate is 0.
    var waitReason: WaitReason? { state.withLock { $0.waitReason } }
    /// Returns the media time of the displayed frame, or of the next one directly after a seek; `nil` if there is none.
    func currentFrameTime() -> MediaTime? { state.withLock { $0.frames.currentMediaTime } }
    /// The entry whose frame is displayed.
    var shownEntry: PlaybackEntry? { state.withLock { $0.frames.current?.segment.entry } }
    var currentStatistics: PlaybackStatistics { state.withLock { $0.currentStatistics } }

    // MARK: VideoFrameSource

    func tick(forHostTime hostTime: HostTime, presented: PresentedFrame?, refreshInterval: Int64?) -> DisplayTick {
        state.withLock { $0.tick(at: hostTime, presented: presented, refreshInterval: refreshInterval) }
    }
    func pull(forHostTime hostTime: HostTime) -> PulledFrame? { state.withLock { $0.pull(at: hostTime) } }
    /// See `PipelineState.pull(at:of:)`.
    func pull(forHostTime hostTime: HostTime, of entry: PlaybackEntry) -> PulledFrame? {
        state.withLock { $0.pull(at: hostTime, of: entry) }
    }
    func didPresent(sequence: UInt64, atHostTime hostTime: HostTime) {
        state.withLock { $0.didPresent(sequence, at: hostTime) }
    }
    var isMoving: Bool { state.withLock { $0.isMoving } }
    var isChanging: Bool { state.withLock { $0.isChanging } }
    func addWakeHandler(_ wake: @escaping @Sendable () -> Void) -> Int { context.displays.add(wake) }
    func removeWakeHandler(_ token: Int) { context.displays.remove(token) }
    /// Limits streams to the smallest variant that covers this display size, and to smaller variants.
    func isShown(width: Int, height: Int) {
        let entries = state.withLock {
            $0.settings.displaySize = (width, height)
            return $0.playlist.entries
        }
        for entry in entries { entry.limit { $0.displaySize = .init(width: width, height: height) } }
    }
}
