import ArgumentParser
import Foundation
import MediaCore
import MediaEngine

/// `zoetrope probe`: what a file or an HLS stream holds, for people or as JSON.
struct Probe: ToolCommand {
    static let configuration = CommandConfiguration(
        abstract: "Tell what a media file or an HLS stream holds.",
        discussion: """
            Of an HLS stream its playlists are read and as much of its first segments as tells
            their tracks; the tracks are those with which playing would begin.
            Of a file of subtitles its format, its encoding and its cues are told.

            EXAMPLES
              zoetrope probe film.mkv
              zoetrope probe --json film.mkv | jq '.tracks[].codec'
              zoetrope probe https://example.com/master.m3u8
              zoetrope probe --json https://example.com/master.m3u8 | jq '.stream.variants[].peakBitRate'

            EXIT CODES
              0   the file can be played, or is a file of subtitles
              1   it could not be read, or no installed decoder plays it
              64  the command line makes no sense
            """)

    @Argument(help: ArgumentHelp("The media file, or its URL.", valueName: "file"))
    var file: FileArgument

    @Flag(help: "Check no certificates of https servers: for a server of your own.")
    var insecure = false

    @Flag(help: "Print one JSON object with everything known.")
    var json = false

    @Option(help: ArgumentHelp("Give up after this long.", valueName: "seconds"))
    var timeout = 60.0

    func validate() throws {
        guard timeout > 0, timeout < 1e6 else { throw ValidationError("--timeout must be above 0 seconds.") }
    }

    func report(of failure: ToolFailure) -> String? {
        json ? Self.failureLine(failure, ["file": file.name, "isPlayable": false, "tracks": [String]()]) : nil
    }

    func perform() throws {
        let url = try PlaySource.url(file)
        let token = InterruptToken()
        token.setDeadline(HostClock.now() + Int64(timeout * 1e9))
        let details: AssetDetails
        do throws(AVError) {
            details = try AssetDetails.read(
                url, options: MediaLocation.asset(url, insecure: insecure).httpOptions, interrupt: token)
        } catch {
            guard error.code == .noPlayableTracks || error.code == .fileFormatNotRecognized, url.isFileURL,
                let words = try ProbeSubtitles.read(url, name: file.name)
            else { throw error }
            return try Console.out(json ? ReportJSON.pretty(words) : words.table)
        }
        let report = ProbeReport(details, file: file.name)
        if json {
            try Console.out(ReportJSON.pretty(report))
        } else {
            try Console.out(report.table)
        }
        if let error = details.unplayable { throw ToolFailure(.failed, "\(error)", isReported: true) }
    }
}
