import Foundation

/// Calls for a program whose processes each handle one download, such as the command-line tool.
extension DownloadLibrary {
    /// Starts the given downloads and no others.
    package func start(_ ids: Set<UUID>) async { await engine.run(only: ids) }

    /// Continues a download with another URL and other options.
    ///
    /// Tokens, headers and limits can change between calls. If the URL stays the same, so do the renditions that are
    /// already chosen. Otherwise they are chosen again.
    package func resume(_ download: Download, from url: URL, options: DownloadOptions) async throws(DownloadError) {
        try await engine.resume(download.id, with: url, options: options)
    }

    /// Returns whether a finished download lacks files, has files of another size, or has changed playlists. Reads only
    /// the playlists.
    package func isDamaged(_ download: Download) async throws(DownloadError) -> Bool {
        let engine = engine
        let id = download.id
        return try await onThread { () throws(DownloadError) in try !engine.verify(id, .sizes).isEmpty }
    }

    /// Exports a finished download to `target` as `export` does, then removes it from the library. Copies no bytes
    /// within one file system.
    package func move(_ download: Download, to target: URL) async throws(DownloadError) {
        let engine = engine
        let id = download.id
        try await onThread { () throws(DownloadError) in try engine.export(id, to: target, isLast: true) }
        try await remove(download)
    }

    /// Returns the identity of the resource at `url`. Downloads of URLs with the same identity share a package.
    package static func asset(of url: URL) -> String { DownloadEngine.asset(url) }

    /// Returns whether a package is being written, by this process, another process, or another download of the
    /// package.
    @MainActor package func isUsedByAnotherProcess(_ download: Download) -> Bool {
        let lock = PackageFolder(library: engine.root, folder: download.location.lastPathComponent).lock
        guard DiskFile.size(lock) != nil else { return false }
        do throws(DownloadError) { return try FolderLock.take(lock) == nil } catch { return false }
    }
}
