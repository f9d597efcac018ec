import Downloads
import Foundation
import MediaCore

/// A reporter of downloads to a terminal, to a file or pipe, or to a program. Progress goes to standard error, and
/// results go to standard output.
@MainActor protocol DownloadReporter: AnyObject {
    /// Reports that a download has begun.
    /// - Parameter how: `added`, `continued`, or `present` if the download was already complete.
    func began(_ download: Download, _ how: String) throws
    func changed(_ download: Download) throws
    /// Reports progress. Called every `period` seconds.
    func progressed(_ downloads: [Download]) throws
    /// Reports that a download is finished and saved at `path`.
    func finished(_ download: Download, at path: String) throws
    /// Clears a line that was drawn. Called after the last report, and before a message is printed.
    func ended()
    /// The seconds between two calls of `progressed`.
    var period: Double { get }
}

@MainActor func reporter(json: Bool, quiet: Bool) -> any DownloadReporter {
    if json { return JSONReporter() }
    return !quiet && isatty(STDERR_FILENO) == 1 ? TerminalReporter() : PlainReporter(isQuiet: quiet)
}

/// A reporter that draws one line in the terminal repeatedly.
final class TerminalReporter: DownloadReporter {
    private var line = TerminalLine()
    let period = 0.1

    func began(_ download: Download, _ how: String) throws {
        note(
            download.plainTitle
                + (how == "added"
                    ? ""
                    : how == "continued"
                        ? ": resuming at \(Formatting.bytes(download.progress.bytes))" : ": already downloaded"))
    }
    func changed(_ download: Download) throws {}
    func progressed(_ downloads: [Download]) throws {
        line.draw(DownloadProgressLine.bar(.init(downloads), columns: TerminalLine.columns))
    }

    func finished(_ download: Download, at path: String) throws {
        let facts = DownloadProgressLine.Facts([download])
        note(
            [
                download.plainTitle, Formatting.bytes(facts.bytes),
                facts.expectedSeconds > 0 ? Formatting.clock(facts.expectedSeconds) : nil,
            ].compactMap { $0 }.joined(separator: ", "))
        try Console.out(CommandArguments.readable(path))
    }

    func ended() { line.clear() }

    private func note(_ text: String) {
        ended()
        Console.err(text)
    }
}

/// A reporter that prints a line for each change, for each 10%, and at least every 30 s.
final class PlainReporter: DownloadReporter {
    private let isQuiet: Bool
    private var reportedTenth = 0
    private var reportedAt = HostClock.now()
    let period = 1.0

    init(isQuiet: Bool) { self.isQuiet = isQuiet }

    func began(_ download: Download, _ how: String) throws {
        let labels = ["continued": "resuming", "present": "already downloaded"]
        write("\(download.plainTitle): \(labels[how] ?? how), ID \(download.shortID)")
    }
    func changed(_ download: Download) throws {
        if case .finished = download.state { return }
        write(
            "\(download.plainTitle): \(DownloadReport.word(download.state))"
                + (download.state.error.map { ", \(Formatting.plain($0.reason))" } ?? ""))
    }

    func progressed(_ downloads: [Download]) throws {
        let facts = DownloadProgressLine.Facts(downloads)
        let tenth = Int(facts.fraction * 10)
        let now = HostClock.now()
        // Without a line for more than 30 s, the download would look as if it hung.
        guard tenth > reportedTenth || now - reportedAt > 30_000_000_000 else { return }
        (reportedTenth, reportedAt) = (tenth, now)
        write(DownloadProgressLine.plain(facts))
    }

    func finished(_ download: Download, at path: String) throws {
        write("\(download.plainTitle): finished, \(Formatting.bytes(download.progress.bytes))")
        try Console.out(CommandArguments.readable(path))
    }
    func ended() {}

    private func write(_ text: String) { if !isQuiet { Console.err(text) } }
}

/// A reporter that prints one JSON object per line to standard output.
final class JSONReporter: DownloadReporter {
    let period = 1.0

    func began(_ download: Download, _ how: String) throws { try write(download, how) }
    func changed(_ download: Download) throws {
        switch download.state {
        // `finished(_:at:)` reports this state together with the path.
        case .finished: break
        case .failed: try write(download, "failed")
        default: try write(download, "state")
        }
    }
    func progressed(_ downloads: [Download]) throws {
        for download in downloads where download.state == .downloading { try write(download, "progress") }
    }
    func finished(_ download: Download, at path: String) throws { try write(download, "finished", path) }
    func ended() {}

    private func write(_ download: Download, _ event: String, _ path: String? = nil) throws {
        var report = DownloadReport(download)
        report.event = event
        if let path {
            // The download may have been moved out of the library.
            (report.state, report.fraction, report.error, report.code) = ("finished", 1, nil, nil)
            report.path = CommandArguments.readable(path)
        }
        try Console.out(report.line)
    }
}
