import ArgumentParser
import Downloads
import Foundation
import MediaCore

/// `zoetrope downloads resume`
struct DownloadsResume: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Go on with downloads, here and now, until they are finished.",
        discussion: "Paused, failed and interrupted ones go on where they stand. Ctrl-C pauses them again.")

    @Argument(
        help: ArgumentHelp("Numbers of the list, or ids; none: all that are not finished.", valueName: "download"))
    var downloads: [String] = []
    @Flag(help: "Print one JSON object a line for each thing that happens.") var json = false
    @Flag(help: "No progress.") var quiet = false
    @OptionGroup(title: "The library") var place: LibraryOptions

    func report(of failure: ToolFailure) -> String? { DownloadsMaintenance.report(of: failure, json: json) }

    func perform() throws {
        let place = place
        let words = downloads
        let isJSON = json
        let isQuiet = quiet
        try MainTask.run {
            let library = try place.open()
            let reporter = reporter(json: isJSON, quiet: isQuiet)
            let chosen = words.isEmpty ? library.downloads.filter { $0.state != .finished } : try library.named(words)
            try await DownloadsMaintenance.finish(chosen, in: library, reporter) { try await library.resume($0) }
        }
    }
}

/// `zoetrope downloads verify`
struct DownloadsVerify: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Read downloads and compare each byte with what came; 1 where something is damaged.")

    @Argument(help: ArgumentHelp("Numbers of the list, or ids; none: all.", valueName: "download")) var downloads:
        [String] = []
    @Flag(help: "Print one JSON object with everything found.") var json = false
    @OptionGroup(title: "The library") var place: LibraryOptions

    private struct Report: Encodable {
        struct Damage: Encodable { var file: String, firstByte: Int64?, lastByte: Int64?, reason: String }
        struct One: Encodable { var id: String, title: String, damage: [Damage] }
        var downloads: [One]
    }

    func report(of failure: ToolFailure) -> String? {
        json ? Self.failureLine(failure, ["downloads": [String]()]) : nil
    }

    func perform() throws {
        let place = place
        let words = downloads
        let isJSON = json
        try MainTask.run {
            let library = try place.open()
            var report = Report(downloads: [])
            for download in words.isEmpty ? library.downloads : try library.named(words) {
                let damage = try await library.verify(download)
                report.downloads.append(
                    .init(
                        id: download.id.uuidString, title: download.title,
                        damage: damage.map {
                            .init(
                                file: $0.file, firstByte: $0.bytes?.lowerBound,
                                lastByte: $0.bytes.map { max($0.lowerBound, $0.upperBound - 1) }, reason: $0.reason)
                        }))
                if isJSON { continue }
                let isFinished = download.state == .finished
                let intact = isFinished ? "complete and intact" : "not finished; what has been downloaded is intact"
                try Console.out(
                    "\(download.plainTitle) (\(download.shortID)): \(damage.isEmpty ? intact : "\(damage.count) damaged")"
                )
                for one in damage {
                    try Console.out(
                        "  \(one.file)\(one.bytes.map { ", bytes \($0.lowerBound)–\($0.upperBound - 1)" } ?? ""): \(one.reason)"
                    )
                }
            }
            if isJSON { try Console.out(ReportJSON.pretty(report)) }
            let damaged = report.downloads.filter { !$0.damage.isEmpty }
            guard damaged.isEmpty else {
                throw ToolFailure(
                    .failed,
                    "\(damaged.count) of \(report.downloads.count) downloads are damaged; `zoetrope downloads repair` fetches again what is",
                    isReported: true)
            }
        }
    }
}

/// `zoetrope downloads repair`
struct DownloadsRepair: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair", abstract: "Verify downloads, and fetch again what is damaged and nothing else.")

    @Argument(help: ArgumentHelp("Numbers of the list, or ids; none: all that are finished.", valueName: "download"))
    var downloads: [String] = []
    @Flag(help: "Print one JSON object a line for each thing that happens.") var json = false
    @Flag(help: "No progress.") var quiet = false
    @OptionGroup(title: "The library") var place: LibraryOptions

    func report(of failure: ToolFailure) -> String? { DownloadsMaintenance.report(of: failure, json: json) }

    func perform() throws {
        let place = place
        let words = downloads
        let isJSON = json
        let isQuiet = quiet
        try MainTask.run {
            let library = try place.open()
            let reporter = reporter(json: isJSON, quiet: isQuiet)
            var broken: [Download] = []
            for download in words.isEmpty
                ? library.downloads.filter({ $0.state == .finished }) : try library.named(words)
            {
                let damage = try await library.repair(download)
                if !damage.isEmpty {
                    broken.append(download)
                } else if !isJSON {
                    try Console.out("\(download.plainTitle) (\(download.shortID)): nothing to repair")
                }
                for one in damage where !isQuiet && !isJSON { Console.err("\(one.file): \(one.reason)") }
            }
            try await DownloadsMaintenance.finish(broken, in: library, reporter) { _ in }
        }
    }
}

/// `zoetrope downloads export`
struct DownloadsExport: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Copy a finished download out of the library: a folder of plain HLS, or the file.",
        discussion: "The library keeps its own. The copy lies at FOLDER, or in FOLDER if that is there already.")

    @Argument(help: ArgumentHelp("Its number in the list, or its id.", valueName: "download")) var download: String
    @Option(name: .shortAndLong, help: ArgumentHelp("Where it goes.", valueName: "folder")) var output: FileArgument
    @OptionGroup(title: "The library") var place: LibraryOptions

    func validate() throws {
        if output.name == "-" {
            throw ValidationError(
                "A download is not written to standard output: name a folder. (One of the name - is ./-)")
        }
    }

    func report(of failure: ToolFailure) -> String? { nil }

    func perform() throws {
        let place = place
        let word = download
        let target = try DownloadTarget(output)
        try MainTask.run {
            let library = try place.open()
            let download = try library.named(word)
            guard let playable = download.playableURL else {
                throw ToolFailure(
                    .failed,
                    "\(download.plainTitle) (\(download.shortID)): not all of it has come. `zoetrope downloads resume \(download.shortID)` goes on with it"
                )
            }
            try Console.out(
                CommandArguments.readable(try await target.take(download, from: playable, in: library, stays: true)))
        }
    }
}

/// What resuming and repairing have in common.
enum DownloadsMaintenance {
    static func report(of failure: ToolFailure, json: Bool) -> String? {
        guard json else { return nil }
        let isSignal = if case .signal = failure.kind { true } else { false }
        return DownloadsResume.failureLine(failure, ["event": isSignal ? "interrupted" : "failed"])
    }

    @MainActor static func finish(
        _ chosen: [Download], in library: DownloadLibrary, _ reporter: any DownloadReporter,
        _ prepare: (Download) async throws -> Void
    ) async throws {
        for download in chosen {
            try reporter.began(download, download.state == .finished ? "present" : "continued")
            if download.state != .finished { try await prepare(download) }
        }
        // What is asked for stands in their states before they are looked at.
        let open = library.downloads.filter { one in chosen.contains { $0.id == one.id } && one.state != .finished }
        if !open.isEmpty {
            await library.start(Set(open.map(\.id)))
            try await DownloadRun(library, open, reporter).run()
        }
        for download in chosen {
            if let path = download.playableURL?.path { try reporter.finished(download, at: path) }
        }
        await library.close()
    }
}
