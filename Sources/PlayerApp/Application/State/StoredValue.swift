import CGIO
import Foundation

/// A value that is stored as JSON in a small file of the user. Main actor.
///
/// A reader finds either the old or the new value as a whole, even if the process ends during a write. A file that
/// can't be opened or read, whose content is not valid, or that is too large, is renamed, and the value starts with its
/// default.
@MainActor
final class StoredValue<Value: Codable & Equatable & Sendable> {
    /// The maximum size of the file, in bytes. A larger file was not written by the app.
    static var maximumBytes: Int { 4 << 20 }
    let url: URL
    private(set) var value: Value
    private let note: @MainActor (String) -> Void
    private var hasReportedWriteError = false

    /// Reads the value.
    /// - Parameters:
    ///   - url: The file.
    ///   - empty: The default value.
    ///   - note: Receives a sentence about each problem.
    init(_ url: URL, empty: Value, note: @escaping @MainActor (String) -> Void) {
        self.url = url
        self.note = note
        do {
            value = try StoredValue.read(url) ?? empty
        } catch {
            value = empty
            moveAside(why: error)
        }
    }

    /// Changes the value, and writes it if it differs.
    func change(_ body: (inout Value) -> Void) {
        var next = value
        body(&next)
        guard next != value else { return }
        value = next
        write()
    }

    private static func read(_ url: URL) throws -> Value? {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let code = errno
            if code == ENOENT || code == ENOTDIR { return nil }
            throw Failure(description: String(cString: strerror(code)))
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let data = try handle.read(upToCount: maximumBytes + 1) ?? Data()
        guard data.count <= maximumBytes else { throw Failure(description: "the file is too large") }
        return try JSONDecoder().decode(Value.self, from: data)
    }
    private struct Failure: Error, CustomStringConvertible { let description: String }

    private func moveAside(why: any Error) {
        let brokenFile = url.appendingPathExtension("broken")
        // Only the newest unreadable file is kept, because it is the one worth examining.
        let isMoved = rename(url.path, brokenFile.path) == 0
        let reason = why is DecodingError ? "its content is not valid" : "\(why)"
        let moved = isMoved ? " The file was renamed to “\(brokenFile.lastPathComponent)”." : ""
        note("Can't read “\(url.path)”: \(reason).\(moved) Default values are used.")
    }

    private func write() {
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let data = try encoder.encode(value)
            var error: UnsafeMutablePointer<GError>?
            // GLib writes a new file beside the old one, syncs the new file, and renames it over the old one.
            let isWritten = data.withUnsafeBytes { bytes in
                g_file_set_contents_full(
                    url.path, bytes.bindMemory(to: gchar.self).baseAddress, gssize(bytes.count),
                    G_FILE_SET_CONTENTS_CONSISTENT, 0o600, &error)
            }
            defer { if let error { g_error_free(error) } }
            if isWritten == 0 {
                reportWriteError(error.map { String(cString: $0.pointee.message) } ?? "the file can't be written")
            }
        } catch {
            reportWriteError("\(error)")
        }
    }

    private func reportWriteError(_ why: String) {
        guard !hasReportedWriteError else { return }
        hasReportedWriteError = true
        note("Can't save “\(url.path)”: \(why). Changes are lost when the app quits.")
    }
}

/// The user's folders. The XDG Base Directory Specification requires that a path that is not absolute is ignored:
/// https://specifications.freedesktop.org/basedir-spec
enum UserFolder {
    static func state(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> URL {
        folder("XDG_STATE_HOME", ".local/state", environment)
    }
    static func configuration(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> URL {
        folder("XDG_CONFIG_HOME", ".config", environment)
    }
    private static func folder(_ variable: String, _ usual: String, _ environment: [String: String]) -> URL {
        if let path = environment[variable], path.hasPrefix("/") {
            return URL(fileURLWithPath: path, isDirectory: true)
        }
        // `HOME` has priority, as in the specification and in GLib's programs.
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0, isDirectory: true) : nil }
        return (home ?? FileManager.default.homeDirectoryForCurrentUser)
            .appendingPathComponent(usual, isDirectory: true)
    }
}
