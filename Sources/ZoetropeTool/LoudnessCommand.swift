import ArgumentParser
import Foundation
import MediaCore
import MediaEngine

/// The command `zoetrope loudness`, which measures the loudness of a file.
struct Loudness: ToolCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure the loudness of a file's audio.",
        usage: "zoetrope loudness [options] <file>",
        discussion: """
            EXAMPLES
              # Show the integrated loudness and the true peak
              zoetrope loudness film.mkv
              # Print them as JSON
              zoetrope loudness --json film.mkv

            DESCRIPTION
              Reads the whole audio track that playback would start with, and measures it as EBU R 128 describes:
              integrated loudness in LUFS, and the true peak in dBTP.

            EXIT CODES
              0    The loudness was measured.
              1    The file could not be read, or has no audio.
              64   Invalid arguments.
            """)

    @Argument(help: ArgumentHelp("Media file.", valueName: "file"))
    var file: FileArgument

    @OptionGroup(title: "Output") var output: JSONOptions

    func report(of failure: ToolFailure) -> String? {
        output.json ? Self.failureLine(failure, ["file": file.name]) : nil
    }

    func perform() throws {
        let report = try measured(InterruptToken())
        try Console.out(output.json ? ReportJSON.line(report) : report.text)
    }

    func measured(_ token: InterruptToken) throws(AVError) -> LoudnessReport {
        LoudnessReport(try FileLoudness.measure(file.url, interrupt: token), file: file.name)
    }
}

/// The report of `zoetrope loudness`.
struct LoudnessReport: Encodable {
    var file: String
    /// The integrated loudness in LUFS; null for silence.
    @OrNull var integrated: Double?
    /// The true peak in dBTP; null if unknown.
    @OrNull var truePeak: Double?

    init(_ loudness: FileLoudness, file: String) {
        self.file = file
        integrated = loudness.integrated?.inThousandths
        truePeak = loudness.truePeak?.inThousandths
    }

    var text: String {
        guard let integrated else { return "\(file): silent, or shorter than 0.4 s" }
        let peak = truePeak.map { String(format: ", true peak %.1f dBTP", $0) } ?? ""
        return file + String(format: ": %.1f LUFS", integrated) + peak
    }
}
