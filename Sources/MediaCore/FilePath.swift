import Foundation

/// The name of a file as the system has it: bytes, which need not be UTF-8.
///
/// `URL.path` is a `String`, which such bytes do not survive (it is empty then). Percent-encoded they lie in the URL
/// whole: whoever opens a file takes its name from here. A value.
package struct FilePath: Sendable, Hashable, CustomStringConvertible {
    /// Without a zero among them or behind them; never empty.
    package let bytes: [UInt8]

    /// Nil for no bytes, and for a zero among them, which is in no name.
    package init?(bytes: some Sequence<UInt8>) {
        let all = Array(bytes)
        guard !all.isEmpty, !all.contains(0) else { return nil }
        self.bytes = all
    }

    /// Nil for what is no file's URL. Without the slash that a directory's ends in.
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

    /// For `URL`, absolute.
    package var url: URL {
        var whole = bytes
        if whole.first != 0x2F { whole = Array(FileManager.default.currentDirectoryPath.utf8) + [0x2F] + whole }
        if let text = String(validating: whole, as: UTF8.self) { return URL(fileURLWithPath: text) }
        let plain = Set("/ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
        let encoded = whole.map { plain.contains($0) ? String(UnicodeScalar($0)) : String(format: "%%%02X", $0) }
            .joined()
        return URL(string: "file://" + encoded) ?? URL(fileURLWithPath: description)
    }

    /// Behind the last slash.
    package var name: FilePath { FilePath(bytes: bytes.split(separator: 0x2F).last ?? [0x2F]) ?? self }

    /// Before the last slash; `.` where there is none.
    package var folder: FilePath {
        guard let slash = bytes.lastIndex(of: 0x2F) else { return FilePath(bytes: [0x2E]) ?? self }
        return FilePath(bytes: slash == 0 ? [0x2F] : Array(bytes[..<slash])) ?? self
    }

    /// Behind the last point of its name; empty where there is none, or nothing before it.
    package var pathExtension: String {
        let name = name.bytes
        guard let point = name.lastIndex(of: 0x2E), point > 0 else { return "" }
        return FilePath.readable(Array(name[(point + 1)...]))
    }

    package func appending(_ name: [UInt8]) -> FilePath {
        FilePath(bytes: (bytes == [0x2F] ? [] : bytes) + [0x2F] + name) ?? self
    }

    /// For the system's calls.
    package func withCString<R>(_ body: (UnsafePointer<CChar>) throws -> R) rethrows -> R { try body(cString) }

    /// With the zero behind it.
    package var cString: [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }

    /// For people: what is no character, or one that steers a terminal, is written `\xHH`.
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
                guard let one = String(validating: bytes[index..<index + length], as: UTF8.self),
                    one.unicodeScalars.allSatisfy(isPlain)
                else { continue }
                result += one
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
    /// For messages, not for asking: a file's path, else the URL without a name and password in it.
    package var location: String { FilePath(self)?.description ?? Credentials.removed(from: absoluteString) }
}

extension FilePath {
    /// All of a regular file that is read at once.
    ///
    /// - Parameters:
    ///   - limit: bytes; a file that is larger is refused before it is read.
    ///   - kind: what it should be, for messages: “subtitles”.
    /// - Throws: `.fileNotFound`, `.permissionDenied`, `.notAFile` (a directory, a pipe, a device: they may never end),
    ///   `.fileFormatNotRecognized` where it is too large, `.readFailed`.
    package func contents(limit: Int, kind: String) throws(AVError) -> [UInt8] {
        // Not blocking: a pipe without a writer would hold whoever opens it.
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
        func tooLarge() -> AVError {
            AVError(
                .fileFormatNotRecognized, at: description,
                reason: "the file is larger than the limit for \(kind) (\(limit >> 20) MiB)",
                suggestion: "Choose a smaller file")
        }
        guard info.st_size <= limit else { throw tooLarge() }
        // A file of /proc says that it has no bytes, and one may grow while it is read.
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(limit + 1, max(64 << 10, Int(info.st_size) + 1)))
        while true {
            let got = read(file, &chunk, chunk.count)
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else {
                throw AVError(
                    .readFailed, at: description,
                    reason: "reading stopped before the end of the file: \(String(cString: strerror(errno)))",
                    underlying: errno)
            }
            if got == 0 { return bytes }
            bytes += chunk[..<got]
            guard bytes.count <= limit else { throw tooLarge() }
        }
    }
}
