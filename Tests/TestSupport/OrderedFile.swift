import Foundation

/// A writer of Matroska files with ordered chapters. ffmpeg can't write them, so it writes plain files, which are then
/// changed.
public enum OrderedFile {
    public struct Part: Sendable {
        public var title: String
        public var start: Double, end: Double
        /// The identifier of the file that contains the part; nil for this file.
        public var file: [UInt8]?
        public init(_ title: String, _ start: Double, _ end: Double, in file: [UInt8]? = nil) {
            (self.title, self.start, self.end, self.file) = (title, start, end, file)
        }
    }
    public struct Failed: Error, CustomStringConvertible {
        public var description: String
    }

    /// Copies `source` to `target` and adds chapters, so that players play `parts` in order.
    /// - Returns: The identifier of the file, by which parts of other files refer to it.
    @discardableResult
    public static func write(_ source: URL, parts: [Part], to target: URL, isOrdered: Bool = true) throws -> [UInt8] {
        let chapterFile = target.deletingPathExtension().appendingPathExtension("chapters.txt")
        defer { try? FileManager.default.removeItem(at: chapterFile) }
        var text = ";FFMETADATA1\n"
        for (index, part) in parts.enumerated() {
            let title = part.file == nil ? part.title : "LINK\(index)-aaaaaaaaaaaaaaaaaaaaaaaa"
            text +=
                "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\(Int(part.start * 1000))\nEND=\(Int(part.end * 1000))\ntitle=\(title)\n"
        }
        try Data(text.utf8).write(to: chapterFile)
        let code = try ChildProcess(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-y", "-i", source.path, "-i", chapterFile.path, "-map", "0:v", "-map",
                "0:a?",
                "-map_chapters", "1", "-c", "copy", target.path,
            ]
        ).wait()
        guard code == 0 else { throw Failed(description: "ffmpeg ended with \(code)") }
        var bytes = [UInt8](try Data(contentsOf: target))
        func place(_ wanted: [UInt8], from: Int = 0) throws -> Int {
            for at in from..<bytes.count - wanted.count where bytes[at] == wanted[0] {
                if bytes[at..<at + wanted.count].elementsEqual(wanted) { return at }
            }
            throw Failed(description: "\(wanted) is not in the file")
        }
        // Change the EditionFlagDefault of the only edition to EditionFlagOrdered.
        if isOrdered { bytes[try place([0x45, 0xDB, 0x81, 0x01]) + 1] = 0xDD }
        for (index, part) in parts.enumerated() {
            guard let file = part.file else { continue }
            // Replace ChapterDisplay with ChapterSegmentUUID, and fill the remaining bytes with a Void element.
            let title = try place(Array("LINK\(index)-".utf8))
            let start = title - 4
            guard bytes[start] == 0x80, bytes[start + 2] == 0x85 else { throw Failed(description: "no ChapterDisplay") }
            let length = Int(bytes[start + 1] & 0x7F) + 2
            let link = [0x6E, 0x67, 0x80 | UInt8(file.count)] + file
            let rest = length - link.count - 2
            guard rest >= 0 else { throw Failed(description: "the title is too short") }
            bytes.replaceSubrange(
                start..<start + length,
                with: link + [0xEC, 0x80 | UInt8(rest)] + [UInt8](repeating: 0, count: rest))
        }
        try Data(bytes).write(to: target)
        let identifier = try place([0x73, 0xA4, 0x90])
        return Array(bytes[identifier + 3..<identifier + 19])
    }

    /// Nests the second chapter of a file in the first.
    public static func nest(_ file: URL) throws {
        var bytes = [UInt8](try Data(contentsOf: file))
        // The bytes at the beginning of a chapter are the ID of ChapterAtom, a size, and the ID of ChapterUID.
        let atoms = bytes.indices.dropLast(4).filter {
            bytes[$0] == 0xB6 && bytes[$0 + 1] & 0x80 != 0 && bytes[$0 + 2] == 0x73 && bytes[$0 + 3] == 0xC4
        }
        guard atoms.count >= 2, bytes[atoms[0] + 1] & 0x7F == atoms[1] - atoms[0] - 2 else {
            throw Failed(description: "it has no two chapters of a known size")
        }
        let size = bytes[atoms[0] + 1] & 0x7F + bytes[atoms[1] + 1] & 0x7F + 2
        guard size < 0x7F else { throw Failed(description: "the chapters are too long") }
        bytes[atoms[0] + 1] = 0x80 | size
        try Data(bytes).write(to: file)
    }
}
