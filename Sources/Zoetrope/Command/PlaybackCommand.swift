import Filters
import Foundation
import Overlays

/// A command for a player.
///
/// ```swift
/// @State private var command = PlaybackCommand.play
///
/// var body: some View {
///     ExtVideoPlayer(fileName: "film.mp4", command: $command)
///         .overlay(alignment: .bottom) {
///             HStack {
///                 Button("Pause") { command = .pause }
///                 Button("Play") { command = .play }
///                 Button("Half speed") { command = .playbackSpeed(0.5) }
///             }
///         }
/// }
/// ```
/// A command that equals the last one is ignored until `.idle`, so a view may repeat its command each time it is
/// updated. To carry out the same command twice, send `.idle` in between. A command whose number is NaN changes
/// nothing. Only a seek to NaN is reported.
public enum PlaybackCommand: Equatable {
    /// Does nothing. The next command is carried out even if it equals the one before `.idle`.
    case idle
    /// Plays from the current position. At the end, playback starts again from the start, or from the start of the
    /// looped part (`Loop(from:to:)`).
    case play
    /// Pauses at the current position. The current frame stays visible.
    case pause
    /// Seeks to a position in seconds, exactly. The event `seek` reports the result.
    ///
    /// A position before the start means the start, one after the end means the end. `play` selects whether the player
    /// plays or pauses after the seek. NaN, and a seek without an item that can be played, is reported as
    /// `seek(false, …)`.
    case seek(to: Double, play: Bool = true)
    /// Seeks to the start, or to the start of the looped part, and pauses. The event `seek` reports the result.
    case begin
    /// Seeks to the last frame and pauses, even if the video loops. The event `seek` reports the result.
    case end
    /// Mutes the audio. The volume does not change.
    case mute
    /// Unmutes the audio, at the same volume as before.
    case unmute
    /// Sets the volume, clamped to 0…1.
    case volume(Float)
    /// Plays at a multiple of the normal speed, even if the player is paused. A speed of 0 or less pauses.
    ///
    /// A speed above 0 is clamped to 0.01…16. Audio is played at speeds from 0.25 to 4. See `AVPlayer.rate`.
    case playbackSpeed(Float)
    /// Loops from now on without a limit, even if the setting is `Loop(count:)`.
    case loop
    /// Ends the loop after the current pass.
    case unloop
    /// Starts Picture in Picture. Without the setting `PictureInPicture()`, it has no effect.
    ///
    /// If Picture in Picture is not possible, the event `error(.notSupportedPiP)` is reported.
    case startPiP
    /// Ends Picture in Picture and shows the video in its view again. Without the setting `PictureInPicture()`, it has
    /// no effect.
    case stopPiP
    /// Shows only the video, in its window, and makes the window fill the screen. Escape, F11 and a double click exit
    /// full screen.
    ///
    /// Picture in Picture ends first. Without the setting `FullScreen()`, or without a view that shows the player, the
    /// command has no effect.
    case enterFullScreen
    /// Ends full screen. The view and its window return to their former state.
    case exitFullScreen
    /// Sets the brightness, clamped to −1…1; 0 leaves the video as it is. It is applied after the filters.
    case brightness(Float)
    /// Sets the contrast, clamped to 0…4; 1 leaves the video as it is. It is applied after the filters.
    case contrast(Float)
    /// Adds a filter after the existing ones, or replaces them if `clear` is true. Later changes of the filter have no
    /// effect.
    case filter(CIFilter, clear: Bool = false)
    /// Removes all filters. Brightness and contrast stay.
    case removeAllFilters
    /// Adds a vector layer above the existing ones, or replaces them if `clear` is true. Without the setting
    /// `EnableVector()`, it is ignored.
    case addVector(any ShapeLayerBuilderProtocol, clear: Bool = false)
    /// Removes all vector layers.
    case removeAllVectors
    /// Selects the audio track in a language, a BCP 47 tag (`de` matches `de-AT`, and `ger` matches `de`). Without such
    /// a track, nothing changes.
    case audioTrack(languageCode: String)
    /// Selects the subtitles of the video itself in a language, a BCP 47 tag; nil turns subtitles off.
    ///
    /// If the video has no subtitles in the language, those that are visible stay. If none are visible, the subtitle
    /// file of the setting `Subtitles(name)` is shown.
    case subtitles(String?)
    /// Moves to the start of the next source of the playlist. Sources that are not found are skipped.
    ///
    /// A player that is paused before the end of its source stays paused. After the last source, the first one follows
    /// if the loop has another pass. Otherwise nothing happens.
    case next
    /// Moves to the start of the previous source of the playlist. Sources that are not found or can't be played are
    /// skipped.
    ///
    /// A player that is paused before the end of its source stays paused. Before the first source, the last one follows
    /// if the playlist loops. Otherwise the current source starts again.
    case previous
    /// Moves to the start of the source at an index of the playlist; the first index is 0.
    ///
    /// A player that is paused before the end of its source stays paused. If the playlist has no such source, nothing
    /// happens. If the source is not found, the event `error` reports it, and the current source continues.
    case jump(to: Int)
    /// Carries out several commands in order. Inside the array, a command may equal the one before it.
    case batch([PlaybackCommand])

    /// Returns whether two commands are equal. Filters are compared by name and parameters, vector builders by id. NaN
    /// equals NaN.
    public static func == (a: PlaybackCommand, b: PlaybackCommand) -> Bool {
        switch (a, b) {
        case (.idle, .idle), (.play, .play), (.pause, .pause), (.begin, .begin), (.end, .end), (.mute, .mute),
            (.unmute, .unmute),
            (.loop, .loop), (.unloop, .unloop), (.startPiP, .startPiP), (.stopPiP, .stopPiP),
            (.enterFullScreen, .enterFullScreen), (.exitFullScreen, .exitFullScreen),
            (.next, .next), (.previous, .previous),
            (.removeAllFilters, .removeAllFilters), (.removeAllVectors, .removeAllVectors):
            true
        case (.seek(let x, let p), .seek(let y, let q)): isSame(x, y) && p == q
        case (.volume(let x), .volume(let y)), (.playbackSpeed(let x), .playbackSpeed(let y)),
            (.brightness(let x), .brightness(let y)), (.contrast(let x), .contrast(let y)):
            isSame(x, y)
        case (.filter(let x, let p), .filter(let y, let q)): x == y && p == q
        case (.addVector(let x, let p), .addVector(let y, let q)): x.id == y.id && p == q
        case (.audioTrack(let x), .audioTrack(let y)): x == y
        case (.subtitles(let x), .subtitles(let y)): x == y
        case (.jump(let x), .jump(let y)): x == y
        case (.batch(let x), .batch(let y)): x == y
        default: false
        }
    }

    /// A command that differed from itself would be carried out at each update of a view.
    private static func isSame<Number: BinaryFloatingPoint>(_ x: Number, _ y: Number) -> Bool {
        x == y || x.isNaN && y.isNaN
    }

    /// The command with copies of its filters, so that a later command is compared with their current state.
    var snapshot: PlaybackCommand {
        switch self {
        case .filter(let filter, let clear): .filter(filter.snapshot(), clear: clear)
        case .batch(let commands): .batch(commands.map(\.snapshot))
        default: self
        }
    }
}
