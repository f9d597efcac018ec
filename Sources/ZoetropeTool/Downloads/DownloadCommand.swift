import ArgumentParser
import Downloads
import Foundation
import MediaCore

/// The command `zoetrope download`, which saves a stream or a file.
struct DownloadCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Download an HLS stream or a media file for offline playback.",
        usage: "zoetrope download [options] <url>",
        discussion: """
            EXAMPLES
              # Download a stream to the library
              zoetrope download https://example.com/talk.m3u8
              # Choose the quality and the audio tracks
              zoetrope download https://example.com/talk.m3u8 --quality 720p --audio en,de
              # Save it as talk.movpkg, with subtitles, and play it
              zoetrope download https://example.com/talk.m3u8 -o talk.movpkg --subtitles en
              zoetrope play talk.movpkg
              # Limit the download speed
              zoetrope download https://example.com/film.mp4 -o ~/Videos --limit 2MB/s
              # Record an hour of a live stream
              zoetrope download https://example.com/live.m3u8 --record 1:00:00
              # Send a header to the server
              zoetrope download https://example.com/film.mp4 --header "X-Token: TOKEN"

            DESCRIPTION
              A stream is saved as a folder NAME.movpkg. Any HLS player can play the index.m3u8 in it. A media file
              is saved as a file. The last line of standard output is the path of the folder or file.

              Downloads are kept in a library. `zoetrope downloads` shows and changes the library. With --output, a
              finished download is moved out of the library: to <path>, or into <path> if it is an existing folder. A
              download that was finished before is copied instead, and stays in the library.

              Ctrl-C pauses the download. Run the same command again to resume it, also after a crash. A command
              counts as the same if it has the same URL (without the part after “?”) and the same values of --quality,
              --audio, --subtitles and --record.

              Only you can read the library. Passwords in URLs, and headers such as Authorization, Cookie or X-Token,
              are never stored. To resume such a download, run the same command again.

            EXIT CODES
              0    The download is complete.
              1    The download failed. The reason is on standard error; downloaded data is kept.
              64   Invalid arguments.
              130  Interrupted by Ctrl-C; downloaded data is kept.
            """)

    @Argument(help: ArgumentHelp("URL of an HLS stream or a media file.", valueName: "url"))
    var url: FileArgument

    @OptionGroup(title: "Output") var target: DownloadOutputOptions
    @OptionGroup(title: "Selection") var selection: DownloadSelectionOptions
    @OptionGroup(title: "Network") var network: DownloadNetworkOptions
    @OptionGroup(title: "Library") var libraryOptions: LibraryOptions

    private var json: Bool { target.progress.json }

    func validate() throws {
        guard let scheme = url.url.scheme?.lowercased(), ["http", "https", "file"].contains(scheme) else {
            throw ValidationError(
                "Can't download “\(url.name)”: the URL type is not supported. Use an http or https URL.")
        }
    }

    func report(of failure: ToolFailure) -> String? {
        guard json else { return nil }
        let isSignal = if case .signal = failure.kind { true } else { false }
        return Self.failureLine(failure, ["event": isSignal ? "interrupted" : "failed", "url": url.name])
    }

    private var options: DownloadOptions {
        var options = DownloadOptions()
        options.title = target.title
        options.quality = DownloadArguments.quality(selection.quality) ?? .best
        options.audioLanguages = DownloadArguments.languages(selection.audio) ?? []
        options.subtitleLanguages = DownloadArguments.languages(selection.subtitles) ?? []
        options.network.bytesPerSecond = network.limit.flatMap(DownloadArguments.limit)
        options.recordedDuration = selection.record?.time.seconds
        options.network.patience = network.retryFor.flatMap(DownloadArguments.retryDuration)
        options.network.allowsUntrustedCertificates = network.servers.insecure
        options.network.sharesCredentials = network.servers.shareCredentials
        for text in network.header {
            if let (name, value) = DownloadArguments.header(text) { options.network.headers[name] = value }
        }
        return options
    }

    func perform() throws {
        let folder = try target.output.map { try DownloadTarget($0) }
        let source = url.url
        let options = options
        let libraryOptions = libraryOptions
        let isJSON = json
        let isQuiet = target.progress.quiet
        try MainTask.run {
            let library = try libraryOptions.open()
            let reporter = reporter(json: isJSON, quiet: isQuiet)
            let (download, how) = try await DownloadCommand.findOrAdd(source, options, in: library)
            try reporter.began(download, how)
            if how != "present" {
                await library.start([download.id])
                try await DownloadRun(library, [download], reporter).run()
            }
            guard let playable = download.playableURL else {
                throw ToolFailure(
                    .failed,
                    "\(download.url.location): the finished download was not found. Please report this as a bug.")
            }
            let path =
                try await folder?.take(download, from: playable, in: library, stays: how == "present") ?? playable.path
            try reporter.finished(download, at: path)
            await library.close()
        }
    }

    /// Returns the download that the same command started earlier, or a new one. The text is `added` for a new
    /// download, `continued` for an unfinished one, and `present` for a complete one.
    @MainActor private static func findOrAdd(_ source: URL, _ options: DownloadOptions, in library: DownloadLibrary)
        async throws -> (Download, String)
    {
        let asset = DownloadLibrary.asset(of: source)
        let known = library.downloads.first { download in
            DownloadLibrary.asset(of: download.url) == asset && download.options.id == nil
                && download.state != .cancelled
                && download.options.quality == options.quality
                && download.options.audioLanguages == options.audioLanguages
                && download.options.subtitleLanguages == options.subtitleLanguages
                && download.options.recordedDuration == options.recordedDuration
        }
        guard let known else { return (try await library.add(source, options: options), "added") }
        if known.state == .finished {
            guard try await library.isDamaged(known) else { return (known, "present") }
            // Another program deleted files of the download.
            try await library.repair(known)
        }
        try await library.resume(known, from: source, options: options)
        return (library[known.id] ?? known, "continued")
    }
}

/// The target of `--output` for a finished download.
struct DownloadTarget {
    private let given: FileArgument

    static let standardOutput = ValidationError(
        "Can't write a download to standard output. Name a file or folder (./- for one named “-”).")

    /// Checks the target before the download begins.
    /// - Throws: A failure if the target is an existing file, or can't be written. An existing folder is valid.
    init(_ output: FileArgument) throws(ToolFailure) {
        given = output
        let path = output.path.path
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
            guard isFolder.boolValue else {
                throw ToolFailure(
                    .failed, "Can't write “\(output.name)”: the file already exists. Choose another name.")
            }
            guard access(path, W_OK) == 0 else {
                throw ToolFailure(.failed, "Can't write to “\(output.name)”: permission denied. Choose another folder.")
            }
            return
        }
        let parentPath = output.path.deletingLastPathComponent().path
        guard FileManager.default.fileExists(atPath: parentPath, isDirectory: &isFolder), isFolder.boolValue else {
            throw ToolFailure(
                .failed,
                "Can't write “\(output.name)”: the folder “\(parentPath)” does not exist. Create the folder first.")
        }
        guard access(parentPath, W_OK) == 0 else {
            throw ToolFailure(
                .failed, "Can't write “\(output.name)”: permission denied in “\(parentPath)”. Choose another folder.")
        }
    }

    /// Moves or copies a finished download to the target.
    /// - Parameter stays: Whether the library keeps the download.
    /// - Returns: The path of the moved or copied download.
    @MainActor func take(_ download: Download, from playable: URL, in library: DownloadLibrary, stays: Bool)
        async throws -> String
    {
        var target = given.path
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: target.path, isDirectory: &isFolder) {
            target.appendPathComponent(DownloadTarget.name(of: download, playable))
            guard !FileManager.default.fileExists(atPath: target.path) else {
                throw ToolFailure(
                    .failed,
                    "Can't write “\(target.path)”: the file already exists. The download is still in the library. To copy it with another name, run `\(library.command("export \(download.shortID) -o NAME"))`."
                )
            }
        }
        // The library writes the unfinished copy under this name. A signal must delete the copy.
        let partialPath = target.deletingLastPathComponent().appendingPathComponent(
            "." + target.lastPathComponent + ".part"
        )
        .path
        ExitSignals.setHandler { number in
            let renamedPath = partialPath + "-\(getpid())"
            // After the rename, the copying thread can't add files to the folder.
            if rename(partialPath, renamedPath) == 0 { try? FileManager.default.removeItem(atPath: renamedPath) }
            ExitSignals.end(by: number)
        }
        defer { ExitSignals.setHandler(nil) }
        if stays {
            try await library.export(download, to: target)
        } else {
            try await library.move(download, to: target)
        }
        return target.path
    }

    /// Returns the title of a stream as a name that is valid on any file system, or the file name of a media file.
    @MainActor private static func name(of download: Download, _ playable: URL) -> String {
        guard playable.pathExtension.lowercased() == "movpkg" else { return playable.lastPathComponent }
        var name = String(
            String.UnicodeScalarView(
                Formatting.plain(download.title).unicodeScalars.map {
                    "/\\:*?\"<>|".unicodeScalars.contains($0) ? "-" : $0
                })
        )
        while name.hasPrefix(".") { name.removeFirst() }
        while name.utf8.count > 200 { name.removeLast() }
        return (name.isEmpty ? "download" : name) + ".movpkg"
    }
}

/// Options for the target and the messages of `zoetrope download`.
struct DownloadOutputOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Move the finished download to this path, or into this folder. Default: keep it in the library.",
            valueName: "path"))
    var output: FileArgument?
    @Option(
        help: ArgumentHelp(
            "Set the title. Default: the file name in the URL, without its extension; for names such as master.m3u8, the name of the folder.",
            valueName: "text"))
    var title: String?
    @OptionGroup var progress: ProgressOptions

    func validate() throws {
        if output?.name == "-" { throw DownloadTarget.standardOutput }
    }
}

/// Options that select the parts of a stream that `zoetrope download` saves.
struct DownloadSelectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Choose the quality: best, worst, or the best variant up to a height (720p) or bit rate in bit/s (2500k, 4M).",
            valueName: "quality"))
    var quality = "best"
    @Option(
        help: ArgumentHelp(
            "Save the audio tracks in these languages, such as en,de-AT (BCP 47). “all” saves every track. Default: the stream's default track.",
            valueName: "languages"))
    var audio: String?
    @Option(
        help: ArgumentHelp(
            "Save the subtitles in these languages, such as en,de-AT (BCP 47). “all” saves every track. Default: none.",
            valueName: "languages"))
    var subtitles: String?
    @Option(
        help: ArgumentHelp("Record a live stream for this long: seconds or [h:]m:s.", valueName: "time"))
    var record: TimeArgument?

    func validate() throws {
        guard DownloadArguments.quality(quality) != nil else { throw DownloadArguments.invalidQuality(quality) }
        for (name, text) in [("--audio", audio), ("--subtitles", subtitles)] {
            guard let text, DownloadArguments.languages(text) == nil else { continue }
            throw ValidationError(
                invalid: name, text, use: "BCP 47 language tags separated by commas, such as en,de-AT, or all")
        }
        if let record, !(record.time.seconds > 0) {
            throw ValidationError(invalid: "--record", record.text, use: "a duration greater than 0")
        }
    }
}

/// Network options of `zoetrope download`.
struct DownloadNetworkOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Limit the download speed, such as 2MB/s, 500kB/s or 8Mbit/s. Default: unlimited.", valueName: "speed"))
    var limit: String?
    @Option(
        help: ArgumentHelp(
            "Retry for this long after a network error: seconds, [h:]m:s or forever. Default: 5:00 (5 minutes), or 30 s if no data was received yet.",
            valueName: "time"))
    var retryFor: String?
    @Option(
        help: ArgumentHelp(
            "Send this header to the URL's server. Repeat for more.", valueName: "name: value"))
    var header: [String] = []
    @OptionGroup var servers: ServerOptions

    func validate() throws {
        if let limit, DownloadArguments.limit(limit) == nil { throw DownloadArguments.invalidLimit(limit) }
        if let retryFor, DownloadArguments.retryDuration(retryFor) == nil {
            throw ValidationError(invalid: "--retry-for", retryFor, use: "seconds, [h:]m:s or forever")
        }
        for text in header where DownloadArguments.header(text) == nil {
            throw ValidationError(invalid: "--header", text, use: "the form “Name: value”")
        }
    }
}

/// Options for the form of progress messages.
struct ProgressOptions: ParsableArguments {
    @Flag(help: "Print events as JSON objects, one per line.")
    var json = false
    @Flag(help: "Hide progress.")
    var quiet = false
}
