import Foundation

/// The frames of ID3 tags of version 2.2, 2.3 and 2.4 (id3.org), as streams carry them.
///
/// A tag comes from a server, so every size in it is checked. Frames after a damaged one, or beyond `mostFrames`, are
/// ignored.
struct ID3Tag {
    /// A frame, without its header.
    struct Frame: Equatable {
        /// The key, such as `TIT2`, or `TT2` in version 2.2.
        let id: String
        let bytes: [UInt8]
    }

    private(set) var frames: [Frame] = []
    /// The greatest number of frames that are read. An empty frame needs only a few bytes in a stream.
    static let mostFrames = 256

    /// Reads all tags that `bytes` begins with.
    init(_ bytes: some Sequence<UInt8>) {
        var rest = Array(bytes)[...]
        while frames.count < ID3Tag.mostFrames, let (tag, length) = ID3Tag.first(of: rest) {
            frames += tag.prefix(ID3Tag.mostFrames - frames.count)
            rest = rest.dropFirst(length)
        }
    }

    /// Returns the whole tag of a packet of a transport stream.
    ///
    /// libavformat takes the first five bytes for the header of a metadata access unit (ISO/IEC 13818-1 §2.12.4), and
    /// removes them (`mpegts_push_data` in mpegts.c). HLS has no such header. The version is lost with the bytes, so
    /// the one with which most bytes can be read is assumed.
    static func restored(_ bytes: [UInt8]) -> [UInt8] {
        let name = Array("ID3".utf8)
        guard bytes.count >= 5, !bytes.starts(with: name) else { return bytes }
        func readable(_ tag: [UInt8]) -> Int { ID3Tag(tag).frames.reduce(0) { $0 + $1.bytes.count } }
        return [4, 3, 2].map { name + [$0, 0] + bytes }.max { readable($0) < readable($1) } ?? bytes
    }

    private static func first(of bytes: ArraySlice<UInt8>) -> (frames: [Frame], length: Int)? {
        guard bytes.count >= 10, bytes.starts(with: [0x49, 0x44, 0x33]) else { return nil }  // "ID3"
        let head = Array(bytes.prefix(10))
        let (version, flags) = (Int(head[3]), head[5])
        guard let size = syncSafe(head[6...]), bytes.count >= 10 + size else { return nil }
        var body = Array(bytes.dropFirst(10).prefix(size))
        // A footer repeats the header.
        let length = 10 + size + (version == 4 && flags & 0x10 != 0 ? 10 : 0)
        // In version 2.2, the second flag means a compression that was never defined.
        guard (2...4).contains(version), version > 2 || flags & 0x40 == 0 else { return ([], length) }
        if version < 4, flags & 0x80 != 0 { body = resynchronized(body) }
        if version > 2, flags & 0x40 != 0 {
            // The extended header. In version 2.3, its size does not include the size field.
            guard body.count >= 4 else { return ([], length) }
            let size = version == 3 ? number(body[..<4]) + 4 : syncSafe(body[..<4]) ?? body.count
            body = Array(body.dropFirst(size))
        }
        return (frames(of: body, version: version), length)
    }

    private static func frames(of body: [UInt8], version: Int) -> [Frame] {
        let (nameLength, headLength) = version == 2 ? (3, 6) : (4, 10)
        var found: [Frame] = []
        var rest = body[...]
        while rest.count > headLength, found.count < mostFrames {
            let head = Array(rest.prefix(headLength))
            let name = head[..<nameLength]
            // Padding begins with a zero.
            guard name.allSatisfy({ (48...57).contains($0) || (65...90).contains($0) }) else { break }
            let sizeField = head[nameLength..<(2 * nameLength)]
            guard let size = version == 4 ? syncSafe(sizeField) : number(sizeField),
                size <= rest.count - headLength
            else { break }
            let content = Array(rest.dropFirst(headLength).prefix(size))
            rest = rest.dropFirst(headLength + size)
            let flags = version == 2 ? 0 : head[9]
            if let bytes = plain(content, version: version, flags: flags) {
                found.append(Frame(id: String(decoding: name, as: UTF8.self), bytes: bytes))
            }
        }
        return found
    }

    /// Returns the content of a frame without the fields that its flags announce; nil if it is compressed or encrypted.
    private static func plain(_ content: [UInt8], version: Int, flags: UInt8) -> [UInt8]? {
        switch version {
        case 3:
            guard flags & 0xC0 == 0 else { return nil }
            return flags & 0x20 != 0 ? Array(content.dropFirst()) : content
        case 4:
            guard flags & 0x0C == 0 else { return nil }
            let extra = (flags & 0x40 != 0 ? 1 : 0) + (flags & 0x01 != 0 ? 4 : 0)
            let bytes = Array(content.dropFirst(extra))
            return flags & 0x02 != 0 ? resynchronized(bytes) : bytes
        default: return content
        }
    }

    /// Removes the zeros that a writer has inserted after each byte 255.
    private static func resynchronized(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() where !(byte == 0 && index > 0 && bytes[index - 1] == 0xFF) {
            result.append(byte)
        }
        return result
    }

    /// Returns a number of seven bits per byte; nil if a byte has its highest bit set.
    private static func syncSafe(_ bytes: ArraySlice<UInt8>) -> Int? {
        bytes.contains { $0 & 0x80 != 0 } ? nil : bytes.reduce(0) { $0 << 7 | Int($1) }
    }
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}

extension ID3Tag.Frame {
    /// The text or the bytes of a frame, for a metadata item.
    struct Value: Equatable {
        var text: String?
        var data: Data
        /// The MIME type.
        var type = "text/plain"
        /// The description or owner of the value.
        var info: String?
        /// The language as in ISO 639-2.
        var language: String?
    }

    /// The value of the frame; nil if the frame is damaged.
    var value: Value? {
        var rest = bytes[...]
        switch id {
        case "TXXX", "TXX":
            guard let encoding = Encoding(&rest) else { return nil }
            let info = encoding.string(&rest)
            return text(encoding.strings(rest).joined(separator: "/"), info: info)
        case "WXXX", "WXX":
            guard let encoding = Encoding(&rest) else { return nil }
            let info = encoding.string(&rest)
            return text(Encoding.latin.strings(rest).first ?? "", info: info)
        case "COMM", "COM", "USLT", "ULT":
            guard let encoding = Encoding(&rest), rest.count >= 3 else { return nil }
            let language = String(decoding: rest.prefix(3), as: UTF8.self).lowercased()
            rest = rest.dropFirst(3)
            let info = encoding.string(&rest)
            var value = text(encoding.strings(rest).first ?? "", info: info)
            value.language = language.allSatisfy { $0.isASCII && $0.isLetter } && language != "xxx" ? language : nil
            return value
        case "APIC", "PIC":
            guard let encoding = Encoding(&rest) else { return nil }
            var type: String
            if id == "PIC" {
                type = "image/" + String(decoding: rest.prefix(3), as: UTF8.self).lowercased()
                rest = rest.dropFirst(3)
            } else {
                type = Encoding.latin.string(&rest).lowercased()
            }
            if type == "image/jpg" || type == "image/" { type = "image/jpeg" }
            // The kind of the picture, such as the front cover.
            rest = rest.dropFirst()
            let info = encoding.string(&rest)
            return data(rest, type: type, info: info)
        case "GEOB", "GEO":
            guard let encoding = Encoding(&rest) else { return nil }
            let type = Encoding.latin.string(&rest)
            _ = encoding.string(&rest)
            let info = encoding.string(&rest)
            return data(rest, type: type.isEmpty ? nil : type, info: info)
        case "PRIV", "UFID", "UFI":
            let owner = Encoding.latin.string(&rest)
            return data(rest, info: owner)
        case let name where name.hasPrefix("T"):
            guard let encoding = Encoding(&rest) else { return nil }
            return text(encoding.strings(rest).joined(separator: "/"))
        case let name where name.hasPrefix("W"):
            return text(Encoding.latin.strings(rest).first ?? "")
        default: return data(rest)
        }
    }

    private func text(_ text: String, info: String? = nil) -> Value {
        Value(text: text, data: Data(text.utf8), info: info.flatMap { $0.isEmpty ? nil : $0 })
    }
    private func data(_ bytes: ArraySlice<UInt8>, type: String? = nil, info: String? = nil) -> Value {
        Value(
            data: Data(bytes), type: type ?? "application/octet-stream", info: info.flatMap { $0.isEmpty ? nil : $0 })
    }

    /// The encoding of the texts in a frame.
    private enum Encoding: UInt8 {
        case latin = 0, utf16 = 1, utf16BigEndian = 2, utf8 = 3

        /// Reads the byte that names the encoding.
        init?(_ rest: inout ArraySlice<UInt8>) {
            guard let byte = rest.popFirst(), let encoding = Encoding(rawValue: byte) else { return nil }
            self = encoding
        }

        private var width: Int { self == .utf16 || self == .utf16BigEndian ? 2 : 1 }

        /// Removes a text that ends with a zero, and returns it.
        func string(_ rest: inout ArraySlice<UInt8>) -> String {
            var end = rest.startIndex
            while end + width <= rest.endIndex, rest[end..<(end + width)].contains(where: { $0 != 0 }) { end += width }
            let text = decoded(rest[rest.startIndex..<min(end, rest.endIndex)])
            rest = rest[min(end + width, rest.endIndex)...]
            return text
        }

        /// Returns all texts in `bytes`, without an empty last one.
        func strings(_ bytes: ArraySlice<UInt8>) -> [String] {
            var rest = bytes
            var all: [String] = []
            while rest.count >= width { all.append(string(&rest)) }
            while all.last?.isEmpty == true { all.removeLast() }
            return all
        }

        private func decoded(_ bytes: ArraySlice<UInt8>) -> String {
            switch self {
            case .utf8: return String(decoding: bytes, as: UTF8.self)
            case .latin: return String(String.UnicodeScalarView(bytes.map { UnicodeScalar($0) }))
            case .utf16, .utf16BigEndian:
                var bytes = bytes
                var isLittle = false
                if self == .utf16, bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
                    isLittle = bytes.first == 0xFF
                    bytes = bytes.dropFirst(2)
                }
                let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { index in
                    let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
                    return isLittle ? second << 8 | first : first << 8 | second
                }
                return String(decoding: units, as: UTF16.self)
            }
        }
    }
}
