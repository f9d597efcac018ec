import Foundation
import MediaCore
import Streaming

/// A planner that finds the resources of a download in the database or on the server.
///
/// Requests run in `requests`. After they are canceled, the planner reports nothing more.
@DownloadActor
struct DownloadPlanner {
    enum Outcome {
        /// The database contains every playlist, or the facts about the file.
        case planned([RenditionRow])
        /// The stream is live, and a part of it is to be recorded.
        case live([RenditionRow])
        /// A server has answered.
        case answered
        /// The network failed, or the playlist of a recording is missing, and the request can be retried. `optional` is
        /// the requested rendition if it can be left out, or nil.
        case unreachable(HTTPError, optional: RenditionRow? = nil)
        case failed(DownloadError)
    }

    let row: DownloadRow
    /// Whether to load the file in one piece, without range requests.
    var isInOnePiece = false
    let record: DownloadRecord
    let requests: JobRequests
    let report: (Outcome) -> Void

    func plan() throws(DownloadError) {
        let rows = try record.read { try $0.renditions(of: row.id) }
        if rows.isEmpty || rows.contains(where: { $0.kind == .file && $0.playlist == nil }) {
            return try requestSource()
        }
        if rows.contains(where: { $0.playlist == nil })
            || rows.contains(where: { $0.kind != .file && LiveRecording.isUnfinished($0) })
        {
            return try loadPlaylists(rows)
        }
        report(.planned(rows))
    }

    // MARK: requesting the source

    /// Requests the source, to find out whether it is a stream (by its name or its first bytes) or a file.
    private func requestSource() throws(DownloadError) {
        guard let scheme = row.url.scheme?.lowercased(), ["http", "https", "file"].contains(scheme) else {
            throw DownloadError(
                .invalidArgument, at: row.url.location, reason: "the URL is not an http or https URL",
                suggestion: "Use an http or https URL")
        }
        let isNamedStream = ["m3u8", "m3u"].contains(row.url.pathExtension.lowercased())
        requests.beginning(of: row, isPlaylist: isNamedStream) { result in
            switch result {
            case .success(let (bytes, response)):
                report(.answered)
                attempt { () throws(DownloadError) in
                    try takeBeginning(bytes, response, isNamedStream: isNamedStream)
                }
            case .failure(let error): failed(error)
            }
        }
    }

    private func takeBeginning(_ bytes: [UInt8], _ response: HTTPResponse, isNamedStream: Bool) throws(DownloadError) {
        if bytes.starts(with: Array("#EXTM3U".utf8))
            || bytes.starts(with: [0xEF, 0xBB, 0xBF] + Array("#EXTM3U".utf8))
        {
            if isNamedStream { return try takeMaster(bytes, response.url) }
            return fetch(row.url) { bytes, url throws(DownloadError) in try takeMaster(bytes, url) }
        }
        guard !isNamedStream else {
            throw DownloadError(
                .notMedia, at: response.url.location, reason: "the file is not an HLS playlist",
                suggestion: "Check that the URL points to an HLS stream")
        }
        try takeFile(bytes, response)
    }

    func failed(_ error: HTTPError) {
        report(error.isTransient ? .unreachable(error) : .failed(DownloadError(error)))
    }

    private func attempt(_ body: () throws(DownloadError) -> Void) {
        do throws(DownloadError) { try body() } catch { report(.failed(error)) }
    }

    /// Loads an entire playlist.
    ///
    /// - Parameters:
    ///   - others: The URLs of redundant streams, to try if `url` fails (RFC 8216 §4.3.4.2).
    ///   - earlier: The failure of the URLs that were tried before.
    ///   - onFailure: A closure for the failure of all URLs. The failure is one that can be retried, if there was one.
    ///     Nil reports the failure.
    func fetch(
        _ url: URL, others: [URL] = [], after earlier: HTTPError? = nil,
        _ body: @escaping @DownloadActor ([UInt8], URL) throws(DownloadError) -> Void,
        onFailure: (@DownloadActor (HTTPError) -> Void)? = nil
    ) {
        requests.text(url, for: row) { result in
            switch result {
            case .success(let (bytes, url)):
                report(.answered)
                attempt { () throws(DownloadError) in try body(bytes, url) }
            case .failure(let last):
                let error = if let earlier, earlier.isTransient { earlier } else { last }
                if let next = others.first {
                    return fetch(next, others: Array(others.dropFirst()), after: error, body, onFailure: onFailure)
                }
                if let onFailure { onFailure(error) } else { failed(error) }
            }
        }
    }

    /// Loads the playlist of a rendition that is being recorded.
    ///
    /// A missing playlist is requested again, because its server may be replacing it.
    func fetchLive(
        _ rendition: RenditionRow, _ body: @escaping @DownloadActor ([UInt8], URL) throws(DownloadError) -> Void
    ) {
        fetch(
            rendition.url, others: rendition.others, body,
            onFailure: { error in
                if error.status == 404 { report(.unreachable(error)) } else { failed(error) }
            })
    }

    // MARK: stream

    private func takeMaster(_ bytes: [UInt8], _ url: URL) throws(DownloadError) {
        let (choice, variables, isSingle) = try choice(bytes, url)
        try record.write { database in
            for chosen in choice.all {
                try database.choose(chosen, variables: variables, package: row.package, download: row.id)
            }
        }
        let rows = try record.read { try $0.renditions(of: row.id) }
        // The source is the only media playlist, which is already loaded.
        if isSingle, let only = rows.first, only.playlist == nil {
            return try takePlaylist(bytes, url, of: only, among: rows)
        }
        guard rows.contains(where: { $0.playlist == nil }) else { return report(.planned(rows)) }
        try loadPlaylists(rows)
    }

    /// Returns the chosen renditions, and whether the source is a media playlist. A separate method, so that a long
    /// playlist is released before it is parsed again.
    private func choice(_ bytes: [UInt8], _ url: URL) throws(DownloadError) -> (
        RenditionChoice, variables: [String: String], isSingle: Bool
    ) {
        let presentation = try DownloadPlanner.presentation(bytes, url, asked: row.url)
        return (
            try RenditionChoice(presentation, row.options), presentation.multivariant?.variables ?? [:],
            presentation.multivariant == nil
        )
    }

    static func presentation(_ bytes: [UInt8], _ url: URL, asked: URL) throws(DownloadError) -> HLSPresentation {
        // Variants that Zoetrope cannot decode are accepted, because another player may play them.
        switch PresentationLoader.read(bytes, url, requested: asked, { _ in true }) {
        case .success(let loaded): return loaded.presentation
        case .failure(let error): throw DownloadError(error)
        }
    }

    private func loadPlaylists(_ rows: [RenditionRow]) throws(DownloadError) {
        guard let missing = rows.first(where: { $0.playlist == nil || LiveRecording.isUnfinished($0) }) else {
            return report(.planned(rows))
        }
        if LiveRecording.isUnfinished(missing) { return try reportLive(rows) }
        load(missing, from: missing.url, others: missing.others, among: rows)
    }

    /// Loads a media playlist.
    ///
    /// - Parameter detours: The number of multivariant playlists that were found in place of the media playlist.
    private func load(
        _ missing: RenditionRow, from url: URL, others: [URL] = [], among rows: [RenditionRow], detours: Int = 0
    ) {
        fetch(url, others: others) { bytes, url throws(DownloadError) in
            // Players accept this too, and play the first variant.
            if detours < 3, case .multivariant(let inner)? = try? Playlist.parse(bytes, url: url),
                let variant = inner.variants.lazy.compactMap(\.url).first
            {
                return load(missing, from: variant, among: rows, detours: detours + 1)
            }
            try takePlaylist(bytes, url, of: missing, among: rows)
        } onFailure: { error in
            guard missing.kind == .iFrames else { return failed(error) }
            guard error.isTransient else { return leaveOut(missing) }
            // Without a response, this may be an outage. A resumed download then loads the I-frames.
            report(.unreachable(error, optional: error.status == nil ? nil : missing))
        }
    }

    /// Removes the I-frames, which are optional: the video is complete without them. Then plans again.
    func leaveOut(_ rendition: RenditionRow) {
        attempt { () throws(DownloadError) in
            try record.write {
                try $0.execute(sql: "DELETE FROM rendition WHERE id = ?", arguments: [rendition.id])
            }
            try plan()
        }
    }

    /// Returns whether a media playlist is live. A separate method, so that a long playlist is released early.
    ///
    /// - Throws: An error if the playlist cannot be downloaded.
    private func isLive(_ bytes: [UInt8], _ url: URL, _ rendition: RenditionRow) throws(DownloadError) -> Bool {
        let playlist = try rendition.mediaPlaylist(bytes, from: url)
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
            return try reportLive(rows)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        try record.write { try $0.setPlaylist(text, from: url, of: rendition.id) }
        try loadPlaylists(
            rows.map { row in
                var row = row
                if row.id == rendition.id { (row.playlist, row.playlistURL) = (text, url) }
                return row
            })
    }

    private func reportLive(_ rows: [RenditionRow]) throws(DownloadError) {
        // I-frames of a live stream are not recorded.
        let extras = rows.filter { $0.kind == .iFrames }.map(\.id)
        if !extras.isEmpty {
            try record.write { database in
                for id in extras { try database.execute(sql: "DELETE FROM rendition WHERE id = ?", arguments: [id]) }
            }
        }
        report(.live(rows))
    }

    // MARK: file

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
        // If ranges of the file are unreliable, its reported length is too.
        let size = isInOnePiece ? nil : response.wholeLength
        let facts = FileFacts(
            name: DownloadPlanner.fileName(row.url, response), size: size, facts: ResourceFacts(response, length: size),
            acceptsRanges: response.acceptsRanges && size != nil)
        let chosen = RenditionChoice.Chosen(kind: .file, name: "media", url: row.url, tag: "", bitRate: 0)
        let package = row.package
        let id = row.id
        try record.write { database in
            try database.choose(chosen, variables: [:], package: package, download: id)
            // A file of which parts are loaded keeps its facts, because they define the parts.
            for rendition in try database.renditions(of: id) where rendition.playlist == nil {
                try database.setPlaylist(facts.stored, from: response.url, of: rendition.id)
            }
        }
        report(.planned(try record.read { try $0.renditions(of: id) }))
    }

    private static func fileName(_ url: URL, _ response: HTTPResponse) -> String {
        let known = [
            "mp4", "m4v", "mov", "3gp", "mkv", "webm", "ts", "mts", "m2ts", "avi", "mp3", "m4a", "aac", "flac", "wav",
            "ogg", "ogv", "oga", "opus", "mpg", "mpeg", "vob", "wmv", "flv", "gif",
        ]
        let type = response.headers["content-type"]?.lowercased().prefix { $0 != ";" } ?? ""
        let extensionByType = [
            "video/mp4": "mp4", "video/webm": "webm", "video/x-matroska": "mkv", "video/mp2t": "ts",
            "video/quicktime": "mov", "audio/mpeg": "mp3", "audio/mp4": "m4a", "audio/ogg": "ogg", "audio/flac": "flac",
        ][String(type)]
        let kind = SafeName.mediaExtension(of: url.path, among: known) ?? extensionByType ?? "mp4"
        return SafeName.make(url.deletingPathExtension().lastPathComponent, limit: 80) + "." + kind
    }
}
