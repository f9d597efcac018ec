import ArgumentParser
import Dispatch
import Export
import Foundation
import MediaCore
import MediaEngine

/// The command `zoetrope render`, which converts a video, or a part of it, to a new file.
struct Render: ToolCommand {
    static let configuration = CommandConfiguration(
        abstract: "Convert a video, or a part of it, to a new file.",
        usage: "zoetrope render [options] <file> --output <file>",
        discussion: """
            EXAMPLES
              # Convert to another format
              zoetrope render film.mkv -o film.mp4
              # Cut out a scene
              zoetrope render film.mp4 -o scene.mp4 --from 1:30 --to 1:42.5
              # Scale down
              zoetrope render film.mp4 -o phone.mp4 --preset 1280x720
              # Apply a filter and burn in subtitles
              zoetrope render film.mp4 -o new.mp4 --filter SepiaTone --subtitles film.srt
              # Make an animated GIF
              zoetrope render clip.mov -o clip.gif --width 320 --fps 10
              # Render the third of 16 parts; `zoetrope join` joins them
              zoetrope render film.mkv -o part3.mp4 --part 3/16

            DESCRIPTION
              The file name extension sets the format: .mp4, .m4v, .mov and .mkv hold H.264 and AAC, .webm holds VP9
              and Opus, .gif is an animated image.

              Frames are rotated upright, have square pixels and keep their timestamps. Audio is copied if the format
              supports it and nothing is cut; otherwise it is encoded.

              Ctrl-C deletes the unfinished file. If the output is a symbolic link, the file that it points to is written.

            EXIT CODES
              0    The file was written.
              1    The source could not be read, has no video, or the file could not be written.
              64   Invalid arguments.
              130  Interrupted by Ctrl-C; the unfinished file was deleted.
            """)

    @Argument(help: ArgumentHelp("Video file or URL; - for standard input.", valueName: "file"))
    var file: FileArgument

    @OptionGroup(title: "Output") var target: RenderOutputOptions
    @OptionGroup(title: "Input") var range: RenderRangeOptions
    @OptionGroup(title: "Parts") var parts: RenderPartOptions
    @OptionGroup var picture: PictureOptions
    @OptionGroup(title: "Network") var network: ServerOptions

    private var output: FileArgument { target.output }
    private var report: ReportOptions.Format? { target.reporting.report }

    func report(of failure: ToolFailure) -> String? {
        report == nil ? nil : Self.failureLine(failure, ["status": "failed", "file": output.name])
    }

    /// Creates the export that the options request.
    @MainActor func session() throws -> AVAssetExportSession {
        guard
            let session = AVAssetExportSession(
                asset: network.access.asset(try PlaySource.url(file)),
                presetName: target.preset.name)
        else {
            throw ValidationError(
                invalid: "--preset", target.preset.rawValue, use: "one of the presets in `zoetrope help render`")
        }
        session.outputURL = output.path
        session.outputFileType = target.type
        session.timeRange = CMTimeRange(start: range.from?.time ?? .zero, end: range.to?.time ?? .positiveInfinity)
        session.maximumWidth = target.width
        session.maximumFrameRate = target.fps
        session.replacesExistingFile = target.overwrite
        session.allowsTruncatedSource = range.allowTruncated
        session.division = try parts.division(picture)
        try picture.apply(to: session)
        return session
    }

    func perform() throws {
        // Commands of the tool run on the main thread.
        let session = try MainActor.assumeIsolated { try self.session() }
        let run = RenderRun(session, showsProgress: !target.quiet && isatty(STDERR_FILENO) == 1)
        let outcome = run.run()
        let failure = failure(of: session, run.signal)
        if failure == nil, session.exportProgress.losesAlpha {
            Console.note(
                "\(output.name): transparency was replaced with black. Use a .webm file to keep it.")
        }
        if report != nil {
            try Console.out(RenderReport(session, outcome, file: output.name, error: failure?.message).line)
        }
        if var failure {
            failure.isReported = true
            throw failure
        }
    }

    /// Returns the reason why the export failed; nil only if everything requested was written.
    func failure(of session: AVAssetExportSession, _ signal: Int32?) -> ToolFailure? {
        if session.status == .completed, session.error == nil { return nil }
        guard let error = session.error as? AVError else {
            return ToolFailure(
                .failed,
                "Can't write “\(output.name)”: the export stopped for an unknown reason. Please report this as a bug.")
        }
        switch error.code {
        case .cancelled:
            return ToolFailure(.signal(signal ?? SIGINT), "Interrupted. “\(output.name)” was not written.")
        case .fileAlreadyExists:
            return ToolFailure(
                .failed,
                "Can't write “\(output.name)”: the file already exists. Choose another name, or add --overwrite (-y).")
        case .fileTruncated where !range.allowTruncated:
            return ToolFailure(
                .failed, "\(error) To convert the file up to the point where it is cut off, add --allow-truncated.")
        case .noVideoTrack:
            return ToolFailure(
                .failed, "Can't convert “\(error.location)”: \(error.reason). Choose a file with a video track.")
        default: return ToolFailure(error)
        }
    }
}

/// Options for the file that `zoetrope render` writes, and for its messages.
struct RenderOutputOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: ArgumentHelp("Write this file.", valueName: "file"))
    var output: FileArgument
    @Flag(name: [.customShort("y"), .long], help: "Replace the file if it exists.")
    var overwrite = false
    @Flag(help: "Write a GIF, even if the file name has another extension.")
    var gif = false
    @Option(help: ArgumentHelp("Set the quality (high, medium, low), or the largest frame size.", valueName: "name"))
    var preset = PresetArgument.high
    @Option(
        help: ArgumentHelp(
            "Limit the width to this many pixels. The aspect ratio is kept. Default: the source's width; 480 for a GIF.",
            valueName: "pixels"))
    var width: Int?
    @Option(
        help: ArgumentHelp(
            "Limit the frame rate to this many frames per second. Default: the source's; 12.5 for a GIF.",
            valueName: "n"))
    var fps: Double?
    @OptionGroup var reporting: ReportOptions
    @Flag(help: "Hide the progress bar.")
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

    var type: AVFileType? { gif ? .gif : AVFileType(pathExtension: output.pathExtension) }

    func validate() throws {
        if output.name == "-" {
            throw ValidationError("Can't write a video to standard output. Name a file (./- for a file named “-”).")
        }
        if type == nil {
            let extensions = AVFileType.allWritable.map { "." + $0.preferredPathExtension }.joined(separator: ", ")
            throw ValidationError(
                invalid: "--output", output.name, use: "a file name that ends in one of \(extensions)")
        }
        if let width, !(2...16384).contains(width) {
            throw ValidationError(invalid: "--width", "\(width)", use: "a whole number from 2 to 16384")
        }
        if let fps, !(fps >= 0.1 && fps <= 1000) {
            throw ValidationError(invalid: "--fps", "\(fps)", use: "a number from 0.1 to 1000")
        }
    }
}

/// Options for the section of the source that `zoetrope render` converts.
struct RenderRangeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Start at this position: seconds or [h:]m:s.", valueName: "time"))
    var from: TimeArgument?
    @Option(help: ArgumentHelp("End at this position: seconds or [h:]m:s.", valueName: "time"))
    var to: TimeArgument?
    @Flag(help: "Convert a file that is cut off, up to the end of its data.")
    var allowTruncated = false

    func validate() throws {
        if let from, from.time < .zero {
            throw ValidationError(invalid: "--from", from.text, use: "a position of at least 0")
        }
        if let to, to.time <= from?.time ?? .zero {
            throw ValidationError(invalid: "--to", to.text, use: "a position after --from")
        }
    }
}
