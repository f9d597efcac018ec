import ArgumentParser
import Downloads
import Foundation
import MediaCore

/// `zoetrope downloads`: what the library holds, and what is to become of it.
struct DownloadsAll: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "downloads",
        abstract: "List, pause, resume, remove, verify, repair and export downloads.",
        discussion: """
            A download is named by its number in the list, or by its id or the first four letters of it or more.

            EXAMPLES
              zoetrope downloads list
              zoetrope downloads pause 2                   # another process stops it within a second or two
              zoetrope downloads resume 2                  # and goes on with it here
              zoetrope downloads verify && zoetrope downloads list --json | jq '.downloads[].path'
              zoetrope downloads export 3fa4b2c1 -o talk.movpkg

            EXIT CODES
              0 done · 1 it could not be done, or verify found damage · 64 wrong usage · 128 + n ended by signal n (130: Ctrl-C)
            """,
        subcommands: [
            DownloadsList.self, DownloadsPause.self, DownloadsResume.self, DownloadsRemove.self, DownloadsVerify.self,
            DownloadsRepair.self, DownloadsExport.self,
        ])
}

/// `zoetrope downloads list`
struct DownloadsList: ToolCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Tell what the library holds.")

    @Flag(help: "Print one JSON object with everything known.")
    var json = false
    @OptionGroup(title: "The library") var place: LibraryOptions

    func report(of failure: ToolFailure) -> String? {
        json ? Self.failureLine(failure, ["downloads": [String]()]) : nil
    }

    func perform() throws {
        let place = place
        let isJSON = json
        try MainTask.run {
            guard place.isThere else {
                let folder = place.library?.path ?? DownloadLibrary.defaultFolder
                return try Console.out(
                    isJSON
                        ? ReportJSON.pretty(DownloadListReport(library: folder.path, totalBytes: 0, downloads: []))
                        : "no downloads: there is no \(folder.location)")
            }
            let library = try place.open()
            let total = await library.totalSize()
            let reports = library.downloads.enumerated().map { index, download in
                var report = DownloadReport(
                    download, isUnderWay: download.state == .queued && library.isInHands(download))
                report.index = index + 1
                return report
            }
            if isJSON {
                return try Console.out(
                    ReportJSON.pretty(
                        DownloadListReport(library: library.folder.path, totalBytes: total, downloads: reports)))
            }
            for report in reports { try Console.out(DownloadsList.row(report, columns: DownloadsList.columns)) }
            try Console.out(
                reports.isEmpty
                    ? "no downloads in \(library.folder.location)"
                    : "\(reports.count) download\(reports.count == 1 ? "" : "s"), \(Words.bytes(total)), in \(library.folder.location)"
            )
        }
    }

    /// Nil: no terminal, nothing is cut.
    private static var columns: Int? {
        var size = winsize()
        return isatty(STDOUT_FILENO) == 1 && ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
            ? Int(size.ws_col) : nil
    }

    static func row(_ report: DownloadReport, columns: Int?) -> String {
        func left(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(0, width - text.count))
        }
        func right(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(0, width - text.count)) + text
        }
        let percent =
            report.expectedBytes > 0 || report.expectedSeconds > 0 || report.state == "finished"
            ? "\(Int(report.fraction * 100)) %" : "–"
        var line = [
            right("\(report.index ?? 0)", 3), left(report.id.prefix(8).lowercased(), 8), left(report.state, 11),
            right(percent, 5), right(Words.bytes(report.bytes), 9),
            right(report.expectedSeconds > 0 ? Words.clock(report.expectedSeconds) : "–", 7), Words.plain(report.title),
        ].joined(separator: "  ")
        if let error = report.error { line += ": " + Words.plain(error) }
        return columns.map { String(line.prefix($0)) } ?? line
    }
}

/// `zoetrope downloads pause`
struct DownloadsPause: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Stop downloads, also in the process that has them in its hands.")

    @Argument(help: ArgumentHelp("Numbers of the list, or ids.", valueName: "download")) var downloads: [String]
    @OptionGroup(title: "The library") var place: LibraryOptions

    func report(of failure: ToolFailure) -> String? { nil }

    func perform() throws {
        let place = place
        let words = downloads
        try MainTask.run {
            let library = try place.open()
            for download in try library.named(words) {
                guard download.state != .finished else {
                    throw ToolFailure(
                        .failed, "\(download.plainTitle) (\(download.shortID)): is finished; there is nothing to pause")
                }
                try await library.pause(download)
                // The process that has it looks once a second.
                let isOver = try await patiently { !library.isInHands(download) }
                try Console.out(
                    "\(download.plainTitle): "
                        + (isOver ? "paused" : "is going to be paused; the process that has it has not answered yet"))
            }
        }
    }
}

/// `zoetrope downloads remove`
struct DownloadsRemove: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove downloads with all that has come of them.")

    @Argument(help: ArgumentHelp("Numbers of the list, or ids.", valueName: "download")) var downloads: [String] = []
    @Flag(help: "All of them.") var all = false
    @OptionGroup(title: "The library") var place: LibraryOptions

    func validate() throws {
        if downloads.isEmpty != all {
            throw ValidationError(
                all
                    ? "Name downloads or write --all, not both."
                    : "Name what to remove: numbers of `zoetrope downloads list`, ids, or --all.")
        }
    }

    func report(of failure: ToolFailure) -> String? { nil }

    func perform() throws {
        let place = place
        let words = downloads
        let isAll = all
        try MainTask.run {
            let library = try place.open()
            for download in isAll ? library.downloads : try library.named(words) {
                let title = download.plainTitle
                let id = download.id
                try await library.remove(download)
                guard try await patiently({ library[id] == nil }) else {
                    throw ToolFailure(
                        .failed,
                        "\(title) (\(download.shortID)): the process that has it in its hands has not let go of it yet; it removes it when it does"
                    )
                }
                try Console.out("\(title): removed")
            }
        }
    }
}

/// Looks again and again, for as long as other processes may need; false: they need longer.
@MainActor private func patiently(_ isSo: () -> Bool) async throws -> Bool {
    let deadline = HostClock.now() + 15_000_000_000
    while !isSo() {
        guard HostClock.now() < deadline else { return false }
        try await Task.sleep(nanoseconds: 20_000_000)
    }
    return true
}
