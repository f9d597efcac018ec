import MediaCore

/// Plays over and over, without a seam; of a `Playlist`, all of it.
public struct Loop: SettingsConvertible {
    private let limit: Setting?
    /// Repeats all of it, without end.
    public init() { limit = nil }

    /// Plays so many times in all, then ends; another source does so again. The command `loop` goes on without end.
    /// - Parameter count: less than 1 counts as 1.
    public init(count: Int) { limit = .loopCount(max(1, count)) }

    /// Repeats a part, exact to the picture and the sample. Not of a `Playlist`.
    /// - Parameters:
    ///   - start: seconds; before the beginning counts as the beginning.
    ///   - end: seconds; beyond the end counts as the end. What is no part (the end not after the start, no numbers) is
    ///     the whole.
    public init(from start: Double, to end: Double) {
        let isPart = start.isFinite && !end.isNaN && end > max(0, start)
        limit =
            isPart
            ? .loopRange(
                CMTimeRange(
                    start: CMTime(seconds: max(0, start), preferredTimescale: 1_000_000_000),
                    end: CMTime(seconds: min(end, 1e9), preferredTimescale: 1_000_000_000))) : nil
    }
    /// `Setting.loop`, with the count or the part where one was given.
    public func asSettings() -> [Setting] { [.loop] + (limit.map { [$0] } ?? []) }
}

/// Begins without sound.
public struct Mute: SettingsConvertible {
    /// Turns the sound off at first; the command `unmute` turns it on.
    public init() {}
    /// `Setting.mute`.
    public func asSettings() -> [Setting] { [.mute] }
}

/// Stands at the first picture until the command `play`.
public struct NotAutoPlay: SettingsConvertible {
    /// Keeps it standing at first.
    public init() {}
    /// `Setting.notAutoPlay`.
    public func asSettings() -> [Setting] { [.notAutoPlay] }
}

/// Tells the time at multiples of `interval` of media time, and when time jumps or playback starts or stops.
public struct TimePublishing: SettingsConvertible {
    private let interval: CMTime

    /// - Parameter interval: nil, and what is not a positive number, is one second; less than 1 ms counts as 1 ms.
    public init(_ interval: CMTime? = nil) {
        let second = CMTime(seconds: 1, preferredTimescale: 600)
        self.interval = interval.flatMap { $0.isNumeric && $0 > .zero ? $0 : nil } ?? second
    }
    /// `Setting.timePublishing`.
    public func asSettings() -> [Setting] { [.timePublishing(interval)] }
}

/// Tells events, gathered into batches.
public struct Events: SettingsConvertible {
    private let filters: [PlayerEventFilter]?
    private let interval: Double?

    /// - Parameters:
    ///   - filters: tell what any of them matches; nil (or none) tells everything.
    ///   - interval: how long events are gathered, seconds; nil, negative or NaN counts as the default, 1.
    public init(_ filters: [PlayerEventFilter]? = nil, interval: Double? = nil) {
        self.filters = filters
        self.interval = interval
    }
    /// `Setting.events`, with the interval where one was given.
    public func asSettings() -> [Setting] { [.events(filters)] + (interval.map { [.eventsInterval($0)] } ?? []) }
}
