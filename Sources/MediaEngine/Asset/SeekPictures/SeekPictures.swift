import Foundation
import MediaCore
import Streaming
import Synchronization

/// Small pictures of the places of an item, for whoever looks for one: under the pointer on a seek bar.
///
/// Where the app has given a thumbnail track (`AVPlayerItem.thumbnailTrack`) they are cut out of its sheets; of a
/// stream they are cut out of the sheets of its image playlists, or are the pictures of its I-frame playlists, or else
/// of its segments; of a file its key pictures. Made one at a time on a thread of their own that gives way to playing,
/// kept while they fit into 8 MiB, and shared by all items of an address. Any thread.
package final class SeekPictures: Sendable {
    /// Pixels that a picture fits in.
    package static let size = CGSize(width: 200, height: 160)
    /// Bytes a source.
    static let budget = 8 << 20
    /// Seconds after which a file that nobody asks for is closed.
    static let patience: Int64 = 15_000_000_000

    private let asset: AVURLAsset
    private let track: URL?
    /// The thread waits here for the next wish.
    private let state = Locked(State())

    private struct Kept {
        let frame: VideoFrame
        let bytes: Int
        var used: UInt64
    }
    private struct Wish {
        let place: Int
        let seconds: Double
        let done: @Sendable (VideoFrame?) -> Void
    }
    private struct State {
        var kept: [Int: Kept] = [:]
        var bytes = 0
        var uses: UInt64 = 0
        /// Seconds between two places; fixed by the first wish, as places are counted in it.
        var step = 0.0
        var wish: Wish?
        /// A thread is there.
        var isWorking = false
        var token: InterruptToken?
        var made = 0

        mutating func takeWish() -> Wish? {
            defer { wish = nil }
            return wish
        }
    }

    private init(_ asset: AVURLAsset, track: URL?) {
        (self.asset, self.track) = (asset, track)
    }
    deinit { state.read { $0.token }?.interrupt() }

    private final class Weak {
        weak var pictures: SeekPictures?
        init(_ pictures: SeekPictures) { self.pictures = pictures }
    }
    private static let known = Mutex<[String: Weak]>([:])
    /// That of the address; it lives as long as somebody has it.
    package static func shared(for asset: AVURLAsset, track: URL?) -> SeekPictures {
        let key = asset.url.absoluteString + "\u{1f}" + (track?.absoluteString ?? "")
        return known.withLock { known in
            if let there = known[key]?.pictures { return there }
            known = known.filter { $0.value.pictures != nil }
            let fresh = SeekPictures(asset, track: track)
            known[key] = Weak(fresh)
            return fresh
        }
    }

    /// How many were made, and the bytes that are kept.
    package var statistics: (made: Int, bytes: Int) { state.read { ($0.made, $0.bytes) } }

    /// Places lie so far apart that a whole item has 240 of them, and half a second at least: nobody points more
    /// exactly.
    private static func step(_ duration: Double?) -> Double {
        guard let duration, duration.isFinite, duration > 0 else { return 2 }
        return max(0.5, duration / 240)
    }

    /// The picture of a place when it is there already.
    /// - Parameters:
    ///   - seconds: from the item's beginning; what is no number has none.
    ///   - duration: the item's, seconds; nil where it is not known.
    package func kept(at seconds: Double, of duration: Double?) -> VideoFrame? {
        guard seconds.isFinite else { return nil }
        return state.withLock { state in
            let place = Self.place(seconds, duration, &state)
            guard let kept = state.kept[place] else { return nil }
            state.uses += 1
            state.kept[place]?.used = state.uses
            return kept.frame
        }
    }
    private static func place(_ seconds: Double, _ duration: Double?, _ state: inout State) -> Int {
        if state.step == 0 { state.step = step(duration) }
        return Int(min(max(0, seconds / state.step), 1e9).rounded(.down))
    }

    /// Makes the picture of a place. A newer wish takes the place of one that waits, which is answered with nil.
    /// - Parameter done: called once, on some thread; nil: it was not to be had.
    package func make(at seconds: Double, of duration: Double?, done: @escaping @Sendable (VideoFrame?) -> Void) {
        guard seconds.isFinite else { return done(nil) }
        let (passed, kept, starts): (Wish?, VideoFrame?, Bool) = state.withLock { state in
            let place = Self.place(seconds, duration, &state)
            if let kept = state.kept[place] { return (nil, kept.frame, false) }
            let passed = state.wish
            // The picture of a place is that of its middle, clamped by whoever makes it.
            let middle = (Double(place) + 0.5) * state.step
            state.wish = Wish(
                place: place, seconds: duration.map { min(middle, max(0, $0 - 0.05)) } ?? middle, done: done)
            let starts = !state.isWorking
            state.isWorking = true
            return (passed, nil, starts)
        }
        passed?.done(nil)
        if let kept { return done(kept) }
        if starts { work() }
    }

    private func work() {
        // Held by the thread as long as it has something to do; without wishes for a while it ends.
        let thread = WorkerThread(name: "zt-seekpix") { [self] in
            ThreadUrgency.lower()
            run()
        }
        thread.detach()
        if !thread.isStarted {
            let wish = state.withLock { state in
                defer { (state.isWorking, state.wish) = (false, nil) }
                return state.wish
            }
            wish?.done(nil)
        }
    }

    private func run() {
        let token = InterruptToken()
        state.withLock { $0.token = token }
        var maker: Maker?
        while let wish = next() {
            if maker == nil { maker = try? Maker(asset, track, token) }
            let frame = maker?.picture(at: wish.seconds)
            if let frame { keep(frame, at: wish.place) }
            wish.done(frame)
        }
    }

    /// Nil: nobody wants anything any more, and the thread is to end.
    private func next() -> Wish? {
        state.wait(until: .now() + SeekPictures.patience) { $0.takeWish() }
            // One may have come since.
            ?? state.withLock { state in
                let wish = state.takeWish()
                state.isWorking = wish != nil
                return wish
            }
    }

    private func keep(_ frame: VideoFrame, at place: Int) {
        let bytes = max(1, frame.width * frame.height * 3)
        state.withLock { state in
            state.made += 1
            state.uses += 1
            state.bytes += bytes - (state.kept[place]?.bytes ?? 0)
            state.kept[place] = Kept(frame: frame, bytes: bytes, used: state.uses)
            while state.bytes > SeekPictures.budget, let oldest = state.kept.min(by: { $0.value.used < $1.value.used })
            {
                state.bytes -= oldest.value.bytes
                state.kept[oldest.key] = nil
            }
        }
    }
}

extension SeekPictures {
    /// Makes pictures, with what has been opened for it. One thread.
    private final class Maker {
        private let asset: AVURLAsset
        private let token: InterruptToken
        private var thumbnails: ThumbnailTrack?
        private var isAskedForImages = false
        private var extractor: FrameExtractor?
        /// A picture of a network that takes longer is one for another place, seconds.
        private static let patience: Int64 = 10_000_000_000

        init(_ asset: AVURLAsset, _ track: URL?, _ token: InterruptToken) throws(AVError) {
            (self.asset, self.token) = (asset, token)
            // One that cannot be read is as if there were none.
            thumbnails = track.flatMap { try? ThumbnailTrack(url: $0, options: asset.httpOptions) }
        }

        /// Nil for a stream.
        private func reader() throws(AVError) -> FrameExtractor? {
            if let extractor { return extractor }
            guard let file = try asset.pictures.file(asset.httpOptions, token) else { return nil }
            extractor = try FrameExtractor(file, isForKeyPictures: true)
            return extractor
        }

        /// Out of sheets: those of the app's track, else a stream's own, which are asked for once.
        private func tile(at seconds: Double) -> VideoFrame? {
            if thumbnails == nil, !isAskedForImages, asset.pictures.isStream {
                isAskedForImages = true
                if let found = try? asset.pictures.images(for: SeekPictures.size, interrupt: token) {
                    thumbnails = try? ThumbnailTrack(
                        images: found.rendition, variables: found.variables, options: asset.httpOptions)
                }
            }
            return thumbnails?.picture(at: seconds).flatMap { try? ImageEncoder.scaled($0, toFit: SeekPictures.size) }
        }

        func picture(at seconds: Double) -> VideoFrame? {
            token.setDeadline(HostClock.now() + Maker.patience)
            defer { token.setDeadline(0) }
            if let tile = tile(at: seconds) { return tile }
            let time = CMTime(seconds: seconds, preferredTimescale: 600)
            let wasStream = asset.pictures.isStream
            do throws(AVError) {
                if let reader = try reader() {
                    return try ImageEncoder.scaled(try reader.keyPicture(at: time), toFit: SeekPictures.size)
                }
            } catch {
                return nil
            }
            if !wasStream, let tile = tile(at: seconds) { return tile }
            let frame = try? asset.pictures.frame(
                at: time, toleranceBefore: .positiveInfinity, toleranceAfter: .positiveInfinity,
                maximumSize: SeekPictures.size, interrupt: token)
            return frame.flatMap { try? ImageEncoder.scaled($0, toFit: SeekPictures.size) }
        }
    }
}
