/// A parser that removes the metadata from a SHOUTcast or Icecast stream.
///
/// Each block of `icy-metaint` bytes of audio is followed by one byte and a text. The byte multiplied by 16 is the
/// length of the text, `StreamTitle='…';`, which is padded with zeros.
struct IcyMetadata {
    private enum Section {
        /// The number of audio bytes before the next length byte.
        case audio(Int)
        /// The number of text bytes still to come.
        case text(Int)
        /// The server has announced metadata but sends none.
        case plain
    }

    private let interval: Int
    private var section: Section
    /// The length byte and the text received so far.
    private var block: [UInt8] = []
    private var hasFoundText = false

    /// Creates a parser. Returns nil if there is no metadata, or the interval is outside the range 1 byte … 16 MiB.
    /// - Parameter announced: The value of the `icy-metaint` header.
    init?(_ announced: String?) {
        guard let interval = announced.flatMap({ Int($0) }), (1...(16 << 20)).contains(interval) else { return nil }
        self.interval = interval
        section = .audio(interval)
    }

    /// Splits bytes of the stream into audio and titles.
    /// - Parameters:
    ///   - audio: Called with audio bytes, which are valid during the call.
    ///   - title: Called with each title.
    mutating func take(
        _ bytes: UnsafeRawBufferPointer, audio: (UnsafeRawBufferPointer) -> Void, title: (String) -> Void
    ) {
        var rest = bytes[...]
        while !rest.isEmpty {
            switch section {
            case .plain:
                return audio(UnsafeRawBufferPointer(rebasing: rest))
            case .audio(0):
                let length = Int(rest.removeFirst())
                block = [UInt8(length)]
                section = length == 0 ? .audio(interval) : .text(length * 16)
            case .audio(let left):
                let part = rest.prefix(left)
                rest = rest.dropFirst(part.count)
                section = .audio(left - part.count)
                audio(UnsafeRawBufferPointer(rebasing: part))
            case .text(let left):
                let part = rest.prefix(left)
                rest = rest.dropFirst(part.count)
                block += part
                section = .text(left - part.count)
                if part.count == left { endText(audio, title) }
            }
        }
    }

    private mutating func endText(_ audio: (UnsafeRawBufferPointer) -> Void, _ title: (String) -> Void) {
        section = .audio(interval)
        let text = IcyMetadata.text(block.dropFirst())
        if IcyMetadata.isText(block.dropFirst()) {
            hasFoundText = true
            if let found = IcyMetadata.title(text) { title(found) }
        } else if !hasFoundText {
            // Some servers announce metadata to every client and send it to none.
            section = .plain
            block.withUnsafeBytes { audio($0) }
        }
    }

    /// Returns whether the bytes are a text of the form `name=…`, padded with zeros, or only zeros.
    private static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
        let text = bytes.prefix { $0 != 0 }
        guard bytes.dropFirst(text.count).allSatisfy({ $0 == 0 }) else { return false }
        // A block of zeros means that the title has not changed.
        if text.isEmpty { return true }
        let name = text.prefix { $0 != UInt8(ascii: "=") }
        return !name.isEmpty && name.count < text.count
            && name.allSatisfy { $0 > 0x20 && $0 < 0x7f }
            && text.allSatisfy { $0 >= 0x20 || $0 == 0x09 || $0 == 0x0a || $0 == 0x0d }
    }

    /// Decodes the bytes up to the first zero as UTF-8, or as Latin-1 if they are not valid UTF-8.
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        let all = Array(bytes.prefix { $0 != 0 })
        if let text = String(validating: all, as: UTF8.self) { return text }
        return String(String.UnicodeScalarView(all.map { UnicodeScalar($0) }))
    }

    /// Returns the title, or nil if the text contains none. An empty title means that the previous title has ended.
    private static func title(_ text: String) -> String? {
        guard let start = text.range(of: "StreamTitle=") else { return nil }
        var value = text[start.upperBound...]
        guard let quote = value.first, quote == "'" || quote == "\"" else {
            return String(value.prefix { $0 != ";" })
        }
        value = value.dropFirst()
        // Quotes within a title are not escaped. The title ends at a quote followed by a semicolon, or at the last
        // quote.
        let end = value.range(of: "\(quote);")?.lowerBound ?? value.lastIndex(of: quote) ?? value.endIndex
        return String(value[..<end])
    }
}
