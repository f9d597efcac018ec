import ArgumentParser
import Filters
import Foundation
import MediaCore
import Overlays

/// Options for filters and subtitles, for every command that shows or writes frames.
struct PictureOptions: ParsableArguments {
    @OptionGroup(title: "Video") var effects: FilterOptions
    @OptionGroup(title: "Subtitles") var subtitleFile: SubtitleFileOptions

    var subtitles: FileArgument? { subtitleFile.subtitles }

    /// Creates the settings for filters and shaders.
    /// - Throws: An `AVError` for an invalid filter, or for a shader that can't be read.
    func settings() throws(AVError) -> PictureSettings {
        var settings = PictureSettings()
        settings.brightness = effects.brightness
        settings.contrast = effects.contrast
        for filter in effects.filters { settings.add(try filter.make()) }
        for path in effects.shaders { settings.add(try VideoShader(contentsOf: path.path)) }
        return settings
    }
}

/// Options that change the colors and pixels of frames.
struct FilterOptions: ParsableArguments {
    @Option(
        name: .customLong("filter"),
        help: ArgumentHelp(
            "Apply a filter, such as SepiaTone or GaussianBlur:radius=8. Repeat to apply more, in order. `zoetrope filters` lists all.",
            valueName: "name[:key=value,…]"))
    var filters: [FilterArgument] = []
    @Option(
        name: .customLong("shader"),
        help: ArgumentHelp(
            "Apply the shader in this GLSL file, after the filters. The file must have a function vec4 shade(vec2 uv). During playback, a changed file is loaded again.",
            valueName: "file"))
    var shaders: [FileArgument] = []
    @Option(
        help: ArgumentHelp("Change the brightness by this amount, -1 to 1, after the filters.", valueName: "amount"))
    var brightness: Float = 0
    @Option(
        help: ArgumentHelp("Multiply the contrast by this factor, 0 to 4, after the filters.", valueName: "factor"))
    var contrast: Float = 1

    func validate() throws {
        guard (-1...1).contains(brightness) else {
            throw ValidationError(invalid: "--brightness", "\(brightness)", use: "a number from -1 to 1")
        }
        guard (0...4).contains(contrast) else {
            throw ValidationError(invalid: "--contrast", "\(contrast)", use: "a number from 0 to 4")
        }
    }
}

/// The option for a separate subtitle file.
struct SubtitleFileOptions: ParsableArguments {
    @Option(
        name: [.long, .customLong("sub-file")],
        help: ArgumentHelp(
            "Show the subtitles of this file or URL (WebVTT, SRT, ASS and others).", valueName: "file"))
    var subtitles: FileArgument?
}

/// A filter with its parameters: `CIGaussianBlur:radius=8,center=320;180,color=#ff8800`. The prefixes `CI` and `input`
/// are optional.
struct FilterArgument: ExpressibleByArgument {
    var text: String
    var name: String
    var values: [(key: String, text: String)]

    init?(argument: String) {
        text = argument
        let parts = argument.split(separator: ":", maxSplits: 1).map(String.init)
        guard let first = parts.first, !first.isEmpty else { return nil }
        name = first.hasPrefix("CI") ? first : "CI" + first
        values = []
        guard parts.count == 2 else { return }
        for pair in parts[1].split(separator: ",") {
            let sides = pair.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard sides.count == 2, !sides[0].isEmpty else { return nil }
            values.append((sides[0], sides[1]))
        }
    }

    /// Creates the filter.
    /// - Throws: `.invalidArgument` that names the wrong filter, parameter or value, and what is valid.
    func make() throws(AVError) -> CIFilter {
        func wrong(_ reason: String, _ suggestion: String) -> AVError {
            AVError(.invalidArgument, at: "--filter \(text)", reason: reason, suggestion: suggestion)
        }
        guard let filter = CIFilter(name: name) else {
            let near = CIFilter.filterNames(inCategory: nil).filter {
                $0.lowercased().contains(name.dropFirst(2).lowercased())
            }
            throw wrong(
                "no filter has this name",
                near.isEmpty
                    ? "Run `zoetrope filters` for a list"
                    : "Did you mean \(near.prefix(5).joined(separator: ", "))?")
        }
        for (given, value) in values {
            let keys = filter.inputKeys
            let wanted = given.lowercased()
            guard let key = keys.first(where: { $0.lowercased() == wanted || $0.lowercased() == "input" + wanted })
            else {
                let valid = keys.filter { $0 != "inputImage" }.map(FilterArgument.short)
                throw wrong(
                    "\(name) has no parameter “\(given)”",
                    valid.isEmpty
                        ? "Leave it out; this filter has no parameters"
                        : "Valid parameters: \(valid.joined(separator: ", "))")
            }
            let type = (filter.attributes[key] as? [String: Any])?[kCIAttributeType] as? String
            guard let parsed = FilterArgument.value(value, type: type) else {
                throw wrong("“\(value)” is not a valid value for \(given)", FilterArgument.form(of: type))
            }
            filter.setValue(parsed, forKey: key)
            guard filter.value(forKey: key) != nil else {
                throw wrong("“\(value)” is not a valid value for \(given)", FilterArgument.form(of: type))
            }
        }
        return filter
    }

    /// Returns the name of a parameter as help shows it: `inputTargetImage` becomes `targetImage`.
    private static func short(_ key: String) -> String {
        guard key.hasPrefix("input"), key.count > 5 else { return key }
        let rest = key.dropFirst(5)
        return rest.prefix(1).lowercased() + rest.dropFirst()
    }

    private static func value(_ text: String, type: String?) -> Any? {
        if type == kCIAttributeTypeImage { return CIImage(contentsOf: MediaLocation.path(text)) }
        if text.hasPrefix("#") {
            let digits = text.dropFirst()
            guard [6, 8].contains(digits.count), let number = UInt32(digits, radix: 16) else { return nil }
            let all = digits.count == 6 ? number << 8 | 0xFF : number
            func part(_ shift: UInt32) -> CGFloat { CGFloat(all >> shift & 0xFF) / 255 }
            return CIColor(red: part(24), green: part(16), blue: part(8), alpha: part(0))
        }
        let numbers = text.split(separator: ";").map { Double($0) }
        guard !numbers.isEmpty, !numbers.contains(where: { $0 == nil }) else { return nil }
        let values = numbers.compactMap { $0 }
        if type == kCIAttributeTypeColor { return nil }
        return values.count == 1 ? values[0] : CIVector(values: values.map { CGFloat($0) })
    }

    private static func form(of type: String?) -> String {
        switch type {
        case kCIAttributeTypeColor: "Use a color such as #ff8800 or #ff8800ff"
        case kCIAttributeTypeImage: "Use the path of a readable image file"
        case kCIAttributeTypePosition, kCIAttributeTypeOffset, kCIAttributeTypeRectangle:
            "Use numbers separated by semicolons, such as 320;180"
        default: "Use a number"
        }
    }
}
