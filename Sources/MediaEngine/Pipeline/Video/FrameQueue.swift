import MediaCore

/// The displayed frame and the queue of decoded frames. Decides which frame a display gets, which frames are skipped,
/// and which are too late to be displayed. A value type; callers pass the time.
///
/// **Sequence numbers** increase with each frame. Equal numbers identify the same frame.
struct FrameQueue {
    struct Frame {
        let frame: VideoFrame
        let segment: Segment
        let media: MediaTime
        /// The timeline time at which the frame is due.
        let out: TimelineTime
        let sequence: UInt64
    }

    /// The relation of a newly decoded frame to its due time.
    enum Arrival: Equatable {
        case inTime
        /// The frame is displayed anyway: a machine that is too slow shows a slow video instead of a still image.
        case late
        /// The frame is discarded, because another one was displayed a moment ago.
        case tooLate
    }

    /// The maximum number of decoded frames waiting.
    static let capacity = 3
    /// The longest pause between two pulls of a late display, in nanoseconds. After a longer pause, the display was not
    /// visible.
    static let longestLateness: Int64 = 1_000_000_000
    /// The delay above which a frame is late.
    private static let lateness: MediaTime = 60_000_000
    /// The delay above which the decoder should skip frames.
    private static let farBehind: MediaTime = 150_000_000
    /// The longest time without a new frame if frames are late.
    private static let longestStill: MediaTime = 250_000_000

    /// The time until which a paused player decodes no further frames after its first frame.
    var restsUntil = HostTime.min
    private(set) var waiting: [Frame] = []
    private(set) var current: Frame?
    /// Whether the next frame is the first of a serial, which is displayed at once, even before the clock runs.
    private(set) var isFreshStart = true
    /// Whether the displayed frame stays until the next serial, because frames that wait belong to a replaced item.
    private var isHeld = false
    private var nextSequence: UInt64 = 1
    private var lastPresented: UInt64 = 0
    /// The newest frame that a display has pulled.
    private var lastPulled: UInt64 = 0
    private var lastPull = HostTime.min
    /// The time between two refreshes of the display, in nanoseconds; 0 if unknown. Without the display's own value, it
    /// is the approximate time between two pulls when the display is not late.
    private var refreshInterval: Int64 = 0
    private var isIntervalOfDisplay = false
    /// The number of frames that were skipped since the last pull, or discarded as too late.
    private(set) var unseen = 0

    var isFull: Bool { waiting.count >= FrameQueue.capacity }
    var newest: Frame? { waiting.last ?? current }
    /// The media time of the displayed frame, or of the next one at the start of a serial.
    var currentMediaTime: MediaTime? {
        isFreshStart && !isHeld ? waiting.first?.media ?? current?.media : current?.media
    }
    /// The time at which the second waiting frame is due, and the first can be discarded if no display pulls.
    var nextDue: TimelineTime? { waiting.count > 1 && !isHeld ? waiting[1].out : nil }
    /// The time at which a display gets another frame than the displayed one, if it is known.
    var next: TimelineTime? { isHeld || isFreshStart ? nil : waiting.first?.out }
    /// Returns whether a display that pulls at `t` gets another frame than the displayed one.
    func hasNext(dueAt t: TimelineTime) -> Bool {
        !isHeld && waiting.first.map { $0.out <= t || isFreshStart } ?? false
    }

    /// Returns whether the displayed frame or a waiting frame belongs to `entry`.
    func contains(frameOf entry: PlaybackEntry) -> Bool {
        current?.segment.entry === entry || waiting.contains { $0.segment.entry === entry }
    }

    /// Returns the media time of the first displayed or waiting frame of `segment`; `nil` if there is none.
    func firstTime(of segment: Segment) -> MediaTime? {
        if let current, current.segment === segment { return current.media }
        return waiting.first { $0.segment === segment }?.media
    }

    // MARK: the decoder's side

    /// Decides about a frame that is due at `out`.
    ///
    /// - Returns: Whether the frame is late, and whether the decoder should skip frames that are not needed.
    func arrival(due out: TimelineTime, now: TimelineTime, isRunning: Bool) -> (Arrival, isFarBehind: Bool) {
        let late: MediaTime = isRunning ? now - out : 0
        guard late > FrameQueue.lateness else { return (.inTime, false) }
        let isTooLate = waiting.isEmpty && current.map { now - $0.out < FrameQueue.longestStill } ?? false
        return (isTooLate ? .tooLate : .late, late > FrameQueue.farBehind)
    }

    mutating func append(_ frame: VideoFrame, of segment: Segment, media: MediaTime, out: TimelineTime) {
        waiting.append(Frame(frame: frame, segment: segment, media: media, out: out, sequence: nextSequence))
        nextSequence += 1
    }
    /// Counts frames that were not decoded, or were too late.
    mutating func didSkip(_ count: Int = 1) { unseen += count }

    /// Removes the waiting frames for a new serial. The displayed frame stays until the first new one is available.
    mutating func restart() {
        waiting.removeAll()
        isHeld = false
        isFreshStart = true
    }
    /// Removes waiting frames of earlier segments that are due at or after the start of `segment`.
    mutating func cut(at start: TimelineTime, before segment: Segment) {
        waiting.removeAll { $0.segment !== segment && $0.out >= start }
    }

    // MARK: displayed frame

    /// Displays a single frame that did not pass through the queue.
    ///
    /// - Parameter isFirst: Whether it is the first frame of the serial.
    mutating func show(_ frame: VideoFrame, of segment: Segment, media: MediaTime, out: TimelineTime, isFirst: Bool) {
        current = Frame(frame: frame, segment: segment, media: media, out: out, sequence: nextSequence)
        nextSequence += 1
        if isFirst { isFreshStart = false }
    }
    /// Displays a frame of the item that replaces the present one, until the next serial begins. Frames of the present
    /// item that are decoded until then are not displayed.
    mutating func hold(_ frame: VideoFrame, of segment: Segment, media: MediaTime, out: TimelineTime) {
        show(frame, of: segment, media: media, out: out, isFirst: false)
        isHeld = true
        // The item begins with the same frame, so nothing is missed if no display pulls this one.
        lastPulled = nextSequence - 1
    }
    mutating func clearCurrent() { current = nil }
    /// Displays no frame until one that is due at or after `start`, because an item without frames began at `start`.
    ///
    /// - Returns: Whether the queue has more space than before.
    mutating func showNone(since start: TimelineTime) -> Bool {
        current = nil
        isFreshStart = false
        let count = waiting.count
        waiting.removeAll { $0.out < start }
        return waiting.count < count
    }
    mutating func close() {
        waiting = []
        current = nil
    }
    /// Displays the next waiting frame, even if it is not due.
    ///
    /// - Returns: The frame; `nil` if none is waiting or displayed.
    mutating func step() -> Frame? {
        guard !waiting.isEmpty, !isHeld, current != nil else { return nil }
        current = waiting.removeFirst()
        return current
    }

    // MARK: time

    /// Makes the newest due frame the displayed one.
    ///
    /// - Parameter speed: The playback rate if each frame should stay for a display refresh; `nil` to skip frames
    ///   freely.
    /// - Returns: Whether the queue has more space than before.
    mutating func advance(to t: TimelineTime, seenAt speed: Double? = nil) -> Bool {
        var taken = 0
        while let first = waiting.first, hasNext(dueAt: t) {
            if let speed, taken > 0, isWorthDisplaying(before: first, at: t, speed) { break }
            if let old = current, old.sequence > max(lastPresented, lastPulled) { unseen += 1 }
            current = waiting.removeFirst()
            isFreshStart = false
            taken += 1
        }
        return taken > 0
    }

    /// Returns whether the frame just taken should be displayed although `next` is due. If a display refreshes faster
    /// than frames are due and was late, it shows the missed frame, and the next one at its next refresh. A delay of
    /// half a frame is invisible; a missing frame is visible.
    private func isWorthDisplaying(before next: Frame, at t: TimelineTime, _ speed: Double) -> Bool {
        guard let current, refreshInterval > 0 else { return false }
        let duration = next.out - current.out
        return t - next.out < duration / 2 && Double(refreshInterval) * speed <= 0.75 * Double(duration.nanoseconds)
    }

    /// Returns the frame that a display has to show at `t`.
    ///
    /// - Parameters:
    ///   - now: The time of the call.
    ///   - speed: The playback rate; `nil` while the clock is stopped.
    mutating func pull(at t: TimelineTime, now: HostTime, speed: Double?, _ statistics: inout PlaybackStatistics) -> (
        frame: Frame?, freedSpace: Bool
    ) {
        let freedSpace = advance(to: t, seenAt: speed)
        let since = now - lastPull
        // The interval tends to the shortest recent time between pulls. Pulls of several views of the same player
        // within 4 ms do not count.
        if !isIntervalOfDisplay, since > 4_000_000, since < 200_000_000 {
            refreshInterval =
                since < refreshInterval || refreshInterval == 0
                ? since : refreshInterval + (since - refreshInterval) / 8
        }
        // A late display missed the skipped frames. A display that was hidden did not need them.
        if since < FrameQueue.longestLateness { statistics.framesDropped += unseen }
        unseen = 0
        lastPull = now
        lastPulled = max(lastPulled, current?.sequence ?? 0)
        return (current, freedSpace)
    }

    /// Records the time between two refreshes of the display that pulls, in nanoseconds. A display pulls less often if
    /// it waits until a frame is due.
    mutating func displayRefreshes(every interval: Int64) {
        (refreshInterval, isIntervalOfDisplay) = (max(0, interval), true)
    }

    /// Returns the newest decoded frame that is due at `t`, without displaying it. The frame counts as pulled.
    mutating func preview(at t: TimelineTime) -> Frame? {
        let frame = isHeld ? current : waiting.last { $0.out <= t } ?? current
        lastPulled = max(lastPulled, frame?.sequence ?? 0)
        return frame
    }

    /// Records that the frame `sequence` is on the screen for the first time.
    ///
    /// - Returns: The frame, if it is the displayed one.
    mutating func presented(_ sequence: UInt64, _ statistics: inout PlaybackStatistics) -> Frame? {
        guard sequence > lastPresented else { return nil }
        lastPresented = sequence
        statistics.framesShown += 1
        return current.flatMap { $0.sequence == sequence ? $0 : nil }
    }
}
