import Foundation
import MediaCore
import Synchronization

/// A cache of measured loudness in a text file, with one line for each track. The file is in the user's cache folder.
///
/// Errors are ignored: entries that cannot be read count as missing, and entries that cannot be written are measured
/// again. If two processes write at the same time, one entry can be lost. All methods can be called from any thread.
final class LoudnessCache: Sendable {
    /// The identity of a track in a file. If the file is overwritten, its tracks have another identity.
    struct Key: Hashable, Sendable {
        let path: FilePath
        let size: Int64
        let modifiedSeconds: Int64
        let modifiedNanoseconds: Int64
        let track: Int

        /// Creates a key; nil if `url` is not a local file or does not exist.
        init?(url: URL, track: Int) {
            guard let path = FilePath(url), let file = FileIdentity(url: url) else { return nil }
            self.init(
                path: path, size: file.size, modifiedSeconds: file.modifiedSeconds,
                modifiedNanoseconds: file.modifiedNanoseconds, track: track)
        }

        init(path: FilePath, size: Int64, modifiedSeconds: Int64, modifiedNanoseconds: Int64, track: Int) {
            self.path = path
            self.size = size
            self.modifiedSeconds = modifiedSeconds
            self.modifiedNanoseconds = modifiedNanoseconds
            self.track = track
        }

        func isSameFile(as other: Key) -> Bool {
            path == other.path && size == other.size && modifiedSeconds == other.modifiedSeconds
                && modifiedNanoseconds == other.modifiedNanoseconds
        }
    }
    /// An entry of the cache. Its measure is nil if the track was measured and has no loudness, such as silence.
    typealias Entry = (key: Key, measure: LoudnessMeasure?)

    static let mostEntries = 2000
    static let mostBytes = 512 << 10
    private static let title = "zoetrope loudness 1"

    private struct State {
        var file: FilePath?
        /// The entries by age, newest last; nil if the file is not read yet.
        var entries: [Entry]?
    }
    private let state: Mutex<State>

    /// Creates a cache in `folder`.
    /// - Parameter folder: The folder of the file. If nil, entries are kept only in memory.
    init(folder: FilePath?) { state = Mutex(State(file: folder?.appending(Array("loudness".utf8)))) }

    /// Returns the folder `zoetrope` in the user's cache folder, as the XDG Base Directory Specification defines it. A
    /// relative path is ignored.
    static func folder(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> FilePath? {
        let name = Array("zoetrope".utf8)
        if let cache = environment["XDG_CACHE_HOME"], cache.hasPrefix("/") {
            return FilePath(bytes: cache.utf8)?.appending(name)
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return FilePath(bytes: home.utf8)?.appending(Array(".cache".utf8)).appending(name)
    }

    func find(_ key: Key) -> Entry? {
        state.withLock { state in
            let entries = state.entries ?? LoudnessCache.read(state.file)
            state.entries = entries
            return entries.last { $0.key == key }
        }
    }

    func keep(_ key: Key, _ measure: LoudnessMeasure?) {
        state.withLock { state in
            var entries = state.entries ?? []
            // Other processes may have written entries since the last read.
            let known = Set(entries.map(\.key))
            entries = LoudnessCache.read(state.file).filter { !known.contains($0.key) } + entries
            // Entries with the same path but another size or time belong to an overwritten file.
            entries.removeAll { $0.key == key || $0.key.path == key.path && !$0.key.isSameFile(as: key) }
            entries.append((key, measure))
            state.entries = Array(entries.suffix(LoudnessCache.mostEntries))
            LoudnessCache.write(&state)
        }
    }

    // MARK: File

    private static func read(_ file: FilePath?) -> [Entry] {
        guard let bytes = try? file?.contents(limit: 2 * mostBytes, kind: "loudness") else { return [] }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard lines.first.map(String.init) == title else { return [] }
        return lines.dropFirst().compactMap(parse)
    }

    /// Parses a line. Returns nil if the line is invalid or incomplete.
    private static func parse(_ line: Substring) -> Entry? {
        let fields = line.split(separator: " ")
        guard fields.count == 8, fields[7] == ".", let size = Int64(fields[0]), let seconds = Int64(fields[1]),
            let nanoseconds = Int64(fields[2]),
            let track = Int(fields[3]), let url = URL(string: "file://" + fields[6]), let path = FilePath(url)
        else { return nil }
        let key = Key(path: path, size: size, modifiedSeconds: seconds, modifiedNanoseconds: nanoseconds, track: track)
        if fields[4] == "silent" { return (key, nil) }
        guard let integrated = Double(fields[4]),
            let measure = LoudnessMeasure(integrated: integrated, truePeak: Double(fields[5]))
        else { return nil }
        return (key, measure)
    }

    private static func line(_ entry: Entry) -> String {
        let key = entry.key
        let peak = entry.measure?.truePeak.map { String(format: "%.3f", $0) } ?? "unknown"
        let loudness = entry.measure.map { String(format: "%.3f", $0.integrated) } ?? "silent"
        let plain = Set("/ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
        let path = key.path.bytes.map { plain.contains($0) ? String(UnicodeScalar($0)) : String(format: "%%%02X", $0) }
            .joined()
        return
            "\(key.size) \(key.modifiedSeconds) \(key.modifiedNanoseconds) \(key.track) \(loudness) \(peak) \(path) ."
    }

    private static func write(_ state: inout State) {
        guard let file = state.file, let entries = state.entries else { return }
        var lines: [String] = []
        var size = title.utf8.count + 1
        for entry in entries.reversed() {
            let line = line(entry)
            size += line.utf8.count + 1
            if size > mostBytes { break }
            lines.append(line)
        }
        let text = ([title] + lines.reversed()).joined(separator: "\n") + "\n"
        // The file contains the names of the user's files, so only the user can read it. New folders have the
        // permissions that the XDG specification requires.
        try? FileManager.default.createDirectory(
            at: file.folder.url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let fresh = file.folder.appending(Array("loudness.\(UUID().uuidString)".utf8))
        let out = fresh.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
        guard out >= 0 else { return }
        let isWhole = Array(text.utf8).withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let n = Glibc.write(out, bytes.baseAddress.map { $0 + done }, bytes.count - done)
                if n < 0, errno == EINTR { continue }
                guard n > 0 else { return false }
                done += n
            }
            return true
        }
        close(out)
        let didReplace = isWhole && fresh.withCString { new in file.withCString { rename(new, $0) } } == 0
        if !didReplace { _ = fresh.withCString { unlink($0) } }
    }
}
