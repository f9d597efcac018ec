import Foundation
import MediaCore

/// A parser that reads a playlist line by line from its bytes. It creates strings only for values that are kept.
struct PlaylistParser {
    let url: URL
    let imports: [String: String]
    /// The previous version, whose segments a reload may reuse instead of parsing them.
    let previous: MediaPlaylist?

    var lines: PlaylistLines
    var attributes = AttributeList()
    var variables = PlaylistVariables()
    /// Whether the text contains `{$`. Otherwise there are no variables to substitute.
    let hasReferences: Bool

    private var scope = PlaylistScope()
    /// Whether the playlist is not a file on this computer, and therefore must not name such files.
    private let isForeign: Bool
    /// The error for a URI that names a file on this computer, if no tag before it shows that the text is an HLS
    /// playlist.
    private var forbidden: PlaylistError?
    /// The tags that both kinds of playlist have. They are added to the result when its kind is known.
    private(set) var common = PlaylistCommon()
    /// The line of the first imported variable.
    var importLine: Int?

    var multivariant: MultivariantReading
    var media: MediaReading

    /// The limits on a text's size, in bytes, and on the number of segments, which protect against bad servers. A
    /// million two-second segments last 23 days.
    static let largestText = 64 << 20
    static let mostSegments = 1_000_000

    init(text: Bytes, url: URL, imports: [String: String], previous: MediaPlaylist?) {
        lines = PlaylistLines(text)
        self.url = url
        self.imports = imports
        self.previous = previous
        hasReferences = text.mayHaveReferences
        isForeign = !url.isFileURL
        multivariant = MultivariantReading(url: url)
        media = MediaReading(url: url)
    }

    func failure(_ reason: String) -> PlaylistError { PlaylistError(url: url, line: lines.number, reason: reason) }

    /// Records a warning: the current line contradicts the specification but can still be read.
    mutating func warn(_ reason: String) { common.warnings.add(lines.number, reason) }

    /// Returns a URI of the playlist, if it is permitted.
    /// - Throws: An error if a playlist from a server names a file on this computer. Before the first tag that is
    ///   specific to HLS, the error is stored in `forbidden` instead.
    mutating func permitted(_ uri: String) throws(PlaylistError) -> String {
        guard isForeign, ResourceReference.isForbidden(uri, in: url) else { return uri }
        let error = failure(
            "the playlist names “\(uri.prefix(200))”, a file on this computer; a playlist from a server may not do that"
        )
        guard !scope.hasOwnTags else { throw error }
        forbidden = forbidden ?? error
        return uri
    }

    /// Returns the value of an attribute with a URI, or nil if the attribute is missing or empty.
    mutating func uri(_ name: StaticString) throws(PlaylistError) -> String? {
        guard let value = try string(name), !value.isEmpty else { return nil }
        return try permitted(value)
    }

    mutating func parse() throws(PlaylistError) -> Playlist {
        guard lines.text.count <= Self.largestText else {
            throw PlaylistError(url: url, line: 0, reason: "the playlist is larger than \(Self.largestText >> 20) MiB")
        }
        try readFirstLine()
        while !media.isDeltaUnusable, let content = lines.next() {
            if content.count == 0 { continue }
            if content[0] != 0x23 {
                try readURI(content)
            } else if content.starts(with: "#EXT") {
                try readTag(content)
            }
        }
        guard scope.hasOwnTags || scope.kind == .both else { throw .listOfMedia(url) }
        if let forbidden { throw forbidden }
        switch scope.kind {
        case .media: return .media(try finishMedia())
        case .multivariant: return .multivariant(try finishMultivariant())
        case .both:
            throw failure(
                "the playlist has no segments or variants: it has neither EXT-X-TARGETDURATION nor EXT-X-STREAM-INF")
        }
    }

    /// Reads `#EXTM3U`, which only a byte order mark and empty lines may precede (RFC 8216 §4.3.1.1).
    private mutating func readFirstLine() throws(PlaylistError) {
        while let content = lines.next() {
            if content.count == 0 { continue }
            guard content.starts(with: "#EXTM3U"), content.count == 7 || Bytes.isBlank(content[7]) else { break }
            return
        }
        throw PlaylistError(
            url: url, line: max(lines.number, 1),
            reason: "the text does not begin with #EXTM3U, so it is not an HLS playlist")
    }

    private mutating func readURI(_ content: Bytes) throws(PlaylistError) {
        switch scope.kind {
        case .multivariant: try readVariantURI(content)
        case .media, .both:
            scope.sawSegmentURI(line: lines.number)
            try completeSegment(content)
        }
    }

    private mutating func readTag(_ content: Bytes) throws(PlaylistError) {
        let colon = content.position(of: 0x3A)
        let name = content.slice(1, colon ?? content.count)
        let value = colon.map { content.slice($0 + 1) } ?? content.slice(content.count)
        if name.starts(with: "EXT-X-") { scope.sawOwnTag() }
        guard let tag = PlaylistTag(name) else { return keep(content) }
        guard try belongs(tag, name) else { return }
        switch tag.scope {
        case .media: try readMediaTag(tag, content, value)
        case .multivariant: try readMultivariantTag(tag, content, value)
        case .both: try readCommonTag(tag, value)
        }
    }

    /// Returns whether to read a tag, and determines the kind of playlist. Tags of segments and variants decide the
    /// kind. After that, other tags of the wrong kind are ignored with a warning. Before that, they are read with a
    /// warning.
    private mutating func belongs(_ tag: PlaylistTag, _ name: Bytes) throws(PlaylistError) -> Bool {
        guard tag.scope != .both else { return true }
        if scope.excludes(tag) {
            let reason =
                "\(name.string) is not allowed here: line \(scope.line) makes this \(scope.kind == .media ? "a media" : "a multivariant") playlist"
            if scope.isCertain, tag.isDecisive { throw failure(reason) }
            warn(reason)
            if scope.isCertain { return false }
        }
        scope.saw(tag, line: lines.number)
        return true
    }

    /// Keeps a tag as text, because it is unknown or lacks a required attribute.
    mutating func keep(_ content: Bytes) {
        if scope.kind == .media, media.hasSegmentTags {
            media.next.otherTags.append(content.string)
        } else {
            common.otherTags.append(content.string)
        }
    }

    private mutating func readCommonTag(_ tag: PlaylistTag, _ value: Bytes) throws(PlaylistError) {
        if media.segmentCount > 0 { media.memory.isRegular = false }
        switch tag {
        case .version: common.version = max(1, value.trimmed.integer ?? 1)
        case .independentSegments: common.isIndependentSegments = true
        case .start:
            readAttributes(value)
            guard let offset = attributes["TIME-OFFSET"]?.value.trimmed.number, abs(offset) <= longestPlaylistDuration
            else {
                return warn("EXT-X-START has no TIME-OFFSET in seconds")
            }
            common.start = StartOffset(timeOffset: offset == 0 ? 0 : offset, isPrecise: attributes.isYes("PRECISE"))
        case .define: try readDefinition(value)
        default: break
        }
    }

    /// Reads `EXT-X-DEFINE` (8216bis §4.4.2.3).
    private mutating func readDefinition(_ value: Bytes) throws(PlaylistError) {
        readAttributes(value)
        let definition: VariableDefinition
        if let name = try string("NAME") {
            guard let value = try string("VALUE") else {
                throw failure("EXT-X-DEFINE has no VALUE for the variable \(name)")
            }
            definition = VariableDefinition(name: name, value: value)
        } else if let name = try string("IMPORT") {
            guard let value = imports[name] else {
                throw failure(
                    "EXT-X-DEFINE imports the variable \(name), which the multivariant playlist does not define")
            }
            definition = VariableDefinition(name: name, value: value, origin: .imported)
            importLine = importLine ?? lines.number
        } else if let name = try string("QUERYPARAM") {
            guard let value = PlaylistVariables.queryParameter(name, of: url) else {
                throw failure(
                    "EXT-X-DEFINE reads the variable \(name) from the playlist's URL, which has no such parameter")
            }
            definition = VariableDefinition(name: name, value: value, origin: .queryParameter)
        } else {
            throw failure("EXT-X-DEFINE has no NAME, IMPORT or QUERYPARAM")
        }
        let isName = Array(definition.name.utf8).withUnsafeBufferPointer { PlaylistVariables.isName($0) }
        guard isName else {
            throw failure(
                "the variable name “\(definition.name)” contains characters other than letters, digits, - and _")
        }
        guard PlaylistVariables.isAllowed(definition.value) else {
            throw failure("the value of the variable \(definition.name) contains a quotation mark or a line break")
        }
        guard !variables.isDefined(definition.name) else {
            throw failure("the variable \(definition.name) is defined twice")
        }
        variables.define(definition.name, as: definition.value)
        common.definitions.append(definition)
    }

    // MARK: values

    /// Returns the beginning of a text, for error messages.
    func excerpt(_ text: Bytes) -> String {
        text.count <= 40 ? text.string : text.slice(0, 40).string + "…"
    }

    mutating func readAttributes(_ value: Bytes) {
        if !attributes.read(value) { warn("a quoted string has no closing quotation mark on its line") }
    }

    /// Returns the value of an attribute with variables substituted, or nil if the attribute is missing.
    mutating func string(_ name: StaticString) throws(PlaylistError) -> String? {
        guard let attribute = attributes[name] else { return nil }
        return try string(of: attribute)
    }

    mutating func string(of attribute: AttributeList.Attribute) throws(PlaylistError) -> String {
        let value = try substituted(attribute.value)
        // A writer cannot write an unquoted value that contains quotation marks. Values of variables contain none.
        guard !attribute.isQuoted, attribute.value.position(of: 0x22) != nil else { return value }
        return value.filter { $0 != "\"" }
    }

    /// Returns the elements of a list in a quoted string, without empty elements and surrounding spaces. The result is
    /// empty if the attribute is missing.
    mutating func list(_ name: StaticString, separator: Character = ",") throws(PlaylistError) -> [String] {
        guard let value = try string(name), !value.isEmpty else { return [] }
        return value.split(separator: separator).map { $0.trimmingBlanks }.filter { !$0.isEmpty }
    }

    /// Returns the attributes whose names are not in `known`.
    mutating func others(than known: [StaticString]) throws(PlaylistError) -> [PlaylistAttribute] {
        var result: [PlaylistAttribute] = []
        for attribute in attributes.attributes where !known.contains(where: { attribute.name.equals($0) }) {
            let value = try string(of: attribute)
            let needsQuotes = attribute.isQuoted || value.utf8.contains { $0 == 0x2C || $0 <= 0x20 }
            result.append(PlaylistAttribute(name: attribute.name.string, value: value, isQuoted: needsQuotes))
        }
        return result
    }

    mutating func substituted(_ text: Bytes) throws(PlaylistError) -> String {
        guard hasReferences, text.mayHaveReferences else { return text.string }
        do {
            return try variables.substitute(in: text)
        } catch {
            switch error {
            case .undefined(let name): throw failure("the variable \(name) is not defined")
            case .tooLong: throw failure("variables make the playlist larger than \(Self.largestText >> 20) MiB")
            }
        }
    }

    /// Returns the URI on a line of its own.
    mutating func uri(_ content: Bytes) throws(PlaylistError) -> String {
        guard hasReferences, content.mayHaveReferences else { return try permitted(content.string) }
        let uri = try substituted(content).trimmingBlanks
        guard let first = uri.utf8.first, first != 0x23 else {
            throw failure("the URI is empty after its variables are replaced")
        }
        return try permitted(uri)
    }
}

extension StringProtocol {
    /// The text without leading and trailing spaces, tabs and carriage returns, as in `Bytes.trimmed`.
    var trimmingBlanks: String {
        var view = Substring(self).utf8
        while let last = view.last, Bytes.isBlank(last) { view.removeLast() }
        while let first = view.first, Bytes.isBlank(first) { view.removeFirst() }
        return String(Substring(view))
    }
}
