import Foundation
import MediaCore

/// Functions that list the media files of a folder.
enum MediaFolder {
    /// The maximum number of names that are read in one folder.
    static let maximumCount = 100_000

    /// Returns the media files directly in a folder, by their extensions and without hidden files, in natural order.
    /// - Throws: The reason why the folder can't be read.
    static func media(in folder: FilePath) throws(AVError) -> [FilePath] {
        try names(in: folder).filter { isMedia($0) }.sorted { NaturalOrder.precedes($0.bytes, $1.bytes) }
            .map { folder.appending($0.bytes) }
    }

    /// Returns all names in a folder except hidden ones, in no particular order.
    static func names(in folder: FilePath) throws(AVError) -> [FilePath] {
        guard let handle = folder.withCString({ opendir($0) }) else {
            let code = errno
            throw AVError(
                code == EACCES ? .permissionDenied : code == ENOENT ? .fileNotFound : .readFailed,
                at: folder.description, reason: String(cString: strerror(code)), underlying: code)
        }
        defer { closedir(handle) }
        var names: [FilePath] = []
        var readCount = 0
        while readCount < maximumCount, let entry = readdir(handle) {
            readCount += 1
            let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if bytes.first != UInt8(ascii: "."), let name = FilePath(bytes: bytes) { names.append(name) }
        }
        return names
    }

    static func isMedia(_ name: FilePath) -> Bool { endings.contains(name.pathExtension.lowercased()) }

    /// The extensions of video and audio files that libavformat opens. Images, texts and playlists are not among them.
    private static let endings: Set<String> = [
        // Video.
        "3g2", "3gp", "asf", "avi", "divx", "dv", "f4v", "flv", "gif", "ivf", "m1v", "m2t", "m2ts", "m2v", "m4v", "mkv",
        "mov",
        "mp4", "mpe", "mpeg", "mpg", "mpv", "mts", "mxf", "nut", "ogm", "ogv", "qt", "rm", "rmvb", "ts", "vob", "webm",
        "wmv", "wtv", "y4m",
        // Audio.
        "aac", "ac3", "aif", "aifc", "aiff", "amr", "ape", "au", "caf", "dts", "eac3", "flac", "m4a", "m4b", "mka",
        "mp2",
        "mp3", "mpa", "mpc", "oga", "ogg", "opus", "ra", "snd", "spx", "tak", "tta", "voc", "wav", "weba", "wma", "wv",
    ]
}

/// The order in which people sort names: `Part 2` before `Part 10`, ignoring the case.
enum NaturalOrder {
    /// Returns whether a name precedes another. The order is total: names that read the same are sorted by their bytes.
    static func precedes(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        var (i, j) = (0, 0)
        while i < a.count, j < b.count {
            if isDigit(a[i]), isDigit(b[j]) {
                let (left, right) = (run(a, &i), run(b, &j))
                if left.count != right.count { return left.count < right.count }
                if left != right { return left.lexicographicallyPrecedes(right) }
            } else {
                let (left, right) = (folded(a[i]), folded(b[j]))
                if left != right { return left < right }
                i += 1
                j += 1
            }
        }
        if a.count - i != b.count - j { return a.count - i < b.count - j }
        return a.lexicographicallyPrecedes(b)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    /// Returns a byte for comparison: ASCII letters without their case, and word separators as a space, before all
    /// letters.
    private static func folded(_ byte: UInt8) -> UInt8 {
        switch byte {
        case 0x41...0x5A: byte + 0x20
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."): 0x20
        default: byte
        }
    }
    /// Returns the digits from an index on, without leading zeros.
    private static func run(_ bytes: [UInt8], _ index: inout Int) -> ArraySlice<UInt8> {
        let start = index
        while index < bytes.count, isDigit(bytes[index]) { index += 1 }
        return bytes[start..<index].drop { $0 == 0x30 }
    }
}
