import Foundation
import MediaCore
import Streaming
import Synchronization

/// The thumbnails of an item, for example under the pointer on a seek bar.
///
/// Thumbnails come from the app's thumbnail track (`AVPlayerItem.thumbnailTrack`) if there is one. For a stream, they
/// come from its image playlists, else its I-frame playlists, else its segments. For a file, they are its keyframes.
///
/// One low-priority thread makes one thumbnail at a time. Up to 8 MiB of thumbnails are kept. All items with the same
/// URL, HTTP options and thumbnail track share them. All methods can be called from any thread.
package final class SeekThumbnails: Sendable {
    /// The maximum size of a thumbnail, in pixels.
    package static let size = CGSize(width: 200, height: 160)
    /// The maximum memory for the thumbnails of one item, in bytes.
    static let budget = 8 << 20
    /// The time without requests, in nanoseconds, after which the thread closes the file and ends.
    static let idleTimeout: Int64 = 15_000_000_000

    private let asset: AVURLAsset
    private let track: URL?
    /// A lock on the state. The thread waits on it for the next request.
    private let state = Locked(State())

    private struct Kept {
        let frame: VideoFrame
        let bytes: Int
        var used: UInt64
    }
    private struct Request {
        let index: Int
        let seconds: Double
        let done: @Sendable (VideoFrame?) -> Void
    }
    private struct State {
        var kept: [Int: Kept] = [:]
        var bytes = 0
        var uses: UInt64 = 0
        /// The time between two thumbnails, in seconds; 0 before the first request. It does not change afterward,
        /// because the keys of `kept` count these steps.
        var step = 0.0
        var request: Request?
        /// Whether the thread is running.
        var isWorking = false
        var made = 0

        mutating func takeRequest() -> Request? {
            defer { request = nil }
            return request
        }
    }

    private init(_ asset: AVURLAsset, track: URL?) {
        (self.asset, self.track) = (asset, track)
    }

    private final class Weak {
        weak var thumbnails: SeekThumbnails?
        init(_ thumbnails: SeekThumbnails) { self.thumbnails = thumbnails }
    }
    private struct Key: Hashable {
        var url: String
        var track: String?
        var options: HTTPOptions
    }
    private static let known = Mutex<[Key: Weak]>([:])
    /// Returns the thumbnails of the asset's URL and options and the track, which exist as long as they are referenced.
    package static func shared(for asset: AVURLAsset, track: URL?) -> SeekThumbnails {
        let key = Key(url: asset.url.absoluteString, track: track?.absoluteString, options: asset.httpOptions)
        return known.withLock { known in
            if let existing = known[key]?.thumbnails { return existing }
            known = known.filter { $0.value.thumbnails != nil }
            let fresh = SeekThumbnails(asset, track: track)
            known[key] = Weak(fresh)
            return fresh
        }
    }

    /// The number of thumbnails made, and the size of the thumbnails kept, in bytes.
    package var statistics: (made: Int, bytes: Int) { state.read { ($0.made, $0.bytes) } }

    /// Returns the time between two thumbnails in seconds: 1/240 of the duration, but at least 0.5 s, because the user
    /// cannot point more exactly. 2 s if the duration is unknown.
    private static func step(_ duration: Double?) -> Double {
        guard let duration, duration.isFinite, duration > 0 else { return 2 }
        return max(0.5, duration / 240)
    }

    /// Returns the thumbnail at a position if it is already made.
    /// - Parameters:
    ///   - seconds: The time from the beginning of the item. For a value that is not finite, the result is nil.
    ///   - duration: The duration of the item in seconds; nil if it is unknown.
    package func kept(at seconds: Double, of duration: Double?) -> VideoFrame? {
        guard seconds.isFinite else { return nil }
        return state.withLock { state in
            let index = Self.index(seconds, duration, &state)
            guard let kept = state.kept[index] else { return nil }
            state.uses += 1
            state.kept[index]?.used = state.uses
            return kept.frame
        }
    }
    private static func index(_ seconds: Double, _ duration: Double?, _ state: inout State) -> Int {
        if state.step == 0 { state.step = step(duration) }
        return Int(min(max(0, seconds / state.step), 1e9).rounded(.down))
    }

    /// Makes the thumbnail at a position. A newer request replaces a waiting one, whose `done` is then called with nil.
    /// - Parameter done: Called once, on any thread, with the thumbnail; nil if it is not available.
    package func make(at seconds: Double, of duration: Double?, done: @escaping @Sendable (VideoFrame?) -> Void) {
        guard seconds.isFinite else { return done(nil) }
        let (replaced, kept, starts): (Request?, VideoFrame?, Bool) = state.withLock { state in
            let index = Self.index(seconds, duration, &state)
            if let kept = state.kept[index] { return (nil, kept.frame, false) }
            let replaced = state.request
            // A thumbnail shows the middle of its step, but no time in the last 50 ms of the item.
            let middle = (Double(index) + 0.5) * state.step
            state.request = Request(
                index: index, seconds: duration.map { min(middle, max(0, $0 - 0.05)) } ?? middle, done: done)
            let starts = !state.isWorking
            state.isWorking = true
            return (replaced, nil, starts)
        }
        replaced?.done(nil)
        if let kept { return done(kept) }
        if starts { work() }
    }

    private func work() {
        // The thread keeps this object alive until it ends after some time without requests.
        let thread = WorkerThread(name: "zt-seekpix") { [self] in
            ThreadUrgency.lower()
            run()
        }
        thread.detach()
        if !thread.isStarted {
            let request = state.withLock { state in
                defer { (state.isWorking, state.request) = (false, nil) }
                return state.request
            }
            request?.done(nil)
        }
    }

    private func run() {
        let maker = ThumbnailMaker(asset, track)
        while let request = next() {
            let frame = maker.image(at: request.seconds)
            if let frame { keep(frame, at: request.index) }
            request.done(frame)
        }
    }

    /// Waits for the next request. Returns nil after some time without one; then the thread ends.
    private func next() -> Request? {
        state.wait(until: .now() + SeekThumbnails.idleTimeout) { $0.takeRequest() }
            // A request may have arrived after the wait ended.
            ?? state.withLock { state in
                let request = state.takeRequest()
                state.isWorking = request != nil
                return request
            }
    }

    private func keep(_ frame: VideoFrame, at index: Int) {
        let bytes = max(1, frame.width * frame.height * 3)
        state.withLock { state in
            state.made += 1
            state.uses += 1
            state.bytes += bytes - (state.kept[index]?.bytes ?? 0)
            state.kept[index] = Kept(frame: frame, bytes: bytes, used: state.uses)
            while state.bytes > SeekThumbnails.budget,
                let oldest = state.kept.min(by: { $0.value.used < $1.value.used })
            {
                state.bytes -= oldest.value.bytes
                state.kept[oldest.key] = nil
            }
        }
    }
}

extension SeekThumbnails {
    /// A maker of thumbnails that keeps the file or stream open. Not thread-safe.
    private final class ThumbnailMaker {
        private let asset: AVURLAsset
        private let token = InterruptToken()
        private var thumbnails: ThumbnailTrack?
        private var didRequestImages = false
        private var extractor: FrameExtractor?
        /// The maximum time for the track and for each thumbnail, in nanoseconds. By then, the user has usually moved
        /// the pointer away.
        private static let timeout: Int64 = 10_000_000_000

        /// Reads the app's track, and blocks the calling thread. A track that cannot be read is ignored.
        init(_ asset: AVURLAsset, _ track: URL?) {
            self.asset = asset
            withinTimeout {
                thumbnails = track.flatMap {
                    try? ThumbnailTrack(url: $0, options: asset.httpOptions, interrupt: token)
                }
            }
        }

        private func withinTimeout<T>(_ body: () -> T) -> T {
            token.setDeadline(HostClock.now() + ThumbnailMaker.timeout)
            defer { token.setDeadline(0) }
            return body()
        }

        /// Returns the reader of the file; nil for a stream.
        private func reader() throws(AVError) -> FrameExtractor? {
            if let extractor { return extractor }
            guard let file = try asset.streamFrames.file(asset.httpOptions, token) else { return nil }
            extractor = try FrameExtractor(file, decodesKeyFramesOnly: true)
            return extractor
        }

        /// Returns a thumbnail from the sheets of the app's track, else from the stream's own sheets. The stream's
        /// sheets are looked up only once.
        private func tile(at seconds: Double) -> VideoFrame? {
            if thumbnails == nil, !didRequestImages, asset.streamFrames.isStream {
                didRequestImages = true
                if let found = try? asset.streamFrames.images(for: SeekThumbnails.size, interrupt: token) {
                    thumbnails = try? ThumbnailTrack(
                        images: found.rendition, variables: found.variables, options: asset.httpOptions,
                        interrupt: token)
                }
            }
            return thumbnails?.image(at: seconds).flatMap { try? ImageEncoder.scaled($0, toFit: SeekThumbnails.size) }
        }

        func image(at seconds: Double) -> VideoFrame? { withinTimeout { frame(at: seconds) } }

        private func frame(at seconds: Double) -> VideoFrame? {
            if let tile = tile(at: seconds) { return tile }
            let time = CMTime(seconds: seconds, preferredTimescale: 600)
            let wasStream = asset.streamFrames.isStream
            do throws(AVError) {
                if let reader = try reader() {
                    return try ImageEncoder.scaled(try reader.keyFrame(at: time), toFit: SeekThumbnails.size)
                }
            } catch {
                return nil
            }
            if !wasStream, let tile = tile(at: seconds) { return tile }
            let frame = try? asset.streamFrames.frame(
                at: time, toleranceBefore: .positiveInfinity, toleranceAfter: .positiveInfinity,
                maximumSize: SeekThumbnails.size, interrupt: token)
            return frame.flatMap { try? ImageEncoder.scaled($0, toFit: SeekThumbnails.size) }
        }
    }
}
