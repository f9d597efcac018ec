import CFFmpeg
import Foundation
import MediaCore
import TestSupport
import Testing

import MediaEngine

/// A player under test with a display that pulls sixty times a second, and ways to wait for things.
@MainActor
package final class Rig {
    package let player: AVQueuePlayer
    private let display: PullingDisplay
    /// No sound server, unless a test brings one.
    package static let nowhere = "unix:/nonexistent/zoetrope"

    package init(server: String = Rig.nowhere, title: String = "test") {
        player = AVQueuePlayer(title: title, audioServer: server)
        player.actionAtItemEnd = .pause
        display = PullingDisplay(player.videoFrameSource)
    }

    package convenience init(_ name: String, server: String = Rig.nowhere) throws {
        self.init(server: server)
        player.insert(AVPlayerItem(url: try TestMedia.url(name)))
    }

    /// The pictures put on the screen so far: the number each carries in its pixels, in order.
    package var shown: [Int] { display.pictures.map(\.number) }
    /// The same, each with the seconds since the pull before: a display that comes late has passed pictures over.
    package var shownLate: [(number: Int, since: Double)] { display.pictures }
    /// Whether the display once was away for so long that the player does not count the pictures it missed.
    package var wasAway: Bool { display.pictures.contains { $0.since > 0.95 } }
    package func stopDisplay() { display.stop() }

    /// The picture that stands now.
    package func picture() -> VideoFrame? { player.videoFrameSource.pull(forHostTime: .now())?.frame }
    package func number() -> Int? { picture().map(Rig.number) }

    /// Waits until `condition` holds; false after `seconds`, with an issue that shows how the player stands.
    package func wait(
        _ seconds: Double = Deadline.seconds, sourceLocation: SourceLocation = #_sourceLocation,
        until condition: @MainActor () -> Bool
    ) async -> Bool {
        await eventually(seconds: seconds, seen: { state }, sourceLocation: sourceLocation) { condition() }
    }

    /// How the player stands, for what a failed test says.
    package var state: String {
        let item = player.currentItem
        return """
            \(item?.asset.url.lastPathComponent ?? "no item") \(item.map { "\($0.status)" } ?? "") \
            \(item?.error.map { "\($0)" } ?? ""), \(player.timeControlStatus) at rate \(player.rate), \
            time \(player.currentTime().seconds), is at end \(player.isAtEnd), frame \(number() ?? -1), \
            \(player.statistics.framesShown) frames shown, \(player.items().count) items
            """
    }

    /// Until the display has pulled thirty times more, and the main queue has got round to what came of it: what was
    /// going to happen by itself has happened.
    package func settle() async { await refreshes(30) }

    /// Until the display has pulled `count` times more, and the main queue has got round to what came of it; `look` is
    /// called all the while.
    package func refreshes(_ count: Int, _ look: @MainActor () -> Void = {}) async {
        let then = display.pulls + count
        await eventually("\(count) display refreshes", seen: { "\(display.pulls) of \(then); \(state)" }) {
            look()
            return display.pulls >= then
        }
        await turn()
    }

    /// One turn of the main queue.
    package func turn() async {
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    }

    package func ready() async throws {
        let item = try #require(player.currentItem)
        #expect(await wait { item.status != .unknown && picture() != nil || item.status == .failed })
    }

    @discardableResult
    package func seek(_ seconds: Double, before: CMTime = .zero, after: CMTime = .zero) async -> Bool {
        var answer: Bool?
        player.seek(
            to: CMTime(seconds: seconds, preferredTimescale: 1_000_000), toleranceBefore: before, toleranceAfter: after
        ) { answer = $0 }
        // A seek that nobody answers is a failure, not a run without an end.
        #expect(await wait(60) { answer != nil }, "a seek to \(seconds) was not answered")
        return answer ?? false
    }

    /// The frame number in the sixteen blocks of the upper half.
    package nonisolated static func number(_ frame: VideoFrame) -> Int {
        frame.withAVFrame { picture in
            guard let luma = picture.pointee.data.0 else { return -1 }
            let stride = Int(picture.pointee.linesize.0)
            let block = frame.width / 16
            let row = frame.height / 4
            return (0..<16).reduce(0) { $0 << 1 | (luma[row * stride + $1 * block + block / 2] > 128 ? 1 : 0) }
        }
    }

    /// A number that stands for the picture's luma, every pixel of it.
    package nonisolated static func digest(_ frame: VideoFrame) -> Int {
        frame.withAVFrame { picture in
            guard let luma = picture.pointee.data.0 else { return -1 }
            var hash = 1_469_598_103_934_665_603 as UInt64  // FNV-1a
            for y in 0..<frame.height {
                let row = luma + y * Int(picture.pointee.linesize.0)
                for x in 0..<frame.width { hash = (hash ^ UInt64(row[x])) &* 1_099_511_628_211 }
            }
            return Int(truncatingIfNeeded: hash)
        }
    }

    /// Luma of the middle of a quadrant, 0 top left, 1 top right, 2 bottom left, 3 bottom right; 8 bits.
    package nonisolated static func luma(_ frame: VideoFrame, quadrant: Int) -> Int {
        frame.withAVFrame { picture in
            guard let luma = picture.pointee.data.0,
                let descriptor = av_pix_fmt_desc_get(AVPixelFormat(picture.pointee.format))
            else { return -1 }
            let depth = Int(descriptor.pointee.comp.0.depth)
            let bytes = depth > 8 ? 2 : 1
            let x = frame.width / 4 * (quadrant % 2 == 0 ? 1 : 3)
            let y = frame.height / 4 * (quadrant < 2 ? 1 : 3)
            let at = y * Int(picture.pointee.linesize.0) + x * bytes
            let value = bytes == 1 ? Int(luma[at]) : Int(luma[at]) | Int(luma[at + 1]) << 8
            return value >> (depth - 8)
        }
    }
}

/// A display's frame clock without a display.
package final class PullingDisplay: @unchecked Sendable {
    // What varies is guarded by the lock.
    private let timer: any DispatchSourceTimer
    private let lock = NSLock()
    private var seen: [(number: Int, since: Double)] = []
    private var count = 0
    private var last: (sequence: UInt64, host: Int64) = (0, HostClock.now())
    // The timer's own.
    private var turns = 0

    /// - Parameters:
    ///   - turn: nanoseconds from one turn to the next.
    ///   - misses: whether the turn of this number is left out.
    package init(
        _ source: any VideoFrameSource, turn: Int = 16_666_667,
        misses: @escaping @Sendable (Int) -> Bool = { _ in false }
    ) {
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "test.display"))
        timer.schedule(deadline: .now(), repeating: .nanoseconds(turn))
        timer.setEventHandler { [weak self] in
            guard let self else { return }
            turns += 1
            if misses(turns) { return }
            let now = HostClock.now()
            let pulled = source.pull(forHostTime: HostTime(nanoseconds: now))
            // To behind the pull: whoever is held up before it comes as late as that.
            let after = HostClock.now()
            let since: Double = lock.withLock {
                count += 1
                defer { last.host = now }
                return Double(after - last.host) / 1e9
            }
            guard let pulled else { return }
            lock.withLock {
                guard pulled.sequence != last.sequence else { return }
                last.sequence = pulled.sequence
                seen.append((Rig.number(pulled.frame), since))
            }
            source.didPresent(sequence: pulled.sequence, atHostTime: .now())
        }
        timer.resume()
    }

    package var pictures: [(number: Int, since: Double)] { lock.withLock { seen } }
    /// How often it has pulled.
    package var pulls: Int { lock.withLock { count } }
    package func stop() { timer.cancel() }
    deinit { timer.cancel() }
}

/// What a recording of a sine tells.
package struct SineProof: Sendable {
    /// The part with sound, its first and last 50 ms (fade and resampler edges) left out.
    package let samples: ArraySlice<Float>
    package let seconds: Double
    package let peak: Float
    /// How far the worst sample lies from where the two before it put a sine, as part of the peak.
    /// A sine obeys x[n+1] = 2 cos ω · x[n] − x[n−1]; a missing, doubled or silent sample does not.
    package let worstBreak: Double
    /// What one lost sample alone would amount to: the least break worth the name.
    package let oneSample: Double
    /// By rising zero crossings, from the first to the last: what is missing or comes twice between them counts.
    package let measuredFrequency: Double
    /// By the middle one of all stretches of twenty crossings: what the ear takes it for, whatever is missing.
    package let pitch: Double
    /// The longest stretch of near silence, seconds.
    package let longestGap: Double

    /// Reckoned off the caller's actor: half a million samples take a while.
    package static func of(_ recording: [Float], frequency: Double, rate: Double = 48000) async -> SineProof {
        await Task.detached { SineProof(recording, frequency: frequency, rate: rate) }.value
    }

    private init(_ recording: [Float], frequency: Double, rate: Double) {
        let margin = Int(rate * 0.05)
        let first = (recording.firstIndex { abs($0) > 0.01 } ?? 0) + margin
        let last = (recording.lastIndex { abs($0) > 0.01 } ?? 0) - margin
        let part = first < last ? recording[first..<last] : []
        samples = part
        seconds = Double(part.count) / rate
        oneSample = 2 * Double.pi * frequency / rate
        var peak: Float = 0
        var worst: Float = 0
        var longest = 0
        var run = 0
        var crossings: [Int] = []
        let c = Float(2 * cos(2 * Double.pi * frequency / rate))
        part.withUnsafeBufferPointer { x in
            for n in x.indices {
                peak = max(peak, abs(x[n]))
                run = abs(x[n]) < 0.002 ? run + 1 : 0
                longest = max(longest, run)
                if n > 0, x[n - 1] < 0, x[n] >= 0 { crossings.append(n) }
                if n > 1 { worst = max(worst, abs(x[n] - c * x[n - 1] + x[n - 2])) }
            }
        }
        self.peak = peak
        worstBreak = peak > 0 ? Double(worst / peak) : .infinity
        measuredFrequency =
            crossings.count > 1
            ? Double(crossings.count - 1) / (Double(crossings[crossings.count - 1] - crossings[0]) / rate) : 0
        let stretches = zip(crossings, crossings.dropFirst(20)).map { $1 - $0 }.sorted()
        pitch = stretches.isEmpty ? 0 : 20 * rate / Double(stretches[stretches.count / 2])
        longestGap = Double(longest) / rate
    }
}
