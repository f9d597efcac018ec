import ArgumentParser
import Foundation
import MediaCore
import MediaEngine

/// `zoetrope probe`: what a file or an HLS stream holds, for people or as JSON.
struct Probe: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Tell what a media file or an HLS stream holds.",
        discussion: """
            Of an HLS stream its playlists are read and as much of its first segments as tells
            their tracks; the tracks are those with which playing would begin.

            EXAMPLES
              zoetrope probe film.mkv
              zoetrope probe --json film.mkv | jq '.tracks[].codec'
              zoetrope probe https://example.com/master.m3u8
              zoetrope probe --json https://example.com/master.m3u8 | jq '.stream.variants[].peakBitRate'

            EXIT CODES
              0   the file can be played
              1   it could not be read, or no installed decoder plays it
              64  the command line makes no sense
            """)

    @Argument(help: ArgumentHelp("The media file, or its URL.", valueName: "file"))
    var file: String

    @Flag(help: "Print one JSON object with everything known.")
    var json = false

    @Option(help: ArgumentHelp("Give up after this long.", valueName: "seconds"))
    var timeout = 60.0

    func validate() throws {
        guard timeout > 0, timeout < 1e6 else { throw ValidationError("--timeout must be above 0 seconds.") }
    }

    func run() throws {
        let details: AssetDetails
        do {
            let token = InterruptToken()
            token.setDeadline(HostClock.now() + Int64(timeout * 1e9))
            details = try AssetDetails.read(MediaLocation.url(file), interrupt: token)
        } catch {
            throw Failure.report(error)
        }
        let report = ProbeReport(details, file: file)
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            print(String(decoding: try encoder.encode(report), as: UTF8.self))
        } else {
            print(report.table)
        }
        if let error = details.unplayable { throw Failure.report(error) }
    }
}

/// How the tool ends badly: one line on standard error, exit code 1.
enum Failure {
    static func report(_ error: any Error) -> ExitCode {
        FileHandle.standardError.write(Data("zoetrope: \(error)\n".utf8))
        return ExitCode(1)
    }
}
