import ArgumentParser
import Export
import Filters
import Foundation
import MediaCore
import MediaEngine
import Overlays
import SampleMedia

/// The command `zoetrope filters`, which lists filters or draws their effects.
struct Filters: ToolCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the video filters, or write an image that shows their effects.",
        usage: "zoetrope filters [options] [<name> ...]",
        discussion: """
            EXAMPLES
              # List all filters by category
              zoetrope filters
              # Show the parameters of a filter
              zoetrope filters CIBloom
              # Draw every filter's effect on the sample video
              zoetrope filters --sheet sheet.png
              # Draw some filters' effects on a frame of a video
              zoetrope filters --sheet sheet.png --category CICategoryBlur --picture film.mp4

            DESCRIPTION
              Without <name>, lists all filters. With <name>, shows the filter's parameters with type, range and
              default. `zoetrope play`, `snapshot` and `render` apply filters with --filter. The prefixes CI and input
              are optional there: --filter GaussianBlur:radius=8.

            EXIT CODES
              0    The list was printed, or the image was written.
              1    A file could not be read or written.
              64   Invalid arguments.
            """)

    @Argument(help: ArgumentHelp("Filter names, with or without the prefix CI.", valueName: "name"))
    var names: [String] = []
    @OptionGroup(title: "Selection") var selection: FilterSelection
    @OptionGroup(title: "Contact sheet") var options: ContactSheetOptions

    private var category: String? { selection.category }

    func report(of failure: ToolFailure) -> String? { nil }

    func perform() throws {
        let known = CIFilter.filterNames(inCategory: category)
        guard !known.isEmpty else {
            throw ValidationError(
                invalid: "--category", category ?? "", use: "a category that `zoetrope filters` lists")
        }
        let wanted = names.map { $0.hasPrefix("CI") ? $0 : "CI" + $0 }
        // The message shows the name as the user typed it.
        if let unknown = zip(names, wanted).first(where: { !known.contains($0.1) })?.0 {
            throw ValidationError("Unknown filter “\(unknown)”. Run `zoetrope filters` for a list.")
        }
        if let sheet = options.sheet { return try writeSheet(to: sheet, wanted.isEmpty ? known : wanted) }
        if wanted.isEmpty { try list(known) } else { for name in wanted { try show(name) } }
    }

    private func list(_ known: [String]) throws(ToolFailure) {
        for category in FilterCatalog.allCategories {
            let members = CIFilter.filterNames(inCategory: category).filter { known.contains($0) }
            guard !members.isEmpty else { continue }
            try Console.out(category)
            for name in members { try Console.out("  \(name)") }
        }
    }

    private func show(_ name: String) throws(ToolFailure) {
        guard let filter = CIFilter(name: name) else { return }
        try Console.out("\(name): \(CIFilter.localizedName(forFilterName: name) ?? name)")
        for key in filter.inputKeys {
            guard let attributes = filter.attributes[key] as? [String: Any] else { continue }
            var parts = [
                (attributes[kCIAttributeType] as? String)?.replacingOccurrences(of: "CIAttributeType", with: "")
                    .lowercased() ?? ""
            ]
            if let low = attributes[kCIAttributeSliderMin], let high = attributes[kCIAttributeSliderMax] {
                parts.append("\(low)…\(high)")
            }
            if let standard = attributes[kCIAttributeDefault] { parts.append("default \(standard)") }
            try Console.out("  \(Formatting.padded(key, to: 24)) \(parts.joined(separator: ", "))")
        }
    }

    private func writeSheet(to path: FileArgument, _ names: [String]) throws {
        guard let format = ImageFormat(pathExtension: path.pathExtension) else {
            throw ContactSheetOptions.unknownFormat(path)
        }
        guard let source = options.picture.map(\.url) ?? SampleLoop.url else {
            throw AVError(
                .fileNotFound, at: "", reason: "the built-in sample video is missing",
                suggestion: "Name a file with --picture")
        }
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: source))
        generator.maximumSize = CGSize(width: 640, height: 0)
        let frame = try generator.copyImage(at: options.at.time, interrupt: InterruptToken())
        let (sheet, problems) = try ContactSheet.draw(names, of: frame)
        for problem in problems { Console.note("\(problem)") }
        try AtomicFile.write(Array(sheet.encoded(as: format)), to: path.path)
    }
}

/// Options that select the filters to list or draw.
struct FilterSelection: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "List or draw only the filters of this category, such as CICategoryBlur.", valueName: "category"))
    var category: String?
}

/// Options for the image that shows the effects of filters.
struct ContactSheetOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write an image with each filter's effect at its default values (.png or .jpg).", valueName: "image"))
    var sheet: FileArgument?
    @Option(
        help: ArgumentHelp(
            "Apply the filters to this video or image. Default: the built-in sample.", valueName: "file"))
    var picture: FileArgument?
    @Option(help: ArgumentHelp("Use the frame at this time: seconds or [h:]m:s.", valueName: "time"))
    var at = TimeArgument(time: CMTime(value: 1, timescale: 1))

    static func unknownFormat(_ sheet: FileArgument) -> ValidationError {
        ValidationError(invalid: "--sheet", sheet.name, use: "a file name that ends in .png, .jpg or .jpeg")
    }

    func validate() throws {
        if let sheet, ImageFormat(pathExtension: sheet.pathExtension) == nil {
            throw ContactSheetOptions.unknownFormat(sheet)
        }
    }
}
