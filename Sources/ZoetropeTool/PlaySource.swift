import Foundation
import MediaCore
import MediaEngine
import PlayerApp
import SampleMedia
import Streaming
import Synchronization

/// The media that `zoetrope play` plays.
enum PlaySource {
    /// Returns the entries of files, folders, playlists, URLs and `-`, in the given order. Waits for playlists on
    /// servers.
    /// - Throws: A usage failure if `-` is given twice, or if standard input is a terminal.
    static func list(_ files: [FileArgument], bufferMiB: Int, access: ServerAccess) throws -> MediaList {
        if files.isEmpty {
            guard let sample = SampleLoop.url else {
                throw ToolFailure(.failed, "The built-in sample video is missing. Name a file to play.")
            }
            return MediaList([MediaList.Entry(sample, title: "Zoetrope")])
        }
        guard files.count(where: \.isStandardInput) <= 1 else {
            throw ToolFailure(.usage, "Standard input (-) can be played only once. Name it once.")
        }
        PipedMedia.capacityOfNamed.store(Int64(bufferMiB) << 20, ordering: .relaxed)
        var entries: [MediaList.Entry] = []
        for file in files {
            entries.append(
                file.isStandardInput ? try standardInput(bufferMiB: bufferMiB) : MediaList.Entry(file.url))
        }
        let list = MediaList.expanding(entries)
        return list.namesRemoteLists ? withRemoteLists(list, access) : list
    }

    private static func withRemoteLists(_ list: MediaList, _ access: ServerAccess) -> MediaList {
        let result = Mutex(list)
        let isDone = DispatchSemaphore(value: 0)
        Task.detached {
            let fetched = await list.withRemoteLists(fetch(access))
            result.withLock { $0 = fetched }
            isDone.signal()
        }
        isDone.wait()
        return result.withLock { $0 }
    }

    /// Returns a function that loads small files from a server.
    static func fetch(_ access: ServerAccess) -> MediaList.Fetch {
        { url, headers, limit throws(AVError) in
            var options = access.asset(url, headers: headers).httpOptions
            options.timeouts.total = 30_000_000_000
            var request = HTTPRequest(url: url, options: options, acceptsCompression: true)
            request.limit = Int64(limit)
            do throws(HTTPError) {
                let loaded = try await HTTPClient.shared.load(request)
                return MediaList.Fetched(Array(loaded.data), from: loaded.response.url)
            } catch {
                throw error.avError
            }
        }
    }

    /// Returns the URL of a file on the command line, where `-` is standard input.
    static func url(_ file: FileArgument) throws -> URL {
        file.isStandardInput ? try standardInput(bufferMiB: 1024).url : file.url
    }

    private static func standardInput(bufferMiB: Int) throws -> MediaList.Entry {
        let name = "standard input"
        var info = stat()
        guard fstat(STDIN_FILENO, &info) == 0 else {
            throw AVError(.readFailed, at: name, reason: String(cString: strerror(errno)), underlying: errno)
        }
        switch info.st_mode & S_IFMT {
        case S_IFREG:
            // If standard input is a redirected file, the file is read from its start and can be seeked.
            let own = "/proc/self/fd/\(STDIN_FILENO)"
            return MediaList.Entry(URL(fileURLWithPath: own), title: name)
        case S_IFDIR:
            throw AVError(
                .notAFile, at: "", reason: "standard input is a folder",
                suggestion: "Pass the folder's path as an argument instead")
        default: break
        }
        guard isatty(STDIN_FILENO) == 0 else {
            throw ToolFailure(
                .usage,
                "Can't play standard input: it is a terminal. Pipe media into it, such as `cat film.mkv | zoetrope -`.")
        }
        // `Main` replaces a closed descriptor with a placeholder that is open for writing only.
        guard fcntl(STDIN_FILENO, F_GETFL) & O_ACCMODE != O_WRONLY else {
            throw AVError(
                .readFailed, at: name, reason: "the input is closed", suggestion: "Pipe media into the command")
        }
        let piped = try PipedMedia(
            reading: STDIN_FILENO, name: name, capacity: Int64(bufferMiB) << 20)
        return MediaList.Entry(piped.url, title: name)
    }
}
