import ArgumentParser
import Export
import Foundation
import MediaCore
import MediaEngine
import Overlays
import PlayerControls

/// The command `zoetrope contact-sheet`, which saves frames from all of a video in one image.
struct VideoContactSheet: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "contact-sheet",
        abstract: "Save frames from all of a video, side by side, as one image.",
        usage: "zoetrope contact-sheet [options] <file> --output <image>",
        discussion: """
            EXAMPLES
              # Save 20 frames
              zoetrope contact-sheet film.mkv -o sheet.jpg
              # Save 6 rows of 8 small frames
              zoetrope contact-sheet film.mkv -o sheet.png --columns 8 --rows 6 --tile-width 160

            DESCRIPTION
              The video is divided into sections of equal length, one for each frame of the image. The frame in the middle
              of each section is shown, with its time below.

            EXIT CODES
              0    The image was written.
              1    The file could not be read, has no video, or the image is too large or could not be written.
              64   Invalid arguments.
            """)

    @Argument(help: ArgumentHelp("Video file or URL; - for standard input.", valueName: "file"))
    var file: FileArgument

    @OptionGroup(title: "Output") var sheet: SheetOptions
    @OptionGroup var picture: PictureOptions
    @OptionGroup(title: "Network") var network: ReadingOptions

    func report(of failure: ToolFailure) -> String? { nil }

    func perform() throws { try write(network.interruptToken(for: file)) }

    func write(_ token: InterruptToken) throws {
        guard let format = sheet.format else { throw ImageOptions.unknownFormat(sheet.output) }
        let asset = network.servers.access.asset(try PlaySource.url(file))
        let duration = try AssetDetails.read(asset.mediaURL, options: asset.httpOptions, interrupt: token).duration
        guard duration.isNumeric, duration > .zero else {
            throw AVError(
                .operationNotSupported, at: asset.url.location,
                reason: "its duration is unknown, so frames from all of it can't be chosen",
                suggestion: "Use `zoetrope snapshot` to save single frames")
        }
        let generator = AVAssetImageGenerator(asset: asset)
        let count = sheet.columns * sheet.rows
        func frame(_ index: Int) throws -> (VideoFrame, CMTime) {
            let time = CMTime(
                seconds: duration.seconds * (Double(index) + 0.5) / Double(count), preferredTimescale: 1_000_000)
            network.restartTimeout(of: token, for: file)
            return (try generator.copyImage(at: time, interrupt: token), time)
        }
        // All tiles have the shape of the first frame.
        let first = try frame(0)
        let shape = first.0.presentationSize
        let size = (
            width: sheet.tileWidth,
            height: max(1, Int(saturating: (Double(sheet.tileWidth) * shape.height / max(1, shape.width)).rounded()))
        )
        let composer = try picture.offline() ?? OfflineComposer(settings: try picture.settings())
        let tiles = (0..<count).map { index in
            let middle = duration.seconds * (Double(index) + 0.5) / Double(count)
            return ContactSheet.Tile(TimeText.clock(middle)) {
                let (image, time) = index == 0 ? first : try frame(index)
                return try composer.compose(image, at: time, size: size)
            }
        }
        let (image, problems) = try ContactSheet.draw(tiles, columns: sheet.columns, tile: size)
        if let problem = problems.first { throw problem }
        try AtomicFile.write(Array(image.encoded(as: format)), to: sheet.output.path, timeout: network.timeout)
    }
}

/// The image that `zoetrope contact-sheet` writes.
struct SheetOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: ArgumentHelp("Write this file: .png, .jpg or .jpeg.", valueName: "image"))
    var output: FileArgument
    @Option(help: ArgumentHelp("Show this many frames side by side.", valueName: "n"))
    var columns = 5
    @Option(help: ArgumentHelp("Show this many rows of frames.", valueName: "n"))
    var rows = 4
    @Option(help: ArgumentHelp("Set the width of each frame, in pixels.", valueName: "pixels"))
    var tileWidth = 240

    var format: ImageFormat? { ImageFormat(pathExtension: output.pathExtension) }

    func validate() throws {
        guard format != nil else { throw ImageOptions.unknownFormat(output) }
        for (name, value, most) in [
            ("--columns", columns, 40), ("--rows", rows, 40), ("--tile-width", tileWidth, 1920),
        ] where !(1...most).contains(value) {
            throw ValidationError(invalid: name, "\(value)", use: "a whole number from 1 to \(most)")
        }
    }
}
