import ArgumentParser
import Downloads
import Foundation
import MediaCore

/// The command `zoetrope downloads`, which shows and changes the library.
struct DownloadsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "downloads",
        abstract: "Manage the library of downloads.",
        usage: "zoetrope downloads <command> [options]",
        discussion: """
            EXAMPLES
              # Show number, ID, state and title of each download
              zoetrope downloads list
              # Pause the second download, even if another process runs it
              zoetrope downloads pause 2
              # Resume it in this terminal
              zoetrope downloads resume 2
              # Print the path of each download
              zoetrope downloads list --json | jq -r '.downloads[].path'
              # Copy a download out of the library
              zoetrope downloads export 3fa4b2c1 -o talk.movpkg

            DESCRIPTION
              Every command except `list` takes the number of a download in the list, or its ID. The first 4 characters of the ID are
              enough. Numbers can change when a download is removed. IDs never change.

            EXIT CODES
              0    The command succeeded.
              1    The command failed, or `verify` found damage. The reason is on standard error.
              64   Invalid arguments.
              130  Interrupted by Ctrl-C; downloaded data is kept.
            """,
        subcommands: [
            DownloadsList.self, DownloadsPause.self, DownloadsResume.self, DownloadsRemove.self, DownloadsVerify.self,
            DownloadsRepair.self, DownloadsExport.self,
        ])
}

/// The command `zoetrope downloads list`.
struct DownloadsList: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List all downloads.", usage: "zoetrope downloads list [options]",
        discussion: """
            EXAMPLES
              zoetrope downloads list
              zoetrope downloads list --json

            DESCRIPTION
              Shows number, ID, state, progress, size, duration and title of each download.
            """)

    @OptionGroup(title: "Output") var output: JSONOptions
    @OptionGroup(title: "Library") var libraryOptions: LibraryOptions

    func report(of failure: ToolFailure) -> String? {
        output.json ? Self.failureLine(failure, ["downloads": [String]()]) : nil
    }

    func perform() throws {
        let libraryOptions = libraryOptions
        let isJSON = output.json
        try MainTask.run {
            guard libraryOptions.exists else {
                let folder = libraryOptions.library?.path ?? DownloadLibrary.defaultFolder
                return try Console.out(
                    isJSON
                        ? ReportJSON.pretty(DownloadListReport(library: folder.path, totalBytes: 0, downloads: []))
                        : "No downloads. The library \(folder.location) does not exist yet.")
            }
            let library = try libraryOptions.open()
            let total = await library.totalSize()
            let reports = library.downloads.enumerated().map { index, download in
                var report = DownloadReport(
                    download, isUnderWay: download.state == .queued && library.isUsedByAnotherProcess(download))
                report.index = index + 1
                return report
            }
            if isJSON {
                return try Console.out(
                    ReportJSON.pretty(
                        DownloadListReport(library: library.folder.path, totalBytes: total, downloads: reports)))
            }
            if !reports.isEmpty { try Console.out(DownloadsList.header) }
            for report in reports { try Console.out(DownloadsList.row(report, columns: DownloadsList.columns)) }
            try Console.out(
                reports.isEmpty
                    ? "No downloads in \(library.folder.location)."
                    : "\(reports.count) download\(reports.count == 1 ? "" : "s"), \(Formatting.bytes(total)), in \(library.folder.location)"
            )
        }
    }

    /// The width of the terminal, to which lines are cut; nil if standard output is not a terminal.
    private static var columns: Int? {
        var size = winsize()
        return isatty(STDOUT_FILENO) == 1 && ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
            ? Int(size.ws_col) : nil
    }

    private static let header = line(
        number: "#", id: "ID", state: "State", done: "Done", size: "Size", duration: "Duration", title: "Title")

    private static func line(
        number: String, id: String, state: String, done: String, size: String, duration: String, title: String
    ) -> String {
        func right(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(0, width - text.count)) + text
        }
        return [
            right(number, 3), Formatting.padded(id, to: 8), Formatting.padded(state, to: 11), right(done, 5),
            right(size, 9), right(duration, 8), title,
        ].joined(separator: "  ")
    }

    static func row(_ report: DownloadReport, columns: Int?) -> String {
        let percent =
            report.expectedBytes > 0 || report.expectedSeconds > 0 || report.state == "finished"
            ? "\(Int(report.fraction * 100))%" : "–"
        var text = line(
            number: "\(report.index ?? 0)", id: report.id.prefix(8).lowercased(), state: report.state, done: percent,
            size: Formatting.bytes(report.bytes),
            duration: report.expectedSeconds > 0 ? Formatting.clock(report.expectedSeconds) : "–",
            title: Formatting.plain(report.title))
        if let error = report.error { text += ": " + Formatting.plain(error) }
        return columns.map { String(text.prefix($0)) } ?? text
    }
}

/// The command `zoetrope downloads pause`.
struct DownloadsPause: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Pause downloads, including those of other processes.",
        usage: "zoetrope downloads pause [options] <download> ...",
        discussion: """
            EXAMPLES
              zoetrope downloads pause 2
              zoetrope downloads pause 3fa4b2c1 1
            """)

    @Argument(help: ArgumentHelp("Numbers or IDs from `zoetrope downloads list`.", valueName: "download"))
    var downloads: [String]
    @OptionGroup(title: "Library") var libraryOptions: LibraryOptions

    func report(of failure: ToolFailure) -> String? { nil }

    func perform() throws {
        let libraryOptions = libraryOptions
        let names = downloads
        try MainTask.run {
            let library = try libraryOptions.open()
            for download in try library.named(names) {
                guard download.state != .finished else {
                    throw ToolFailure(
                        .failed, "Can't pause “\(download.plainTitle)” (\(download.shortID)): the download is finished."
                    )
                }
                try await library.pause(download)
                // The process that runs the download checks for requests once per second.
                let isOver = try await waitUntil { !library.isUsedByAnotherProcess(download) }
                try Console.out(
                    "\(download.plainTitle): "
                        + (isOver
                            ? "paused"
                            : "pause requested, but the process that runs the download has not responded yet"))
            }
        }
    }
}

/// The command `zoetrope downloads remove`.
struct DownloadsRemove: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove downloads and delete their data.",
        usage: "zoetrope downloads remove [options] [<download> ...]",
        discussion: """
            EXAMPLES
              zoetrope downloads remove 2
              zoetrope downloads remove --all
            """)

    @Argument(help: ArgumentHelp("Numbers or IDs from `zoetrope downloads list`.", valueName: "download"))
    var downloads: [String] = []
    @OptionGroup(title: "Selection") var selection: AllOption
    @OptionGroup(title: "Library") var libraryOptions: LibraryOptions

    func validate() throws {
        if downloads.isEmpty != selection.all {
            throw ValidationError(
                selection.all
                    ? "--all can't be combined with <download>."
                    : "No download given. Use numbers or IDs from `\(libraryOptions.command("list"))`, or --all.")
        }
    }

    func report(of failure: ToolFailure) -> String? { nil }

    func perform() throws {
        let libraryOptions = libraryOptions
        let names = downloads
        let isAll = selection.all
        try MainTask.run {
            let library = try libraryOptions.open()
            let chosen = isAll ? library.downloads : try library.named(names)
            if chosen.isEmpty { library.reportNoDownloads(of: "downloads") }
            for download in chosen {
                let title = download.plainTitle
                let id = download.id
                try await library.remove(download)
                guard try await waitUntil({ library[id] == nil }) else {
                    throw ToolFailure(
                        .failed,
                        "“\(title)” (\(download.shortID)) is not removed yet: another process is using it. It will be removed when that process is done."
                    )
                }
                try Console.out("\(title): removed")
            }
        }
    }
}

/// The option to choose all downloads.
struct AllOption: ParsableArguments {
    @Flag(help: "Remove all downloads.") var all = false
}

/// Checks the condition every 20 ms until it is true.
/// - Returns: False if the condition is still false after 15 s, because another process has not reacted.
@MainActor private func waitUntil(_ condition: () -> Bool) async throws -> Bool {
    let deadline = HostClock.now() + 15_000_000_000
    while !condition() {
        guard HostClock.now() < deadline else { return false }
        try await Task.sleep(nanoseconds: 20_000_000)
    }
    return true
}
