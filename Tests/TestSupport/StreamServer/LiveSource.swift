import Foundation

/// The content of a live stream: the renditions of an on-demand stream, read from its playlists and files.
///
/// Reads only the streams that `Tests/Fixtures/make-test-streams` writes. Does not use the parser under test.
struct LiveSource: Sendable {
    struct Segment: Sendable {
        let file: URL
        let offset: Int64, count: Int64
        /// The duration in seconds.
        let duration: Double
        /// The offsets at which the parts begin, and the end of the last part, in bytes from the start of the segment.
        let partBounds: [Int64]
    }

    struct Rendition: Sendable {
        /// The path in the master playlist, such as `v0/index.m3u8`.
        let name: String
        let segments: [Segment]
        let map: (file: URL, offset: Int64, count: Int64)?
        /// The path extension of the segments' files.
        let suffix: String

        /// The longest duration of a segment, rounded to whole seconds (RFC 8216 §4.3.3.1).
        var targetDuration: Int { Int((segments.map(\.duration).max() ?? 1).rounded()) }
    }

    /// The text of the master playlist; nil if the stream is a single media playlist.
    let master: String?
    let renditions: [Rendition]

    /// Reads the playlists of an on-demand stream.
    /// - Throws: `ServerFailed` if the stream can't be served as a live stream.
    init(_ url: URL, partsPerSegment: Int?) throws {
        let text = try Self.text(url)
        guard text.contains("#EXT-X-STREAM-INF") else {
            master = nil
            renditions = [try Self.rendition(url, name: url.lastPathComponent, parts: partsPerSegment)]
            return
        }
        // The I-frame playlists of a live stream would need updated lists of keyframes, so they are removed.
        let lines = text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#EXT-X-I-FRAME-STREAM-INF") }
        master = lines.joined(separator: "\n") + "\n"
        var names: [String] = []
        for line in lines {
            let name =
                line.hasPrefix("#EXT-X-MEDIA:") ? Self.attribute("URI", of: line) : line.hasPrefix("#") ? nil : line
            if let name, !names.contains(name) { names.append(name) }
        }
        let folder = url.deletingLastPathComponent()
        renditions = try names.map {
            try Self.rendition(folder.appendingPathComponent($0), name: $0, parts: partsPerSegment)
        }
    }

    private static func text(_ url: URL) throws -> String {
        guard let text = try? String(contentsOf: url, encoding: .utf8) else {
            throw ServerFailed(
                description: "LiveStream: no playlist at \(url.path); Tests/Fixtures/make-test-streams makes them.")
        }
        return text
    }

    private static func rendition(_ url: URL, name: String, parts: Int?) throws -> Rendition {
        let folder = url.deletingLastPathComponent()
        var segments: [Segment] = []
        var map: (URL, Int64, Int64)?
        var duration = 0.0
        var range: (count: Int64, offset: Int64)?
        var next: Int64 = 0
        for line in try text(url).split(separator: "\n").map(String.init) {
            if line.hasPrefix("#EXT-X-KEY") {
                throw ServerFailed(description: "LiveStream cannot serve \(url.path): it is encrypted.")
            }
            if line.hasPrefix("#EXT-X-MAP:"), let uri = attribute("URI", of: line) {
                let file = folder.appendingPathComponent(uri)
                let part = attribute("BYTERANGE", of: line).flatMap { byteRange($0, next: 0) }
                map = (file, part?.offset ?? 0, part?.count ?? size(file))
            } else if line.hasPrefix("#EXTINF:") {
                duration = Double(line.dropFirst(8).prefix { $0 != "," }) ?? 0
            } else if line.hasPrefix("#EXT-X-BYTERANGE:") {
                range = byteRange(String(line.dropFirst(17)), next: next)
            } else if !line.hasPrefix("#"), !line.isEmpty {
                let file = folder.appendingPathComponent(line)
                let (count, offset) = range ?? (size(file), 0)
                next = offset + count
                range = nil
                let bounds =
                    try parts.map { try partBounds(file, offset: offset, count: count, parts: $0) } ?? [0, count]
                segments.append(
                    Segment(file: file, offset: offset, count: count, duration: duration, partBounds: bounds))
            }
        }
        guard let first = segments.first else {
            throw ServerFailed(description: "LiveStream: \(url.path) lists no segments.")
        }
        return Rendition(name: name, segments: segments, map: map, suffix: first.file.pathExtension)
    }

    static func attribute(_ name: String, of line: String) -> String? {
        guard let start = line.range(of: name + "=\"") else { return nil }
        return String(line[start.upperBound...].prefix { $0 != "\"" })
    }

    private static func byteRange(_ text: String, next: Int64) -> (count: Int64, offset: Int64)? {
        let sides = text.split(separator: "@").compactMap { Int64($0) }
        return sides.first.map { ($0, sides.count > 1 ? sides[1] : next) }
    }

    private static func size(_ file: URL) -> Int64 {
        var info = stat()
        return stat(file.path, &info) == 0 ? Int64(info.st_size) : 0
    }

    /// Returns the bounds of the parts of a segment. In fMP4, parts begin at fragments; a segment must have at least as
    /// many fragments as parts. In other formats, parts are equal shares of packets. Such a part may end inside a
    /// frame; clients that keep reading do not notice this.
    private static func partBounds(_ file: URL, offset: Int64, count: Int64, parts: Int) throws -> [Int64] {
        guard ["m4s", "mp4"].contains(file.pathExtension) else {
            let packet: Int64 = file.pathExtension == "ts" ? 188 : 1
            return (0...parts).map { $0 == parts ? count : count / packet * Int64($0) / Int64(parts) * packet }
        }
        guard let data = BodyWriter.all(.file(file, offset: offset, count: count)) else {
            throw ServerFailed(description: "LiveStream cannot read \(file.path).")
        }
        var starts: [Int64] = []
        var at = 0
        while at + 8 <= data.count {
            let size = data[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
            if data[at + 4..<at + 8] == Data("moof".utf8) { starts.append(Int64(at)) }
            guard size >= 8 else { break }
            at += size
        }
        guard starts.count >= parts else {
            throw ServerFailed(
                description: "LiveStream: \(file.path) has \(starts.count) fragments, too few for \(parts) parts.")
        }
        // Data before the first fragment (styp) belongs to the first part.
        return (0...parts).map { $0 == 0 ? 0 : $0 == parts ? count : starts[$0 * starts.count / parts] }
    }
}
