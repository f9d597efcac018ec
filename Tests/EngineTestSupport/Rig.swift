import CFFmpeg
import Foundation
import MediaCore
import TestSupport
import Testing

import MediaEngine

/// A player under test with a simulated display that pulls frames 60 times per second, and functions to wait for
/// events.
@MainActor
package final class Rig {
    package let player: AVQueuePlayer
    private let display: PullingDisplay
    /// The address of an audio server that does not exist, for tests that need no audio.
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

    /// The numbers of the frames displayed so far, in order. Each frame carries its number in its pixels.
    package var shown: [Int] { display.pictures.map(\.number) }
    /// The numbers of the frames displayed so far, with the seconds since the previous pull. A display that pulls late
    /// skips frames.
    package var shownWithDelays: [(number: Int, since: Double)] { display.pictures }
    /// Whether the display once paused for so long that the player does not count the skipped frames.
    package var missedRefreshes: Bool { display.pictures.contains { $0.since > 0.95 } }
    package func stopDisplay() { display.stop() }

    /// Returns the current frame.
    package func picture() -> VideoFrame? { player.videoFrameSource.pull(forHostTime: .now())?.frame }
    package func number() -> Int? { picture().map(Rig.number) }

    /// Waits until `condition` returns true.
    /// - Returns: False if `seconds` end first. An issue that shows the player's state is then recorded.
    package func wait(
        _ seconds: Double = Deadline.seconds, sourceLocation: SourceLocation = #_sourceLocation,
        until condition: @MainActor () -> Bool
    ) async -> Bool {
        await eventually(seconds: seconds, seen: { state }, sourceLocation: sourceLocation) { condition() }
    }

    /// The state of the player, for messages about failed tests.
    package var state: String {
        let item = player.currentItem
        return """
            \(item?.asset.url.lastPathComponent ?? "no item") \(item.map { "\($0.status)" } ?? "") \
            \(item?.error.map { "\($0)" } ?? ""), \(player.timeControlStatus) at rate \(player.rate), \
            time \(player.currentTime().seconds), is at end \(player.isAtEnd), frame \(number() ?? -1), \
            \(player.statistics.framesShown) frames shown, \(player.items().count) items
            """
    }

    /// Waits for 30 display refreshes and their effects on the main queue. Events that were due without further action
    /// have then happened.
    package func settle() async { await refreshes(30) }

    /// Waits for `count` display refreshes and their effects on the main queue.
    /// - Parameter onPoll: Called repeatedly during the wait.
    package func refreshes(_ count: Int, _ onPoll: @MainActor () -> Void = {}) async {
        let then = display.pulls + count
        await eventually("\(count) display refreshes", seen: { "\(display.pulls) of \(then); \(state)" }) {
            onPoll()
            return display.pulls >= then
        }
        await drainMainQueue()
    }

    /// Waits until the main queue has run its pending work once.
    package func drainMainQueue() async {
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
        // A seek without an answer must fail, not wait forever.
        #expect(await wait(60) { answer != nil }, "a seek to \(seconds) was not answered")
        return answer ?? false
    }

    /// Returns the frame number, read from the 16 blocks in the upper half of the frame.
    package nonisolated static func number(_ frame: VideoFrame) -> Int {
        frame.withAVFrame { picture in
            guard let luma = picture.pointee.data.0 else { return -1 }
            let stride = Int(picture.pointee.linesize.0)
            let block = frame.width / 16
            let row = frame.height / 4
            return (0..<16).reduce(0) { $0 << 1 | (luma[row * stride + $1 * block + block / 2] > 128 ? 1 : 0) }
        }
    }

    /// Returns a hash of all luma pixels of the frame.
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

    /// Returns the luma in the middle of a quadrant, in 8 bits.
    /// - Parameter quadrant: 0 for top left, 1 for top right, 2 for bottom left, 3 for bottom right.
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

/// A frame clock without a display.
package final class PullingDisplay: @unchecked Sendable {
    // The lock guards the variables, except `refreshes`.
    private let timer: any DispatchSourceTimer
    private let lock = NSLock()
    private var seen: [(number: Int, since: Double)] = []
    private var count = 0
    private var last: (sequence: UInt64, host: Int64) = (0, HostClock.now())
    // Only used by the timer.
    private var refreshes = 0

    /// Starts the clock.
    /// - Parameters:
    ///   - interval: The interval between refreshes, in nanoseconds.
    ///   - misses: Returns whether to skip the refresh with the given number, from 1.
    package init(
        _ source: any VideoFrameSource, interval: Int = 16_666_667,
        misses: @escaping @Sendable (Int) -> Bool = { _ in false }
    ) {
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "test.display"))
        timer.schedule(deadline: .now(), repeating: .nanoseconds(interval))
        timer.setEventHandler { [weak self] in
            guard let self else { return }
            refreshes += 1
            if misses(refreshes) { return }
            let now = HostClock.now()
            let pulled = source.pull(forHostTime: HostTime(nanoseconds: now))
            // The time is taken after the pull, so that a delay of the pull counts as lateness.
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
    /// The number of pulls so far.
    package var pulls: Int { lock.withLock { count } }
    package func stop() { timer.cancel() }
    deinit { timer.cancel() }
}

/// An analysis of the recording of a sine.
package struct SineProof: Sendable {
    /// The audible part, without its first and last 50 ms, which contain fades and edges of the resampler.
    package let samples: ArraySlice<Float>
    package let seconds: Double
    package let peak: Float
    /// The greatest deviation of a sample from the value that the two samples before it predict, as a fraction of the
    /// peak. A sine satisfies x[n+1] = 2 cos ω · x[n] − x[n−1]; a missing, repeated or silent sample does not.
    package let worstBreak: Double
    /// The deviation that a single lost sample causes. Smaller values of `worstBreak` are not significant.
    package let oneSample: Double
    /// The frequency by rising zero crossings, from the first to the last. Missing or repeated parts between them
    /// change it.
    package let measuredFrequency: Double
    /// The perceived frequency: the median over all stretches of 20 crossings. Missing parts do not change it.
    package let pitch: Double
    /// The longest stretch of near silence, in seconds.
    package let longestGap: Double

    /// Analyzes a recording. Runs off the caller's actor, because half a million samples take a while.
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
