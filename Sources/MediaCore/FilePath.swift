import Foundation

/// The path of a file as bytes, which need not be UTF-8.
///
/// `URL.path` is a `String`, which cannot represent such bytes and is then empty. A URL contains all bytes in
/// percent-encoded form, so code that opens or checks a file gets its path from this type.
package struct FilePath: Sendable, Hashable, CustomStringConvertible {
    /// The bytes of the path. There is at least one, and none is zero.
    package let bytes: [UInt8]

    /// Creates a path. Returns nil if there are no bytes, or one of them is zero, which a path cannot contain.
    package init?(bytes: some Sequence<UInt8>) {
        let all = Array(bytes)
        guard !all.isEmpty, !all.contains(0) else { return nil }
        self.bytes = all
    }

    /// Creates the path of a file URL, without a trailing slash. Returns nil if `url` is not a file URL.
    package init?(_ url: URL) {
        guard url.isFileURL else { return nil }
        let encoded = Array(url.absoluteURL.path(percentEncoded: true).utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(encoded.count)
        var index = 0
        while index < encoded.count {
            if encoded[index] == 0x25, index + 2 < encoded.count, let high = FilePath.digit(encoded[index + 1]),
                let low = FilePath.digit(encoded[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(encoded[index])
                index += 1
            }
        }
        while bytes.count > 1, bytes.last == 0x2F { bytes.removeLast() }
        self.init(bytes: bytes)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }

    /// The path as an absolute file URL. A relative path is resolved against the current folder.
    package var url: URL {
        var whole = bytes
        if whole.first != 0x2F { whole = FilePath.currentFolder + [0x2F] + whole }
        if let text = String(validating: whole, as: UTF8.self) { return URL(fileURLWithPath: text) }
        let plain = Set("/ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
        let encoded = whole.map { plain.contains($0) ? String(UnicodeScalar($0)) : String(format: "%%%02X", $0) }
            .joined()
        return URL(string: "file://" + encoded) ?? URL(fileURLWithPath: description)
    }

    /// The path of the current folder, which need not be UTF-8. Empty if the folder has been deleted.
    private static var currentFolder: [UInt8] {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX) + 1)
        let isFound = buffer.withUnsafeMutableBytes {
            getcwd($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count) != nil
        }
        return isFound ? Array(buffer.prefix { $0 != 0 }) : Array(FileManager.default.currentDirectoryPath.utf8)
    }

    /// The part after the last slash.
    package var name: FilePath { FilePath(bytes: bytes.split(separator: 0x2F).last ?? [0x2F]) ?? self }

    /// The part before the last slash, or `.` if there is no slash.
    package var folder: FilePath {
        guard let slash = bytes.lastIndex(of: 0x2F) else { return FilePath(bytes: [0x2E]) ?? self }
        return FilePath(bytes: slash == 0 ? [0x2F] : Array(bytes[..<slash])) ?? self
    }

    /// The part of the name after its last dot. It is empty if there is no dot, or if the only dot is the first
    /// character.
    package var pathExtension: String {
        let name = name.bytes
        guard let dot = name.lastIndex(of: 0x2E), dot > 0 else { return "" }
        return FilePath.readable(Array(name[(dot + 1)...]))
    }

    package func appending(_ name: [UInt8]) -> FilePath {
        FilePath(bytes: (bytes == [0x2F] ? [] : bytes) + [0x2F] + name) ?? self
    }

    /// Calls `body` with the path as a C string, for system calls.
    package func withCString<R>(_ body: (UnsafePointer<CChar>) throws -> R) rethrows -> R { try body(cString) }

    /// Whether a file or folder is at the path.
    package var exists: Bool { withCString { access($0, F_OK) } == 0 }
    /// Whether the current user can read the file.
    package var isReadable: Bool { withCString { access($0, R_OK) } == 0 }
    /// The status of the file, or nil if it can't be read.
    package var status: stat? {
        var info = stat()
        return withCString { stat($0, &info) } == 0 ? info : nil
    }

    /// The bytes with a terminating zero.
    package var cString: [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }

    /// The path for display. Bytes that are not UTF-8, and control characters, are written as `\xHH`.
    package var description: String { FilePath.readable(bytes) }

    package static func readable(_ bytes: [UInt8]) -> String {
        func isPlain(_ scalar: UnicodeScalar) -> Bool { scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value) }
        if let whole = String(validating: bytes, as: UTF8.self), whole.unicodeScalars.allSatisfy(isPlain) {
            return whole
        }
        var result = ""
        var index = 0
        next: while index < bytes.count {
            for length in 1...min(4, bytes.count - index) {
                guard let character = String(validating: bytes[index..<index + length], as: UTF8.self),
                    character.unicodeScalars.allSatisfy(isPlain)
                else { continue }
                result += character
                index += length
                continue next
            }
            result += String(format: "\\x%02X", bytes[index])
            index += 1
        }
        return result
    }
}

extension URL {
    /// The location for messages: the path of a file, or else the URL without user name and password. It is not
    /// suitable for requests.
    package var location: String { FilePath(self)?.description ?? Credentials.removed(from: absoluteString) }
}

extension FilePath {
    /// Reads a regular file completely.
    ///
    /// - Parameters:
    ///   - limit: The maximum size, in bytes. A larger file is rejected before it is read.
    ///   - kind: The expected content, for messages, such as “subtitles”.
    /// - Returns: The bytes of the file.
    /// - Throws: An error with the code `.fileNotFound`, `.permissionDenied`, `.notAFile` (for a directory, a pipe or a
    ///   device, which may never end), or `.readFailed`, also if the file is too large.
    package func contents(limit: Int, kind: String) throws(AVError) -> [UInt8] {
        // The file is opened without blocking, because opening a pipe without a writer would otherwise wait.
        let file = withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
        guard file >= 0 else {
            let code = errno
            switch code {
            case ENOENT, ENOTDIR:
                throw AVError(
                    .fileNotFound, at: description, reason: "the file does not exist",
                    suggestion: "Check the spelling and the current folder", underlying: code)
            case EACCES:
                throw AVError(
                    .permissionDenied, at: description, reason: "the current user has no permission to read the file",
                    suggestion: "Change the file's permissions (chmod +r), or open it as its owner", underlying: code)
            case ENXIO:
                throw AVError(
                    .notAFile, at: description, reason: "the path is not a regular file",
                    suggestion: "Choose a file that contains \(kind)",
                    underlying: code)
            default:
                throw AVError(.readFailed, at: description, reason: String(cString: strerror(code)), underlying: code)
            }
        }
        defer { close(file) }
        var info = stat()
        guard fstat(file, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            throw AVError(
                .notAFile, at: description,
                reason: info.st_mode & S_IFMT == S_IFDIR ? "the path is a folder" : "the path is not a regular file",
                suggestion: "Choose a file that contains \(kind)")
        }
        let tooLong = AVError.tooLong(Int64(limit), for: kind, at: description)
        guard info.st_size <= limit else { throw tooLong }
        // Files in /proc report a size of 0, and a file may grow while it is read.
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(limit + 1, max(64 << 10, Int(info.st_size) + 1)))
        while true {
            let readCount = read(file, &chunk, chunk.count)
            if readCount < 0, errno == EINTR { continue }
            guard readCount >= 0 else {
                throw AVError(
                    .readFailed, at: description,
                    reason: "reading stopped before the end of the file: \(String(cString: strerror(errno)))",
                    underlying: errno)
            }
            if readCount == 0 { return bytes }
            bytes += chunk[..<readCount]
            guard bytes.count <= limit else { throw tooLong }
        }
    }

    /// Reads up to `count` bytes at the start of a regular file, without waiting for data. A file in `/proc` can have
    /// no data yet.
    ///
    /// - Returns: The bytes, or nil if the path is not a regular file or can't be read now.
    package func beginning(_ count: Int) -> [UInt8]? {
        let file = withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
        guard file >= 0 else { return nil }
        defer { close(file) }
        var info = stat()
        guard fstat(file, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        var end = 0
        while end < count {
            let readCount = bytes.withUnsafeMutableBytes { p in
                p.baseAddress.map { read(file, $0 + end, count - end) } ?? 0
            }
            if readCount < 0, errno == EINTR { continue }
            guard readCount >= 0 else { return nil }
            if readCount == 0 { break }
            end += readCount
        }
        return Array(bytes[..<end])
    }
}
