import ArgumentParser
import Composition
import Dispatch
import Foundation
import MediaCore
import MediaEngine

/// `zoetrope render`: a video, or a stretch of it, as a new file.
struct Render: ToolCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write a video, or a stretch of it, into a new file, faster than it plays.",
        discussion: """
            The kind of file is told by its ending: .mp4, .m4v, .mov, .mkv (H.264, AAC), .webm (VP9, Opus), .gif.
            Pictures come out upright and in square pixels, at their own times. Sound is copied where the file
            takes it and nothing is cut, else encoded. Ctrl-C removes what was written. A link is written through.

            EXAMPLES
              zoetrope render film.mkv -o film.mp4
              zoetrope render film.mp4 -o scene.mp4 --from 1:30 --to 1:42.5
              zoetrope render film.mp4 -o phone.mp4 --preset 1280x720
              zoetrope render film.mp4 -o sepia.mp4 --filter SepiaTone --subtitles film.en.srt
              zoetrope render clip.mov -o clip.gif --width 320 --fps 10
              zoetrope render https://example.com/master.m3u8 -o talk.mp4 --from 60 --to 120

            EXIT CODES
              0    the file was written
              1    the source could not be read, has no video, or the file could not be written
              64   the command line makes no sense
              130  interrupted (128 + the signal); nothing is left of the file
            """)

    @Argument(help: ArgumentHelp("The video file, or its URL.", valueName: "file"))
    var file: FileArgument

    @Flag(help: "Check no certificates of https servers: for a server of your own.")
    var insecure = false

    @Option(name: .shortAndLong, help: ArgumentHelp("The file to write.", valueName: "file"))
    var output: FileArgument

    @Option(help: ArgumentHelp("Where to begin: seconds, or [hh:]mm:ss[.fff].", valueName: "time"))
    var from: TimeArgument?

    @Option(help: ArgumentHelp("Where to end.", valueName: "time"))
    var to: TimeArgument?

    @Option(
        help: ArgumentHelp(
            "high, medium, low, or the size to fit into: 640x480, 960x540, 1280x720, 1920x1080, 3840x2160.",
            valueName: "name"))
    var preset = PresetArgument.high

    @Option(
        help: ArgumentHelp(
            "Largest width, pixels; the aspect is kept. Default: the source's; of a GIF 480.", valueName: "pixels"))
    var width: Int?

    @Option(help: ArgumentHelp("Most pictures a second. Default: the source's; of a GIF 12.5.", valueName: "n"))
    var fps: Double?

    @Flag(help: "Write a GIF, whatever the file's name ends in.")
    var gif = false

    @Flag(name: [.customShort("y"), .long], help: "Replace the file if it exists.")
    var overwrite = false

    @Flag(help: "Write what there is of a file that is cut off, instead of failing.")
    var allowTruncated = false

    @OptionGroup(title: "The picture") var picture: PictureOptions

    @Option(help: ArgumentHelp("Print a report as the last line of standard output: json.", valueName: "format"))
    var report: Play.ReportFormat?

    @Flag(help: "No progress bar.")
    var quiet = false

    enum PresetArgument: String, ExpressibleByArgument, CaseIterable {
        case high, medium, low
        case size640 = "640x480"
        case size960 = "960x540"
        case size1280 = "1280x720"
        case size1920 = "1920x1080"
        case size3840 = "3840x2160"

        var name: String {
            switch self {
            case .high: AVAssetExportPresetHighestQuality
            case .medium: AVAssetExportPresetMediumQuality
            case .low: AVAssetExportPresetLowQuality
            case .size640: AVAssetExportPreset640x480
            case .size960: AVAssetExportPreset960x540
            case .size1280: AVAssetExportPreset1280x720
            case .size1920: AVAssetExportPreset1920x1080
            case .size3840: AVAssetExportPreset3840x2160
            }
        }
    }

    func validate() throws {
        if output.name == "-" {
            throw ValidationError("A video is not written to standard output: name a file. (One of the name - is ./-)")
        }
        if type == nil {
            throw ValidationError(
                "The file's name must end in \(AVFileType.allWritable.map { "." + $0.preferredPathExtension }.joined(separator: ", ")): \(output.name)"
            )
        }
        if let width, !(2...16384).contains(width) {
            throw ValidationError("--width is \(width); it must lie between 2 and 16384.")
        }
        if let fps, !(fps >= 0.1 && fps <= 1000) {
            throw ValidationError("--fps is \(fps); it must lie between 0.1 and 1000.")
        }
        if let from, from.time < .zero { throw ValidationError("--from must be 0 or later.") }
        if let to, to.time <= from?.time ?? .zero { throw ValidationError("--to must lie after --from.") }
    }

    private var type: AVFileType? { gif ? .gif : AVFileType(pathExtension: output.pathExtension) }

    func report(of failure: ToolFailure) -> String? {
        report == nil ? nil : Self.failureLine(failure, ["status": "failed", "file": output.name])
    }

    func perform() throws {
        guard
            let session = AVAssetExportSession(
                asset: MediaLocation.asset(try PlaySource.url(file), insecure: insecure), presetName: preset.name)
        else {
            throw ValidationError("Unknown preset: \(preset.rawValue)")
        }
        session.outputURL = output.path
        session.outputFileType = type
        session.timeRange = CMTimeRange(start: from?.time ?? .zero, end: to?.time ?? .positiveInfinity)
        session.maximumWidth = width
        session.maximumFrameRate = fps
        session.replacesExistingFile = overwrite
        session.allowsTruncatedSource = allowTruncated
        // The tool's commands run on the main thread.
        try MainActor.assumeIsolated { try picture.apply(to: session) }
        let run = RenderRun(session, showsProgress: !quiet && isatty(STDERR_FILENO) == 1)
        let outcome = run.run()
        let failure = failure(of: session, run)
        if failure == nil, session.exportProgress.losesAlpha {
            Console.note(
                "\(output.name): what is transparent in the source is over black; a .webm keeps it transparent")
        }
        if report != nil {
            try Console.out(RenderReport(session, outcome, file: output.name, error: failure?.message).line)
        }
        if var failure {
            failure.isReported = true
            throw failure
        }
    }

    /// Nil only when all that was asked for has been written.
    private func failure(of session: AVAssetExportSession, _ run: RenderRun) -> ToolFailure? {
        if session.status == .completed, session.error == nil { return nil }
        guard let error = session.error as? AVError else {
            return ToolFailure(
                .failed,
                "\(output.name): the export ended without being complete, and nobody said why; please report this")
        }
        switch error.code {
        case .cancelled:
            return ToolFailure(.signal(run.signal ?? SIGINT), "interrupted; \(output.name) was not written")
        case .fileAlreadyExists:
            return ToolFailure(
                .failed, "\(output.name) exists already. Choose another name, or replace it with --overwrite (-y)")
        default: return ToolFailure(error)
        }
    }
}
