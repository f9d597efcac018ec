import ArgumentParser
import Composition
import Foundation
import MediaCore
import MediaEngine
import SampleMedia

/// `zoetrope filters`: what there is, and what it looks like.
struct Filters: ParsableCommand {
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
    @Option(help: ArgumentHelp("Write a picture with each filter's effect at its standard values (.png or .jpg).", valueName: "picture"))
    var sheet: String?
    @Option(help: ArgumentHelp("The video (or picture) to try them on; default: the sample.", valueName: "file"))
    var picture: String?
    @Option(help: ArgumentHelp("Which moment of it: seconds or [h:]m:s.", valueName: "time"))
    var at = TimeArgument(time: CMTime(value: 1, timescale: 1))

    func validate() throws {
        if let sheet, ImageFormat(pathExtension: URL(fileURLWithPath: sheet).pathExtension) == nil {
            throw ValidationError("--sheet must end in .png, .jpg or .jpeg: \(sheet)")
        }
    }

    func run() throws {
        let known = CIFilter.filterNames(inCategory: category)
        guard !known.isEmpty else { throw ValidationError("No filter is in the category “\(category ?? "")”.") }
        let wanted = names.map { $0.hasPrefix("CI") ? $0 : "CI" + $0 }
        if let unknown = wanted.first(where: { !known.contains($0) }) { throw ValidationError("There is no filter “\(unknown)”.") }
        do {
            if let sheet { return try writeSheet(to: sheet, wanted.isEmpty ? known : wanted) }
        } catch {
            throw Failure.report(error)
        }
        if wanted.isEmpty { list(known) } else { wanted.forEach(tell) }
    }

    private func list(_ known: [String]) {
        for category in FilterCatalogue.allCategories {
            let members = CIFilter.filterNames(inCategory: category).filter { known.contains($0) }
            guard !members.isEmpty else { continue }
            print(category)
            for name in members { print("  \(name)") }
        }
    }

    private func tell(_ name: String) {
        guard let filter = CIFilter(name: name) else { return }
        print("\(name): \(CIFilter.localizedName(forFilterName: name) ?? name)")
        for key in filter.inputKeys {
            guard let attributes = filter.attributes[key] as? [String: Any] else { continue }
            var words = [(attributes[kCIAttributeType] as? String)?.replacingOccurrences(of: "CIAttributeType", with: "").lowercased() ?? ""]
            if let low = attributes[kCIAttributeSliderMin], let high = attributes[kCIAttributeSliderMax] { words.append("\(low)…\(high)") }
            if let standard = attributes[kCIAttributeDefault] { words.append("standard \(standard)") }
            print("  \(key.padding(toLength: max(24, key.count), withPad: " ", startingAt: 0)) \(words.joined(separator: ", "))")
        }
    }

    private func writeSheet(to path: String, _ names: [String]) throws {
        guard let format = ImageFormat(pathExtension: URL(fileURLWithPath: path).pathExtension) else { return }
        guard let source = picture.map(MediaLocation.url) ?? SampleLoop.url else {
            throw AVError(.fileNotFound, at: "the sample loop", reason: "is missing", suggestion: "Name a file with --picture")
        }
        var generator = AVAssetImageGenerator(asset: AVURLAsset(url: source))
        generator.maximumSize = CGSize(width: 640, height: 0)
        let frame = try generator.copyImage(at: at.time, interrupt: InterruptToken())
        let (sheet, problems) = try ContactSheet.draw(names, of: frame)
        for problem in problems { print("zoetrope: \(problem)", to: &StandardError.stream) }
        do {
            try sheet.encoded(as: format).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch let error as AVError {
            throw error
        } catch {
            throw AVError(.unknown, at: path, reason: "could not be written", suggestion: "Check that the folder exists and may be written to")
        }
    }
}
