import Foundation
import MediaCore
import Streaming

/// A recording of a live stream. Loads the playlists repeatedly, adds new segments to the plan, and stores an on-demand
/// playlist when the requested duration is reached.
///
/// Each version of the growing playlist is stored with a mark for unfinished recordings. After a relaunch, the
/// recording continues with the oldest segment that the server still has after the last recorded one. After a restart
/// of the stream, it continues at the stream's live position. Where segments were missed, it has a discontinuity.
///
/// The stored playlists of all tracks begin at the same moment of the stream. Therefore the playlists of all tracks are
/// loaded in rounds, and `RecordingRound` decides where each track continues. If only one track lacks media, its
/// playlist has a gap.
@DownloadActor
final class LiveRecording {
    typealias Fetch = (RenditionRow, @escaping @DownloadActor ([UInt8], URL) throws(DownloadError) -> Void) -> Void
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
    private var tracks: [RecordingTrack]
    /// The requested duration, in seconds, limited to 1 s … 7 days.
    let wanted: Double
    private var isPlanned = false
    private var isStopped = false
    /// The playlists that have been loaded in this round, by the indexes of their tracks.
    private var round: [Int: MediaPlaylist] = [:]
    /// The timer that starts the next round.
    private var timer: (any NetworkTimer)?

    /// Creates a recording.
    ///
    /// - Parameters:
    ///   - seconds: The requested duration, limited to 1 s … 7 days.
    ///   - fetch: Loads the playlist of a rendition. Its closure is not called after the download has ended.
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
        tracks = rows.filter { $0.kind != .iFrames }.map { RecordingTrack(row: $0) }
    }

    func start() { load() }

    func stop() {
        isStopped = true
        timer?.cancel()
        timer = nil
    }

    /// Takes a row whose playlist has new gaps.
    func take(_ row: RenditionRow) {
        guard let index = tracks.firstIndex(where: { $0.row.id == row.id }) else { return }
        tracks[index].take(row)
    }

    /// Loads the playlists of all unfinished tracks.
    private func load() {
        guard !isStopped else { return }
        round = [:]
        let unfinished = tracks.indices.filter { !tracks[$0].isDone }
        for index in unfinished {
            fetch(tracks[index].row) { [weak self] bytes, url throws(DownloadError) in
                guard let self, !self.isStopped else { return }
                self.round[index] = try self.tracks[index].row.mediaPlaylist(bytes, from: url)
                if self.round.count == unfinished.count { try self.takeRound() }
            }
        }
    }

    private func load(after seconds: Double) {
        timer?.cancel()
        timer = schedule(Int64(saturating: seconds * 1e9)) { [weak self] in self?.load() }
    }

    private func takeRound() throws(DownloadError) {
        var tracks = tracks
        RecordingRound(round, tracks: &tracks).append(to: &tracks, wanted: wanted)
        let isNew = !isPlanned || tracks.contains { !$0.isWritten }
        do throws(DownloadError) { try store(&tracks) } catch {
            // Load the playlists again, in case there is free space by then.
            load(after: 1)
            throw error
        }
        self.tracks = tracks
        let waits = round.compactMap { tracks[$0].isDone ? nil : min(max(1, $1.segmentDuration / 2), 30) }
        if let wait = waits.min() { load(after: wait) }
        if isNew { try reportSegments() }
    }

    /// Stores the changed playlists of a round together, so that all tracks stay aligned if the process is killed.
    private func store(_ tracks: inout [RecordingTrack]) throws(DownloadError) {
        // A stream that has ended without segments is stored too. Its plan reports the error.
        let changed = round.keys.filter {
            !tracks[$0].isWritten && (!tracks[$0].segments.isEmpty || tracks[$0].isDone)
        }
        guard !changed.isEmpty else { return }
        for index in changed { tracks[index].writePlaylist() }
        let rows = changed.map { tracks[$0].row }
        try record.write { database in
            for row in rows { try database.setPlaylist(row.playlist ?? "", from: row.url, of: row.id) }
        }
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

// MARK: the stored playlist

extension LiveRecording {
    /// The mark after the playlist of a recording. After the mark follows the server's number of the last segment, or
    /// `complete` if the recording needs no further segments.
    private nonisolated static let mark = "#EXT-X-ZOETROPE-RECORDING:"
    private nonisolated static let complete = "COMPLETE"

    /// Returns the text after the mark, or nil if the row is not a recording.
    private nonisolated static func markedText(_ row: RenditionRow) -> Substring? {
        guard let line = row.playlist?.suffix(64).split(separator: "\n").last, line.hasPrefix(mark) else { return nil }
        return line.dropFirst(mark.count)
    }

    /// Whether a rendition was recorded from a live stream, so that the server may no longer have its segments.
    nonisolated static func isRecorded(_ row: RenditionRow) -> Bool { markedText(row) != nil }
    nonisolated static func isUnfinished(_ row: RenditionRow) -> Bool { lastNumber(row) != nil }
    fileprivate nonisolated static func isComplete(_ row: RenditionRow) -> Bool { markedText(row) == complete[...] }
    fileprivate nonisolated static func lastNumber(_ row: RenditionRow) -> Int? { markedText(row).flatMap { Int($0) } }

    /// Returns a stored playlist.
    ///
    /// - Parameter last: The server's number of the last segment; nil if the recording is complete.
    fileprivate nonisolated static func text(
        _ segments: [MediaSegment], first: Int, targetDuration: Double, url: URL, last: Int?
    ) -> String {
        var playlist = MediaPlaylist(
            url: url, targetDuration: targetDuration, mediaSequence: first, segments: segments)
        playlist.common.version = 7
        playlist.kind = .vod
        playlist.isEnded = true
        return playlist.text + mark + (last.map(String.init) ?? complete) + "\n"
    }

    /// Returns the row of a recording with gaps in place of segments.
    ///
    /// - Parameter places: The indexes of the segments in the playlist.
    nonisolated static func row(_ row: RenditionRow, withGapsAt places: [Int]) throws(DownloadError) -> RenditionRow {
        let playlist = try row.mediaPlaylist()
        var segments = playlist.segments
        for place in places where segments.indices.contains(place) { segments[place].isGap = true }
        var row = row
        row.playlist = text(
            segments, first: playlist.mediaSequence, targetDuration: playlist.targetDuration, url: playlist.url,
            last: lastNumber(row))
        return row
    }
}

// MARK: tracks

/// The recorded part of a rendition.
struct RecordingTrack {
    private(set) var row: RenditionRow
    private(set) var segments: [MediaSegment] = []
    /// The duration of `segments`.
    private(set) var seconds = 0.0
    /// The number of the first segment in the stored playlist.
    private var first = 0
    /// The server's number of the last segment; nil before the first one.
    private(set) var last: Int?
    /// The number of playlists in a row that end before `last`.
    private var olderPlaylists = 0
    private var targetDuration = 0.0
    private(set) var isDone = false
    /// Whether the row's playlist contains all changes. Half of the reloads of a live playlist contain nothing new, and
    /// writing the playlist of a long recording takes time.
    private(set) var isWritten = false

    /// Creates a track that continues the recording in the row's playlist, if there is one.
    init(row: RenditionRow) {
        self.row = row
        take(row)
    }

    /// Takes the recording in the row's playlist, if there is one.
    mutating func take(_ row: RenditionRow) {
        guard LiveRecording.isRecorded(row), let kept = try? row.mediaPlaylist() else { return }
        self.row = row
        (last, isDone) = (LiveRecording.lastNumber(row), LiveRecording.isComplete(row))
        (segments, seconds) = (kept.segments, kept.duration)
        (first, targetDuration) = (kept.mediaSequence, kept.targetDuration)
        isWritten = true
    }

    /// Returns the index of the segment of a new playlist at which the recording begins, or begins again after a
    /// restart of the stream. Returns nil if it continues after the last segment.
    mutating func beginning(in playlist: MediaPlaylist) -> Int? {
        let isOlder = last.map { playlist.lastMediaSequence ?? $0 < $0 } ?? false
        olderPlaylists = isOlder ? olderPlaylists + 1 : 0
        // A single older playlist is a copy from a cache.
        guard last == nil || olderPlaylists >= PlaylistReload.contradictionsOfRestart else { return nil }
        // The live position is three segments before the end (RFC 8216 §6.3.3).
        return playlist.isLive ? max(0, playlist.segments.count - 3) : 0
    }

    /// Adds a segment of the server's playlist at `url`.
    mutating func append(_ segment: MediaSegment, from url: URL, isDiscontinuity: Bool) {
        // The recording is stored with the URL of its rendition, from which the server may have redirected.
        let absolute = { (uri: String) in (try? ResourceReference.resolve(uri, in: url))?.absoluteString ?? uri }
        var copy = segment
        if isDiscontinuity { copy.isDiscontinuity = true }
        for index in copy.keys.indices {
            copy.keys[index].uri = absolute(copy.keys[index].uri)
            // The segment gets another number in the recording, and the initialization vector may depend on the number.
            // Store the vector itself.
            copy.keys[index].iv = copy.keys[index].initializationVector(forMediaSequence: segment.mediaSequence)
        }
        copy.uri = absolute(segment.uri)
        if let map = segment.map {
            var keys = map.keys
            for index in keys.indices { keys[index].uri = absolute(keys[index].uri) }
            let section = InitializationSection(uri: absolute(map.uri), byteRange: map.byteRange, keys: keys)
            copy.map = segments.last?.map.map { $0 == section ? $0 : section } ?? section
        }
        copy.parts = []
        if segments.isEmpty { first = segment.mediaSequence }
        segments.append(copy)
        seconds += segment.duration
        last = segment.mediaSequence
        olderPlaylists = 0
        isWritten = false
    }

    /// Adds a gap of `duration` seconds.
    mutating func appendGap(_ duration: Double) {
        guard duration > 0 else { return }
        let count = max(1, Int(saturating: (duration / max(1, targetDuration)).rounded(.up)))
        var gap = MediaSegment(uri: "gap.ts", duration: duration / Double(count), mediaSequence: 0)
        gap.isGap = true
        // Equal values keep the tags of the segments before and after the gap short.
        (gap.keys, gap.map) = (segments.last?.keys ?? [], segments.last?.map)
        gap.discontinuitySequence = segments.last?.discontinuitySequence ?? 0
        gap.statedBitrate = segments.last?.statedBitrate
        segments.append(contentsOf: repeatElement(gap, count: count))
        seconds += duration
        isWritten = false
    }

    /// Takes what a new playlist states about the entire track.
    mutating func note(_ playlist: MediaPlaylist) {
        guard playlist.targetDuration > targetDuration else { return }
        targetDuration = playlist.targetDuration
        isWritten = false
    }
    mutating func end(_ isDone: Bool) {
        guard isDone != self.isDone else { return }
        self.isDone = isDone
        isWritten = false
    }

    /// Writes the segments into the row.
    mutating func writePlaylist() {
        row.playlistURL = row.url
        row.playlist = LiveRecording.text(
            segments, first: first, targetDuration: targetDuration, url: row.url, last: isDone ? nil : last ?? 0)
        isWritten = true
    }
}
