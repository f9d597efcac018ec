import Foundation
import GRDB
import MediaCore
import MediaEngine
import Streaming
import TestSupport
import Testing

@testable import Downloads

/// A library in a folder of its own, gone with it.
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

    /// As a new process would find it.
    @MainActor func reopened() async throws -> DownloadLibrary {
        await library.close()
        return try DownloadLibrary(at: folder, loop: HTTPClient.shared, isMetered: { false })
    }

    /// All regular files of packages, by their paths in the library; locks left out.
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
    /// Waits until its state is one of those; nil when it ends otherwise.
    @MainActor func reaches(_ isWanted: (DownloadState) -> Bool) async -> DownloadState? {
        for await state in states where isWanted(state) { return state }
        return nil
    }

    /// Waits until it ends by itself, one way or the other.
    @MainActor func settles() async -> DownloadState? { await reaches(\.isSettled) }
}

extension DownloadOptions {
    /// Without single pictures, which lie in the same resources.
    static var plain: DownloadOptions {
        var options = DownloadOptions()
        options.includesIFrames = false
        return options
    }
}

/// A file of the streams, as the server has it.
func served(_ path: String) throws -> Data { try Data(contentsOf: TestStreams.url(path)) }

/// Runs a program to its end; what it wrote to standard error.
func complaints(_ program: String, _ arguments: [String]) async throws -> (code: Int32, text: String) {
    let log = FileManager.default.temporaryDirectory.appendingPathComponent("zt-complaints-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: log) }
    let code = try await offPool { try ChildProcess(program, arguments, error: log.path).wait() }
    return (code, (try? String(contentsOf: log, encoding: .utf8)) ?? "")
}
