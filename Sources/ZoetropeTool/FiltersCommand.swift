import ArgumentParser
import Composition
import Foundation
import MediaCore
import MediaEngine
import SampleMedia

/// `zoetrope filters`: what there is, and what it looks like.
struct Filters: ToolCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the filters, or show them on a contact sheet.",
        discussion: """
            Without options the names by category; with a name its parameters, their ranges and standard values.

            EXAMPLES
              zoetrope filters
              zoetrope filters CIBloom
              zoetrope filters --sheet sheet.png
              zoetrope filters --sheet sheet.png --category CICategoryStylize --picture film.mp4 --at 12

            EXIT CODES
              0 done · 1 a file could not be read or written · 64 wrong usage
            """)

    @Argument(help: ArgumentHelp("Filters to tell about.", valueName: "name"))
    var names: [String] = []
    @Option(help: ArgumentHelp("Only of this category.", valueName: "category"))
    var category: String?
    @Option(
        help: ArgumentHelp(
            "Write a picture with each filter's effect at its standard values (.png or .jpg).", valueName: "picture"))
    var sheet: FileArgument?
    @Option(help: ArgumentHelp("The video (or picture) to try them on; default: the sample.", valueName: "file"))
    var picture: FileArgument?
    @Option(help: ArgumentHelp("Which moment of it: seconds or [h:]m:s.", valueName: "time"))
    var at = TimeArgument(time: CMTime(value: 1, timescale: 1))

    func validate() throws {
        if let sheet, ImageFormat(pathExtension: sheet.pathExtension) == nil {
            throw ValidationError("--sheet must end in .png, .jpg or .jpeg: \(sheet.name)")
        }
    }

    func report(of failure: ToolFailure) -> String? { nil }

    func perform() throws {
        let known = CIFilter.filterNames(inCategory: category)
        guard !known.isEmpty else { throw ValidationError("No filter is in the category “\(category ?? "")”.") }
        let wanted = names.map { $0.hasPrefix("CI") ? $0 : "CI" + $0 }
        if let unknown = wanted.first(where: { !known.contains($0) }) {
            throw ValidationError("There is no filter “\(unknown)”.")
        }
        if let sheet { return try writeSheet(to: sheet, wanted.isEmpty ? known : wanted) }
        if wanted.isEmpty { try list(known) } else { for name in wanted { try tell(name) } }
    }

    private func list(_ known: [String]) throws(ToolFailure) {
        for category in FilterCatalogue.allCategories {
            let members = CIFilter.filterNames(inCategory: category).filter { known.contains($0) }
            guard !members.isEmpty else { continue }
            try Console.out(category)
            for name in members { try Console.out("  \(name)") }
        }
    }

    private func tell(_ name: String) throws(ToolFailure) {
        guard let filter = CIFilter(name: name) else { return }
        try Console.out("\(name): \(CIFilter.localizedName(forFilterName: name) ?? name)")
        for key in filter.inputKeys {
            guard let attributes = filter.attributes[key] as? [String: Any] else { continue }
            var words = [
                (attributes[kCIAttributeType] as? String)?.replacingOccurrences(of: "CIAttributeType", with: "")
                    .lowercased() ?? ""
            ]
            if let low = attributes[kCIAttributeSliderMin], let high = attributes[kCIAttributeSliderMax] {
                words.append("\(low)…\(high)")
            }
            if let standard = attributes[kCIAttributeDefault] { words.append("standard \(standard)") }
            try Console.out(
                "  \(key.padding(toLength: max(24, key.count), withPad: " ", startingAt: 0)) \(words.joined(separator: ", "))"
            )
        }
    }

    private func writeSheet(to path: FileArgument, _ names: [String]) throws {
        guard let format = ImageFormat(pathExtension: path.pathExtension) else {
            throw ValidationError("--sheet must end in .png, .jpg or .jpeg: \(path.name)")
        }
        guard let source = picture.map(\.url) ?? SampleLoop.url else {
            throw AVError(
                .fileNotFound, at: "the sample loop", reason: "is missing", suggestion: "Name a file with --picture")
        }
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: source))
        generator.maximumSize = CGSize(width: 640, height: 0)
        let frame = try generator.copyImage(at: at.time, interrupt: InterruptToken())
        let (sheet, problems) = try ContactSheet.draw(names, of: frame)
        for problem in problems { Console.note("\(problem)") }
        try WholeFile.write(Array(sheet.encoded(as: format)), to: path.path)
    }
}
