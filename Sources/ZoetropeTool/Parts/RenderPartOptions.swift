import ArgumentParser
import Export
import MediaCore

/// Options that divide the export of `zoetrope render`.
struct RenderPartOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write only part N of M, from 1. Parts can be rendered in any order, on any computer. `zoetrope join` joins them.",
            valueName: "n/m"))
    var part: PartArgument?
    @Option(
        help: ArgumentHelp(
            "Write the whole video, with exactly the frames that M joined parts would have.",
            valueName: "m"))
    var asParts: Int?

    func validate() throws {
        if let asParts, ExportPart(1, of: asParts) == nil {
            throw ValidationError(
                invalid: "--as-parts", "\(asParts)", use: "a whole number from 1 to \(ExportPart.maximumCount)")
        }
        if part != nil, asParts != nil {
            throw ValidationError("--part and --as-parts exclude each other. Use one of them.")
        }
    }

    /// Returns the division of the export; nil if the export is not divided.
    func division(_ picture: PictureOptions) throws(AVError) -> ExportDivision? {
        if let part { return ExportDivision(part.part, pictureIdentity: try picture.identity()) }
        return asParts.map { ExportDivision(encodedLikeParts: $0) }
    }
}

/// A part as given on the command line: `3/16`.
struct PartArgument: ExpressibleByArgument {
    let part: ExportPart

    init?(argument: String) {
        guard let part = ExportPart(argument) else { return nil }
        self.part = part
    }
}

extension PictureOptions {
    /// Returns a text that identifies the changes that the options make to frames. Equal options give the same text on
    /// every machine. Files are compared by their contents, not by their names.
    /// - Throws: An `AVError` for a file that can't be read.
    func identity() throws(AVError) -> String {
        var texts = effects.filters.map { "filter " + $0.text }
        for shader in effects.shaders { texts.append("shader " + (try PictureOptions.digest(shader))) }
        texts.append("brightness \(effects.brightness) contrast \(effects.contrast)")
        if let subtitles { texts.append("subtitles " + (try PictureOptions.digest(subtitles))) }
        return texts.joined(separator: "\n")
    }

    private static func digest(_ file: FileArgument) throws(AVError) -> String {
        guard file.url.isFileURL, let path = FilePath(file.url) else { return file.url.absoluteString }
        let bytes = try path.contents(limit: 64 << 20, kind: "file")
        let maker = ContentDigest.Maker()
        bytes.withUnsafeBytes { maker.add($0) }
        return maker.finish().text
    }
}
