import ArgumentParser
import Downloads
import Foundation
import GLibLoop
import MediaCore

/// The library, for all commands about downloads.
struct LibraryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Use the library in this folder. Default: ~/.local/share/zoetrope/downloads.",
            valueName: "folder"))
    var library: FileArgument?

    /// Opens the library without starting downloads.
    func open() throws -> DownloadLibrary {
        try DownloadLibrary(at: library?.path ?? DownloadLibrary.defaultFolder, startsDownloads: false)
    }

    /// A command on this library to copy: `zoetrope downloads list --library /media/films`.
    func command(_ words: String) -> String {
        "zoetrope downloads \(words)" + (library.map { " --library " + Words.quoted($0.name) } ?? "")
    }

    /// Whether the library exists. Listing must not create it.
    var isThere: Bool { FileManager.default.fileExists(atPath: (library?.path ?? DownloadLibrary.defaultFolder).path) }
}

extension DownloadLibrary {
    /// A command on this library to copy: `zoetrope downloads list --library /media/films`.
    @MainActor func command(_ words: String) -> String {
        let isDefault = folder.standardizedFileURL.path == DownloadLibrary.defaultFolder.standardizedFileURL.path
        return "zoetrope downloads \(words)" + (isDefault ? "" : " --library " + Words.quoted(folder.location))
    }

    /// Prints that there is nothing to do.
    /// - Parameter kind: what was looked for: `downloads`, `finished downloads`.
    @MainActor func noteNone(of kind: String) {
        Console.note("There are no \(kind) in the library \(folder.location).")
    }

    /// The download with a number of `list`, or with an ID or the beginning of one.
    /// - Throws: A failure that says how to find the valid numbers and IDs.
    @MainActor func named(_ word: String) throws -> Download {
        if word.count == 36, let id = UUID(uuidString: word), let download = self[id] { return download }
        if let number = Int(word), number >= 1, number <= downloads.count, word.count < 8 {
            return downloads[number - 1]
        }
        let isID = word.count >= 4 && word.allSatisfy { $0.isHexDigit || $0 == "-" }
        let found = isID ? downloads.filter { $0.id.uuidString.hasPrefix(word.uppercased()) } : []
        if found.count > 1 {
            throw ToolFailure(
                .failed,
                "“\(word)” matches \(found.count) download IDs: \(found.map(\.id.uuidString).joined(separator: ", ")). Use more characters of the ID."
            )
        }
        guard let only = found.first else {
            throw ToolFailure(
                .failed,
                "There is no download “\(CommandArguments.readable(word))” in \(folder.location). `\(command("list"))` shows numbers and IDs. The first 4 characters of an ID are enough."
            )
        }
        return only
    }

    /// The downloads of several words, each once.
    @MainActor func named(_ words: [String]) throws -> [Download] {
        var result: [Download] = []
        for word in words {
            let download = try named(word)
            if !result.contains(where: { $0.id == download.id }) { result.append(download) }
        }
        return result
    }
}

extension Download {
    /// The first 8 characters of the ID, for people.
    var shortID: String { String(id.uuidString.prefix(8)).lowercased() }
    var plainTitle: String { Words.plain(title) }
}

/// Runs asynchronous work of a command on the main thread and waits for it.
enum MainTask {
    @MainActor private final class Outcome { var failure: (any Error)? }

    static func run(_ body: @escaping @MainActor () async throws -> Void) throws {
        try MainActor.assumeIsolated {
            let outcome = Outcome()
            Task { @MainActor in
                do { try await body() } catch { outcome.failure = error }
                MainLoop.quit()
            }
            MainLoop.run()
            if let failure = outcome.failure { throw failure }
        }
    }
}
