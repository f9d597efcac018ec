import Downloads
import Foundation
import MediaCore

/// Who is told what becomes of downloads: a terminal, a file or pipe, or a program. Progress goes to standard error, as
/// results go to standard output.
@MainActor protocol DownloadReporter: AnyObject {
    /// It has been added, or is gone on with (`continued`), or was there already (`present`).
    func began(_ download: Download, _ how: String) throws
    func changed(_ download: Download) throws
    /// Now and then.
    func progressed(_ downloads: [Download]) throws
    /// All of it is there: where.
    func finished(_ download: Download, at path: String) throws
    /// It is over, well or badly; what has been drawn goes.
    func ended()
    /// Seconds between two of `progressed`.
    var period: Double { get }
}

@MainActor func reporter(json: Bool, quiet: Bool) -> any DownloadReporter {
    if json { return JSONReporter() }
    return !quiet && isatty(STDERR_FILENO) == 1 ? TerminalReporter() : PlainReporter(isQuiet: quiet)
}

/// One line, drawn again and again.
final class TerminalReporter: DownloadReporter {
    private var drawn = 0
    let period = 0.1

    func began(_ download: Download, _ how: String) throws {
        note(
            download.plainTitle
                + (how == "added"
                    ? ""
                    : how == "continued"
                        ? ", gone on with at \(Words.bytes(download.progress.bytes))" : ", which is there already"))
    }
    func changed(_ download: Download) throws {}
    func progressed(_ downloads: [Download]) throws {
        draw(DownloadProgressLine.bar(.init(downloads), columns: columns))
    }

    func finished(_ download: Download, at path: String) throws {
        let facts = DownloadProgressLine.Facts([download])
        note(
            [
                download.plainTitle, Words.bytes(facts.bytes),
                facts.expectedSeconds > 0 ? Words.clock(facts.expectedSeconds) : nil,
            ].compactMap { $0 }.joined(separator: ", "))
        try Console.out(CommandArguments.readable(path))
    }

    func ended() { draw("") }

    private func draw(_ line: String) {
        if line.isEmpty, drawn == 0 { return }
        // Over what was there before, so that it does not flicker.
        Console.progress(
            "\r" + line + String(repeating: " ", count: max(0, drawn - line.count)) + (line.isEmpty ? "\r" : ""))
        drawn = line.count
    }

    private func note(_ text: String) {
        ended()
        Console.err(text)
    }

    private var columns: Int {
        var size = winsize()
        return ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }
}

/// A line for each change, and for each tenth of the way.
final class PlainReporter: DownloadReporter {
    private let isQuiet: Bool
    private var told = 0
    private var toldAt = HostClock.now()
    let period = 1.0

    init(isQuiet: Bool) { self.isQuiet = isQuiet }

    func began(_ download: Download, _ how: String) throws {
        say("\(download.plainTitle): \(how), \(download.shortID)")
    }
    func changed(_ download: Download) throws {
        if case .finished = download.state { return }
        say(
            "\(download.plainTitle): \(DownloadReport.word(download.state))"
                + (download.state.error.map { ", \(Words.plain($0.reason))" } ?? ""))
    }

    func progressed(_ downloads: [Download]) throws {
        let facts = DownloadProgressLine.Facts(downloads)
        let tenth = Int(facts.fraction * 10)
        let now = HostClock.now()
        // Half a minute without a word looks as if nothing happened.
        guard tenth > told || now - toldAt > 30_000_000_000 else { return }
        (told, toldAt) = (tenth, now)
        say(DownloadProgressLine.plain(facts))
    }

    func finished(_ download: Download, at path: String) throws {
        say("\(download.plainTitle): finished, \(Words.bytes(download.progress.bytes))")
        try Console.out(CommandArguments.readable(path))
    }
    func ended() {}

    private func say(_ text: String) { if !isQuiet { Console.err(text) } }
}

/// One object a line on standard output.
final class JSONReporter: DownloadReporter {
    let period = 1.0

    func began(_ download: Download, _ how: String) throws { try say(download, how) }
    func changed(_ download: Download) throws {
        switch download.state {
        // Where it lies comes with it.
        case .finished: break
        case .failed: try say(download, "failed")
        default: try say(download, "state")
        }
    }
    func progressed(_ downloads: [Download]) throws {
        for download in downloads where download.state == .downloading { try say(download, "progress") }
    }
    func finished(_ download: Download, at path: String) throws { try say(download, "finished", path) }
    func ended() {}

    private func say(_ download: Download, _ event: String, _ path: String? = nil) throws {
        var report = DownloadReport(download)
        report.event = event
        if let path {
            // Also of what has just been moved out of the library.
            (report.state, report.fraction, report.error, report.code) = ("finished", 1, nil, nil)
            report.path = CommandArguments.readable(path)
        }
        try Console.out(report.line)
    }
}
