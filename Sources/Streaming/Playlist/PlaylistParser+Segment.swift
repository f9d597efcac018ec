import Foundation

extension PlaylistParser {
    mutating func readSegmentTag(_ tag: PlaylistTag, _ content: Bytes, _ value: Bytes) throws(PlaylistError) {
        switch tag {
        case .extinf: try readDuration(value)
        case .byteRange:
            if value.trimmed.count == 0 { return warn("EXT-X-BYTERANGE is empty") }
            guard let range = value.trimmed.byteRange else {
                throw failure("EXT-X-BYTERANGE is “\(excerpt(value))”, not a length and an offset in bytes")
            }
            media.tags.byteRange = range
        case .part: try readPart(value)
        case .programDateTime:
            guard let date = PlaylistDate.date(value.trimmed) else { return keep(content) }
            media.next.programDateTime = date
        case .key:
            readAttributes(value)
            apply(try encryptionKey("EXT-X-KEY"))
        case .map: try readMap(value)
        case .discontinuity:
            media.next.isDiscontinuity = true
            media.next.discontinuitySequence += 1
        case .gap: media.next.isGap = true
        case .bitrate:
            // The tag states kilobits per second.
            if let rate = value.trimmed.integer, rate <= largestPlaylistInteger / 1000 {
                media.next.statedBitrate = rate * 1000
            }
        default: break
        }
    }

    /// Reads seconds and a title (RFC 8216 §4.3.2.1). Some packagers write attributes of their own after the seconds.
    private mutating func readDuration(_ value: Bytes) throws(PlaylistError) {
        let comma = value.position(of: 0x2C)
        var text = value.slice(0, comma ?? value.count).trimmed
        if let blank = text.firstIndex(where: Bytes.isBlank) { text = text.slice(0, blank) }
        if let duration = text.amount {
            media.tags.duration = duration
        } else {
            warn("EXTINF's duration is “\(excerpt(text))”, not a valid number of seconds")
            media.tags.duration = MediaReading.unknownDuration
        }
        media.tags.title = ""
        if let comma, comma + 1 < value.count { media.tags.title = value.slice(comma + 1).trimmed.string }
    }

    /// Completes the current segment when the line with its URI has been read.
    mutating func completeSegment(_ content: Bytes) throws(PlaylistError) {
        if media.tags.duration == nil {
            warn("the URI has no EXTINF before it")
        }
        let duration = media.tags.duration ?? MediaReading.unknownDuration
        guard media.segmentCount < Self.mostSegments else {
            throw failure("the playlist has more than \(Self.mostSegments) segments")
        }
        try addToTotal(max(0, duration))
        var segment = MediaSegment(
            uri: try segmentURI(content), duration: duration, mediaSequence: media.next.mediaSequence)
        if let range = media.tags.byteRange {
            let end = range.offset == nil ? try endOfLastRange(in: segment.uri) : nil
            segment.byteRange = try resolved(range, after: end, "EXT-X-BYTERANGE")
        }
        segment.title = media.tags.title
        segment.discontinuitySequence = media.next.discontinuitySequence
        segment.isDiscontinuity = media.next.isDiscontinuity
        segment.keys = media.next.keys
        segment.map = media.next.map
        segment.programDateTime = media.next.programDateTime
        segment.isGap = media.next.isGap
        segment.statedBitrate = media.next.statedBitrate
        segment.parts = media.next.parts
        segment.otherTags = media.next.otherTags
        media.segments.append(segment)

        media.memory.add(
            PlaylistMemory.Mark(end: lines.isComplete ? lines.position : Int.max, line: lines.number),
            of: media.next.mediaSequence)
        media.tags = SegmentTags()
        media.next.mediaSequence += 1
        media.next.isDiscontinuity = false
        media.next.programDateTime = nil
        media.next.isGap = false
        media.next.parts = []
        media.next.otherTags = []
        if previous != nil, media.segmentCount == 1 { try takeOverAfterFirstSegment() }
    }

    mutating func addToTotal(_ duration: Double) throws(PlaylistError) {
        media.total += duration
        guard media.total <= longestPlaylistDuration else {
            throw failure("the segments last longer than \(Int(longestPlaylistDuration)) seconds")
        }
    }

    /// Returns the segment's URI. Segments that are ranges of one resource share its string.
    private mutating func segmentURI(_ content: Bytes) throws(PlaylistError) -> String {
        if media.tags.byteRange != nil, !hasReferences, let last = media.segments.last?.uri,
            last.utf8.withContiguousStorageIfAvailable({ $0.equals(content) }) == true
        {
            return last
        }
        return try uri(content)
    }

    /// Returns the end of the previous byte range of the same resource. The first range of a resource begins at 0.
    private mutating func endOfLastRange(in uri: String) throws(PlaylistError) -> Int? {
        let isAfterReused = !media.reused.isEmpty && media.segments.count == media.reusedIndex
        let last = isAfterReused ? previous?.segments[media.reused.upperBound - 1] : media.segments.last
        if let last, last.uri == uri { return last.byteRange.map { Int($0.end) } }
        // Offset 0 is assumed only without a previous version, and only if no recent segment uses the same resource.
        // With a previous version, parsing fails here, and the text is parsed again from its beginning.
        guard previous == nil, !media.segments.suffix(100).contains(where: { $0.uri == uri }) else { return nil }
        warn("EXT-X-BYTERANGE has no offset and does not follow a range of the same resource")
        return 0
    }

    /// Completes a byte range. Without an offset, it begins where the previous range of the same resource ends (RFC
    /// 8216 §4.3.2.2).
    private func resolved(_ range: (length: Int, offset: Int?), after end: Int?, _ name: String) throws(PlaylistError)
        -> ByteRange
    {
        guard let offset = range.offset ?? end else {
            throw failure("\(name) has no offset and does not follow a range of the same resource")
        }
        guard offset <= largestPlaylistInteger - range.length else {
            throw failure("\(name) ends beyond \(largestPlaylistInteger)")
        }
        return ByteRange(offset: Int64(offset), length: Int64(range.length))
    }

    /// Reads `EXT-X-MAP` (§4.3.2.5). A byte range without an offset begins at the start of the resource.
    private mutating func readMap(_ value: Bytes) throws(PlaylistError) {
        readAttributes(value)
        guard let uri = try uri("URI") else { throw failure("EXT-X-MAP has no URI") }
        var range: ByteRange?
        if let stated = attributes["BYTERANGE"]?.value {
            guard let parsed = stated.trimmed.byteRange else {
                throw failure("EXT-X-MAP's BYTERANGE “\(excerpt(stated))” is not valid")
            }
            range = try resolved(parsed, after: 0, "EXT-X-MAP's BYTERANGE")
        }
        // A section that is encrypted as a whole requires an IV, because it has no number. Without an IV, the key
        // applies only to the segments.
        let keys = media.next.keys.filter { $0.method != .aes128 || $0.iv != nil }
        let map = InitializationSection(uri: uri, byteRange: range, keys: keys)
        // Many playlists repeat the tag for every segment, which then share one object.
        if media.next.map != map { media.next.map = map }
    }

    /// Reads `EXT-X-PART` (8216bis §4.4.4.9).
    private mutating func readPart(_ value: Bytes) throws(PlaylistError) {
        readAttributes(value)
        // A part without a URI can be left out, because the whole segment contains the same media.
        guard let uri = try uri("URI") else { return warn("EXT-X-PART has no URI") }
        guard let duration = attributes.amount("DURATION") else {
            return warn("EXT-X-PART has no DURATION in seconds")
        }
        var part = PartialSegment(uri: uri, duration: duration)
        if let stated = attributes["BYTERANGE"]?.value {
            let last = media.lastPart.flatMap { $0.uri == uri ? $0.byteRange : nil }
            guard let parsed = stated.trimmed.byteRange, parsed.offset != nil || last != nil else {
                let reason = "EXT-X-PART's BYTERANGE “\(excerpt(stated))” is not valid"
                // An earlier part may belong to a reused segment, so the text must be parsed again from its beginning.
                guard previous == nil else { throw failure(reason) }
                return warn(reason)
            }
            part.byteRange = try resolved(parsed, after: last.map { Int($0.end) }, "EXT-X-PART's BYTERANGE")
        }
        part.isIndependent = attributes.isYes("INDEPENDENT")
        part.isGap = attributes.isYes("GAP")
        media.lastPart = part
        media.next.parts.append(part)
    }

    // MARK: keys

    /// Returns the key of the attributes just read, or nil for `METHOD=NONE` (RFC 8216 §4.3.2.4).
    mutating func encryptionKey(_ tag: String) throws(PlaylistError) -> EncryptionKey? {
        guard let method = try string("METHOD") else { throw failure("\(tag) has no METHOD") }
        if method == "NONE" { return nil }
        guard let uri = try uri("URI") else { throw failure("\(tag) has no URI for the key") }
        var key = EncryptionKey(method: EncryptionKey.Method(method), uri: uri)
        if let stated = attributes["IV"]?.value.trimmed {
            let isReference = hasReferences && stated.mayHaveReferences
            let iv =
                isReference
                ? Array(try substituted(stated).utf8).withUnsafeBufferPointer { Self.initializationVector($0) }
                : Self.initializationVector(stated)
            guard let iv else { throw failure("\(tag)'s IV is not 0x and up to 32 hexadecimal digits") }
            key.iv = iv
        }
        if let format = try string("KEYFORMAT"), !format.isEmpty { key.keyFormat = format }
        if let versions = try string("KEYFORMATVERSIONS"), !versions.isEmpty { key.keyFormatVersions = versions }
        return key
    }

    /// Sets the key for the following segments. A key applies until the next one of its format; nil removes all keys.
    private mutating func apply(_ key: EncryptionKey?) {
        guard let key else {
            if !media.next.keys.isEmpty { media.next.keys = [] }
            return
        }
        if let index = media.next.keys.firstIndex(where: { $0.keyFormat == key.keyFormat }) {
            // Playlists may repeat a key. An unchanged array stays shared by the segments.
            if media.next.keys[index] != key { media.next.keys[index] = key }
        } else {
            media.next.keys.append(key)
        }
    }

    /// Parses `0x` and up to 32 digits. Missing digits are leading zeros.
    private static func initializationVector(_ text: Bytes) -> [UInt8]? {
        guard text.count >= 3, text.count <= 34, text[0] == 0x30, text[1] | 0x20 == 0x78 else { return nil }
        var vector = [UInt8](repeating: 0, count: 16)
        for index in 2..<text.count {
            let digit: UInt8
            switch text[index] {
            case let byte where byte >= 0x30 && byte <= 0x39: digit = byte - 0x30
            case let byte where byte | 0x20 >= 0x61 && byte | 0x20 <= 0x66: digit = (byte | 0x20) - 0x61 + 10
            default: return nil
            }
            let digitIndex = text.count - 1 - index
            vector[15 - digitIndex / 2] |= digit << (digitIndex % 2 == 0 ? 0 : 4)
        }
        return vector
    }
}

extension EncryptionKey.Method {
    init(_ text: String) {
        switch text {
        case "AES-128": self = .aes128
        case "SAMPLE-AES": self = .sampleAES
        case "SAMPLE-AES-CTR": self = .sampleAESCTR
        default: self = .other(text)
        }
    }

    /// The name of the method in playlists.
    package var name: String {
        switch self {
        case .aes128: "AES-128"
        case .sampleAES: "SAMPLE-AES"
        case .sampleAESCTR: "SAMPLE-AES-CTR"
        case .other(let name): name
        }
    }
}
