import CFFmpeg
import Foundation
import MediaCore
import Testing
import TestSupport
@testable import MediaEngine

/// A player under test with a display that pulls sixty times a second, and ways to wait for things.
@MainActor
final class Rig {
    let player: AVQueuePlayer
    private let display: PullingDisplay
    /// No sound server, unless a test brings one.
    static let nowhere = "unix:/nonexistent/zoetrope"

    init(server: String = Rig.nowhere, title: String = "test") {
        player = AVQueuePlayer(title: title, audioServer: server)
        player.actionAtItemEnd = .pause
        display = PullingDisplay(player.videoFrameSource)
    }

    convenience init(_ name: String, server: String = Rig.nowhere) throws {
        self.init(server: server)
        player.insert(AVPlayerItem(url: try TestMedia.url(name)))
    }

    /// The pictures put on the screen so far: the number each carries in its pixels, in order.
    var shown: [Int] { display.numbers }
    func stopDisplay() { display.stop() }

    /// The picture that stands now.
    func picture() -> VideoFrame? { player.videoFrameSource.pull(forHostTime: HostClock.now())?.frame }
    func number() -> Int? { picture().map(Rig.number) }

    /// Polls until `condition` holds; false after `seconds`.
    func wait(_ seconds: Double = 20, until condition: @MainActor () -> Bool) async -> Bool {
        let deadline = Date().addingTimeInterval(seconds)
        while Date() < deadline {
            if condition() { return true }
            try? await Task.sleep(nanoseconds: 5_000_000)
        }
        return condition()
    }

    func ready() async throws {
        let item = try #require(player.currentItem)
        #expect(await wait { item.status != .unknown && picture() != nil || item.status == .failed })
    }

    @discardableResult
    func seek(_ seconds: Double, before: CMTime = .zero, after: CMTime = .zero) async -> Bool {
        await player.seek(to: CMTime(seconds: seconds, preferredTimescale: 1_000_000), toleranceBefore: before, toleranceAfter: after)
    }

    /// The frame number in the sixteen blocks of the upper half.
    nonisolated static func number(_ frame: VideoFrame) -> Int {
        frame.withAVFrame { picture in
            guard let luma = picture.pointee.data.0 else { return -1 }
            let stride = Int(picture.pointee.linesize.0), block = frame.width / 16, row = frame.height / 4
            return (0..<16).reduce(0) { $0 << 1 | (luma[row * stride + $1 * block + block / 2] > 128 ? 1 : 0) }
        }
    }

    /// Luma of the middle of a quadrant, 0 top left, 1 top right, 2 bottom left, 3 bottom right; 8 bits.
    nonisolated static func luma(_ frame: VideoFrame, quadrant: Int) -> Int {
        frame.withAVFrame { picture in
            guard let luma = picture.pointee.data.0, let descriptor = av_pix_fmt_desc_get(AVPixelFormat(picture.pointee.format)) else { return -1 }
            let depth = Int(descriptor.pointee.comp.0.depth), bytes = depth > 8 ? 2 : 1
            let x = frame.width / 4 * (quadrant % 2 == 0 ? 1 : 3), y = frame.height / 4 * (quadrant < 2 ? 1 : 3)
            let at = y * Int(picture.pointee.linesize.0) + x * bytes
            let value = bytes == 1 ? Int(luma[at]) : Int(luma[at]) | Int(luma[at + 1]) << 8
            return value >> (depth - 8)
        }
    }
}

/// A display's frame clock without a display.
final class PullingDisplay: @unchecked Sendable {
    // `seen` is guarded by the lock.
    private let timer: any DispatchSourceTimer
    private let lock = NSLock()
    private var seen: [Int] = []
    private var last: UInt64 = 0

    init(_ source: any VideoFrameSource) {
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "test.display"))
        timer.schedule(deadline: .now(), repeating: .nanoseconds(16_666_667))
        timer.setEventHandler { [weak self] in
            guard let self, let pulled = source.pull(forHostTime: HostClock.now()) else { return }
            lock.withLock {
                guard pulled.sequence != last else { return }
                last = pulled.sequence
                seen.append(Rig.number(pulled.frame))
            }
            source.didPresent(sequence: pulled.sequence, atHostTime: HostClock.now())
        }
        timer.resume()
    }

    var numbers: [Int] { lock.withLock { seen } }
    func stop() { timer.cancel() }
    deinit { timer.cancel() }
}

/// What a recording of a sine tells.
struct SineProof {
    /// The part with sound, its first and last 50 ms (fade and resampler edges) left out.
    let samples: ArraySlice<Float>
    let frequency: Double
    let rate: Double

    init(_ recording: [Float], frequency: Double, rate: Double = 48000) {
        let loud = recording.indices.filter { abs(recording[$0]) > 0.01 }
        let margin = Int(rate * 0.05)
        let first = (loud.first ?? 0) + margin, last = (loud.last ?? 0) - margin
        samples = first < last ? recording[first..<last] : []
        self.frequency = frequency
        self.rate = rate
    }

    var seconds: Double { Double(samples.count) / rate }
    var peak: Float { samples.map(abs).max() ?? 0 }

    /// How far the worst sample lies from where the two before it put a sine, as part of the peak.
    /// A sine obeys x[n+1] = 2 cos ω · x[n] − x[n−1]; a missing, doubled or silent sample does not.
    var worstBreak: Double {
        guard samples.count > 2, peak > 0 else { return .infinity }
        let c = Float(2 * cos(2 * Double.pi * frequency / rate))
        var worst: Float = 0
        for n in (samples.startIndex + 2)..<samples.endIndex {
            worst = max(worst, abs(samples[n] - c * samples[n - 1] + samples[n - 2]))
        }
        return Double(worst / peak)
    }

    /// What one lost sample alone would amount to: the least break worth the name.
    var oneSample: Double { 2 * Double.pi * frequency / rate }

    /// By rising zero crossings.
    var measuredFrequency: Double {
        let crossings = zip(samples.indices, samples.indices.dropFirst()).filter { samples[$0] < 0 && samples[$1] >= 0 }.map(\.1)
        guard let first = crossings.first, let last = crossings.last, last > first else { return 0 }
        return Double(crossings.count - 1) / (Double(last - first) / rate)
    }

    /// The longest stretch of near silence, seconds.
    var longestGap: Double {
        var longest = 0, run = 0
        for sample in samples {
            run = abs(sample) < 0.002 ? run + 1 : 0
            longest = max(longest, run)
        }
        return Double(longest) / rate
    }
}
