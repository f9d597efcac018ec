import Foundation
import MediaCore
import Streaming

/// What is to be loaded: read from the record where it is known, else from the server.
extension DownloadJob {
    var httpOptions: HTTPOptions {
        var options = HTTPOptions()
        options.headers = self.options.headers
        options.origin = HTTPOrigin(credentials.authorized(row.url))
        options.sharesCredentials = row.options.sharesCredentials
        options.userAgent = row.options.userAgent
        options.allowsUntrustedCertificates = row.options.allowsUntrustedCertificates
        return options
    }

    func plan() throws(DownloadError) {
        let rows = try engine.record.read { try $0.renditions(of: self.row.id) }
        if rows.isEmpty || rows.contains(where: { $0.kind == .file && $0.playlist == nil }) { return try ask() }
        if rows.contains(where: { $0.playlist == nil })
            || rows.contains(where: { $0.kind != .file && LiveRecording.isUnfinished($0) })
        {
            return try loadPlaylists(rows)
        }
        try takePlan(rows)
    }

    // MARK: asking the server

    /// What there is: a stream, by its name or its first bytes, or a file.
    private func ask() throws(DownloadError) {
        guard let scheme = row.url.scheme?.lowercased(), ["http", "https", "file"].contains(scheme) else {
            throw DownloadError(
                .invalidArgument, at: row.url.location, reason: "the URL is not an http or https URL",
                suggestion: "Use an http or https URL")
        }
        let isNamedStream = ["m3u8", "m3u"].contains(row.url.pathExtension.lowercased())
        var request = HTTPRequest(
            url: credentials.authorized(row.url), options: httpOptions, acceptsCompression: isNamedStream)
        // Enough to tell a playlist, and what a server says of the whole.
        if !isNamedStream { request.range = (0, 4095) }
        look(request) { job, bytes, response throws(DownloadError) in
            if bytes.starts(with: Array("#EXTM3U".utf8))
                || bytes.starts(with: [0xEF, 0xBB, 0xBF] + Array("#EXTM3U".utf8))
            {
                if isNamedStream { return try job.takeMaster(bytes, response.url) }
                return job.fetchText(job.row.url) { job, bytes, url throws(DownloadError) in
                    try job.takeMaster(bytes, url)
                }
            }
            guard !isNamedStream else {
                throw DownloadError(
                    .notMedia, at: response.url.location, reason: "the file is not an HLS playlist",
                    suggestion: "Check that the URL points to an HLS stream")
            }
            try job.takeFile(bytes, response)
        }
    }

    /// The beginning of a resource, and what was said of it. Not more is read than was asked for, whatever the server
    /// sends.
    private func look(
        _ request: HTTPRequest,
        _ body: @escaping @Sendable (DownloadJob, [UInt8], HTTPResponse) throws(DownloadError) -> Void
    ) {
        var request = request
        request.isBackground = true
        let mine = turn
        let load = SmallLoadTask(loop: engine.loop, request: request) {
            [weak self, weak engine, queue = engine.queue] result in
            queue.async { [weak self, weak engine] in
                DownloadJob.enter(self, engine, turn: mine) { job in
                    job.loads = []
                    switch result {
                    case .success(let (bytes, response)):
                        job.becomesFree()
                        job.attempt { () throws(DownloadError) in
                            var response = response
                            let (bytes, url) = job.withoutCredentials(bytes, response.url)
                            response.url = url
                            try body(job, bytes, response)
                        }
                    case .failure(let error): job.askingFailed(error)
                    }
                }
            }
        }
        loads.append(load)
    }

    /// What a server has sent is kept, and must not have a password in it: those of its URLs are remembered for their
    /// servers, and are in no URL from here on.
    private func withoutCredentials(_ bytes: [UInt8], _ url: URL) -> ([UInt8], URL) {
        let url = credentials.take(from: url)
        guard bytes.starts(with: Array("#EXTM3U".utf8)) || bytes.starts(with: [0xEF, 0xBB, 0xBF]),
            bytes.contains(UInt8(ascii: "@"))
        else { return (bytes, url) }
        return (Array(credentials.take(from: String(decoding: bytes, as: UTF8.self)).utf8), url)
    }

    /// A playlist, whole. `limit`: what a bomb of gzip unfolds to is counted.
    func fetchText(
        _ url: URL, _ body: @escaping @Sendable (DownloadJob, [UInt8], URL) throws(DownloadError) -> Void,
        onFailure: (@Sendable (DownloadJob, DownloadError) -> Void)? = nil
    ) {
        var request = HTTPRequest(
            url: credentials.authorized(url), options: httpOptions, limit: 32 << 20, acceptsCompression: true)
        request.isBackground = true
        let mine = turn
        let task = engine.loop.load(request) { [weak self, weak engine, queue = engine.queue] result in
            queue.async { [weak self, weak engine] in
                DownloadJob.enter(self, engine, turn: mine) { job in
                    switch result {
                    case .success(let loaded):
                        job.becomesFree()
                        job.attempt { () throws(DownloadError) in
                            let (bytes, url) = job.withoutCredentials(Array(loaded.data), loaded.response.url)
                            try body(job, bytes, url)
                        }
                    case .failure(let error):
                        if !error.isTransient, let onFailure { return onFailure(job, DownloadError(error)) }
                        job.askingFailed(error)
                    }
                }
            }
        }
        loads.append(task)
    }

    /// While planning: the network's trouble is waited out, anything else is the end.
    private func askingFailed(_ failure: HTTPError) {
        let error = DownloadError(failure)
        guard failure.isTransient, let delay = delay(after: failure, retry.failures + 1) else { return fail(error) }
        // Also of a recording, of which segments are under way.
        letGoOfPlan()
        wait(error, again: delay)
    }

    // MARK: a stream

    func takeMaster(_ bytes: [UInt8], _ url: URL) throws(DownloadError) {
        let (choice, variables, isOne) = try choice(bytes, url)
        try engine.record.write { database in
            for chosen in choice.all {
                try database.choose(chosen, variables: variables, package: self.row.package, download: self.row.id)
            }
        }
        let rows = try engine.record.read { try $0.renditions(of: self.row.id) }
        // The one playlist there is has just come.
        if isOne, let only = rows.first, only.playlist == nil {
            return try takePlaylist(bytes, url, of: only, among: rows)
        }
        guard rows.contains(where: { $0.playlist == nil }) else { return try takePlan(rows) }
        try loadPlaylists(rows)
    }

    /// What it chooses, and whether there is only that. Apart, so that a long playlist is let go of before it is read
    /// for what is in it.
    private func choice(_ bytes: [UInt8], _ url: URL) throws(DownloadError) -> (
        RenditionChoice, variables: [String: String], isOne: Bool
    ) {
        let presentation = try DownloadJob.presentation(bytes, url, asked: row.url)
        return (
            try RenditionChoice(presentation, row.options), presentation.multivariant?.variables ?? [:],
            presentation.multivariant == nil
        )
    }

    static func presentation(_ bytes: [UInt8], _ url: URL, asked: URL) throws(DownloadError) -> HLSPresentation {
        // What cannot be decoded here may be played elsewhere.
        switch PresentationLoader.read(bytes, url, asked: asked, { _ in true }) {
        case .success(let loaded): return loaded.presentation
        case .failure(let error): throw DownloadError(error)
        }
    }

    static func mediaPlaylist(_ bytes: [UInt8], _ url: URL, _ variables: [String: String]) throws(DownloadError)
        -> MediaPlaylist
    {
        do throws(PlaylistError) { return try MediaPlaylist.parse(bytes, url: url, importing: variables) } catch {
            throw DownloadError(error.avError)
        }
    }

    private func loadPlaylists(_ rows: [RenditionRow]) throws(DownloadError) {
        guard let missing = rows.first(where: { $0.playlist == nil || LiveRecording.isUnfinished($0) }) else {
            return try takePlan(rows)
        }
        if LiveRecording.isUnfinished(missing) { return try record(rows) }
        load(missing, from: [missing.url] + missing.others, among: rows)
    }

    /// - Parameter detours: how many multivariant playlists stood where the media playlist belongs.
    private func load(
        _ missing: RenditionRow, from urls: [URL], among rows: [RenditionRow], detours: Int = 0
    ) {
        guard let url = urls.first else { return }
        fetchText(url) { job, bytes, url throws(DownloadError) in
            // As a player does: its first variant is played.
            if detours < 3, case .multivariant(let inner)? = try? Playlist.parse(bytes, url: url),
                let variant = inner.variants.lazy.compactMap(\.url).first
            {
                return job.load(missing, from: [variant], among: rows, detours: detours + 1)
            }
            try job.takePlaylist(bytes, url, of: missing, among: rows)
        } onFailure: { job, error in
            // Redundant streams stand in (RFC 8216 §4.3.4.2).
            if urls.count > 1 {
                job.load(missing, from: Array(urls.dropFirst()), among: rows)
            } else if missing.kind == .iFrames {
                job.leaveOut(missing)
            } else {
                job.fail(error)
            }
        }
    }

    /// Single pictures are an extra: without them the film is whole.
    private func leaveOut(_ rendition: RenditionRow) {
        attempt { () throws(DownloadError) in
            try engine.record.write {
                try $0.execute(sql: "DELETE FROM rendition WHERE id = ?", arguments: [rendition.id])
            }
            try plan()
        }
    }

    /// Apart for the same reason.
    /// - Throws: what makes it one that is not downloaded.
    private func isLive(_ bytes: [UInt8], _ url: URL, _ rendition: RenditionRow) throws(DownloadError) -> Bool {
        let playlist = try DownloadJob.mediaPlaylist(bytes, url, rendition.variables)
        if !playlist.isLive { _ = try RenditionPlan(playlist, kind: rendition.kind) }
        return playlist.isLive
    }

    private func takePlaylist(_ bytes: [UInt8], _ url: URL, of rendition: RenditionRow, among rows: [RenditionRow])
        throws(DownloadError)
    {
        if try isLive(bytes, url, rendition) {
            guard row.options.recordedDuration != nil else {
                throw DownloadError(
                    .live, at: url.location, reason: "a live stream has no end",
                    suggestion:
                        "To record a part of the stream, use --record SECONDS (in an app: DownloadOptions.recordedDuration)"
                )
            }
            return try record(rows)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        try engine.record.write { try $0.setPlaylist(text, from: url, of: rendition.id) }
        try loadPlaylists(
            rows.map { row in
                var row = row
                if row.id == rendition.id { (row.playlist, row.playlistURL) = (text, url) }
                return row
            })
    }

    private func record(_ rows: [RenditionRow]) throws(DownloadError) {
        // Single pictures of what is being made are not recorded.
        let extras = rows.filter { $0.kind == .iFrames }.map(\.id)
        if !extras.isEmpty {
            try engine.record.write { database in
                for id in extras { try database.execute(sql: "DELETE FROM rendition WHERE id = ?", arguments: [id]) }
            }
        }
        let recording = LiveRecording(self, rows, seconds: row.options.recordedDuration ?? 0)
        self.recording = recording
        recording.start()
    }

    // MARK: a file

    private func takeFile(_ bytes: [UInt8], _ response: HTTPResponse) throws(DownloadError) {
        guard !bytes.isEmpty else {
            throw DownloadError(
                .notMedia, at: response.url.location, reason: "the file is empty", suggestion: "Check the URL")
        }
        let kind = response.headers["content-type"]?.lowercased() ?? ""
        if kind.hasPrefix("text/html") {
            throw DownloadError(
                .notMedia, at: response.url.location, reason: "the server returned a web page, not media",
                suggestion: "Check the URL")
        }
        // What makes it load in one piece makes its length doubtful.
        let size = inOnePiece ? nil : response.wholeLength
        let facts = FileFacts(
            name: DownloadJob.fileName(row.url, response), size: size, facts: ResourceFacts(response, length: size),
            acceptsRanges: response.acceptsRanges && size != nil)
        let chosen = RenditionChoice.Chosen(kind: .file, name: "media", url: row.url, tag: "", bitRate: 0)
        let package = row.package
        let id = row.id
        try engine.record.write { database in
            try database.choose(chosen, variables: [:], package: package, download: id)
            // A file that has been begun keeps its parts.
            for rendition in try database.renditions(of: id) where rendition.playlist == nil {
                try database.setPlaylist(facts.stored, from: response.url, of: rendition.id)
            }
        }
        try takePlan(try engine.record.read { try $0.renditions(of: id) })
    }

    private static func fileName(_ url: URL, _ response: HTTPResponse) -> String {
        let known = [
            "mp4", "m4v", "mov", "3gp", "mkv", "webm", "ts", "mts", "m2ts", "avi", "mp3", "m4a", "aac", "flac", "wav",
            "ogg", "ogv", "oga", "opus", "mpg", "mpeg", "vob", "wmv", "flv", "gif",
        ]
        let type = response.headers["content-type"]?.lowercased().prefix { $0 != ";" } ?? ""
        let byType = [
            "video/mp4": "mp4", "video/webm": "webm", "video/x-matroska": "mkv", "video/mp2t": "ts",
            "video/quicktime": "mov", "audio/mpeg": "mp3", "audio/mp4": "m4a", "audio/ogg": "ogg", "audio/flac": "flac",
        ][String(type)]
        let kind = SafeName.mediaExtension(of: url.path, among: known) ?? byType ?? "mp4"
        return SafeName.make(url.deletingPathExtension().lastPathComponent, limit: 80) + "." + kind
    }

    // MARK: ready

    /// Every playlist is here.
    func takePlan(_ rows: [RenditionRow]) throws(DownloadError) {
        loads = []
        renditions = []
        let plans = try RenditionPlan.all(of: rows)
        for (row, plan) in zip(rows, plans) {
            guard let plan else {
                guard let facts = row.playlist.flatMap(FileFacts.init(stored:)) else {
                    throw DownloadError(
                        .record, at: folder.path, reason: "the download database's entry for the file can't be read")
                }
                renditions.append(ActiveRendition(row, facts: facts))
                continue
            }
            renditions.append(ActiveRendition(row, plan: plan))
        }
        try reconcile()
        arrange()
        isPlanned()
        measure()
        try fill()
    }

    static func stored(_ row: RenditionRow) throws(DownloadError) -> MediaPlaylist {
        try mediaPlaylist(Array((row.playlist ?? "").utf8), row.playlistURL ?? row.url, row.variables)
    }

    /// In the order of time, so that what has come can be played up to there; single pictures last.
    func arrange() {
        var all: [(start: Double, item: ItemReference)] = []
        for (index, rendition) in renditions.enumerated() {
            let isExtra = rendition.row.kind == .iFrames
            for place in rendition.items.indices where !rendition.isComplete[place] {
                all.append(
                    (isExtra ? .infinity : rendition.items[place].start, ItemReference(rendition: index, place: place)))
            }
        }
        all.sort { ($0.start, $0.item.rendition, $0.item.place) < ($1.start, $1.item.rendition, $1.item.place) }
        queue = ItemQueue(all.map(\.item), keeping: queue)
    }
}
