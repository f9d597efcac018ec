import CFFmpeg

/// Information in the boxes of an MP4 file that libavformat does not expose (ISO/IEC 14496-12, 23001-7).
enum MP4Boxes {
    /// Returns the encryption scheme and the key systems of an encrypted audio or video track; `nil` if the file is not
    /// encrypted or not an MP4 file.
    static func protection(in context: UnsafeMutablePointer<AVFormatContext>) -> String? {
        guard let name = context.pointee.iformat?.pointee.name, String(cString: name).hasPrefix("mov"),
            let io = context.pointee.pb,
            io.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0
        else { return nil }
        let savedPosition = avio_tell(io)
        defer { avio_seek(io, savedPosition, SEEK_SET) }
        var found = Found()
        let size = avio_size(io)
        walk(io, from: 0, to: size > 0 ? size : .max, depth: 0, &found)
        guard found.isLocked else { return nil }
        let systems = found.systems.isEmpty ? "" : " (\(found.systems.joined(separator: ", ")))"
        return (found.scheme ?? "an unknown scheme") + systems
    }

    private struct Found {
        var isLocked = false
        var scheme: String?
        var systems: [String] = []
        var boxes = 0
    }

    private static func walk(
        _ io: UnsafeMutablePointer<AVIOContext>, from: Int64, to: Int64, depth: Int, _ found: inout Found
    ) {
        var at = from
        while at <= to - 8, found.boxes < 20_000 {
            found.boxes += 1
            guard let (type, header, size) = box(io, at, to) else { return }
            let end = at + size
            switch type {
            case "moov":
                walk(io, from: at + header, to: end, depth: depth + 1, &found)
                return
            case "trak", "mdia", "minf", "stbl", "sinf":
                if depth < 12 { walk(io, from: at + header, to: end, depth: depth + 1, &found) }
            case "stsd":
                walk(io, from: at + header + 8, to: end, depth: depth + 1, &found)
            case "encv", "enca":
                found.isLocked = true
                // The fields of a sample entry precede the boxes in it.
                walk(io, from: at + header + (type == "encv" ? 78 : 28), to: end, depth: depth + 1, &found)
            case "drms", "drmi":
                found.isLocked = true
                found.scheme = "FairPlay"
            case "schm":
                if avio_seek(io, at + header + 4, SEEK_SET) >= 0 { found.scheme = fourCC(avio_rb32(io)) }
            case "pssh":
                if avio_seek(io, at + header + 4, SEEK_SET) >= 0, let system = system(avio_rb32(io)),
                    !found.systems.contains(system)
                {
                    found.systems.append(system)
                }
            default: break
            }
            at = end
        }
    }

    private static func box(_ io: UnsafeMutablePointer<AVIOContext>, _ at: Int64, _ limit: Int64) -> (
        type: String, header: Int64, size: Int64
    )? {
        box(wordReader(io), at, limit)
    }

    /// Returns the type, the header size and the size of the box at `at`, in bytes; `nil` if it is not a complete box
    /// before `limit`.
    ///
    /// - Parameter word: Returns the four bytes at an offset as a big-endian number; `nil` if they do not exist.
    static func box(_ word: (Int64) -> UInt32?, _ at: Int64, _ limit: Int64) -> (
        type: String, header: Int64, size: Int64
    )? {
        guard let first = word(at), let name = word(at + 4) else { return nil }
        let short = Int64(first)
        let type = fourCC(name)
        if short == 1 {
            guard let high = word(at + 8), let low = word(at + 12) else { return nil }
            let long = UInt64(high) << 32 | UInt64(low)
            guard long >= 16, long <= UInt64(limit - at) else { return nil }
            return (type, 16, Int64(long))
        }
        let size = short == 0 ? limit - at : short
        return size >= 8 && size <= limit - at ? (type, 8, size) : nil
    }

    /// Calls `visit` with the type and the content of each box in `range`, at most 1000, until it returns false.
    ///
    /// - Parameter word: See `box`.
    static func boxes(_ word: (Int64) -> UInt32?, _ range: Range<Int64>, _ visit: (String, Range<Int64>) -> Bool) {
        var at = range.lowerBound
        for _ in 0..<1000 where at <= range.upperBound - 8 {
            guard let (type, header, size) = box(word, at, range.upperBound), visit(type, at + header..<at + size)
            else { return }
            at += size
        }
    }

    /// Returns a function for `box` that reads from memory.
    static func wordReader(_ bytes: [UInt8]) -> (Int64) -> UInt32? {
        { at in
            guard at >= 0, at <= bytes.count - 4 else { return nil }
            return bytes[Int(at)..<Int(at) + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
    }

    private static func wordReader(_ io: UnsafeMutablePointer<AVIOContext>) -> (Int64) -> UInt32? {
        { at in
            guard avio_seek(io, at, SEEK_SET) >= 0 else { return nil }
            let value = avio_rb32(io)
            return avio_feof(io) == 0 ? value : nil
        }
    }

    /// Returns whether the file is fragmented and one of its tracks has no number that fragments could refer to
    /// (`tkhd`).
    ///
    /// libavformat 5.1 mistakes the resulting error code for an index position, and counts from there to the start of
    /// the index. Opening such a file takes two seconds per fragment. Call this before libavformat opens the file; `io`
    /// is at its start afterward.
    static func hasNumberlessFragments(_ io: UnsafeMutablePointer<AVIOContext>) -> Bool {
        guard io.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0 else { return false }
        defer { avio_seek(io, 0, SEEK_SET) }
        return hasNumberlessFragments(to: max(0, avio_size(io)), wordReader(io))
    }

    /// Returns whether a stream's initialization section has the same defect.
    static func hasNumberlessFragments(_ bytes: [UInt8]) -> Bool {
        hasNumberlessFragments(to: Int64(bytes.count), wordReader(bytes))
    }

    /// Returns whether the data up to `end` has the defect.
    ///
    /// - Parameter word: See `box`.
    private static func hasNumberlessFragments(to end: Int64, _ word: (Int64) -> UInt32?) -> Bool {
        var isFragmented = false
        var lacksNumber = false
        // Fragments follow the movie's header, and only small boxes precede it.
        boxes(word, 0..<end) { type, movie in
            guard type == "moov" else { return ["ftyp", "free", "skip", "styp", "uuid", "pdin"].contains(type) }
            boxes(word, movie) { type, track in
                if type == "mvex" { isFragmented = true }
                guard type == "trak" else { return true }
                // A large `trak` contains sample tables, so it does not rely on fragments. Reading it would load a
                // remote file twice.
                guard track.count < 1 << 18 else { return false }
                var number: Int32?
                boxes(word, track) { type, header in
                    guard type == "tkhd", let version = word(header.lowerBound) else { return true }
                    // Version and flags, then two times of 4 or 8 bytes.
                    number = word(header.lowerBound + (version >> 24 == 1 ? 20 : 12)).map { Int32(bitPattern: $0) }
                    return true
                }
                if number.map({ $0 < 0 }) ?? true { lacksNumber = true }
                return true
            }
            return false
        }
        return isFragmented && lacksNumber
    }

    /// Returns the end of the last top-level box in bytes, or the end of box number `boxes`; 0 if the size is unknown
    /// or the input is not seekable.
    static func end(_ io: UnsafeMutablePointer<AVIOContext>, _ size: Int64, boxes: Int = 50_000) -> Int64 {
        guard size > 0, io.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0 else { return 0 }
        let savedPosition = avio_tell(io)
        defer { avio_seek(io, savedPosition, SEEK_SET) }
        var at: Int64 = 0
        // The data after the last box may be something else.
        let known: Set = [
            "ftyp", "styp", "moov", "moof", "mdat", "sidx", "emsg", "free", "skip", "wide", "uuid", "mfra", "prft",
        ]
        for _ in 0..<boxes where at <= size - 8 {
            guard let (type, _, length) = box(io, at, .max / 2), known.contains(type) else { break }
            if length >= .max / 2 - at { break }  // the box extends to the end of the file
            at += length
        }
        return at
    }

    /// Reads the composition offsets of the first fragments, up to fragment number `limit`.
    ///
    /// - Parameter bytes: Returns the given number of bytes at an offset; `nil` if they do not exist.
    static func compositionDelay(fragments limit: Int, _ bytes: (Int64, Int) -> [UInt8]?) -> CompositionDelay {
        var delay = CompositionDelay()
        var at: Int64 = 0
        var fragments = 0
        func word(_ at: Int64) -> UInt32? { bytes(at, 4)?.reduce(0) { $0 << 8 | UInt32($1) } }
        for _ in 0..<1000 {
            guard fragments < limit, let (type, _, size) = box(word, at, .max / 2), size < .max / 2 - at else { break }
            if type == "moof" {
                guard size <= largestFragment, let fragment = bytes(at, Int(size)) else { break }
                delay.read(fragment, endingAt: at + size)
                fragments += 1
            } else if type == "mdat", fragments == 0 {
                // Samples before any fragment belong to the movie's tables.
                break
            }
            at += size
        }
        return delay
    }

    /// Reads the composition offsets of the first fragments; `io` is at the same position afterward.
    static func compositionDelay(fragments limit: Int, in io: UnsafeMutablePointer<AVIOContext>) -> CompositionDelay {
        guard io.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0 else { return CompositionDelay() }
        let savedPosition = avio_tell(io)
        defer { avio_seek(io, savedPosition, SEEK_SET) }
        return compositionDelay(fragments: limit) { at, count in
            guard avio_seek(io, at, SEEK_SET) >= 0 else { return nil }
            var bytes = [UInt8](repeating: 0, count: count)
            return avio_read(io, &bytes, Int32(clamping: count)) == count ? bytes : nil
        }
    }

    /// The size in bytes of the largest `moof` box that is read. A sample takes at most 16 bytes.
    static let largestFragment: Int64 = 16 << 20

    private static func fourCC(_ value: UInt32) -> String {
        String(
            decoding: (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32($0))) }.map {
                (32..<127).contains($0) ? $0 : 63
            }, as: UTF8.self)
    }

    /// Returns the key system with this start of its identifier, as registered by the DASH Industry Forum.
    private static func system(_ first: UInt32) -> String? {
        switch first {
        case 0xEDEF_8BA9: "Widevine"
        case 0x9A04_F079: "PlayReady"
        case 0x94CE_86FB: "FairPlay"
        case 0xE271_9D58: "ClearKey"
        default: nil
        }
    }
}
