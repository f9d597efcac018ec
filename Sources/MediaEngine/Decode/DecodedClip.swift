import CFFmpeg
import CSystem
import Foundation
import MediaCore
import Synchronization

/// The decoded frames and samples of one pass of a very short video, kept in memory.
///
/// All players that loop the same file share one clip. Its own thread fills it at full speed, and players can read it
/// meanwhile. A looping background then needs no reading and no decoding.
final class DecodedClip: Sendable {
    struct Key: Hashable, Sendable {
        let file: FileIdentity
        let selection: TrackSelection
    }
    struct Frame {
        let frame: VideoFrame
        let pts: MediaTime
    }
    enum State { case loading, complete, abandoned }

    let description: ItemDescription
    let format: AudioFormat?
    let reservedBytes: Int
    private struct Content {
        var frames: [Frame] = []
        var samples: [Float] = []
        var state = State.loading
        var mediaEnd: MediaTime = 0
        var isCancelled = false
        var listeners: [Int: @Sendable () -> Void] = [:]
        var nextListener = 0
        /// The thread that fills the clip.
        var thread: WorkerThread?
    }
    private let content = Mutex(Content())

    var hasAudio: Bool { format != nil }

    init(description: ItemDescription, format: AudioFormat?, reservedBytes: Int) {
        self.description = description
        self.format = format
        self.reservedBytes = reservedBytes
    }

    // MARK: Reading

    var currentState: State { content.withLock { $0.state } }
    /// The media time at which a pass ends; nil while the clip is loading or after it was abandoned.
    var end: MediaTime? { content.withLock { $0.state == .complete ? $0.mediaEnd : nil } }

    var frameCount: Int { content.withLock { $0.frames.count } }

    enum FrameResult {
        case frame(Frame)
        case notYet, pastEnd
    }

    func frame(at index: Int) -> FrameResult {
        content.withLock {
            if index < $0.frames.count { return .frame($0.frames[index]) }
            return $0.state == .loading ? .notYet : .pastEnd
        }
    }

    enum IndexResult: Equatable {
        case index(Int)
        /// The frame at that time is not decoded yet.
        case notYet
        /// The frame will not be decoded, because the clip was abandoned.
        case never
    }

    /// Returns the index of the frame displayed at media time `t`.
    ///
    /// The result includes the clip's state, because a separate request for the state could see a later one.
    func index(at t: MediaTime) -> IndexResult {
        content.withLock { content in
            switch content.state {
            case .abandoned: return .never
            case .complete: break
            case .loading:
                guard let last = content.frames.last, !last.pts.hasBegun(by: t) else {
                    return content.frames.first.map { $0.pts >= t } == true ? .index(0) : .notYet
                }
            }
            var low = 0
            var high = content.frames.count
            while low < high {
                let middle = (low + high) / 2
                if content.frames[middle].pts.hasBegun(by: t) { low = middle + 1 } else { high = middle }
            }
            return .index(max(0, low - 1))
        }
    }

    /// Copies up to `frames` sample frames, starting at `position`. Returns the number copied: nil if they are not
    /// decoded yet, 0 after the end.
    func copySamples(from position: Int, frames: Int, into target: inout [Float]) -> Int? {
        content.withLock { content in
            guard let format else { return 0 }
            let total = content.samples.count / format.channelCount
            if position >= total { return content.state == .loading ? nil : 0 }
            let count = min(frames, total - position)
            let from = position * format.channelCount
            let length = count * format.channelCount
            if target.count < length { target = [Float](repeating: 0, count: length) }
            for i in 0..<length { target[i] = content.samples[from + i] }
            return count
        }
    }

    func addListener(_ listener: @escaping @Sendable () -> Void) -> Int {
        content.withLock {
            $0.nextListener += 1
            $0.listeners[$0.nextListener] = listener
            return $0.nextListener
        }
    }

    func removeListener(_ token: Int) { content.withLock { $0.listeners[token] = nil } }

    // MARK: Filling

    func load(reader: ItemReader, startOffset: MediaTime, location: String) {
        // The thread becomes the only user of `reader`.
        nonisolated(unsafe) let reader = reader
        let thread = WorkerThread(name: "zt-clip") { [weak self] in
            self?.fill(reader: reader, startOffset: startOffset, location: location)
            // The decoders are released, so the allocator can return their memory to the system.
            zt_malloc_trim()
        }
        content.withLock { $0.thread = thread }
        if !thread.isStarted { finish(.abandoned, end: 0) }
    }

    func cancel() {
        let thread = content.withLock { content in
            content.isCancelled = true
            defer { content.thread = nil }
            return content.thread
        }
        thread?.join()
    }

    private func fill(reader: ItemReader, startOffset: MediaTime, location: String) {
        let video = description.video.flatMap {
            try? VideoDecoder(track: $0, startOffset: startOffset, location: location, threads: 1)
        }
        let audio: AudioDecoder? = description.audio.flatMap { track in
            format.flatMap { try? AudioDecoder(track: track, format: $0, startOffset: startOffset, location: location) }
        }
        guard video != nil || description.video == nil, audio != nil || format == nil else {
            return finish(.abandoned, end: 0)
        }
        var bytes = 0
        var videoEnd: MediaTime?
        let channels = format?.channelCount ?? 1
        let rate = format?.sampleRate ?? 1
        // A clip that is larger than estimated is abandoned at this size. It includes the silence that wrong timestamps
        // require.
        let sizeLimit = reservedBytes.multipliedSaturating(by: 2)
        var isFirstSample = true

        func keep(_ output: VideoDecoder.Output) {
            // A decoder's buffers have margins, which take 11% of a 640×360 frame.
            let frame = output.frame.compacted() ?? output.frame
            bytes += frame.byteCount
            videoEnd = max(videoEnd ?? output.end, output.end)
            wake { $0.frames.append(Frame(frame: frame, pts: output.pts)) }
        }
        func keep(_ p: UnsafePointer<Float>, _ count: Int, _ pts: MediaTime?) {
            var p = p
            var count = count
            var lead = 0
            if let pts {
                let expected = MediaTime(samples: Int64(content.withLock { $0.samples.count / channels }), rate: rate)
                let off = pts - expected
                // Silence fills the time before audio that starts late, and gaps in it. Smaller differences are
                // rounding errors of the container's timestamps.
                if off > (isFirstSample ? 2_000_000 : 60_000_000) {
                    lead = Int(min(off.samples(at: rate), Int64(rate) * 60))
                } else if !isFirstSample, off < -60_000_000 {
                    let over = Int(min(-off.samples(at: rate), Int64(count)))
                    p += over * channels
                    count -= over
                }
                isFirstSample = false
            }
            bytes += (count + lead) * channels * 4
            guard bytes <= sizeLimit else { return }
            wake {
                if lead > 0 { $0.samples.append(contentsOf: repeatElement(0, count: lead * channels)) }
                $0.samples.append(contentsOf: UnsafeBufferPointer(start: p, count: count * channels))
            }
        }

        reading: while true {
            if content.withLock({ $0.isCancelled }) || bytes > sizeLimit { return finish(.abandoned, end: 0) }
            switch reader.next() {
            case .video(let packet): video?.decode(packet) { keep($0) }
            case .audio(let packet): audio?.decode(packet) { keep($0, $1, $2) }
            case .other, .track, .problem: continue
            case .end where reader.shortfall == nil: break reading
            // Each player reads the file itself and reports the error.
            case .end, .failed, .jump: return finish(.abandoned, end: 0)
            }
        }
        video?.decode(nil) { keep($0) }
        audio?.decode(nil) { keep($0, $1, $2) }

        let total = content.withLock { $0.samples.count / channels }
        let audioEnd =
            format == nil
            ? nil
            : PassEnd.audioEnd(
                counted: MediaTime(samples: Int64(total), rate: rate), packets: reader.audioEnd, description.audio)
        let end = PassEnd.of(audio: audioEnd, video: videoEnd, frameDuration: description.video?.frameDuration ?? 0)
        // Silence up to the end of the last frame counts toward the clip's limit. A clip that needs too much is
        // abandoned.
        let requiredCount = Int(max(0, end.samples(at: rate))).multipliedSaturating(by: channels)
        if format != nil, requiredCount > total * channels,
            requiredCount - total * channels > (sizeLimit - min(bytes, sizeLimit)) / 4
        {
            return finish(.abandoned, end: 0)
        }
        let isEmpty = content.withLock { content in
            if format != nil {
                if content.samples.count > requiredCount {
                    content.samples.removeLast(content.samples.count - requiredCount)
                } else if content.samples.count < requiredCount {
                    content.samples.append(contentsOf: repeatElement(0, count: requiredCount - content.samples.count))
                }
                // Copy the array to release its reserved capacity.
                content.samples = content.samples.withUnsafeBufferPointer { Array($0) }
            }
            // A track that cannot be decoded must be reported by the normal reader, so the clip is abandoned.
            return description.video != nil && content.frames.isEmpty
                || description.audio != nil && format != nil && total == 0
        }
        finish(isEmpty || end <= 0 ? .abandoned : .complete, end: end)
    }

    private func finish(_ new: State, end: MediaTime) {
        wake {
            $0.state = new
            $0.mediaEnd = end
        }
    }

    private func wake(_ change: (inout Content) -> Void) {
        let all = content.withLock { content in
            change(&content)
            return Array(content.listeners.values)
        }
        for listener in all { listener() }
    }

    /// Returns the estimated size of the clip, in bytes; nil if it is unknown.
    static func estimate(_ description: ItemDescription, frameCount: Int64, format: AudioFormat?) -> Int? {
        guard let duration = description.duration else { return nil }
        var bytes = 0
        if let video = description.video {
            let p = video.parameters.raw.pointee
            let count =
                frameCount > 0
                ? frameCount
                : (video.frameDuration > 0 ? duration.nanoseconds / video.frameDuration.nanoseconds + 1 : 0)
            let each = av_image_get_buffer_size(video.pixelFormat, p.width, p.height, 64)
            guard count > 0, each > 0 else { return nil }
            bytes = Int(count).multipliedSaturating(by: Int(each))
        }
        if let format {
            bytes = bytes.addingSaturating(
                Int(duration.samples(at: format.sampleRate)).multipliedSaturating(by: format.channelCount * 4))
        }
        return bytes
    }
}

/// The decoded clips of the process, and their common memory budget.
final class ClipCache: Sendable {
    static let shared = ClipCache()

    private struct Held {
        let clip: DecodedClip
        var users: Int
    }
    private let keysBeingOpened = Locked<Set<DecodedClip.Key>>([])

    /// Performs `body` for one player at a time for each file. The other players then find the clip that the first has
    /// started.
    func openingAlone<T>(_ key: DecodedClip.Key, _ body: () -> T) -> T {
        keysBeingOpened.wait { $0.insert(key).inserted ? () : nil }
        defer { keysBeingOpened.withLock { _ = $0.remove(key) } }
        return body()
    }

    private struct State {
        var budget = 64 << 20
        var held: [DecodedClip.Key: Held] = [:]
    }
    private let state = Mutex(State())

    /// The maximum total size of all clips, in bytes. The default is 64 MiB; 0 disables the cache. A lower budget does
    /// not remove existing clips.
    var budget: Int {
        get { state.withLock { $0.budget } }
        set { state.withLock { $0.budget = max(0, newValue) } }
    }

    func isHeld(_ key: DecodedClip.Key) -> Bool { state.withLock { $0.held[key] != nil } }

    /// Returns a clip that another player uses, or nil. Call `release(_:_:)` when it is no longer needed.
    func borrow(_ key: DecodedClip.Key) -> DecodedClip? {
        state.withLock { s in
            guard var held = s.held[key], held.clip.currentState != .abandoned else { return nil }
            held.users += 1
            s.held[key] = held
            return held.clip
        }
    }

    /// Starts a clip from a newly opened reader. Returns nil, and does not use `reader`, if the clip exceeds the
    /// budget.
    func start(_ key: DecodedClip.Key, reader: ItemReader, format: AudioFormat?, location: String) -> DecodedClip? {
        guard let bytes = DecodedClip.estimate(reader.description, frameCount: reader.frameCount, format: format) else {
            return nil
        }
        let clip: DecodedClip? = state.withLock { s in
            if var held = s.held[key], held.clip.currentState != .abandoned {
                held.users += 1
                s.held[key] = held
                return held.clip
            }
            let used = s.held.values.reduce(0) { $0.addingSaturating($1.clip.reservedBytes) }
            guard bytes.addingSaturating(used) <= s.budget else { return nil }
            let fresh = DecodedClip(description: reader.description, format: format, reservedBytes: bytes)
            s.held[key] = Held(clip: fresh, users: 1)
            fresh.load(reader: reader, startOffset: reader.startOffset, location: location)
            return fresh
        }
        return clip
    }

    /// Releases `clip`, which `borrow(_:)` or `start` has returned for `key`. The last user ends its loading.
    func release(_ clip: DecodedClip, _ key: DecodedClip.Key) {
        let last: DecodedClip? = state.withLock { s in
            // A new clip may have replaced an abandoned one.
            guard var held = s.held[key], held.clip === clip else { return nil }
            held.users -= 1
            if held.users > 0 {
                s.held[key] = held
                return nil
            }
            s.held[key] = nil
            return held.clip
        }
        last?.cancel()
    }
}
