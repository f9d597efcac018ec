import ArgumentParser
import MediaCore
import PlayerApp

/// The command `zoetrope play`, which plays media in a window.
struct Play: ToolCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play files, playlists and streams in a window, without gaps.",
        usage: "zoetrope play [options] [<file> ...]",
        discussion: """
            EXAMPLES
              # Play two files, one after the other
              zoetrope play intro.mp4 film.mkv
              # Start at 1 min 30 s, with the German audio track
              zoetrope play film.mkv --start 1:30 --audio de
              # Loop a background video without audio
              zoetrope play background.mp4 --loop --mute
              # Play a folder, a playlist and a file from a server
              zoetrope play Series/ list.m3u https://example.org/talk.mp4
              # Play what another program writes
              ffmpeg -i in.avi -f matroska - | zoetrope -
              # Apply filters
              zoetrope play film.mp4 --filter SepiaTone --contrast 1.2
              # Play 5 seconds without a window and print statistics
              zoetrope play film.mp4 --headless --seconds 5 --report json

            DESCRIPTION
              Plays every <file> in order. `zoetrope play` without <file> plays the built-in sample video.

              For a folder, plays the media files in it, sorted by name. For a playlist (M3U, PLS or XSPF, also on a
              server), plays its entries. An .m3u8 file that is an HLS playlist is played as one stream.

              Subtitle files with the name of the video (film.srt, film.en.vtt, Subs/film.de.ass) can be selected
              during playback. With --subtitle-language, playback starts with the video's subtitle track in this
              language, or else with the file in this language. Without the option, it starts with the file in the
              language of your system, or else with a file without a language in its name. Without such a file, it starts
              with the subtitle track that the video marks as default or forced.

              `-` plays standard input. The most recent data (1024 MiB, or --stdin-buffer) is kept in a temporary file
              in $TMPDIR or /var/tmp, so that you can seek back.

            KEYS AND MOUSE
            \(KeyTable.text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "  " + $0 }.joined(separator: "\n"))

              Moving the pointer shows the controls; they hide when it stops. They have a seek bar with thumbnails,
              volume, speed, subtitles, audio track, quality, looping, cast devices and full screen.

            EXIT CODES
              0    Everything was played. A local file that is cut off plays up to that point, with a warning.
              1    A file could not be played, a file on a server was cut off, or nothing was played. The reason is on
                   standard error.
              64   Invalid arguments.
              130  Interrupted by Ctrl-C.
            """)

    @Argument(
        help: ArgumentHelp(
            "Media files, folders, playlists or URLs; - for standard input.", valueName: "file"))
    var files: [FileArgument] = []

    @OptionGroup(title: "Playback") var playback: PlaybackOptions
    @OptionGroup(title: "Video") var display: DisplayOptions
    @OptionGroup(title: "Audio") var audio: AudioOptions
    @OptionGroup var picture: PictureOptions
    @OptionGroup(title: "Subtitles") var subtitles: SubtitleLanguageOptions
    @OptionGroup(title: "Window") var window: WindowOptions
    @OptionGroup(title: "Network") var network: ServerOptions
    @OptionGroup(title: "Output") var output: ReportOptions

    func validate() throws {
        if window.wall > 1, files.count > 1 {
            throw ValidationError("--wall shows one file several times. Name only one file.")
        }
    }

    /// Returns the report of a failure that occurs before a session exists. A session has its own report.
    func report(of failure: ToolFailure) -> String? {
        output.report == nil ? nil : Self.failureLine(failure, ["status": "failed"])
    }

    func perform() throws {
        try MainActor.assumeIsolated {
            AudioIdentity.identifier = PlayerApplication.identifier
            try PlaySession(self).run()
        }
    }
}

/// Options for start, end and repetition of playback.
struct PlaybackOptions: ParsableArguments {
    @Flag(help: "Loop seamlessly.")
    var loop = false
    @Option(help: ArgumentHelp("Start at this position: seconds or [h:]m:s.", valueName: "time"))
    var start: TimeArgument?
    @Option(
        help: ArgumentHelp(
            "Set the speed, 0.05 to 16. From 0.25 to 4, the audio keeps its pitch. Outside this range, there is no audio.",
            valueName: "factor"))
    var speed: Float = 1
    @Option(help: ArgumentHelp("Stop after this many seconds.", valueName: "seconds"))
    var seconds: Double?
    @Option(help: ArgumentHelp("Stop after this many displayed frames.", valueName: "n"))
    var frames: Int?
    @Option(
        name: .customLong("stdin-buffer"),
        help: ArgumentHelp(
            "Keep this many MiB of the most recent standard input on disk, so that you can seek back: 1 to 1048576.",
            valueName: "MiB"))
    var stdinBuffer = 1024

    func validate() throws {
        guard (0.05...16).contains(speed) else {
            throw ValidationError(invalid: "--speed", "\(speed)", use: "a number from 0.05 to 16")
        }
        if let seconds, !(seconds > 0) {
            throw ValidationError(invalid: "--seconds", "\(seconds)", use: "a number greater than 0")
        }
        if let frames, frames < 1 {
            throw ValidationError(invalid: "--frames", "\(frames)", use: "a whole number of at least 1")
        }
        guard (1...1_048_576).contains(stdinBuffer) else {
            throw ValidationError(
                invalid: "--stdin-buffer", "\(stdinBuffer)", use: "a whole number from 1 to 1048576 (MiB)")
        }
    }
}

/// Options for the drawing of frames.
struct DisplayOptions: ParsableArguments {
    enum RendererChoice: String, ExpressibleByArgument, CaseIterable { case auto, gl, cpu }

    @Option(
        help: ArgumentHelp(
            "Draw frames with OpenGL (gl) or in software (cpu), or choose automatically (auto).",
            valueName: "renderer"))
    var renderer: RendererChoice = .auto
}

/// Options for volume and audio track.
struct AudioOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Set the volume, 0 to 1.", valueName: "level"))
    var volume: Float = 1
    @Flag(help: "Start muted.")
    var mute = false
    @Option(
        name: .customLong("audio"),
        help: ArgumentHelp(
            "Play the audio track in this language, such as en or de-AT (BCP 47). Separate several languages with commas, the preferred one first.",
            valueName: "languages"))
    var language: String?

    func validate() throws {
        guard volume >= 0, volume <= 1 else {
            throw ValidationError(invalid: "--volume", "\(volume)", use: "a number from 0 to 1")
        }
    }
}

/// Options that select the subtitle tracks of a file or stream.
struct SubtitleLanguageOptions: ParsableArguments {
    @Option(
        name: .customLong("subtitle-language"),
        help: ArgumentHelp(
            "Show the subtitles in this language, such as en or de-AT (BCP 47). Separate several languages with commas, the preferred one first.",
            valueName: "languages"))
    var language: String?
}

/// Options for the window of `zoetrope play`.
struct WindowOptions: ParsableArguments {
    @Flag(help: "Open in full screen.")
    var fullscreen = false
    @Option(
        help: ArgumentHelp(
            "Set the window size in points, such as 1280x720. A point is one pixel, or more if the desktop scales windows. Default: the size of the video, at most 1280x720.",
            valueName: "WxH"))
    var size: String?
    @Flag(name: .customLong("no-controls"), help: "Hide the on-screen controls. Keyboard shortcuts still work.")
    var noControls = false
    @Option(
        help: ArgumentHelp(
            "Show the file this many times in a grid in one window, 1 to 64. Name only one file.", valueName: "n"))
    var wall: Int = 1
    @Flag(help: "Play without a window: play the audio, and decode the video without showing it.")
    var headless = false

    func validate() throws {
        guard (1...64).contains(wall) else {
            throw ValidationError(invalid: "--wall", "\(wall)", use: "a whole number from 1 to 64")
        }
        if let size, WindowSize(size) == nil {
            throw ValidationError(
                invalid: "--size", size, use: "width and height from 16 to 16384, such as 1280x720")
        }
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

/// Options for a report that programs can read.
struct ReportOptions: ParsableArguments {
    enum Format: String, ExpressibleByArgument, CaseIterable { case json }

    @Option(help: ArgumentHelp("Print a report as the last line of standard output.", valueName: "format"))
    var report: Format?
}

extension ValidationError {
    /// Creates a message such as: Invalid value “7” for --volume. Use a number from 0 to 1.
    init(invalid option: String, _ value: String, use: String) {
        // Whole numbers are shown as people type them: 99, not 99.0.
        let shown = value.hasSuffix(".0") && Double(value) != nil ? String(value.dropLast(2)) : value
        self.init("Invalid value “\(shown)” for \(option). Use \(use).")
    }
}
