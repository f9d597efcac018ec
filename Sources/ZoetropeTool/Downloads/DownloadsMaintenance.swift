import ArgumentParser
import Downloads
import Foundation

/// The command `zoetrope downloads resume`.
struct DownloadsResume: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Resume downloads and wait until they are finished.",
        usage: "zoetrope downloads resume [options] [<download> ...]",
        discussion: """
            EXAMPLES
              # Resume all downloads that are not finished
              zoetrope downloads resume
              # Resume one
              zoetrope downloads resume 2

            DESCRIPTION
              Paused, failed and interrupted downloads continue where they stopped. Ctrl-C pauses them again.
            """)

    @Argument(
        help: ArgumentHelp(
            "Numbers or IDs from `zoetrope downloads list`. Default: all unfinished downloads.", valueName: "download"))
    var downloads: [String] = []
    @OptionGroup(title: "Output") var output: ProgressOptions
    @OptionGroup(title: "Library") var libraryOptions: LibraryOptions

    func report(of failure: ToolFailure) -> String? { DownloadsMaintenance.report(of: failure, json: output.json) }

    func perform() throws {
        let libraryOptions = libraryOptions
        let names = downloads
        let isJSON = output.json
        let isQuiet = output.quiet
        try MainTask.run {
            let library = try libraryOptions.open()
            let reporter = reporter(json: isJSON, quiet: isQuiet)
            let chosen = names.isEmpty ? library.downloads.filter { $0.state != .finished } : try library.named(names)
            if chosen.isEmpty, !isJSON { library.reportNoDownloads(of: "unfinished downloads") }
            try await DownloadsMaintenance.finish(chosen, in: library, reporter) { try await library.resume($0) }
        }
    }
}

/// The command `zoetrope downloads verify`.
struct DownloadsVerify: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check downloads for damaged or missing data.",
        usage: "zoetrope downloads verify [options] [<download> ...]",
        discussion: """
            EXAMPLES
              zoetrope downloads verify
              zoetrope downloads verify 2 --json

            DESCRIPTION
              Compares the files on the disk with checksums from the time of the download, without using the network. The
              exit code is 1 if something is damaged.
            """)

    @Argument(
        help: ArgumentHelp(
            "Numbers or IDs from `zoetrope downloads list`. Default: all downloads.", valueName: "download"))
    var downloads: [String] = []
    @OptionGroup(title: "Output") var output: JSONOptions
    @OptionGroup(title: "Library") var libraryOptions: LibraryOptions

    private struct Report: Encodable {
        struct Damage: Encodable { var file: String, firstByte: Int64?, lastByte: Int64?, reason: String }
        struct One: Encodable { var id: String, title: String, damage: [Damage] }
        var downloads: [One]
    }

    func report(of failure: ToolFailure) -> String? {
        output.json ? Self.failureLine(failure, ["downloads": [String]()]) : nil
    }

    func perform() throws {
        let libraryOptions = libraryOptions
        let names = downloads
        let isJSON = output.json
        try MainTask.run {
            let library = try libraryOptions.open()
            var report = Report(downloads: [])
            let chosen = names.isEmpty ? library.downloads : try library.named(names)
            if chosen.isEmpty, !isJSON { library.reportNoDownloads(of: "downloads") }
            for download in chosen {
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
                let intact = isFinished ? "complete and intact" : "not finished; no damage found"
                let damaged = damage.count == 1 ? "1 damaged part" : "\(damage.count) damaged parts"
                try Console.out(
                    "\(download.plainTitle) (\(download.shortID)): \(damage.isEmpty ? intact : damaged)"
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
                    "Damaged downloads: \(damaged.count) of \(report.downloads.count). Run `\(library.command("repair"))` to download the damaged parts again.",
                    isReported: true)
            }
        }
    }
}

/// The command `zoetrope downloads repair`.
struct DownloadsRepair: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair", abstract: "Check downloads and download damaged parts again.",
        usage: "zoetrope downloads repair [options] [<download> ...]",
        discussion: """
            EXAMPLES
              zoetrope downloads repair
              zoetrope downloads repair 3fa4b2c1
            """)

    @Argument(
        help: ArgumentHelp(
            "Numbers or IDs from `zoetrope downloads list`. Default: all finished downloads.", valueName: "download"))
    var downloads: [String] = []
    @OptionGroup(title: "Output") var output: ProgressOptions
    @OptionGroup(title: "Library") var libraryOptions: LibraryOptions

    func report(of failure: ToolFailure) -> String? { DownloadsMaintenance.report(of: failure, json: output.json) }

    func perform() throws {
        let libraryOptions = libraryOptions
        let names = downloads
        let isJSON = output.json
        let isQuiet = output.quiet
        try MainTask.run {
            let library = try libraryOptions.open()
            let reporter = reporter(json: isJSON, quiet: isQuiet)
            var broken: [Download] = []
            let chosen =
                names.isEmpty ? library.downloads.filter { $0.state == .finished } : try library.named(names)
            if chosen.isEmpty, !isJSON { library.reportNoDownloads(of: "finished downloads") }
            for download in chosen {
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

/// The command `zoetrope downloads export`.
struct DownloadsExport: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Copy a finished download out of the library.",
        usage: "zoetrope downloads export [options] <download> --output <path>",
        discussion: """
            EXAMPLES
              # Copy a stream as the folder talk.movpkg
              zoetrope downloads export 2 -o talk.movpkg
              # Copy a file into an existing folder
              zoetrope downloads export 3fa4b2c1 -o ~/Videos

            DESCRIPTION
              The copy of a stream is a folder. Other players can play the HLS playlist index.m3u8 in it. The library keeps
              the original.
            """)

    @Argument(help: ArgumentHelp("Number or ID from `zoetrope downloads list`.", valueName: "download"))
    var download: String
    @OptionGroup(title: "Output") var copy: ExportOptions
    @OptionGroup(title: "Library") var libraryOptions: LibraryOptions

    func report(of failure: ToolFailure) -> String? { nil }

    func perform() throws {
        let libraryOptions = libraryOptions
        let name = download
        let target = try DownloadTarget(copy.output)
        try MainTask.run {
            let library = try libraryOptions.open()
            let download = try library.named(name)
            guard let playable = download.playableURL else {
                throw ToolFailure(
                    .failed,
                    "Can't export “\(download.plainTitle)” (\(download.shortID)): the download is not finished. Resume it with `\(library.command("resume \(download.shortID)"))`."
                )
            }
            try Console.out(
                CommandArguments.readable(try await target.take(download, from: playable, in: library, stays: true)))
        }
    }
}

/// Options for the target of `zoetrope downloads export`.
struct ExportOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: ArgumentHelp("Copy to this path, or into this folder.", valueName: "path"))
    var output: FileArgument

    func validate() throws {
        if output.name == "-" { throw DownloadTarget.standardOutput }
    }
}

/// The steps that resuming and repairing have in common.
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
        // Each change above has ended, so the states read here are current.
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
