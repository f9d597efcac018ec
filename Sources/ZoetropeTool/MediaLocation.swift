import ArgumentParser
import Foundation
import MediaCore
import MediaEngine

/// What is named on the command line: a URL where it is written as one (`https://…`, `file:///…`), else a path.
enum MediaLocation {
    static func url(_ text: String) -> URL {
        guard let mark = text.range(of: "://"),
            text[..<mark.lowerBound].allSatisfy({ $0.isLetter || $0.isNumber || "+-.".contains($0) }),
            let url = URL(lenient: text), url.scheme != nil
        else { return inFolder(path(text)) }
        return inFolder(url)
    }

    /// A folder of HLS, as a download is one, is what its playlist is; anything else is itself.
    private static func inFolder(_ url: URL) -> URL {
        guard url.isFileURL, let folder = FilePath(url) else { return url }
        var info = stat()
        guard folder.withCString({ stat($0, &info) }) == 0, info.st_mode & S_IFMT == S_IFDIR else { return url }
        let playlist = folder.appending(Array("index.m3u8".utf8))
        // A package without one is told as what it is: not finished, or none.
        return playlist.withCString { access($0, F_OK) } == 0 ? playlist.url : url
    }

    /// - Parameters:
    ///   - insecure: as `--insecure`.
    ///   - headers: for the server.
    ///   - sharesCredentials: as `--share-credentials`.
    static func asset(
        _ url: URL, insecure: Bool, headers: [String: String] = [:], sharesCredentials: Bool = false
    ) -> AVURLAsset {
        var options: [String: any Sendable] = insecure ? [AVURLAssetAllowsUntrustedCertificatesKey: true] : [:]
        if sharesCredentials { options[AVURLAssetSharesCredentialsKey] = true }
        if !headers.isEmpty { options[AVURLAssetHTTPHeaderFieldsKey] = headers }
        return AVURLAsset(url: url, options: options)
    }

    /// Always a path.
    static func path(_ text: String) -> URL {
        FilePath(bytes: CommandArguments.bytes(text))?.url ?? URL(fileURLWithPath: text)
    }
}

/// A file's name on the command line, in its own bytes; of media also a URL.
struct FileArgument: ExpressibleByArgument {
    /// What a shell offers for it.
    static var defaultCompletionKind: CompletionKind { .file() }

    private let text: String

    /// Nil for no name.
    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        text = argument
    }

    /// `-`.
    var isStandardInput: Bool { text == "-" }
    /// To read.
    var url: URL { MediaLocation.url(text) }
    /// To write.
    var path: URL { MediaLocation.path(text) }
    var pathExtension: String { FilePath(path)?.pathExtension ?? "" }
    /// For messages and reports.
    var name: String { Credentials.removed(from: CommandArguments.readable(text)) }
    /// Behind the last slash.
    var lastName: String { FilePath(url)?.name.description ?? url.lastPathComponent }
    var defaultValueDescription: String { name }
}
