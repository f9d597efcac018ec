import ArgumentParser
import Foundation
import MediaCore
import MediaEngine
import PlayerApp
import Presentation

/// `zoetrope play`
struct Play: ToolCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play files in a window, one after the other without a gap.",
        discussion: """
            Without FILE the built-in sample loop plays. A folder stands for the media in it, in the order of their names;
            a list (M3U, PLS, XSPF), also on a server, for what it names; `-` for standard input, of which the last --stdin-buffer MiB are
            kept in a file without a name (TMPDIR, else /var/tmp), so that one can go back in it. An .m3u8 that is an HLS
            playlist is one stream. Subtitles that lie beside a film under its name (film.srt, film.en.vtt, Subs/film.de.ass)
            can be chosen; those in the language of --subtitle-language, else of the user, or in none, are shown.

            EXAMPLES
              zoetrope play film.mp4
              zoetrope play intro.mp4 film.mkv --volume 0.5
              zoetrope play background.mp4 --loop --mute
              zoetrope play film.mkv --audio de --start 1:30
              zoetrope play Series/ list.m3u https://example.org/talk.mp4
              ffmpeg -i in.avi -f matroska - | zoetrope -
              zoetrope play film.mp4 --filter SepiaTone --filter GaussianBlur:radius=4 --contrast 1.2
              zoetrope play film.mp4 --headless --seconds 5 --report json

            KEYS AND MOUSE
            \(KeyTable.text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "  " + $0 }.joined(separator: "\n"))

              The pointer brings the controls, which go when it rests: position with a picture of the place, volume, speed, subtitles,
              sound, quality, loops, a renderer in the network, full screen.

            EXIT CODES
              0 it played · 1 it could not be played, or nothing was shown (standard error says why) · 64 wrong usage · 130 interrupted
            """)

    @Argument(
        help: ArgumentHelp(
            "Media files, folders, lists, URLs; - for standard input; none: the sample.", valueName: "file"))
    var files: [FileArgument] = []
    @Flag(help: "Play over and over without a seam.")
    var loop = false
    @Flag(help: "Start muted.")
    var mute = false
    @Option(help: ArgumentHelp("Speed, 0.05–16; sound keeps its pitch from 0.25 to 4.", valueName: "rate"))
    var speed: Float = 1
    @Option(help: ArgumentHelp("Where to start: seconds or [h:]m:s.", valueName: "time"))
    var start: TimeArgument?
    @Option(help: ArgumentHelp("Volume, 0–1.", valueName: "level"))
    var volume: Float = 1
    @Option(
        help: ArgumentHelp(
            "Audio language (BCP-47, such as en or de-AT); several by commas, best first.", valueName: "lang"))
    var audio: String?
    @Option(help: ArgumentHelp("How pictures reach the screen: auto, gl or cpu.", valueName: "renderer"))
    var renderer: RendererChoice = .auto
    @Flag(help: "No window: decode, keep time and sound, show nothing.")
    var headless = false
    @Option(help: ArgumentHelp("Stop after this many seconds.", valueName: "seconds"))
    var seconds: Double?
    @Option(help: ArgumentHelp("Stop after this many pictures were shown.", valueName: "n"))
    var frames: Int?
    @Option(help: ArgumentHelp("Show this many players of the first file in one window.", valueName: "n"))
    var wall: Int = 1
    @Option(help: ArgumentHelp("Print a report as the last line of standard output: json.", valueName: "format"))
    var report: ReportFormat?
    @Flag(help: "Open fullscreen.")
    var fullscreen = false
    @Flag(name: .customLong("no-controls"), help: "Show no controls when the pointer moves; keys stay.")
    var noControls = false
    @Option(help: ArgumentHelp("Window size, such as 1280x720; default: the picture's own.", valueName: "WxH"))
    var size: String?

    @Flag(help: "Check no certificates of https servers: for a server of your own.")
    var insecure = false

    @Flag(help: "Also send a URL's password and a list's headers to other servers that a stream names.")
    var shareCredentials = false
    @Option(
        name: .customLong("subtitle-language"),
        help: ArgumentHelp(
            "Show the file's or stream's own subtitles in this language (BCP-47); several by commas, best first.",
            valueName: "lang"))
    var subtitleLanguage: String?
    @Option(
        name: .customLong("stdin-buffer"),
        help: ArgumentHelp(
            "Of standard input, so much is kept on disk to go back in: 1 to 1048576 MiB.", valueName: "MiB"))
    var stdinBuffer = 1024
    @OptionGroup(title: "The picture") var picture: PictureOptions

    enum RendererChoice: String, ExpressibleByArgument, CaseIterable { case auto, gl, cpu }
    enum ReportFormat: String, ExpressibleByArgument, CaseIterable { case json }

    func validate() throws {
        guard speed > 0, speed <= 16 else {
            throw ValidationError("--speed is \(speed); it must lie above 0 and at most at 16.")
        }
        guard volume >= 0, volume <= 1 else {
            throw ValidationError("--volume is \(volume); it must lie between 0 and 1.")
        }
        if let seconds, !(seconds > 0) { throw ValidationError("--seconds is \(seconds); it must be more than 0.") }
        if let frames, frames < 1 { throw ValidationError("--frames is \(frames); it must be at least 1.") }
        guard (1...64).contains(wall) else { throw ValidationError("--wall is \(wall); it must lie between 1 and 64.") }
        guard (1...1_048_576).contains(stdinBuffer) else {
            throw ValidationError("--stdin-buffer is \(stdinBuffer); it must lie between 1 and 1048576.")
        }
        if wall > 1, files.count > 1 { throw ValidationError("--wall shows one file many times; name one file.") }
        if let size, WindowSize(size) == nil {
            throw ValidationError("--size “\(size)” is no size; write WxH, such as 1280x720.")
        }
    }

    /// What fails before there is a session; that one tells more.
    func report(of failure: ToolFailure) -> String? {
        report == nil ? nil : Self.failureLine(failure, ["status": "failed"])
    }

    func perform() throws {
        try MainActor.assumeIsolated { try PlaySession(self).run() }
    }

    struct WindowSize {
        var width: Int
        var height: Int
        init?(_ text: String) {
            let parts = text.lowercased().split(separator: "x").compactMap { Int($0) }
            guard parts.count == 2, (16...16384).contains(parts[0]), (16...16384).contains(parts[1]) else { return nil }
            width = parts[0]
            height = parts[1]
        }
    }
}
