import Foundation
import MediaCore
import MediaEngine
import PlayerApp
import SampleMedia
import Streaming
import Synchronization

/// What `zoetrope play` was told to play.
enum PlaySource {
    /// Files, folders, lists, addresses and `-`, as they were named.
    /// Lists on servers are fetched, for as long as that takes.
    /// - Throws: usage, for `-` twice, and where standard input is a terminal.
    static func list(_ files: [FileArgument], bufferMiB: Int, insecure: Bool) throws -> MediaList {
        if files.isEmpty {
            guard let sample = SampleLoop.url else {
                throw ToolFailure(.failed, "the built-in sample is missing; name a file")
            }
            return MediaList([MediaList.Entry(sample, title: "Zoetrope")])
        }
        guard files.count(where: \.isStandardInput) <= 1 else {
            throw ToolFailure(.usage, "standard input (-) can be played once")
        }
        PipedMedia.capacityOfNamed.store(Int64(bufferMiB) << 20, ordering: .relaxed)
        var entries: [MediaList.Entry] = []
        for file in files {
            entries.append(
                file.isStandardInput ? try standardInput(bufferMiB: bufferMiB) : MediaList.Entry(file.url))
        }
        let list = MediaList.expanding(entries)
        return list.namesRemoteLists ? withRemoteLists(list, insecure: insecure) : list
    }

    private static func withRemoteLists(_ list: MediaList, insecure: Bool) -> MediaList {
        let whole = Mutex(list)
        let isDone = DispatchSemaphore(value: 0)
        Task.detached {
            let fetched = await list.withRemoteLists(fetch(insecure: insecure))
            whole.withLock { $0 = fetched }
            isDone.signal()
        }
        isDone.wait()
        return whole.withLock { $0 }
    }

    /// Small things from a server, whole.
    /// - Parameter insecure: as `--insecure`.
    static func fetch(insecure: Bool) -> MediaList.Fetch {
        { url, headers, limit throws(AVError) in
            var options = MediaLocation.asset(url, insecure: insecure, headers: headers).httpOptions
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

    /// The URL of one file that is named on the command line; `-` is standard input.
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
            // A file that was put there is a file, wherever it is read up to.
            let own = "/proc/self/fd/\(STDIN_FILENO)"
            return MediaList.Entry(URL(fileURLWithPath: own), title: name)
        case S_IFDIR:
            throw AVError(.notAFile, at: name, reason: "is a directory, not media", suggestion: "Name it instead")
        default: break
        }
        guard isatty(STDIN_FILENO) == 0 else {
            throw ToolFailure(
                .usage, "standard input is a terminal: pipe media into it, such as `cat film.mkv | zoetrope -`")
        }
        // One that stands for a closed one.
        guard fcntl(STDIN_FILENO, F_GETFL) & O_ACCMODE != O_WRONLY else {
            throw AVError(.readFailed, at: name, reason: "is closed", suggestion: "Pipe media into it")
        }
        let piped = try PipedMedia(
            reading: STDIN_FILENO, name: name, capacity: Int64(bufferMiB) << 20)
        return MediaList.Entry(piped.url, title: name)
    }
}
