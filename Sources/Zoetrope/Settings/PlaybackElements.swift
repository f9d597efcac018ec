import MediaCore

/// A seamless loop of the source or, with a `Playlist`, of the whole list.
///
/// ```swift
/// ExtVideoPlayer({ VideoSettings { SourceName("intro.mp4"); Loop(); Mute() } })
///     .frame(height: 240)
/// ```
public struct Loop: SettingsConvertible {
    private let limit: Setting?
    /// Creates a loop of the whole source, without a limit.
    public init() { limit = nil }

    /// Creates a loop that ends after a number of passes. Another source loops for as many passes again.
    ///
    /// The command `loop` removes the limit.
    /// - Parameter count: The number of passes in total. A value below 1 counts as 1.
    public init(count: Int) { limit = .loopCount(max(1, count)) }

    /// Creates a loop of a part of the source, exact to the frame and the audio sample. A `Playlist` ignores the part.
    ///
    /// ```swift
    /// VideoSettings {
    ///     SourceName("lesson.mp4")
    ///     Loop(from: 12.5, to: 15)
    /// }
    /// ```
    /// The whole source loops if the end is not after the start, or if a value is not valid.
    /// - Parameters:
    ///   - start: The start in seconds. A value below 0 counts as 0. It must be finite.
    ///   - end: The end in seconds. A value after the end of the source counts as that end. It must not be NaN.
    public init(from start: Double, to end: Double) {
        let isPart = start.isFinite && !end.isNaN && end > max(0, start)
        limit =
            isPart
            ? .loopRange(
                CMTimeRange(
                    start: CMTime(seconds: max(0, start), preferredTimescale: 1_000_000_000),
                    end: CMTime(seconds: min(end, 1e9), preferredTimescale: 1_000_000_000))) : nil
    }
    /// Returns `Setting.loop`, with the count or the part if there is one.
    public func asSettings() -> [Setting] { [.loop] + (limit.map { [$0] } ?? []) }
}

/// A setting that starts the player muted.
public struct Mute: SettingsConvertible {
    /// Creates the setting. The command `unmute` turns the audio on.
    public init() {}
    /// Returns `Setting.mute`.
    public func asSettings() -> [Setting] { [.mute] }
}

/// A setting that shows the first frame and waits for the command `play`.
///
/// ```swift
/// @State private var command = PlaybackCommand.idle
///
/// var body: some View {
///     ExtVideoPlayer({ VideoSettings { SourceName("trailer.mp4"); NotAutoPlay() } }, command: $command)
///         .onTapGesture { command = .play }
/// }
/// ```
/// The first command of an `ExtVideoPlayer` has no effect if it is `.play`, which is the default. Every later `play`
/// starts playback.
public struct NotAutoPlay: SettingsConvertible {
    /// Creates the setting.
    public init() {}
    /// Returns `Setting.notAutoPlay`.
    public func asSettings() -> [Setting] { [.notAutoPlay] }
}

/// The interval at which the time is reported.
///
/// ```swift
/// @State private var seconds = 0.0
///
/// var body: some View {
///     ExtVideoPlayer {
///         VideoSettings {
///             SourceName("film.mp4")
///             TimePublishing(CMTime(value: 1, timescale: 4))
///         }
///     }
///     .onPlayerTimeChange { seconds = $0 }
///     .overlay(alignment: .bottom) { Text("\(seconds, specifier: "%.2f") s") }
/// }
/// ```
/// The time is reported at multiples of the interval in media time, when the time jumps, and when playback starts or
/// stops.
public struct TimePublishing: SettingsConvertible {
    private let interval: CMTime

    /// Creates the setting.
    /// - Parameter interval: The interval. Nil, and any value that is not a positive number, means one second. Less
    ///   than 1 ms counts as 1 ms.
    public init(_ interval: CMTime? = nil) {
        let second = CMTime(seconds: 1, preferredTimescale: 600)
        self.interval = interval.flatMap { $0.isNumeric && $0 > .zero ? $0 : nil } ?? second
    }
    /// Returns `Setting.timePublishing`.
    public func asSettings() -> [Setting] { [.timePublishing(interval)] }
}

/// The events that are reported, and the interval at which they are delivered in batches.
///
/// ```swift
/// ExtVideoPlayer {
///     VideoSettings {
///         SourceName("film.mp4")
///         Events([.playing, .paused, .errorAny], interval: 0.2)
///     }
/// }
/// .onPlayerEventChange { events in
///     for event in events { print(event) }
/// }
/// ```
public struct Events: SettingsConvertible {
    private let filters: [PlayerEventFilter]?
    private let interval: Double?

    /// Creates the setting.
    /// - Parameters:
    ///   - filters: The filters. An event is reported if any filter matches it. Nil, or an empty array, means every
    ///     event.
    ///   - interval: The time for which events are collected, in seconds. Nil, a negative value or NaN means the
    ///     default, 1.
    public init(_ filters: [PlayerEventFilter]? = nil, interval: Double? = nil) {
        self.filters = filters
        self.interval = interval
    }
    /// Returns `Setting.events`, with the interval if there is one.
    public func asSettings() -> [Setting] { [.events(filters)] + (interval.map { [.eventsInterval($0)] } ?? []) }
}
