import ArgumentParser
import Foundation
import MediaCore
import MediaEngine

/// The location of a file on the command line: a URL such as `https://…` or `file:///…`, otherwise a path.
enum MediaLocation {
    static func url(_ text: String) -> URL {
        guard let mark = text.range(of: "://"),
            text[..<mark.lowerBound].allSatisfy({ $0.isLetter || $0.isNumber || "+-.".contains($0) }),
            let url = URL(lenient: text), url.scheme != nil
        else { return inFolder(path(text)) }
        return inFolder(url)
    }

    /// Returns the playlist of a folder that contains an HLS stream, such as a download. Returns other URLs unchanged.
    private static func inFolder(_ url: URL) -> URL {
        guard url.isFileURL, let folder = FilePath(url) else { return url }
        var info = stat()
        guard folder.withCString({ stat($0, &info) }) == 0, info.st_mode & S_IFMT == S_IFDIR else { return url }
        let playlist = folder.appending(Array("index.m3u8".utf8))
        // A folder without a playlist is an unfinished download or not a download. The error for the folder explains
        // this.
        return playlist.withCString { access($0, F_OK) } == 0 ? playlist.url : url
    }

    /// Returns the URL of a path, even if the path looks like a URL.
    static func path(_ text: String) -> URL {
        FilePath(bytes: CommandArguments.bytes(text))?.url ?? URL(fileURLWithPath: text)
    }
}

/// A file name on the command line, preserved byte for byte, or the URL of media.
struct FileArgument: ExpressibleByArgument {
    /// The kind of completion that shells offer: file names.
    static var defaultCompletionKind: CompletionKind { .file() }

    private let text: String

    /// Creates the argument; nil for an empty name.
    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        text = argument
    }

    /// The argument as the user typed it, as a base for other names.
    var plain: String { text }
    /// Whether the argument is `-`.
    var isStandardInput: Bool { text == "-" }
    /// The URL to read from.
    var url: URL { MediaLocation.url(text) }
    /// The path to write to.
    var path: URL { MediaLocation.path(text) }
    /// Whether the argument is a regular file whose media is in the file itself, not in the segments of a playlist.
    var isRegularMedia: Bool {
        let url = isStandardInput ? URL(fileURLWithPath: "/proc/self/fd/\(STDIN_FILENO)") : url
        guard url.isFileURL, let path = FilePath(url), let status = path.status else { return false }
        return status.st_mode & S_IFMT == S_IFREG && !MediaSource.isPlaylist(path)
    }
    var pathExtension: String { FilePath(path)?.pathExtension ?? "" }
    /// The name for messages and reports, without passwords.
    var name: String { Credentials.removed(from: CommandArguments.readable(text)) }
    var defaultValueDescription: String { name }
}
