import Foundation
import GRDB
import MediaCore
import Streaming
import Synchronization

/// The downloaded parts of an unfinished download, for a player of its stream. The player reads complete playlists and
/// segments from the disk and the rest from the server. Each request looks up `copies` on the thread that starts it.
final class PackageCopies: Sendable {
    private struct LocalFile {
        var range: ByteRange?
        var path: DiskPath
    }
    private struct File {
        var rendition: Int64
        var path: DiskPath
        var facts: FileFacts
        /// The complete parts, updated at most every half second.
        var parts: Set<Int> = []
        var lastRead = HostTime(nanoseconds: .min / 2)
    }
    private let filesByURL: [String: [LocalFile]]
    private let texts: [String: Data]
    private let folder: PackageFolder
    private let file: Mutex<(url: String, file: File)?>
    /// The connection for reading the parts of `file`. Nil if there is no file.
    private let reader: DatabaseQueue?

    /// Reads the playlists of a download. A download whose playlists are not loaded yet has no copies.
    ///
    /// - Throws: `.notFound`, `.record`.
    @DownloadActor init(_ id: UUID, engine: DownloadEngine) throws(DownloadError) {
        let (download, package, renditions) = try engine.recorded(id)
        let folder = PackageFolder(library: engine.root, folder: package.folder)
        var filesByURL: [String: [LocalFile]] = [:]
        var texts: [String: Data] = [:]
        var file: (String, File)?
        for row in renditions {
            guard let playlist = row.playlist else { continue }
            if row.kind == .file {
                if let facts = FileFacts(stored: playlist) {
                    file = (
                        download.url.absoluteString,
                        File(rendition: row.id, path: folder.file(facts.name, of: row), facts: facts)
                    )
                }
                continue
            }
            let plan = try RenditionPlan(try row.mediaPlaylist(), kind: row.kind)
            texts[(row.playlistURL ?? row.url).absoluteString] = Data(playlist.utf8)
            for item in plan.items {
                guard let url = plan.url(of: item) else { continue }
                filesByURL[url.absoluteString, default: []].append(
                    LocalFile(range: item.range, path: folder.file(item.fileName, of: row)))
            }
        }
        // List only downloaded variants, because players would load all others from the network.
        let known = renditions.filter { $0.playlist != nil && $0.kind != .file }
        if !known.isEmpty, known.count == renditions.count {
            if known.contains(where: { !$0.tag.isEmpty }) {
                let whole = known.map { row in
                    var row = row
                    row.isComplete = true
                    return row
                }
                if var index = LocalPlaylists.index(of: whole, bytesPerSecond: { _ in 0 }) {
                    let credentials = engine.jobs[id]?.requests.credentials ?? DownloadCredentials()
                    func serverURL(_ uri: String) -> String {
                        known.first { $0.name + "/" + PackageNames.index == uri }.map {
                            credentials.authorized($0.playlistURL ?? $0.url).absoluteString
                        } ?? uri
                    }
                    for i in index.variants.indices { index.variants[i].uri = serverURL(index.variants[i].uri) }
                    for i in index.iFrameVariants.indices {
                        index.iFrameVariants[i].uri = serverURL(index.iFrameVariants[i].uri)
                    }
                    for i in index.renditions.indices {
                        index.renditions[i].uri = index.renditions[i].uri.map(serverURL)
                    }
                    texts[download.url.absoluteString] = Data(index.text.utf8)
                }
            } else if let only = known.first {
                texts[download.url.absoluteString] = only.playlist.map { Data($0.utf8) }
            }
        }
        self.folder = folder
        self.filesByURL = filesByURL
        self.texts = texts
        self.file = Mutex(file)
        reader = file == nil ? nil : try engine.record.reader()
    }

    var copies: LocalCopies { LocalCopies { self.copy(of: $0, $1) } }

    private func copy(of url: URL, _ range: (first: Int64, last: Int64?)?) -> LocalCopy? {
        // Stored URLs contain no passwords, but a player's URL may.
        let name = url.withoutCredentials.absoluteString
        if let text = texts[name], DiskFile.isFolder(folder.diskPath) {
            return LocalCopy(.bytes(text), length: Int64(text.count))
        }
        for localFile in filesByURL[name] ?? [] {
            if let own = localFile.range {
                guard let range, range.first >= own.offset, let last = range.last, last < own.end else { continue }
            }
            // A file has this name only after it is complete.
            guard let size = DiskFile.size(localFile.path), size > 0, size == localFile.range?.length ?? size else {
                continue
            }
            return LocalCopy(
                .file(URL(fileURLWithPath: localFile.path.path)), offset: localFile.range?.offset ?? 0, length: size)
        }
        return file.withLock { known in
            guard let found = known, found.url == name else { return nil }
            return part(&known, found.file, range)
        }
    }

    /// Returns the bytes from the first requested one to the end of the adjacent parts that are complete.
    private func part(_ known: inout (url: String, file: File)?, _ file: File, _ range: (first: Int64, last: Int64?)?)
        -> LocalCopy?
    {
        guard let whole = file.facts.size else { return nil }
        if let size = DiskFile.size(file.path), size == whole {
            return LocalCopy(.file(URL(fileURLWithPath: file.path.path)), length: whole, whole: whole)
        }
        var file = file
        let now = HostTime.now()
        if now - file.lastRead > 500_000_000 {
            file.lastRead = now
            file.parts =
                (try? reader?.read {
                    Set(
                        try Int.fetchAll(
                            $0, sql: "SELECT number FROM resource WHERE rendition = ? AND complete = 1",
                            arguments: [file.rendition]))
                }) ?? file.parts
            known?.file = file
        }
        let length = file.facts.partLength
        let first = range?.first ?? 0
        guard first >= 0, first < whole, range != nil else { return nil }
        let begin = Int(first / length)
        var end = begin
        while file.parts.contains(end) { end += 1 }
        guard end > begin else { return nil }
        let stop = min(whole, Int64(end) * length)
        if let last = range?.last, last >= stop { return nil }
        guard DiskFile.size(file.path.part) != nil else { return nil }
        let incompleteFile = URL(fileURLWithPath: file.path.part.path)
        // Offsets in the incomplete file are those of the complete one.
        return LocalCopy(.file(incompleteFile), offset: 0, length: stop, whole: whole)
    }
}
