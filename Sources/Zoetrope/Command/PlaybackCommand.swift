import Filters
import Foundation
import Overlays

/// What a player is told to do.
///
/// A command that equals the last one is ignored until `.idle`, so a view may say it again each time it
/// is updated. To do the same thing twice put `.idle` between. A number that is NaN changes nothing.
public enum PlaybackCommand: Equatable {
    /// Does nothing; the next command is carried out whatever it is.
    case idle
    /// From where it stands; from the beginning, if it stands at its end. Of a looped part (`Loop(from:to:)`) that is
    /// its start.
    case play
    /// Stands where it is; the picture stays.
    case pause
    /// To seconds from the start, exactly: before it is the start, beyond the end the end. Answered by the event
    /// `seek`; `play` says whether it plays from there on or stands. A NaN is answered by `seek(false, …)`.
    case seek(to: Double, play: Bool = true)
    /// Pauses, at the start, of a looped part at its. Answered by the event `seek`.
    case begin
    /// Pauses, at the end, on the last picture, also of a video that loops. Answered by the event `seek`.
    case end
    /// Without sound; the volume stays what it is.
    case mute
    /// With sound again, at the volume there was.
    case unmute
    /// 0…1, clamped.
    case volume(Float)
    /// Plays at so many times the normal speed, also a player that is paused; at least 0, clamped: 0 pauses. The engine
    /// goes up to 16, and with sound from 0.25 to 4. `AVPlayer`'s `rate`.
    case playbackSpeed(Float)
    /// From here on without end, whatever `Loop(count:)` says.
    case loop
    /// Lets the present pass be the last.
    case unloop
    /// Without the setting `PictureInPicture()` it has no effect; where nothing can float it is answered by the event
    /// `error(.notSupportedPiP)`.
    case startPiP
    /// The floating picture comes back into its view. Without the setting `PictureInPicture()` it has no effect.
    case stopPiP
    /// The video alone, in its window, which fills the screen; Escape, F11 and a double click leave. A picture that
    /// floats comes back for it. Without the setting `FullScreen()`, and where no view shows the player, it has no
    /// effect.
    case enterFullScreen
    /// Everything is where it was, the window as it was.
    case exitFullScreen
    /// −1…1, clamped; 0 is as the video is. Apart from the filters, and after them.
    case brightness(Float)
    /// 0…4, clamped; 1 is as the video is. Apart from the filters, and after them.
    case contrast(Float)
    /// Adds a filter, as it is now, behind those there are; `clear`: instead of them.
    case filter(CIFilter, clear: Bool = false)
    /// Takes away all filters; brightness and contrast stay.
    case removeAllFilters
    /// Adds a vector layer on top of those there are; `clear`: instead of them. Ignored without the setting
    /// `EnableVector()`.
    case addVector(any ShapeLayerBuilderProtocol, clear: Bool = false)
    /// Takes away all vector layers.
    case removeAllVectors
    /// The sound in this language, a BCP 47 tag (`de` finds `de-AT`, `ger` finds `de`). Without such a track nothing
    /// changes.
    case audioTrack(languageCode: String)
    /// The video's own subtitles in this language, a BCP 47 tag; nil: none. Where it has no such subtitles nothing
    /// changes: with the setting `Subtitles(name)` those of that file are shown.
    case subtitles(String?)
    /// The playlist's next source that is found, from its start; after the last one the first, if another pass of a
    /// loop is to come, else nothing happens.
    case next
    /// The playlist's previous source that is found (and can be played), from its start; before the first one the last,
    /// if it loops, else the first anew.
    case previous
    /// The playlist's source of this number, from its start; the first is 0. Without such a source nothing happens.
    case jump(to: Int)
    /// Several, in order. Inside, a command may equal the one before.
    case batch([PlaybackCommand])

    /// Filters are equal by name and parameters, vector builders by id.
    public static func == (a: PlaybackCommand, b: PlaybackCommand) -> Bool {
        switch (a, b) {
        case (.idle, .idle), (.play, .play), (.pause, .pause), (.begin, .begin), (.end, .end), (.mute, .mute),
            (.unmute, .unmute),
            (.loop, .loop), (.unloop, .unloop), (.startPiP, .startPiP), (.stopPiP, .stopPiP),
            (.enterFullScreen, .enterFullScreen), (.exitFullScreen, .exitFullScreen),
            (.next, .next), (.previous, .previous),
            (.removeAllFilters, .removeAllFilters), (.removeAllVectors, .removeAllVectors):
            true
        case (.seek(let x, let p), .seek(let y, let q)): x == y && p == q
        case (.volume(let x), .volume(let y)), (.playbackSpeed(let x), .playbackSpeed(let y)),
            (.brightness(let x), .brightness(let y)), (.contrast(let x), .contrast(let y)):
            x == y
        case (.filter(let x, let p), .filter(let y, let q)): x == y && p == q
        case (.addVector(let x, let p), .addVector(let y, let q)): x.id == y.id && p == q
        case (.audioTrack(let x), .audioTrack(let y)): x == y
        case (.subtitles(let x), .subtitles(let y)): x == y
        case (.jump(let x), .jump(let y)): x == y
        case (.batch(let x), .batch(let y)): x == y
        default: false
        }
    }

    /// The same, its filters as they are now: what a later one is compared with.
    var snapshot: PlaybackCommand {
        switch self {
        case .filter(let filter, let clear): .filter(filter.snapshot(), clear: clear)
        case .batch(let commands): .batch(commands.map(\.snapshot))
        default: self
        }
    }
}
