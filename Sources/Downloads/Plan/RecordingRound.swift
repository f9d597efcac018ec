import Streaming

/// The new playlists of a recording's unfinished tracks, on one timeline, with the decision where each track continues.
///
/// - A track whose playlist contains the segment after the last recorded one continues there. It shows which moment of
///   the stream corresponds to the recording's time 0. The other tracks continue at the same moment, with a gap for the
///   media that they lack. Playlists are aligned by date if they have dates, or else by number.
/// - If all tracks begin or have missed segments, they continue at the first moment for which all have segments. The
///   missed time is not part of the recording.
struct RecordingRound {
    private struct Part {
        let playlist: MediaPlaylist
        /// The start of the playlist on the timeline of the round, in seconds.
        var epoch = 0.0
        /// Whether dates or numbers prove `epoch`.
        var isAligned = true
        /// The index of the first segment that may continue the track.
        let first: Int
        /// Whether the track begins here, or begins again after a restart of the stream.
        let isBeginning: Bool
        /// The number of segments that the server has removed since the last recorded one.
        let missed: Int
        /// Whether the position of the track's end on the timeline is known, because nothing was missed.
        let isContinuous: Bool

        init(_ playlist: MediaPlaylist, _ track: inout RecordingTrack) {
            self.playlist = playlist
            let beginning = track.beginning(in: playlist)
            let last = track.last ?? 0
            first = beginning ?? playlist.segments.firstIndex { $0.mediaSequence > last } ?? playlist.segments.count
            isBeginning = beginning != nil
            let next = playlist.segments[safe: first]?.mediaSequence
            missed = isBeginning ? 0 : next.map { max(0, $0 - 1 - last) } ?? 0
            isContinuous = !isBeginning && missed == 0 && (next != nil || playlist.lastMediaSequence == last)
        }

        /// Whether the track has new segments that do not follow the last recorded one.
        var isInterrupted: Bool { (isBeginning || missed > 0) && first < playlist.segments.count }

        func start(of index: Int) -> Double { epoch + playlist.startTime(ofSegmentAt: index) }

        /// Returns the index of the first segment that plays at `time` or later. Nearly equal times count as equal,
        /// because playlists round durations.
        func index(from time: Double) -> Int {
            ((isBeginning ? 0 : first)..<playlist.segments.count).first {
                start(of: $0) >= time - playlist.segments[$0].duration / 2
            } ?? playlist.segments.count
        }
    }

    private var parts: [Int: Part] = [:]

    /// Creates a round from playlists by the indexes of their tracks.
    init(_ playlists: [Int: MediaPlaylist], tracks: inout [RecordingTrack]) {
        for (index, playlist) in playlists { parts[index] = Part(playlist, &tracks[index]) }
        guard let reference = (continuous ?? parts.keys.min()).flatMap({ playlists[$0] }) else { return }
        for (index, playlist) in playlists {
            let start = playlist.start(relativeTo: reference)
            parts[index]?.epoch = start.seconds
            parts[index]?.isAligned = start.isProven
        }
    }

    /// The first track that misses nothing. Usually it is the video.
    private var continuous: Int? { parts.filter(\.value.isContinuous).keys.min() }

    /// Appends the new segments to the tracks, until each has `wanted` seconds.
    func append(to tracks: inout [RecordingTrack], wanted: Double) {
        let interrupted = parts.filter(\.value.isInterrupted).keys
        let longest = tracks.map(\.seconds).max() ?? 0
        // The moment of the stream that corresponds to time 0 of the recording, if it is known.
        var base = continuous.flatMap { index in
            parts[index].map { $0.start(of: $0.first) - tracks[index].seconds }
        }
        var join: Double?
        let isWaiting = tracks.indices.contains { !tracks[$0].segments.isEmpty && !interrupted.contains($0) }
        if base == nil, !isWaiting {
            join = interrupted.compactMap { index in parts[index].map { $0.start(of: $0.first) } }.max()
            base = join.map { $0 - longest }
        }
        for (index, part) in parts {
            tracks[index].note(part.playlist)
            var first = part.first
            if interrupted.contains(index) {
                first = resume(&tracks[index], part, base: base, join: join, longest: longest, wanted: wanted)
            }
            for (offset, segment) in part.playlist.segments[first...].enumerated() {
                guard tracks[index].seconds < wanted else { break }
                // The timestamps continue after a gap. They do not if time was left out or the stream has restarted.
                let isJoint = offset == 0 && interrupted.contains(index) && (join != nil || part.isBeginning)
                tracks[index].append(
                    segment, from: part.playlist.url, isDiscontinuity: isJoint && tracks[index].last != nil)
            }
            tracks[index].end(tracks[index].seconds >= wanted || !part.playlist.isLive)
        }
    }

    /// Appends a gap to a track that was interrupted, unless its segments continue at the end of the recorded part.
    ///
    /// - Returns: The index of the segment with which the track continues.
    private func resume(
        _ track: inout RecordingTrack, _ part: Part, base: Double?, join: Double?, longest: Double, wanted: Double
    ) -> Int {
        var first = part.first
        var gap: Double
        if let base, part.isAligned || join != nil || part.isBeginning {
            first = part.index(from: join ?? base + track.seconds)
            // A playlist that has ended before that moment was not aligned with the others.
            if first == part.playlist.segments.count, !part.playlist.isLive, track.segments.isEmpty {
                return part.first
            }
            guard first < part.playlist.segments.count else { return first }
            gap = part.start(of: first) - base - track.seconds
        } else {
            // No other playlist shows how long the missed segments were.
            gap = part.isBeginning ? longest - track.seconds : Double(part.missed) * part.playlist.segmentDuration
        }
        gap = min(gap, wanted - track.seconds)
        if gap > (part.playlist.segments[safe: first]?.duration ?? 0) / 2 { track.appendGap(gap) }
        return first
    }
}
