import Foundation
import GRDB
import MediaCore
import MediaEngine
import Streaming
import TestSupport
import Testing

@testable import Downloads

/// A library in a folder of its own, which is deleted with the object.
final class TestLibrary: Sendable {
    let folder: URL
    let library: DownloadLibrary

    @MainActor init(
        at folder: URL? = nil, isMetered: @escaping @Sendable () -> Bool = { false }, starts: Bool = true,
        policy: (inout DownloadPolicy) -> Void = { _ in }
    ) async throws {
        self.folder =
            folder ?? FileManager.default.temporaryDirectory.appendingPathComponent("zt-downloads-\(UUID().uuidString)")
        library = try DownloadLibrary(
            at: self.folder, startsDownloads: starts, loop: HTTPClient.shared, isMetered: isMetered)
        var rules = DownloadPolicy()
        rules.reservedSpace = 0
        policy(&rules)
        try await library.setPolicy(rules)
    }

    deinit {
        let engine = library.engine
        let folder = folder
        DownloadActor.sync { engine.close() }
        try? FileManager.default.removeItem(at: folder)
    }

    /// Reopens the library, as a new process would.
    @MainActor func reopened() async throws -> DownloadLibrary {
        await library.close()
        return try DownloadLibrary(at: folder, loop: HTTPClient.shared, isMetered: { false })
    }

    /// The sizes of all regular files of packages, by their paths in the library, except lock files.
    var files: [String: Int] {
        var result: [String: Int] = [:]
        for case let path as String in FileManager.default.enumerator(atPath: folder.path)
            ?? FileManager.DirectoryEnumerator() where path.contains(".movpkg/") && !path.hasSuffix(".lock")
        {
            var info = stat()
            guard lstat(folder.appendingPathComponent(path).path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
                continue
            }
            result[path] = Int(info.st_size)
        }
        return result
    }
}

extension Download {
    /// Waits until `isWanted` is true for the state.
    /// - Returns: The state, or nil if the download ends without it.
    @MainActor func reaches(_ isWanted: (DownloadState) -> Bool) async -> DownloadState? {
        for await state in states where isWanted(state) { return state }
        return nil
    }

    /// Waits until the download finishes or fails.
    @MainActor func settles() async -> DownloadState? { await reaches(\.isSettled) }
}

extension DownloadOptions {
    /// Options without I-frames, which are in the same resources.
    static var plain: DownloadOptions {
        var options = DownloadOptions()
        options.includesIFrames = false
        return options
    }
}

/// Returns a file of the test streams, as the server sends it.
func served(_ path: String) throws -> Data { try Data(contentsOf: TestStreams.url(path)) }

/// Runs a program to its end and returns its exit code and its standard error.
func complaints(_ program: String, _ arguments: [String]) async throws -> (code: Int32, text: String) {
    let log = FileManager.default.temporaryDirectory.appendingPathComponent("zt-complaints-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: log) }
    let code = try await offPool { try ChildProcess(program, arguments, error: log.path).wait() }
    return (code, (try? String(contentsOf: log, encoding: .utf8)) ?? "")
}
