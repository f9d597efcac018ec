import Foundation
import MediaCore

/// An expansion of the files, folders and playlists that a user names into entries, within limits.
struct ListExpansion {
    let limits: MediaList.Limits
    private(set) var entries: [MediaList.Entry] = []
    private(set) var problems: [AVError] = []
    /// The playlists around the one that is being read, by their file numbers. A playlist that is among them contains
    /// itself.
    private var around: [FileNumber] = []
    private var isFull = false

    init(limits: MediaList.Limits) { self.limits = limits }

    private struct FileNumber: Equatable {
        let device: dev_t, file: ino_t
    }

    mutating func add(_ entry: MediaList.Entry) {
        guard !isFull else { return }
        guard let path = FilePath(entry.url) else { return append(entry) }
        var info = stat()
        guard path.withCString({ stat($0, &info) }) == 0 else { return append(entry) }
        switch info.st_mode & S_IFMT {
        case S_IFDIR: addFolder(path, entry)
        // An empty file may be a virtual file of the system, whose reader would block.
        case S_IFREG where info.st_size > 0:
            let number = FileNumber(device: info.st_dev, file: info.st_ino)
            addFile(path, number, entry)
        default: append(entry)
        }
    }

    private mutating func append(_ entry: MediaList.Entry) {
        guard entries.count < limits.entries else {
            if !isFull {
                problems.append(
                    AVError(
                        .playlistInvalid, at: entry.url.location,
                        reason:
                            "this item and all later ones are left out: the playlist has more than \(limits.entries) items",
                        suggestion: "Open fewer items at a time"))
            }
            isFull = true
            return
        }
        entries.append(entry)
    }

    // MARK: folders

    private mutating func addFolder(_ path: FilePath, _ entry: MediaList.Entry) {
        // A download, or another folder with an HLS playlist, is one stream.
        let playlist = path.appending(Array("index.m3u8".utf8))
        if playlist.withCString({ access($0, F_OK) }) == 0 {
            var stream = entry
            stream.url = playlist.url
            if stream.title == nil { stream.title = path.name.description }
            return append(stream)
        }
        // A package without a playlist stays an entry, so that the player reports the problem.
        guard path.pathExtension != "movpkg" else { return append(entry) }
        do throws(AVError) {
            let files = try MediaFolder.media(in: path)
            guard !files.isEmpty else {
                throw AVError(
                    .notAFile, at: path.description, reason: "the folder contains no media files",
                    suggestion: "Choose a file, or a folder with media files")
            }
            for file in files {
                var inner = MediaList.Entry(file.url)
                inner.source = entry.source
                append(inner)
            }
        } catch {
            problems.append(error)
        }
    }

    // MARK: lists

    private mutating func addFile(_ path: FilePath, _ number: FileNumber, _ entry: MediaList.Entry) {
        guard let format = ListFormat.of(path) else { return append(entry) }
        guard !around.contains(number) else {
            problems.append(
                AVError(
                    .playlistInvalid, at: path.description,
                    reason: "the playlist contains itself, directly or through another playlist"))
            return
        }
        guard around.count < limits.depth else {
            problems.append(
                AVError(
                    .playlistInvalid, at: path.description,
                    reason: "playlists are nested more than \(limits.depth) levels deep"))
            return
        }
        let read: ListText
        do throws(AVError) {
            let bytes = try path.contents(limit: limits.bytes, kind: "a playlist")
            if format == .m3u, ListText.isStream(bytes) { return append(entry) }
            read = try ListText(bytes, format: format, at: .file(path))
        } catch {
            problems.append(error)
            return
        }
        problems += read.problems
        around.append(number)
        for inner in read.entries {
            var inner = inner
            // Headers of the whole playlist apply unless the entry has its own.
            inner.headers.merge(entry.headers) { own, _ in own }
            inner.source = entry.source
            add(inner)
        }
        around.removeLast()
    }
}
