import ArgumentParser
import Foundation
import MediaCore
import MediaEngine

/// What is named on the command line: a URL where it is written as one (`https://…`, `file:///…`), else a path.
enum MediaLocation {
    static func url(_ text: String) -> URL {
        guard let mark = text.range(of: "://"), text[..<mark.lowerBound].allSatisfy({ $0.isLetter || $0.isNumber || "+-.".contains($0) }),
              let url = URL(lenient: text), url.scheme != nil else { return path(text) }
        return url
    }

    /// - Parameter insecure: as `--insecure`.
    static func asset(_ url: URL, insecure: Bool) -> AVURLAsset {
        AVURLAsset(url: url, options: insecure ? [AVURLAssetAllowsUntrustedCertificatesKey: true] : [:])
    }

    /// Always a path.
    static func path(_ text: String) -> URL { FilePath(bytes: CommandArguments.bytes(text))?.url ?? URL(fileURLWithPath: text) }
}

/// A file's name on the command line, in its own bytes; of media also a URL.
struct FileArgument: ExpressibleByArgument {
    private let text: String

    /// Nil for no name.
    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        text = argument
    }

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
