import CFFmpeg
import Foundation
import MediaCore

/// Chapter information of a Matroska file that libavformat does not expose (RFC 9559 §5.1.7): the playback order of
/// parts of this file and of other files, if the default edition defines one.
struct MatroskaChapters: Sendable {
    struct Chapter: Sendable {
        /// The start and end in the time of the file that contains the chapter, in nanoseconds. `end` is `nil` if the
        /// file does not specify it.
        var start: Int64, end: Int64?
        /// The identifier of the file that contains the chapter; `nil` for this file.
        var segment: [UInt8]?
        /// The titles by language code (such as `eng`), in the file's order.
        var titles: [(language: String, text: String)] = []
        /// Whether the chapter is played but not listed.
        var isHidden = false
    }
    /// The chapters of the default edition if it is ordered; otherwise empty.
    private(set) var ordered: [Chapter] = []
    /// The identifier by which other files refer to this one; empty if there is none.
    private(set) var identifier: [UInt8] = []

    /// The maximum size of the chapters that are read, in bytes. A chapter takes a few hundred.
    private static let limit: Int64 = 8 << 20
    private static let mostChapters = 10_000

    /// Reads the description and the chapters of a file. Restores the position of `io` afterward. Returns `nil` if the
    /// file is not a Matroska file.
    init?(_ io: UnsafeMutablePointer<AVIOContext>) {
        guard io.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0 else { return nil }
        let savedPosition = avio_tell(io)
        defer { avio_seek(io, savedPosition, SEEK_SET) }
        guard let file = MatroskaChapters.element(io, at: 0), file.id == 0x1A45_DFA3,
            let segment = MatroskaChapters.element(io, at: file.end), segment.id == 0x1853_8067
        else { return nil }
        // The elements before the media, and the positions of the others.
        var offsets: [UInt32: Int64] = [:]
        var next = segment.start
        var elementCount = 0
        while elementCount < 64, let element = MatroskaChapters.element(io, at: next), element.id != 0x1F43_B675 {
            elementCount += 1
            if offsets[element.id] == nil { offsets[element.id] = next }
            if element.id == 0x114D_9B74 {
                for seek in MatroskaChapters.children(MatroskaChapters.bytes(io, element)[...]) where seek.id == 0x4DBB
                {
                    var target: UInt32?
                    var position: UInt64?
                    for part in MatroskaChapters.children(seek.body) {
                        if part.id == 0x53AB { target = UInt32(truncatingIfNeeded: part.number) }
                        if part.id == 0x53AC { position = part.number }
                    }
                    guard let target, let position, position < UInt64(Int64.max) / 4, offsets[target] == nil else {
                        continue
                    }
                    offsets[target] = segment.start + Int64(position)
                }
            }
            guard element.end > next else { break }
            next = element.end
        }
        func body(_ id: UInt32) -> [UInt8] {
            guard let offset = offsets[id], let element = MatroskaChapters.element(io, at: offset), element.id == id
            else {
                return []
            }
            return MatroskaChapters.bytes(io, element)
        }
        identifier =
            MatroskaChapters.children(body(0x1549_A966)[...]).first { $0.id == 0x73A4 }.map { Array($0.body) } ?? []
        let editions = MatroskaChapters.children(body(0x1043_A770)[...]).filter { $0.id == 0x45B9 }
            .map { MatroskaChapters.children($0.body) }
        func flag(_ edition: [Piece], _ id: UInt32) -> Bool { edition.contains { $0.id == id && $0.number != 0 } }
        guard let edition = editions.first(where: { flag($0, 0x45DB) }) ?? editions.first, flag(edition, 0x45DD) else {
            return
        }
        ordered = Array(
            MatroskaChapters.chapters(in: edition, of: Chapter(start: 0, end: nil), depth: 0)
                .prefix(MatroskaChapters.mostChapters))
    }

    /// The maximum depth of nested chapters.
    private static let mostLevels = 16

    /// Returns the chapters that are played. A chapter with nested chapters is replaced by them (RFC 9559 §20.1.3).
    private static func chapters(in pieces: [Piece], of parent: Chapter, depth: Int) -> [Chapter] {
        pieces.filter { $0.id == 0xB6 }.flatMap { atom -> [Chapter] in
            let parts = children(atom.body)
            guard let own = chapter(parts, of: parent) else { return [] }
            let inner = depth < mostLevels ? chapters(in: parts, of: own, depth: depth + 1) : []
            // Nested chapters without ends are marks in the chapter, not parts of it.
            return inner.isEmpty || inner.contains { $0.end == nil } ? [own] : inner
        }
    }

    /// Returns the chapter of an atom; `nil` if it is disabled, which also disables its nested chapters.
    private static func chapter(_ atom: [Piece], of parent: Chapter) -> Chapter? {
        var chapter = Chapter(start: 0, end: nil, segment: parent.segment, isHidden: parent.isHidden)
        for part in atom {
            switch part.id {
            case 0x91: chapter.start = Int64(clamping: part.number)
            case 0x92: chapter.end = Int64(clamping: part.number)
            case 0x98: chapter.isHidden = parent.isHidden || part.number != 0
            case 0x4598: if part.number == 0 { return nil }
            case 0x6E67: chapter.segment = Array(part.body)
            case 0x80:
                let display = children(part.body)
                func text(_ id: UInt32) -> String? {
                    display.first { $0.id == id }.map { String(decoding: $0.body.prefix { $0 != 0 }, as: UTF8.self) }
                }
                if let title = text(0x85) { chapter.titles.append((text(0x437D) ?? text(0x437C) ?? "eng", title)) }
            default: break
            }
        }
        return chapter
    }

    // MARK: elements (RFC 8794)

    private struct Element {
        var id: UInt32
        /// The range of the content in the file, in bytes.
        var start: Int64, end: Int64
    }

    private static func element(_ io: UnsafeMutablePointer<AVIOContext>, at offset: Int64) -> Element? {
        guard offset >= 0, avio_seek(io, offset, SEEK_SET) >= 0 else { return nil }
        var head = [UInt8](repeating: 0, count: 12)
        let got = avio_read(io, &head, 12)
        guard got > 1, let (id, size, length) = header(head[..<Int(got)]) else { return nil }
        let start = offset + Int64(length)
        // An unknown size means that the file is still being written, so the element extends to the end.
        let end = size.map { start.addingSaturating(Int64(clamping: $0)) } ?? .max
        return Element(id: id, start: start, end: end)
    }

    private static func bytes(_ io: UnsafeMutablePointer<AVIOContext>, _ element: Element) -> [UInt8] {
        let size = min(element.end - element.start, limit)
        let rest = avio_size(io)
        guard size > 0, rest <= 0 || element.start < rest, avio_seek(io, element.start, SEEK_SET) >= 0 else {
            return []
        }
        var bytes = [UInt8](repeating: 0, count: Int(rest > 0 ? min(size, rest - element.start) : size))
        let got = avio_read(io, &bytes, Int32(bytes.count))
        return got > 0 ? Array(bytes.prefix(Int(got))) : []
    }

    struct Piece {
        var id: UInt32
        var body: ArraySlice<UInt8>
        var number: UInt64 { body.suffix(8).reduce(0) { $0 << 8 | UInt64($1) } }
    }

    private static func children(_ bytes: ArraySlice<UInt8>) -> [Piece] {
        var pieces: [Piece] = []
        var rest = bytes
        while let (id, size, length) = header(rest), pieces.count < mostChapters {
            rest = rest.dropFirst(length)
            let count = Int(clamping: size ?? UInt64(rest.count))
            guard count <= rest.count else { break }
            pieces.append(Piece(id: id, body: rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return pieces
    }

    /// Returns the identifier and the size of an element (`nil` if unknown), and the length of both in bytes.
    private static func header(_ bytes: ArraySlice<UInt8>) -> (id: UInt32, size: UInt64?, length: Int)? {
        func number(_ bytes: ArraySlice<UInt8>, _ maximumLength: Int, keepsMark: Bool) -> (value: UInt64, length: Int)?
        {
            guard let first = bytes.first, first != 0 else { return nil }
            let length = first.leadingZeroBitCount + 1
            guard length <= maximumLength, bytes.count >= length else { return nil }
            let mark = keepsMark ? UInt64(first) : UInt64(first) & ((1 << UInt64(8 - length)) - 1)
            return (bytes.dropFirst().prefix(length - 1).reduce(mark) { $0 << 8 | UInt64($1) }, length)
        }
        guard let id = number(bytes, 4, keepsMark: true),
            let size = number(bytes.dropFirst(id.length), 8, keepsMark: false)
        else { return nil }
        let isUnknown = size.value == (1 << UInt64(7 * size.length)) - 1
        return (UInt32(truncatingIfNeeded: id.value), isUnknown ? nil : size.value, id.length + size.length)
    }
}
