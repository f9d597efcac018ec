/// Takes the metadata out of a SHOUTcast or Icecast stream: after every `icy-metaint` bytes of audio come a byte, 16 times
/// of which is the length of a text, and the text, `StreamTitle='…';`, filled up with zeros.
struct IcyMetadata {
    private enum Place {
        /// Bytes of audio until the next length.
        case audio(Int)
        /// Bytes of text to come.
        case text(Int)
        /// The server has announced metadata, and sends none.
        case plain
    }

    private let interval: Int
    private var place: Place
    /// The length and the text so far.
    private var block: [UInt8] = []
    private var hasFoundText = false

    /// - Parameter announced: The value of `icy-metaint`.
    /// - Returns: Nil if there is no metadata, or the number makes no sense.
    init?(_ announced: String?) {
        guard let interval = announced.flatMap({ Int($0) }), (1...(16 << 20)).contains(interval) else { return nil }
        self.interval = interval
        place = .audio(interval)
    }

    /// - Parameters:
    ///   - audio: Called with what is no metadata; valid during the call.
    ///   - title: Called with each title.
    mutating func take(
        _ bytes: UnsafeRawBufferPointer, audio: (UnsafeRawBufferPointer) -> Void, title: (String) -> Void
    ) {
        var rest = bytes[...]
        while !rest.isEmpty {
            switch place {
            case .plain:
                return audio(UnsafeRawBufferPointer(rebasing: rest))
            case .audio(0):
                let length = Int(rest.removeFirst())
                block = [UInt8(length)]
                place = length == 0 ? .audio(interval) : .text(length * 16)
            case .audio(let left):
                let part = rest.prefix(left)
                rest = rest.dropFirst(part.count)
                place = .audio(left - part.count)
                audio(UnsafeRawBufferPointer(rebasing: part))
            case .text(let left):
                let part = rest.prefix(left)
                rest = rest.dropFirst(part.count)
                block += part
                place = .text(left - part.count)
                if part.count == left { endText(audio, title) }
            }
        }
    }

    private mutating func endText(_ audio: (UnsafeRawBufferPointer) -> Void, _ title: (String) -> Void) {
        place = .audio(interval)
        let text = IcyMetadata.text(block.dropFirst())
        if IcyMetadata.isText(block.dropFirst()) {
            hasFoundText = true
            if let found = IcyMetadata.title(text) { title(found) }
        } else if !hasFoundText {
            // Some servers announce metadata to everybody and send them to none.
            place = .plain
            block.withUnsafeBytes { audio($0) }
        }
    }

    /// Whether it is `name='…`, followed by nothing but text and zeros.
    private static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
        let text = bytes.prefix { $0 != 0 }
        guard bytes.dropFirst(text.count).allSatisfy({ $0 == 0 }) else { return false }
        // One that is all zeros says nothing.
        if text.isEmpty { return true }
        let name = text.prefix { $0 != UInt8(ascii: "=") }
        return !name.isEmpty && name.count < text.count
            && name.allSatisfy { $0 > 0x20 && $0 < 0x7f }
            && text.allSatisfy { $0 >= 0x20 || $0 == 0x09 || $0 == 0x0a || $0 == 0x0d }
    }

    /// UTF-8, else Latin-1.
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        let all = Array(bytes.prefix { $0 != 0 })
        if let text = String(validating: all, as: UTF8.self) { return text }
        return String(String.UnicodeScalarView(all.map { UnicodeScalar($0) }))
    }

    /// Nil if there is none; empty: the title has ended.
    private static func title(_ text: String) -> String? {
        guard let start = text.range(of: "StreamTitle=") else { return nil }
        var value = text[start.upperBound...]
        guard let quote = value.first, quote == "'" || quote == "\"" else {
            return String(value.prefix { $0 != ";" })
        }
        value = value.dropFirst()
        // A quote in the title is not escaped: the end is a quote before a semicolon, or the last one.
        let end = value.range(of: "\(quote);")?.lowerBound ?? value.lastIndex(of: quote) ?? value.endIndex
        return String(value[..<end])
    }
}
