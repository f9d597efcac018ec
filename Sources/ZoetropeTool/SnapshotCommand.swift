import ArgumentParser
import Export
import Foundation
import MediaCore
import MediaEngine

/// The command `zoetrope snapshot`, which saves one frame of a video as an image.
struct Snapshot: ToolCommand {
    static let configuration = CommandConfiguration(
        abstract: "Save one frame of a video as a PNG or JPEG file.",
        usage: "zoetrope snapshot [options] <file> --output <image>",
        discussion: """
            EXAMPLES
              # Save the frame at 12.5 seconds
              zoetrope snapshot film.mkv --at 12.5 -o still.png
              # Save a frame as JPEG, 320 pixels wide
              zoetrope snapshot film.mkv --at 1:02:03 --max-width 320 -o still.jpg
              # Apply a filter
              zoetrope snapshot film.mkv --filter SepiaTone:intensity=0.8 -o still.png
              # Save a frame near 90 s of a stream: faster than the exact one
              zoetrope snapshot https://example.com/master.m3u8 --at 90 --tolerance 5 -o still.jpg

            DESCRIPTION
              Saves exactly the frame displayed at --at, rotated upright and with square pixels. If --at is after the
              end, saves the last frame.

              An HLS stream has variants of different sizes. The frame is from the largest variant, or with --max-width
              from the smallest one that is wide enough.

            EXIT CODES
              0    The image was written.
              1    The file could not be read, has no video, or the image could not be written.
              64   Invalid arguments.
            """)

    @Argument(help: ArgumentHelp("Video file or URL; - for standard input.", valueName: "file"))
    var file: FileArgument

    @OptionGroup(title: "Output") var image: ImageOptions
    @OptionGroup(title: "Video") var position: PositionOptions
    @OptionGroup var picture: PictureOptions
    @OptionGroup(title: "Network") var network: ReadingOptions

    private var maxWidth: Int? { image.maxWidth }
    private var output: FileArgument { image.output }

    /// Returns the size of the image; nil if the frame keeps its own size.
    private func size(of frame: VideoFrame) -> (width: Int, height: Int)? {
        guard let maxWidth, frame.presentationSize.width > Double(maxWidth) else { return nil }
        return (
            maxWidth,
            max(
                1,
                Int(
                    saturating: (Double(maxWidth) * frame.presentationSize.height / frame.presentationSize.width)
                        .rounded()))
        )
    }

    func report(of failure: ToolFailure) -> String? { nil }

    func perform() throws { try write(network.interruptToken(for: file)) }

    func write(_ token: InterruptToken) throws {
        guard let format = image.format else { throw ImageOptions.unknownFormat(output) }
        let generator = AVAssetImageGenerator(
            asset: network.servers.access.asset(try PlaySource.url(file)))
        if let maxWidth { generator.maximumSize = CGSize(width: maxWidth, height: 0) }
        generator.requestedTimeToleranceBefore = CMTime(seconds: position.tolerance, preferredTimescale: 1_000_000)
        generator.requestedTimeToleranceAfter = generator.requestedTimeToleranceBefore
        let composer = try picture.offline()
        if composer != nil { generator.maximumSize = .zero }
        var frame = try generator.copyImage(at: position.at.time, interrupt: token)
        // Filters need the video's own pixels, so they are applied before the frame is scaled down.
        if let composer { frame = try composer.compose(frame, at: position.at.time, size: size(of: frame)) }
        try AtomicFile.write(Array(frame.encoded(as: format)), to: output.path, timeout: network.timeout)
    }
}

/// Options for the image that `zoetrope snapshot` writes.
struct ImageOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: ArgumentHelp("Write this file: .png, .jpg or .jpeg.", valueName: "image"))
    var output: FileArgument
    @Option(
        help: ArgumentHelp("Limit the width to this many pixels. The aspect ratio is kept.", valueName: "pixels"))
    var maxWidth: Int?

    var format: ImageFormat? { ImageFormat(pathExtension: output.pathExtension) }

    static func unknownFormat(_ output: FileArgument) -> ValidationError {
        ValidationError(invalid: "--output", output.name, use: "a file name that ends in .png, .jpg or .jpeg")
    }

    func validate() throws {
        guard format != nil else { throw ImageOptions.unknownFormat(output) }
        if let maxWidth, maxWidth < 1 {
            throw ValidationError(invalid: "--max-width", "\(maxWidth)", use: "a whole number of at least 1")
        }
    }
}

/// Options for the frame that `zoetrope snapshot` saves.
struct PositionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Save the frame at this time: seconds or [h:]m:s.", valueName: "time"))
    var at = TimeArgument(time: .zero)
    @Option(
        help: ArgumentHelp(
            "Accept a frame up to this many seconds away from --at, which is faster. If a stream has an I-frame playlist, the command may load only one frame of it.",
            valueName: "seconds"))
    var tolerance = 0.0

    func validate() throws {
        guard tolerance >= 0, tolerance < 1e6 else {
            throw ValidationError(invalid: "--tolerance", "\(tolerance)", use: "a number of seconds, at least 0")
        }
    }
}

/// A time on the command line: `12.5`, `90`, `1:30`, `01:02:03.250`.
struct TimeArgument: ExpressibleByArgument {
    var time: CMTime
    /// The text as the user typed it, for messages.
    private(set) var text: String

    init(time: CMTime) {
        self.time = time
        text = String(time.seconds)
    }

    init?(argument: String) {
        let negative = argument.hasPrefix("-")
        let parts = argument.drop { $0 == "-" }.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), let last = parts.last, last.allSatisfy({ $0.isNumber || $0 == "." }),
            let seconds = Double(last), seconds.isFinite,
            parts.count == 1 || seconds < 60
        else { return nil }
        var whole = 0.0
        for (index, part) in parts.dropLast().enumerated() {
            guard let number = UInt32(part), index == 0 || number < 60 else { return nil }
            whole = whole * 60 + Double(number)
        }
        text = argument
        time = CMTime(seconds: (negative ? -1 : 1) * (whole * 60 + seconds), preferredTimescale: 1_000_000)
    }

    var defaultValueDescription: String { String(time.seconds) }
}
