import Foundation
import MediaCore
import Streaming

/// A recording of a live stream. Loads the playlists repeatedly, adds new segments to the plan, and stores an on-demand
/// playlist when the requested duration is reached.
///
/// Each version of the growing playlist is stored with a mark for unfinished recordings. After a relaunch, the
/// recording continues with the oldest segment that the server still has after the last recorded one. After a restart
/// of the stream, it continues at the stream's live position. Where segments were missed, it has a discontinuity.
@DownloadActor
final class LiveRecording {
    typealias Fetch = (URL, @escaping @DownloadActor ([UInt8], URL) throws(DownloadError) -> Void) -> Void
    enum News {
        /// All tracks have their first playlist.
        case planned([RenditionRow])
        /// There are additional segments.
        case grew([RenditionRow])
    }

    private let record: DownloadRecord
    private let fetch: Fetch
    private let schedule: JobTurn.Schedule
    private let report: (News, _ isDone: Bool) throws(DownloadError) -> Void
    private var tracks: [Track]
    /// The requested duration, in seconds, limited to 1 s … 7 days.
    let wanted: Double
    private var isPlanned = false
    private var isStopped = false
    /// The timer of each track that waits to load its playlist again, by the track's index.
    private var timers: [Int: any NetworkTimer] = [:]

    private struct Track {
        var row: RenditionRow
        private(set) var segments: [MediaSegment] = []
        /// The duration of `segments`.
        private(set) var seconds = 0.0
        var first = 0
        /// The server's number of the last segment; nil if the recording begins at the live position.
        private(set) var last: Int?
        /// The number of playlists in a row that end before `last`.
        private var olderPlaylists = 0
        var targetDuration = 0.0
        var isDone = false

        init(row: RenditionRow) { self.row = row }

        /// Adds a segment, whose number on the server is `number`.
        mutating func append(_ segment: MediaSegment, number: Int) {
            segments.append(segment)
            seconds += segment.duration
            last = number
        }

        /// Finds the segment of a new playlist at which the recording begins, or begins again after a restart of the
        /// stream.
        ///
        /// - Returns: Whether the recording begins there. Otherwise it continues after the last segment.
        mutating func begins(in playlist: MediaPlaylist) -> Bool {
            let isOlder = last.map { playlist.lastMediaSequence ?? $0 < $0 } ?? false
            olderPlaylists = isOlder ? olderPlaylists + 1 : 0
            // A single older playlist is a copy from a cache.
            guard last == nil || olderPlaylists >= PlaylistReload.contradictionsOfRestart else { return false }
            olderPlaylists = 0
            // The live position is three segments before the end (RFC 8216 §6.3.3).
            let start = playlist.isLive ? max(0, playlist.segments.count - 3) : 0
            let number = playlist.segments[safe: start]?.mediaSequence ?? playlist.mediaSequence
            if segments.isEmpty { first = number }
            last = number - 1
            return true
        }
    }

    /// The mark after the playlist of an unfinished recording. The server's number of the last segment follows the
    /// mark.
    private static let mark = "#EXT-X-ZOETROPE-RECORDING:"
    static func isUnfinished(_ row: RenditionRow) -> Bool { lastNumber(row) != nil }
    private static func lastNumber(_ row: RenditionRow) -> Int? {
        guard let line = row.playlist?.suffix(64).split(separator: "\n").last, line.hasPrefix(mark) else { return nil }
        return Int(line.dropFirst(mark.count))
    }

    /// Creates a recording.
    ///
    /// - Parameters:
    ///   - seconds: The requested duration, limited to 1 s … 7 days.
    ///   - fetch: Loads a playlist. Its closure is not called after the download has ended.
    ///   - report: Receives the rows with the segments to load, while the stream continues.
    init(
        _ rows: [RenditionRow], seconds: Double, record: DownloadRecord, fetch: @escaping Fetch,
        schedule: @escaping JobTurn.Schedule,
        report: @escaping (News, _ isDone: Bool) throws(DownloadError) -> Void
    ) {
        self.record = record
        self.fetch = fetch
        self.schedule = schedule
        self.report = report
        wanted = min(max(1, seconds), 7 * 86_400)
        tracks = rows.filter { $0.kind != .iFrames }.map { row in
            var track = Track(row: row)
            if let last = LiveRecording.lastNumber(row), let kept = try? row.mediaPlaylist() {
                for segment in kept.segments { track.append(segment, number: last) }
                track.first = kept.mediaSequence
                track.targetDuration = kept.targetDuration
            }
            return track
        }
    }

    func start() { for index in tracks.indices { load(index) } }

    func stop() {
        isStopped = true
        for timer in timers.values { timer.cancel() }
        timers = [:]
    }

    private func load(_ index: Int) {
        guard !isStopped else { return }
        fetch(tracks[index].row.url) { [weak self] bytes, url throws(DownloadError) in
            guard let self, !self.isStopped else { return }
            try self.take(index, bytes, url)
        }
    }

    private func load(_ index: Int, after nanoseconds: Int64) {
        timers[index]?.cancel()
        timers[index] = schedule(nanoseconds) { [weak self] in self?.load(index) }
    }

    private func take(_ index: Int, _ bytes: [UInt8], _ url: URL) throws(DownloadError) {
        var track = tracks[index]
        let playlist = try track.row.mediaPlaylist(bytes, from: url)
        track.targetDuration = max(track.targetDuration, playlist.targetDuration)
        var isBeginning = track.begins(in: playlist)
        // The recording is stored with the URL of its rendition, from which the server may have redirected.
        let absolute = { (uri: String) in (try? ResourceReference.resolve(uri, in: url))?.absoluteString ?? uri }
        for segment in playlist.segments where segment.mediaSequence > (track.last ?? 0) && track.seconds < wanted {
            var copy = segment
            let isMissed = isBeginning || segment.mediaSequence != (track.last ?? 0) + 1
            if isMissed, !track.segments.isEmpty { copy.isDiscontinuity = true }
            isBeginning = false
            for index in copy.keys.indices {
                copy.keys[index].uri = absolute(copy.keys[index].uri)
                // The segment gets another number in the recording, and the initialization vector may depend on the
                // number. Store the vector itself.
                copy.keys[index].iv = copy.keys[index].initializationVector(forMediaSequence: segment.mediaSequence)
            }
            copy.uri = absolute(segment.uri)
            if let map = segment.map {
                var keys = map.keys
                for index in keys.indices { keys[index].uri = absolute(keys[index].uri) }
                let section = InitializationSection(uri: absolute(map.uri), byteRange: map.byteRange, keys: keys)
                copy.map = track.segments.last?.map.map { $0 == section ? $0 : section } ?? section
            }
            copy.parts = []
            track.append(copy, number: segment.mediaSequence)
        }
        track.isDone = track.seconds >= wanted || !playlist.isLive
        do throws(DownloadError) { try store(&track) } catch {
            // Load the playlist again, in case there is free space by then.
            load(index, after: 1_000_000_000)
            throw error
        }
        tracks[index] = track
        if !track.isDone {
            let wait = min(max(1, playlist.segmentDuration / 2), 30)
            load(index, after: Int64(wait * 1e9))
        }
        try reportSegments()
    }

    private func store(_ track: inout Track) throws(DownloadError) {
        guard !track.segments.isEmpty else { return }
        var kept = MediaPlaylist(
            url: track.row.url, targetDuration: track.targetDuration, mediaSequence: track.first,
            segments: track.segments)
        kept.common.version = 7
        kept.kind = .vod
        kept.isEnded = true
        let text = kept.text + (track.isDone ? "" : LiveRecording.mark + "\(track.last ?? 0)\n")
        let id = track.row.id
        let url = track.row.url
        try record.write { try $0.setPlaylist(text, from: url, of: id) }
        (track.row.playlist, track.row.playlistURL) = (text, url)
    }

    /// Reports the segments known so far, which are loaded while the stream continues.
    private func reportSegments() throws(DownloadError) {
        guard tracks.allSatisfy({ $0.row.playlist != nil }) else { return }
        let rows = tracks.map(\.row)
        let news = isPlanned ? News.grew(rows) : .planned(rows)
        isPlanned = true
        try report(news, tracks.allSatisfy(\.isDone))
    }
}
