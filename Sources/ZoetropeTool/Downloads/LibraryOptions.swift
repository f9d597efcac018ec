import ArgumentParser
import Downloads
import Foundation
import GLibSupport
import MediaCore

/// Which library, for all commands about downloads.
struct LibraryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder that downloads are kept in. Default: zoetrope/downloads in the user's data folder.",
            valueName: "folder"))
    var library: FileArgument?

    /// Nothing begins by itself in it.
    func open() throws -> DownloadLibrary {
        try DownloadLibrary(at: library?.path ?? DownloadLibrary.defaultFolder, startsDownloads: false)
    }

    /// One that is not there has nothing in it, and is not made by being looked at.
    var isThere: Bool { FileManager.default.fileExists(atPath: (library?.path ?? DownloadLibrary.defaultFolder).path) }
}

extension DownloadLibrary {
    /// What is meant by a word of the command line: a number of `list`, or an id or its beginning.
    /// - Throws: usage-like failures that say what there is.
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
                "“\(word)” is the beginning of \(found.count) downloads' ids: \(found.map(\.id.uuidString).joined(separator: ", ")). Write more of it"
            )
        }
        guard let only = found.first else {
            throw ToolFailure(
                .failed,
                "there is no download “\(CommandArguments.readable(word))” in \(folder.location). `zoetrope downloads list` tells their numbers and ids (4 letters or more of one)"
            )
        }
        return only
    }

    /// As `named(_:)`, each once.
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
    /// Enough of it to tell it from others, for people.
    var shortID: String { String(id.uuidString.prefix(8)).lowercased() }
    var plainTitle: String { Words.plain(title) }
}

/// Async work of a command on the main thread, which a command has to itself.
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
