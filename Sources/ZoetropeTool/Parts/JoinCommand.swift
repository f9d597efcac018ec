import ArgumentParser
import Export
import Foundation
import MediaCore

/// The command `zoetrope join`, which joins the parts of a video into one file.
struct Join: ToolCommand {
    static let configuration = CommandConfiguration(
        abstract: "Join parts that `zoetrope render --part` has written.",
        usage: "zoetrope join [options] <part> ... --output <file>",
        discussion: """
            EXAMPLES
              # Render a video in two parts, and join them
              zoetrope render film.mkv -o 1.mp4 --part 1/2
              zoetrope render film.mkv -o 2.mp4 --part 2/2
              zoetrope join 1.mp4 2.mp4 -o film.mp4

            DESCRIPTION
              Parts can be named in any order. All parts of one export must be named once. Parts that are missing, named
              twice or from another export are an error that names them.

              The video is not encoded again. The result has the same frames, timestamps and audio samples as
              `zoetrope render --as-parts`.

            EXIT CODES
              0    The file was written.
              1    A part is missing, could not be read or is from another export, or the file could not be written.
              64   Invalid arguments.
              130  Interrupted by Ctrl-C; the unfinished file was deleted.
            """)

    @Argument(help: ArgumentHelp("Files of the parts, in any order.", valueName: "part"))
    var parts: [FileArgument]

    @OptionGroup(title: "Output") var target: JoinOutputOptions

    private var output: FileArgument { target.output }

    func report(of failure: ToolFailure) -> String? {
        target.reporting.report == nil ? nil : Self.failureLine(failure, ["status": "failed", "file": output.name])
    }

    func perform() throws {
        let join = PartJoin(parts.map(\.path), to: output.path, replaces: target.overwrite)
        let receivedSignal = ReceivedSignal()
        ExitSignals.setHandler { number in
            receivedSignal.set(number)
            join.cancel()
        }
        defer { ExitSignals.setHandler(nil) }
        let report: PartJoin.Report
        do throws(AVError) { report = try join.run() } catch { throw failure(error, receivedSignal.number) }
        if target.reporting.report != nil {
            try Console.out(ReportJSON.line(JoinReport(report, file: output.name)))
        }
    }

    private func failure(_ error: AVError, _ signal: Int32?) -> ToolFailure {
        switch error.code {
        case .cancelled: ToolFailure(.signal(signal ?? SIGINT), "Interrupted. “\(output.name)” was not written.")
        case .fileAlreadyExists:
            ToolFailure(
                .failed,
                "Can't write “\(output.name)”: the file already exists. Choose another name, or add --overwrite (-y).")
        default: ToolFailure(error)
        }
    }
}

/// The file that `zoetrope join` writes.
struct JoinOutputOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: ArgumentHelp("Write this file.", valueName: "file"))
    var output: FileArgument
    @Flag(name: [.customShort("y"), .long], help: "Replace the file if it exists.")
    var overwrite = false
    @OptionGroup var reporting: ReportOptions
}

/// The report of `zoetrope join --report json`.
private struct JoinReport: Encodable {
    var status = "completed"
    var file: String
    var parts: Int
    var pictures: Int
    var seconds: Double

    init(_ report: PartJoin.Report, file: String) {
        self.file = file
        parts = report.parts
        pictures = report.pictures
        seconds = report.seconds.inThousandths
    }
}
