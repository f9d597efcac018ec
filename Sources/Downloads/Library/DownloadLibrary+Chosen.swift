import Foundation
import MediaCore

/// For a program of which each process has one download in its hands: the command line.
extension DownloadLibrary {
    /// Goes on with these and no others.
    package func start(_ ids: Set<UUID>) async { await engine.run(only: ids) }

    /// Goes on from where it stands, asked for as is said now: tokens, headers and limits change from one time to the
    /// next. What it has chosen of the stream stays.
    package func resume(_ download: Download, from url: URL, options: DownloadOptions) async throws(DownloadError) {
        try await engine.resume(download.id, with: url, options: options)
    }

    /// Whether a finished download lacks files, or has some of another size. Reads none of them.
    package func isDamaged(_ download: Download) async throws(DownloadError) -> Bool {
        let engine = engine
        let id = download.id
        return try await onThread { () throws(DownloadError) in try !engine.verify(id, .sizes).isEmpty }
    }

    /// A copy of a finished download as `export` makes it, which is not in the library any more. On the same file
    /// system nothing is copied.
    package func move(_ download: Download, to target: URL) async throws(DownloadError) {
        let engine = engine
        let id = download.id
        try await onThread { () throws(DownloadError) in try engine.export(id, to: target, isLast: true) }
        try await remove(download)
    }

    /// Downloads of two addresses are of one thing if this is the same.
    package static func asset(of url: URL) -> String { DownloadEngine.asset(url) }

    /// Somebody writes into its package now: this process, another one, or another download of the same thing.
    @MainActor package func isInHands(_ download: Download) -> Bool {
        let lock = PackageFolder(library: engine.root, folder: download.location.lastPathComponent).lock
        guard DiskFile.size(lock) != nil else { return false }
        do throws(DownloadError) { return try FolderLock.take(lock) == nil } catch { return false }
    }
}
