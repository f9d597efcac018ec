import ArgumentParser
import Composition
import Foundation
import MediaCore
import MediaEngine

/// `zoetrope snapshot`: one picture of a video as a file.
struct Snapshot: ToolCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write one picture of a video to a PNG or JPEG file.",
        discussion: """
            The picture that stands at the time is taken, exactly: upright, with square pixels.
            A time beyond the end gives the last picture. Of an HLS stream the largest variant is
            taken, or with --max-width the smallest that is wide enough.

            EXAMPLES
              zoetrope snapshot film.mkv --at 12.5 -o still.png
              zoetrope snapshot film.mkv --at 1:02:03.250 -o still.jpg
              zoetrope snapshot film.mkv --at 12.5 --filter SepiaTone:intensity=0.8 -o still.png
              zoetrope snapshot https://example.com/master.m3u8 --at 90 --max-width 320 --tolerance 5 -o still.jpg

            EXIT CODES
              0   the picture was written
              1   the file could not be read, has no video, or the picture could not be written
              64  the command line makes no sense
            """)

    @Argument(help: ArgumentHelp("The video file, or its URL.", valueName: "file"))
    var file: FileArgument

    @Option(help: ArgumentHelp("When: seconds, or [hh:]mm:ss[.fff].", valueName: "time"))
    var at = TimeArgument(time: .zero)

    @Flag(help: "Check no certificates of https servers: for a server of your own.")
    var insecure = false

    @Option(name: .shortAndLong, help: ArgumentHelp("The picture to write: .png, .jpg or .jpeg.", valueName: "picture"))
    var output: FileArgument

    @Option(help: ArgumentHelp("Largest width, pixels; the aspect is kept.", valueName: "pixels"))
    var maxWidth: Int?

    @Option(
        help: ArgumentHelp(
            "How far from the time the picture may be: wider is faster, and an I-frame playlist may serve.",
            valueName: "seconds"))
    var tolerance = 0.0

    @Option(help: ArgumentHelp("Give up after this long.", valueName: "seconds"))
    var timeout = 60.0

    @OptionGroup(title: "The picture") var picture: PictureOptions

    func validate() throws {
        guard format != nil else {
            throw ValidationError("The picture's name must end in .png, .jpg or .jpeg: \(output.name)")
        }
        if let maxWidth, maxWidth < 1 { throw ValidationError("--max-width must be 1 or more.") }
        guard tolerance >= 0, tolerance < 1e6 else { throw ValidationError("--tolerance must be 0 seconds or more.") }
        guard timeout > 0, timeout < 1e6 else { throw ValidationError("--timeout must be above 0 seconds.") }
    }

    /// Nil for the picture's own.
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

    private var format: ImageFormat? { ImageFormat(pathExtension: output.pathExtension) }

    func report(of failure: ToolFailure) -> String? { nil }

    func perform() throws {
        guard let format else { throw ValidationError("Unknown kind of picture: \(output.name)") }
        let generator = AVAssetImageGenerator(asset: MediaLocation.asset(try PlaySource.url(file), insecure: insecure))
        if let maxWidth { generator.maximumSize = CGSize(width: maxWidth, height: 0) }
        generator.requestedTimeToleranceBefore = CMTime(seconds: tolerance, preferredTimescale: 1_000_000)
        generator.requestedTimeToleranceAfter = generator.requestedTimeToleranceBefore
        let token = InterruptToken()
        token.setDeadline(HostClock.now() + Int64(timeout * 1e9))
        let composer = try picture.offline()
        if composer != nil { generator.maximumSize = .zero }
        var frame = try generator.copyImage(at: at.time, interrupt: token)
        // Filters measure in the video's own pixels: they come before it is made smaller.
        if let composer { frame = try composer.compose(frame, at: at.time, size: size(of: frame)) }
        try WholeFile.write(Array(frame.encoded(as: format)), to: output.path, timeout: timeout)
    }
}

/// A time on the command line: `12.5`, `90`, `1:30`, `01:02:03.250`.
struct TimeArgument: ExpressibleByArgument {
    var time: CMTime

    init(time: CMTime) { self.time = time }

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
        time = CMTime(seconds: (negative ? -1 : 1) * (whole * 60 + seconds), preferredTimescale: 1_000_000)
    }

    var defaultValueDescription: String { String(time.seconds) }
}
