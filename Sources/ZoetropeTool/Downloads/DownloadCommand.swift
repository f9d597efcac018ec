import ArgumentParser
import Downloads
import Foundation
import MediaCore

/// `zoetrope download`: a stream or a file, kept.
struct DownloadOne: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Download an HLS stream or a media file, to be played without a network.",
        discussion: """
            A stream becomes a folder, NAME.movpkg, of plain HLS that any player plays (index.m3u8 in it); a file stays
            one. It is kept in the library, and where it lies is printed last. With -o it is moved out of the library
            when all of it has come: to FOLDER, or into FOLDER if that is there already. (What lay finished in the
            library before is copied and stays.)

            Ctrl-C pauses: what has come stays, and the same command goes on with it, as it does after a crash. It is the
            same if the URL is, whatever is behind its “?”, and so are --quality, --audio and --subtitles.

            The library belongs to you alone (files 0600, folders 0700). Passwords in URLs and headers that may be keys
            are never stored: to continue such a download, run the same command again.

            EXAMPLES
              zoetrope download https://example.com/master.m3u8
              zoetrope download https://example.com/master.m3u8 -o talk.movpkg --quality 720p --audio en,de --subtitles en
              zoetrope download https://example.com/film.mp4 -o ~/Videos --limit 2MB/s
              zoetrope download https://example.com/live.m3u8 --record 3600
              zoetrope download https://example.com/film.mp4 --header "Authorization: Bearer TOKEN" --json
              zoetrope play talk.movpkg

            EXIT CODES
              0    all of it is there
              1    it could not be downloaded (standard error says why); what has come stays
              64   the command line makes no sense
              130  interrupted (128 + the signal)
            """)

    @Argument(help: ArgumentHelp("The stream or file.", valueName: "url"))
    var url: FileArgument

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Where it goes when it is finished; default: it stays in the library.", valueName: "folder"))
    var output: FileArgument?

    @Option(
        help: ArgumentHelp(
            "Of a stream's rungs: best, worst, a height (720p) or bits a second (2500k, 4M), the best that is no more.",
            valueName: "quality"))
    var quality = "best"

    @Option(
        help: ArgumentHelp(
            "Sound in these languages (BCP-47), by commas; all: every one. Default: the one that plays by itself.",
            valueName: "langs"))
    var audio: String?

    @Option(
        help: ArgumentHelp(
            "Subtitles in these languages, by commas; all: every one. Default: none.", valueName: "langs"))
    var subtitles: String?

    @Option(help: ArgumentHelp("No faster than this: 2MB/s, 500kB/s, 8Mbit/s.", valueName: "speed"))
    var limit: String?

    @Option(help: ArgumentHelp("Of a live stream: record this long, seconds or [h:]m:s.", valueName: "time"))
    var record: TimeArgument?

    @Option(
        help: ArgumentHelp(
            "Retry for this long when the network fails: seconds, [h:]m:s, or “forever”. Default: 5:00.",
            valueName: "time"))
    var retryFor: String?

    @Option(
        help: ArgumentHelp(
            "Add a header, “Name: value”, to requests to the URL's server; may be repeated.", valueName: "header"))
    var header: [String] = []

    @Flag(help: "Also send --header and the URL's password to other servers that the stream names.")
    var shareCredentials = false

    @Option(help: ArgumentHelp("What it is called. Default: the URL's last part.", valueName: "words"))
    var title: String?

    @Flag(help: "Check no certificates of https servers: for a server of your own.")
    var insecure = false

    @Flag(help: "Print one JSON object a line for each thing that happens.")
    var json = false

    @Flag(help: "No progress.")
    var quiet = false

    @OptionGroup(title: "The library") var place: LibraryOptions

    func validate() throws {
        guard DownloadArguments.quality(quality) != nil else {
            throw ValidationError(DownloadArguments.qualityAdvice(quality))
        }
        if let limit, DownloadArguments.limit(limit) == nil {
            throw ValidationError(DownloadArguments.limitAdvice(limit))
        }
        for (name, text) in [("--audio", audio), ("--subtitles", subtitles)]
        where DownloadArguments.languages(text) == nil {
            throw ValidationError(
                "\(name) “\(text ?? "")” is no list of languages; write en, de-AT or en,de (BCP-47), or all.")
        }
        if let retryFor, DownloadArguments.patience(retryFor) == nil {
            throw ValidationError("--retry-for “\(retryFor)” is no time; write seconds, [h:]m:s, or forever.")
        }
        if let record, !(record.time.seconds > 0) {
            throw ValidationError("--record is \(record.time.seconds); it must be more than 0 seconds.")
        }
        for text in header where DownloadArguments.header(text) == nil {
            throw ValidationError("--header “\(text)” is no header; write “Name: value”.")
        }
        if output?.name == "-" {
            throw ValidationError(
                "A download is not written to standard output: name a folder. (One of the name - is ./-)")
        }
        guard let scheme = url.url.scheme?.lowercased(), ["http", "https", "file"].contains(scheme) else {
            throw ValidationError("\(url.name) cannot be downloaded; use an http or https URL.")
        }
    }

    func report(of failure: ToolFailure) -> String? {
        guard json else { return nil }
        let isSignal = if case .signal = failure.kind { true } else { false }
        return Self.failureLine(failure, ["event": isSignal ? "interrupted" : "failed", "url": url.name])
    }

    private var options: DownloadOptions {
        var options = DownloadOptions()
        options.title = title
        options.quality = DownloadArguments.quality(quality) ?? .best
        options.audioLanguages = DownloadArguments.languages(audio) ?? []
        options.subtitleLanguages = DownloadArguments.languages(subtitles) ?? []
        options.bytesPerSecond = limit.flatMap(DownloadArguments.limit)
        options.recordedDuration = record?.time.seconds
        options.patience = retryFor.flatMap(DownloadArguments.patience)
        options.allowsUntrustedCertificates = insecure
        options.sharesCredentials = shareCredentials
        for text in header { if let (name, value) = DownloadArguments.header(text) { options.headers[name] = value } }
        return options
    }

    func perform() throws {
        let target = try output.map { try DownloadTarget($0) }
        let source = url.url
        let options = options
        let place = place
        let isJSON = json
        let isQuiet = quiet
        try MainTask.run {
            let library = try place.open()
            let reporter = reporter(json: isJSON, quiet: isQuiet)
            let (download, how) = try await DownloadOne.taken(source, options, in: library)
            try reporter.began(download, how)
            if how != "present" {
                await library.start([download.id])
                try await DownloadRun(library, [download], reporter).run()
            }
            guard let playable = download.playableURL else {
                throw ToolFailure(
                    .failed, "\(download.url.location): is finished, and nobody knows where; please report this")
            }
            let path =
                try await target?.take(download, from: playable, in: library, stays: how == "present") ?? playable.path
            try reporter.finished(download, at: path)
            await library.close()
        }
    }

    /// The download that the same command has begun before, or a new one.
    @MainActor private static func taken(_ source: URL, _ options: DownloadOptions, in library: DownloadLibrary)
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
            // Somebody has removed files of it from outside.
            try await library.repair(known)
        }
        try await library.resume(known, from: source, options: options)
        return (library[known.id] ?? known, "continued")
    }
}

/// Where `-o` puts what is finished.
struct DownloadTarget {
    private let given: FileArgument

    /// - Throws: for what can be told to fail before anything is loaded.
    init(_ output: FileArgument) throws(ToolFailure) {
        given = output
        let path = output.path.path
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
            guard isFolder.boolValue else {
                throw ToolFailure(.failed, "\(output.name) exists already and is no folder. Choose another name")
            }
            guard access(path, W_OK) == 0 else {
                throw ToolFailure(.failed, "\(output.name): nothing may be written there. Choose another folder")
            }
            return
        }
        let above = output.path.deletingLastPathComponent().path
        guard FileManager.default.fileExists(atPath: above, isDirectory: &isFolder), isFolder.boolValue else {
            throw ToolFailure(.failed, "\(output.name) cannot be made: there is no folder \(above). Make it first")
        }
        guard access(above, W_OK) == 0 else {
            throw ToolFailure(.failed, "\(output.name) cannot be made: nothing may be written into \(above)")
        }
    }

    /// - Parameter stays: in the library, too.
    /// - Returns: its path.
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
                    "\(target.path) exists already. What has come is in the library; `zoetrope downloads export \(download.shortID) -o NAME` takes it elsewhere"
                )
            }
        }
        // Half a copy must not stay; its name is the engine's.
        let side = target.deletingLastPathComponent().appendingPathComponent("." + target.lastPathComponent + ".part")
            .path
        Signals.setHandler { number in
            let aside = side + "-\(getpid())"
            // Whoever copies into it finds it no more.
            if rename(side, aside) == 0 { try? FileManager.default.removeItem(atPath: aside) }
            Signals.end(by: number)
        }
        defer { Signals.setHandler(nil) }
        if stays {
            try await library.export(download, to: target)
        } else {
            try await library.move(download, to: target)
        }
        return target.path
    }

    /// Of a stream its title, as a name that every file system takes; of a file its own.
    @MainActor private static func name(of download: Download, _ playable: URL) -> String {
        guard playable.pathExtension.lowercased() == "movpkg" else { return playable.lastPathComponent }
        var name = String(
            String.UnicodeScalarView(
                Words.plain(download.title).unicodeScalars.map { "/\\:*?\"<>|".unicodeScalars.contains($0) ? "-" : $0 })
        )
        while name.hasPrefix(".") { name.removeFirst() }
        while name.utf8.count > 200 { name.removeLast() }
        return (name.isEmpty ? "download" : name) + ".movpkg"
    }
}
