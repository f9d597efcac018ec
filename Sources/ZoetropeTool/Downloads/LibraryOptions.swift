import ArgumentParser
import Downloads
import Foundation
import GLibLoop
import MediaCore

/// The option to choose the library, for all commands about downloads.
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

    /// Returns a command for this library that can be copied: `zoetrope downloads list --library /media/films`.
    func command(_ arguments: String) -> String {
        "zoetrope downloads \(arguments)" + (library.map { " --library " + Formatting.quoted($0.name) } ?? "")
    }

    /// Whether the library exists. Listing downloads must not create it.
    var exists: Bool { FileManager.default.fileExists(atPath: (library?.path ?? DownloadLibrary.defaultFolder).path) }
}

extension DownloadLibrary {
    /// Returns a command for this library that can be copied: `zoetrope downloads list --library /media/films`.
    @MainActor func command(_ arguments: String) -> String {
        let isDefault = folder.standardizedFileURL.path == DownloadLibrary.defaultFolder.standardizedFileURL.path
        return "zoetrope downloads \(arguments)" + (isDefault ? "" : " --library " + Formatting.quoted(folder.location))
    }

    /// Prints that the library has no downloads of the given kind.
    /// - Parameter kind: The downloads that were searched for: `downloads`, `finished downloads`.
    @MainActor func reportNoDownloads(of kind: String) {
        Console.note("There are no \(kind) in the library \(folder.location).")
    }

    /// Returns the download that has a number of `list`, or an ID that begins with `name`.
    /// - Throws: A failure that explains how to find the valid numbers and IDs.
    @MainActor func named(_ name: String) throws -> Download {
        if name.count == 36, let id = UUID(uuidString: name), let download = self[id] { return download }
        if let number = Int(name), number >= 1, number <= downloads.count, name.count < 8 {
            return downloads[number - 1]
        }
        let isID = name.count >= 4 && name.allSatisfy { $0.isHexDigit || $0 == "-" }
        let found = isID ? downloads.filter { $0.id.uuidString.hasPrefix(name.uppercased()) } : []
        if found.count > 1 {
            throw ToolFailure(
                .failed,
                "“\(name)” matches \(found.count) download IDs: \(found.map(\.id.uuidString).joined(separator: ", ")). Use more characters of the ID."
            )
        }
        guard let only = found.first else {
            throw ToolFailure(
                .failed,
                "There is no download “\(CommandArguments.readable(name))” in \(folder.location). `\(command("list"))` shows numbers and IDs. The first 4 characters of an ID are enough."
            )
        }
        return only
    }

    /// Returns the downloads with several names, each only once.
    @MainActor func named(_ names: [String]) throws -> [Download] {
        var result: [Download] = []
        for name in names {
            let download = try named(name)
            if !result.contains(where: { $0.id == download.id }) { result.append(download) }
        }
        return result
    }
}

extension Download {
    /// The first 8 characters of the ID, in lower case, for messages.
    var shortID: String { String(id.uuidString.prefix(8)).lowercased() }
    var plainTitle: String { Formatting.plain(title) }
}

/// A bridge that runs a command's asynchronous work on the main thread and waits until it ends.
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
