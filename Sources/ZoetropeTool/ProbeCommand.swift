import ArgumentParser
import Foundation
import MediaCore
import MediaEngine

/// The command `zoetrope probe`, which shows the content of a file or an HLS stream as a table or as JSON.
struct Probe: ToolCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the format, tracks and metadata of a file or stream.",
        usage: "zoetrope probe [options] <file>",
        discussion: """
            EXAMPLES
              # Show a table
              zoetrope probe film.mkv
              # List the codecs
              zoetrope probe --json film.mkv | jq '.tracks[].codec'
              # Show the variants and tracks of an HLS stream
              zoetrope probe https://example.com/master.m3u8

            DESCRIPTION
              For an HLS stream, reads the playlists and the beginning of the first segments. The tracks are those that
              playback would start with.

              For a subtitle file, shows its format, character encoding and number of cues.

            EXIT CODES
              0    The file can be played, or is a subtitle file.
              1    The file could not be read, or no installed decoder can play it.
              64   Invalid arguments.
            """)

    @Argument(help: ArgumentHelp("Media file, stream URL or subtitle file; - for standard input.", valueName: "file"))
    var file: FileArgument

    @OptionGroup(title: "Network") var network: ReadingOptions
    @OptionGroup(title: "Output") var output: JSONOptions

    private var json: Bool { output.json }

    func report(of failure: ToolFailure) -> String? {
        json ? Self.failureLine(failure, ["file": file.name, "isPlayable": false, "tracks": [String]()]) : nil
    }

    func perform() throws {
        switch try read(network.interruptToken(for: file)) {
        case .subtitles(let report): try Console.out(json ? ReportJSON.pretty(report) : report.table)
        case .media(let report, let unplayable):
            try Console.out(json ? ReportJSON.pretty(report) : report.table)
            if let unplayable { throw ToolFailure(.failed, "\(unplayable)", isReported: true) }
        }
    }

    enum Found {
        /// A media file. `unplayable` is the reason why it can't be played, or nil.
        case media(ProbeReport, unplayable: AVError?)
        case subtitles(ProbeSubtitles)
    }

    func read(_ token: InterruptToken) throws -> Found {
        let url = try PlaySource.url(file)
        do throws(AVError) {
            let details = try AssetDetails.read(
                url, options: network.servers.access.asset(url).httpOptions, interrupt: token)
            return .media(ProbeReport(details, file: file.name), unplayable: details.unplayable)
        } catch {
            guard error.code == .noPlayableTracks || error.code == .fileFormatNotRecognized, url.isFileURL,
                let report = try ProbeSubtitles.read(url, name: file.name)
            else { throw error }
            return .subtitles(report)
        }
    }
}

/// Network options of commands that read a file and end.
struct ReadingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Stop with an error if a server or a pipe takes longer than this many seconds. Files on this computer have no limit.",
            valueName: "seconds"))
    var timeout = 60.0
    @OptionGroup var servers: ServerOptions

    /// Makes a token that interrupts the reading of `file` after `timeout`.
    func interruptToken(for file: FileArgument) -> InterruptToken {
        let token = InterruptToken()
        restartTimeout(of: token, for: file)
        return token
    }

    /// Lets `timeout` begin now. A regular file has no time limit: its data never arrives late, and decoding a long
    /// video takes time.
    func restartTimeout(of token: InterruptToken, for file: FileArgument) {
        if !file.isRegularMedia { token.setDeadline(HostClock.now() + Int64(timeout * 1e9)) }
    }

    func validate() throws {
        guard timeout > 0, timeout < 1e6 else {
            throw ValidationError(invalid: "--timeout", "\(timeout)", use: "a number of seconds greater than 0")
        }
    }
}

/// The option for JSON instead of a table.
struct JSONOptions: ParsableArguments {
    @Flag(help: "Print one JSON object.")
    var json = false
}
