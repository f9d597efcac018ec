import ArgumentParser
import Foundation
import MediaCore
import MediaEngine

/// `zoetrope probe`: what a file holds, for people or as JSON.
struct Probe: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Tell what a media file holds.",
        discussion: """
            EXAMPLES
              zoetrope probe film.mkv
              zoetrope probe --json film.mkv | jq '.tracks[].codec'

            EXIT CODES
              0   the file can be played
              1   it could not be read, or no installed decoder plays it
              64  the command line makes no sense
            """)

    @Argument(help: ArgumentHelp("The media file.", valueName: "file"))
    var file: String

    @Flag(help: "Print one JSON object with everything known.")
    var json = false

    func run() throws {
        let details: AssetDetails
        do {
            details = try AssetDetails.read(MediaLocation.url(file))
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
