import ArgumentParser
import Composition
import Foundation
import MediaCore

/// What is done to the picture, for every command that shows or writes one.
struct PictureOptions: ParsableArguments {
    @Option(
        name: .customLong("filter"),
        help: ArgumentHelp(
            "A filter, such as CISepiaTone or CIGaussianBlur:radius=8,… ; given again: one more, in order. `zoetrope filters` lists them.",
            valueName: "name[:key=value,…]"))
    var filters: [FilterArgument] = []
    @Option(
        name: .customLong("shader"),
        help: ArgumentHelp(
            "A GLSL file with vec4 shade(vec2 uv), behind the filters; a window reads it again whenever it changes.",
            valueName: "file"))
    var shaders: [FileArgument] = []
    @Option(help: ArgumentHelp("Added to each colour, -1 to 1; before the filters.", valueName: "amount"))
    var brightness: Float = 0
    @Option(help: ArgumentHelp("Times the distance from middle grey, 0 to 4; before the filters.", valueName: "factor"))
    var contrast: Float = 1

    @Option(
        name: [.long, .customLong("sub-file")],
        help: ArgumentHelp(
            "Subtitles to lay over the picture: WebVTT, SRT, ASS and others, a file or a URL.", valueName: "file"))
    var subtitles: FileArgument?

    func validate() throws {
        guard (-1...1).contains(brightness) else {
            throw ValidationError("--brightness is \(brightness); it must lie between -1 and 1.")
        }
        guard (0...4).contains(contrast) else {
            throw ValidationError("--contrast is \(contrast); it must lie between 0 and 4.")
        }
    }

    /// - Throws: an `AVError` for a shader that cannot be read.
    func settings() throws(AVError) -> PictureSettings {
        var settings = PictureSettings()
        settings.brightness = brightness
        settings.contrast = contrast
        for filter in filters { settings.add(try filter.make()) }
        for path in shaders { settings.add(try VideoShader(contentsOf: path.path)) }
        return settings
    }
}

/// `CIGaussianBlur:radius=8,center=320;180,color=#ff8800`: a filter with its parameters. `CI` and `input` may be left
/// out.
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

    /// - Throws: `.invalidArgument` that says which filter, key or value is not one, and what there is.
    func make() throws(AVError) -> CIFilter {
        func wrong(_ reason: String, _ suggestion: String) -> AVError {
            AVError(.invalidArgument, at: "--filter \(text)", reason: reason, suggestion: suggestion)
        }
        guard let filter = CIFilter(name: name) else {
            let near = CIFilter.filterNames(inCategory: nil).filter {
                $0.lowercased().contains(name.dropFirst(2).lowercased())
            }
            throw wrong(
                "there is no filter “\(name)”",
                near.isEmpty ? "`zoetrope filters` lists them" : "Is it \(near.prefix(5).joined(separator: ", "))?")
        }
        for (given, value) in values {
            let keys = filter.inputKeys
            let wanted = given.lowercased()
            guard let key = keys.first(where: { $0.lowercased() == wanted || $0.lowercased() == "input" + wanted })
            else {
                throw wrong(
                    "\(name) has no “\(given)”", "It has \(keys.filter { $0 != "inputImage" }.joined(separator: ", "))")
            }
            let type = (filter.attributes[key] as? [String: Any])?[kCIAttributeType] as? String
            guard let parsed = FilterArgument.value(value, type: type) else {
                throw wrong("“\(value)” is no value for \(key)", FilterArgument.form(of: type))
            }
            filter.setValue(parsed, forKey: key)
            guard filter.value(forKey: key) != nil else {
                throw wrong("“\(value)” is no value for \(key)", FilterArgument.form(of: type))
            }
        }
        return filter
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
        case kCIAttributeTypeColor: "Write a colour as #rrggbb or #rrggbbaa"
        case kCIAttributeTypeImage: "Write the path of a picture that can be read"
        case kCIAttributeTypePosition, kCIAttributeTypeOffset, kCIAttributeTypeRectangle:
            "Write numbers with ; between, such as 320;180"
        default: "Write a number"
        }
    }
}
