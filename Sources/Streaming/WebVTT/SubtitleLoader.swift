import Foundation
import MediaCore

/// A loader for the subtitles around the playhead, as far ahead as the other renditions are loaded. Failures are logged
/// and skipped.
@NetworkActor
final class SubtitleLoader {
    /// The parts of the stream that a subtitle loader uses.
    struct Stream {
        let loop: any NetworkLoop
        let gate: StreamGate
        let options: HTTPOptions
        let retry: RetryPolicy
        let keys: KeyStore
        let track: SubtitleTrack
        /// Returns the range from the playhead to the end of the buffer, or nil before playback begins.
        let window: () -> Range<Int64>?
        let tracker: (URL) -> PlaylistTracker?
        /// Returns the offset from a segment's timestamps to media time in nanoseconds, or nil if it is not known yet.
        let offset: (CueStore.Held) -> Int64?
        /// Called with a failure that is retried.
        let note: (HTTPError) -> Void
        /// Called when a segment is skipped, with its URL, the HTTP status and the reason.
        let onFailure: (URL?, Int?, String) -> Void
    }

    /// The index in `HLSPresentation.subtitles`.
    let option: Int
    private let stream: Stream
    /// The playlists of the same subtitles in the groups of all variants, in the order in which they are tried.
    private let playlists: [URL]
    private var playlistIndex = 0
    private var store = CueStore()
    private var fetch: SegmentFetch?
    /// Whether a key is being loaded.
    private var isPreparing = false
    private var timer: (any NetworkTimer)?
    private var isRunning = false
    /// The time until which no playlist is requested, because all of them have failed.
    private var restsUntil = HostTime.min
    /// Incremented whenever loading stops, so that responses to earlier requests are ignored.
    private var round = 0

    /// The size limit of one segment and of all cached ones, in bytes. A full-length video has about 100 KB of
    /// subtitles.
    private static let limit = 4 << 20
    /// The time before a failed resource is requested again, in nanoseconds.
    private static let pause: Int64 = 15_000_000_000

    /// Creates a loader.
    /// - Parameter first: The group whose playlist is tried first.
    init(_ option: Int, _ rendition: HLSPresentation.Option, preferring first: String?, of stream: Stream) {
        self.option = option
        self.stream = stream
        var urls: [URL] = []
        for (_, url) in rendition.playlists.sorted(by: {
            ($0.key != first ? 1 : 0, $0.key) < ($1.key != first ? 1 : 0, $1.key)
        }) {
            if let url, !urls.contains(url) { urls.append(url) }
        }
        playlists = urls
    }

    private var loop: any NetworkLoop { stream.loop }
    var url: URL? { playlists.indices.contains(playlistIndex) ? playlists[playlistIndex] : nil }

    /// Starts loading, or continues at a new position. Loaded segments are kept.
    func begin() {
        isRunning = true
        restsUntil = .min
        store.forgetFailures()
        loadNext()
    }

    func stop() {
        isRunning = false
        round += 1
        isPreparing = false
        fetch?.cancel()
        fetch = nil
        timer?.cancel()
        timer = nil
    }

    /// Starts the next load, or schedules the next check.
    func loadNext() {
        timer?.cancel()
        timer = nil
        guard isRunning, fetch == nil, !isPreparing, let url, let window = stream.window() else { return }
        let now = loop.time
        guard now >= restsUntil else { return wait(restsUntil - now) }
        guard let tracker = stream.tracker(url) else { return }
        tracker.need()
        guard let timed = tracker.timed else {
            if tracker.failure != nil { playlistFailed(tracker) }
            return
        }
        tracker.isActive = true
        let reach = window.upperBound
        store.trim(limit: SubtitleLoader.limit, keeping: (window.lowerBound - 2_000_000_000)..<reach)
        guard var index = timed.index(at: window.lowerBound) else { return }
        while index < timed.playlist.segments.count {
            let segment = timed.playlist.segments[index]
            let start = timed.start(of: index)
            if !store.has(segment.mediaSequence, start: start, now: now) {
                let isFull = store.bytes > SubtitleLoader.limit
                if start < reach, !isFull { return load(segment, start, timed) }
                // The playhead may stand still or move fast, so the state is checked again before the segment is
                // needed.
                return wait(isFull ? 5_000_000_000 : (start - reach) / 2)
            }
            index += 1
        }
        // The next reload of a live playlist adds segments.
    }

    private func wait(_ time: Int64) {
        timer = loop.schedule(at: loop.time + min(max(time, 250_000_000), 5_000_000_000)) { [weak self] in
            self?.loadNext()
        }
    }

    /// Tries the playlist of the next group. After the last one, the first is tried again after a pause.
    private func playlistFailed(_ tracker: PlaylistTracker) {
        tracker.forgetFailure()
        playlistIndex += 1
        guard playlistIndex >= playlists.count else {
            loop.perform { [weak self] in self?.loadNext() }
            return
        }
        playlistIndex = 0
        restsUntil = loop.time + SubtitleLoader.pause
        wait(SubtitleLoader.pause)
    }

    // MARK: one segment

    private func load(_ segment: MediaSegment, _ start: Int64, _ timed: TimedPlaylist) {
        let held = CueStore.Held(
            number: segment.mediaSequence, start: start, duration: TimedPlaylist.nanoseconds(segment.duration),
            discontinuity: timed.discontinuity(segment.discontinuitySequence), cues: [], bytes: 0)
        if segment.isGap {
            store.insert(held)
            loop.perform { [weak self] in self?.loadNext() }
            return
        }
        guard let url = segment.url(relativeTo: timed.playlist.url) else {
            return broken(held, url, "the segment's URL in the playlist is not valid")
        }
        do throws(AVError) {
            switch try KeyStore.usable(segment.keys, at: url.absoluteString) {
            case .nothing: run(held, url, segment.byteRange, nil)
            case .samples: broken(held, url, "subtitles encrypted with SAMPLE-AES can't be read")
            case .wholeSegments(let key):
                guard let keyURL = key.url(relativeTo: timed.playlist.url) else {
                    return broken(held, url, "the key's URL in the playlist is not valid")
                }
                isPreparing = true
                let requestRound = round
                stream.keys.key(at: keyURL) { [weak self] result in
                    guard let self, self.round == requestRound else { return }
                    self.isPreparing = false
                    switch result {
                    case .failure(let error):
                        self.broken(held, url, error.reason, until: self.loop.time + SubtitleLoader.pause)
                    case .success(let bytes):
                        let iv = key.initializationVector(forMediaSequence: segment.mediaSequence)
                        self.run(held, url, segment.byteRange, SegmentDecryptor(key: bytes, iv: iv))
                    }
                }
            }
        } catch {
            broken(held, url, error.reason)
        }
    }

    private func run(_ held: CueStore.Held, _ url: URL, _ range: ByteRange?, _ decryptor: SegmentDecryptor?) {
        let carrier = StreamSegment(
            run: .init(source: url.absoluteString, discontinuity: held.discontinuity, map: ""), variant: nil,
            mediaSequence: held.number,
            start: held.start, duration: held.duration, discontinuity: held.discontinuity, initialization: nil,
            buffer: SegmentBuffer(gate: stream.gate), name: url.lastPathComponent, location: url.absoluteString,
            sampleKey: nil)
        let fetch = SegmentFetch(carrier, pieces: [.init(url: url, range: range)], loop: loop, options: stream.options)
        self.fetch = fetch
        fetch.report = { [weak self, weak fetch] event in
            guard let self, let fetch, self.fetch === fetch else { return }
            self.reported(event, by: fetch, held, url)
        }
        fetch.start(decryptor: decryptor)
    }

    private func reported(_ event: SegmentFetch.Event, by fetch: SegmentFetch, _ held: CueStore.Held, _ url: URL) {
        switch event {
        case .progressed:
            guard fetch.state.bytes > SubtitleLoader.limit else { return }
            giveUp(fetch, held, url, "the file is larger than \(SubtitleLoader.limit >> 20) MiB")
        case .tryFailed(let error, let progress): failed(fetch, held, url, error, progress.retry)
        case .didLoadPart, .noted: break
        case .didLoad:
            self.fetch = nil
            didLoad(held, url, fetch.segment.buffer.head(fetch.segment.buffer.count))
        case .loadFailed(let error):
            self.fetch = nil
            broken(held, url, error.reason)
        }
    }

    private func didLoad(_ held: CueStore.Held, _ url: URL, _ bytes: [UInt8]) {
        do throws(WebVTTDocument.ParseError) {
            let document = try WebVTTDocument(parsing: bytes)
            var held = held
            let shift = (document.timestampMap ?? WebVTTTimestampMap()).shift
            held.cues = document.cues.map { cue in
                var moved = cue
                moved.start &+= shift
                moved.end &+= shift
                moved.text = cue.text.shifted(by: shift)
                return moved
            }
            held.bytes = bytes.count
            store.insert(held)
            stream.track.note {
                $0.segments += 1
                $0.skippedCues += document.skipped
            }
            arrange()
            loop.perform { [weak self] in self?.loadNext() }
        } catch {
            broken(held, url, "the file is not WebVTT: it does not begin with “WEBVTT”")
        }
    }

    /// Computes the media times of the loaded cues, as far as the offsets are known, and publishes them.
    func arrange() {
        store.arrange(stream.offset)
        stream.track.publish(store.cues)
    }

    // MARK: failures

    private func failed(
        _ fetch: SegmentFetch, _ held: CueStore.Held, _ url: URL, _ error: HTTPError, _ retry: TransferRetry
    ) {
        // The newest segment of a live stream may not have reached every server yet.
        let mayCome = error.isTransient || error.status == 404 && isLive
        if mayCome,
            let delay = retry.delay(after: error, stream.retry, at: loop.time, random: .random(in: 0...1))
        {
            stream.note(error)
            return fetch.retry(after: delay)
        }
        giveUp(
            fetch, held, url, error.reason, status: error.status,
            until: error.isTransient ? loop.time + SubtitleLoader.pause : .max)
    }

    private var isLive: Bool { url.flatMap { stream.tracker($0)?.timed?.playlist.isLive } ?? false }

    /// Gives up the current segment. The call happens during a callback of the HTTP client, so the request is canceled
    /// after that callback.
    private func giveUp(
        _ fetch: SegmentFetch, _ held: CueStore.Held, _ url: URL, _ reason: String, status: Int? = nil,
        until: HostTime = .max
    ) {
        loop.perform { [weak self, weak fetch] in
            guard let self, let fetch, self.fetch === fetch else { return }
            fetch.cancel()
            self.fetch = nil
            self.broken(held, url, reason, status: status, until: until)
        }
    }

    private func broken(
        _ held: CueStore.Held, _ url: URL?, _ reason: String, status: Int? = nil, until: HostTime = .max
    ) {
        if !store.isBroken(held.number) { stream.track.note { $0.brokenSegments += 1 } }
        var held = held
        held.brokenUntil = until
        store.insert(held)
        stream.onFailure(url, status, reason)
        loop.perform { [weak self] in self?.loadNext() }
    }
}
