/// An event message (`emsg`) of an fMP4 segment (ISO/IEC 23009-1 §5.10.3.3) that contains an ID3 tag.
struct EventMessage {
    /// The time of the event, in seconds: on the container's timeline, or after the start of the segment.
    let seconds: Double
    /// Whether the time counts from the start of the segment.
    let isRelative: Bool
    /// The duration in seconds; nil if it is unknown.
    let duration: Double?
    /// The ID3 tag.
    let tag: [UInt8]

    /// The schemes of messages that contain ID3 tags.
    private static let schemes = ["https://aomedia.org/emsg/ID3", "https://developer.apple.com/streaming/emsg-id3"]
    /// The largest box that is read, in bytes.
    static let largest: Int64 = 1 << 20

    /// Reads a whole box. Returns nil if it is damaged or has another scheme.
    init?(box: [UInt8]) {
        var rest = box.dropFirst(8)
        func number(_ count: Int) -> UInt64? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
        }
        func text() -> String? {
            guard let end = rest.firstIndex(of: 0) else { return nil }
            defer { rest = rest[(end + 1)...] }
            return String(decoding: rest[..<end], as: UTF8.self)
        }
        guard let version = number(1), number(3) != nil, version <= 1 else { return nil }
        var scheme: String?
        if version == 0 {
            scheme = text()
            guard text() != nil else { return nil }
        }
        guard let scale = number(4), scale > 0, let time = number(version == 0 ? 4 : 8), let length = number(4),
            number(4) != nil
        else { return nil }
        if version == 1 {
            scheme = text()
            guard text() != nil else { return nil }
        }
        guard let scheme, EventMessage.schemes.contains(scheme) else { return nil }
        seconds = Double(time) / Double(scale)
        isRelative = version == 0
        duration = length == 0xFFFF_FFFF || length == 0 ? nil : Double(length) / Double(scale)
        tag = Array(rest)
    }
}
