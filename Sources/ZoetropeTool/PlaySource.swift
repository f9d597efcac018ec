import Foundation
import MediaCore
import MediaEngine
import PlayerApp
import SampleMedia

/// What `zoetrope play` was told to play.
enum PlaySource {
    /// Files, folders, lists, addresses and `-`, as they were named.
    /// - Throws: usage, for `-` twice, and where standard input is a terminal.
    static func list(_ files: [FileArgument], bufferMiB: Int) throws -> MediaList {
        if files.isEmpty {
            guard let sample = SampleLoop.url else {
                throw ToolFailure(.failed, "the built-in sample is missing; name a file")
            }
            return MediaList([MediaList.Entry(sample, title: "Zoetrope")])
        }
        guard files.count(where: \.isStandardInput) <= 1 else {
            throw ToolFailure(.usage, "standard input (-) can be played once")
        }
        var entries: [MediaList.Entry] = []
        for file in files {
            entries.append(
                file.isStandardInput ? try standardInput(bufferMiB: bufferMiB) : MediaList.Entry(file.url))
        }
        return MediaList.expanding(entries)
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
