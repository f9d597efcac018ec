import CGIO
import Foundation

/// A track of an XSPF playlist, as text.
struct XSPFTrack {
    var line = 0
    /// The locations of the same content, in the order of preference.
    var locations: [String] = []
    var title = "", creator = "", duration = ""
}

/// A reader of XSPF (xspf.org). It uses GLib's markup parser, which supports neither a document's own entities nor
/// other files.
final class XSPFReader {
    struct Failure: Error {
        let line: Int
        let reason: String
    }

    /// The maximum number of tracks, and of bytes in one of their texts.
    static let maximumTracks = 100_000, maximumLength = 16 << 10
    /// The maximum depth of elements.
    private static let maximumDepth = 64

    private var tracks: [XSPFTrack] = []
    private var path: [String] = []
    private var track: XSPFTrack?
    /// The text so far of the current element of a track. The parser may deliver it in several parts.
    private var text = ""

    static func tracks(_ bytes: [UInt8]) throws(Failure) -> [XSPFTrack] {
        let reader = XSPFReader()
        var parser = GMarkupParser()
        parser.start_element = { context, name, _, _, data, error in
            guard let reader = XSPFReader.of(data), let name else { return }
            reader.begin(String(cString: name), XSPFReader.line(context))
        }
        parser.end_element = { _, _, data, _ in XSPFReader.of(data)?.end() }
        parser.text = { _, text, length, data, _ in
            guard let reader = XSPFReader.of(data), let text else { return }
            let bytes = UnsafeRawBufferPointer(start: text, count: Int(length))
            reader.append(String(decoding: bytes, as: UTF8.self))
        }
        parser.error = { _, error, data in
            guard let reader = XSPFReader.of(data), let error, let message = error.pointee.message else { return }
            if reader.problem == nil { reader.problem = String(cString: message) }
        }
        // The parser keeps a pointer to these functions.
        let (isWhole, line, reason) = withUnsafePointer(to: parser) { parser -> (Bool, Int, String) in
            guard
                let context = g_markup_parse_context_new(
                    parser, G_MARKUP_TREAT_CDATA_AS_TEXT, Unmanaged.passUnretained(reader).toOpaque(), nil)
            else { return (false, 1, "out of memory") }
            defer { g_markup_parse_context_free(context) }
            // The error is taken from the parser's error function. Through the error parameter, GLib may report two
            // errors at once, and then prints a warning about that to standard error.
            let isWhole = bytes.withUnsafeBytes { raw in
                g_markup_parse_context_parse(
                    context, raw.baseAddress?.assumingMemoryBound(to: CChar.self), gssize(raw.count), nil) != 0
                    && g_markup_parse_context_end_parse(context, nil) != 0
            }
            let reason = reader.problem ?? "the text is not XML"
            return (isWhole, XSPFReader.line(context), reason)
        }
        guard isWhole else {
            // GLib's “Error on line 2 char 2: …” contains the line a second time.
            let detail = reason.hasPrefix("Error on line ") ? reason.drop { $0 != ":" }.dropFirst(2) : reason[...]
            let text = detail.prefix(200).trimmingCharacters(in: CharacterSet(charactersIn: ". \n"))
            throw Failure(line: line, reason: "the playlist is not valid XML (\(text))")
        }
        guard reader.isList else { throw Failure(line: 1, reason: "the file is not an XSPF playlist") }
        return reader.tracks
    }

    private var isList = false
    private var problem: String?

    private static func of(_ data: UnsafeMutableRawPointer?) -> XSPFReader? {
        data.map { Unmanaged<XSPFReader>.fromOpaque($0).takeUnretainedValue() }
    }
    private static func line(_ context: OpaquePointer?) -> Int {
        var line: Int32 = 1
        if let context { g_markup_parse_context_get_position(context, &line, nil) }
        return Int(max(1, line))
    }

    private func begin(_ name: String, _ line: Int) {
        if path.isEmpty, name == "playlist" { isList = true }
        // Elements deeper than in any playlist are ignored.
        path.append(path.count < XSPFReader.maximumDepth ? name : "")
        if path == ["playlist", "trackList", "track"] { track = XSPFTrack(line: line) }
        if path.count == 4 { text = "" }
    }

    private func end() {
        if path.count == 4 { take(text.trimmingCharacters(in: .whitespacesAndNewlines), path[3]) }
        if path == ["playlist", "trackList", "track"], let track {
            if tracks.count < XSPFReader.maximumTracks { tracks.append(track) }
            self.track = nil
        }
        if !path.isEmpty { path.removeLast() }
    }

    private func append(_ part: String) {
        guard track != nil, path.count == 4, text.utf8.count < XSPFReader.maximumLength else { return }
        text += part
    }

    /// Stores the text of an element of a track. A track has several locations, but one of everything else.
    private func take(_ text: String, _ element: String) {
        guard !text.isEmpty else { return }
        func set(_ field: WritableKeyPath<XSPFTrack, String>) {
            if track?[keyPath: field].isEmpty == true { track?[keyPath: field] = text }
        }
        switch element {
        case "location": track?.locations.append(text)
        case "title": set(\.title)
        case "creator": set(\.creator)
        case "duration": set(\.duration)
        default: break
        }
    }
}
