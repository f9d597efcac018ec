import CFFmpeg
import MediaCore
import Testing

@testable import MediaEngine

@Suite("Time stretching")
struct TimeStretcherTests {
    private let format = AudioFormat(sampleRate: 48_000, channelMask: AudioFormat.stereo)

    /// Returns the output of `stretcher` for frames that are all 0.5.
    private func output(of stretcher: TimeStretcher, frames: Int, chunk: Int = 700) -> [Float] {
        let input = [Float](repeating: 0.5, count: chunk * format.channelCount)
        var out: [Float] = []
        func take(_ samples: UnsafePointer<Float>, _ frames: Int) {
            out += UnsafeBufferPointer(start: samples, count: frames * format.channelCount)
        }
        var left = frames
        while left > 0 {
            let count = min(left, chunk)
            input.withUnsafeBufferPointer { stretcher.process($0.baseAddress, frames: count, deliver: take) }
            left -= count
        }
        stretcher.process(nil, frames: 0, deliver: take)
        return out
    }

    /// Incomplete installations of libavfilter: no library, no filters, no commands.
    enum Lack: CaseIterable {
        case library, filters, commands

        var library: zt_avfilter? {
            guard self != .library, var library = AVFilterLibrary.shared else { return nil }
            if self == .filters { library.get_by_name = { _ in nil } }
            if self == .commands { library.graph_send_command = { _, _, _, _, _, _, _ in -1 } }
            return library
        }
    }

    @Test("without filters, silence lasts as long as stretched audio", arguments: Lack.allCases, [0.25, 0.5, 1.5, 4])
    func silence(lack: Lack, speed: Double) {
        let stretcher = TimeStretcher(format: format, library: lack.library)
        // A second attempt fails too.
        #expect(!stretcher.setSpeed(speed) && !stretcher.setSpeed(speed))
        let silence = output(of: stretcher, frames: 12_000)
        #expect(abs(silence.count / 2 - Int(12_000 / speed)) <= 1 && silence.allSatisfy { $0 == 0 })
        // Normal speed needs no filters.
        #expect(stretcher.setSpeed(1))
        #expect(output(of: stretcher, frames: 1000) == [Float](repeating: 0.5, count: 2000))
    }

    @Test("libavfilter is loaded at the first change of speed")
    func loading() {
        var loads = 0
        func load() -> zt_avfilter? {
            loads += 1
            return nil
        }
        let stretcher = TimeStretcher(format: format, library: load())
        #expect(stretcher.setSpeed(1) && output(of: stretcher, frames: 1000).count == 2000)
        stretcher.reset()
        #expect(loads == 0)
        #expect(!stretcher.setSpeed(2) && loads == 1)
    }

    @Test("speeds out of range are silent and keep the length", arguments: [0.125, 8])
    func outOfRange(speed: Double) {
        let stretcher = TimeStretcher(format: format)
        #expect(!stretcher.setSpeed(speed))
        let silence = output(of: stretcher, frames: 12_000)
        #expect(abs(silence.count / 2 - Int(12_000 / speed)) <= 1 && silence.allSatisfy { $0 == 0 })
        stretcher.reset()
        #expect(output(of: stretcher, frames: 1000) == [Float](repeating: 0.5, count: 2000))
    }

    @Test("supported speeds stretch the audio", arguments: [0.5, 2])
    func stretched(speed: Double) throws {
        try #require(AVFilterLibrary.shared != nil)
        let stretcher = TimeStretcher(format: format)
        #expect(stretcher.setSpeed(speed))
        let audio = output(of: stretcher, frames: 48_000)
        // The filters drop a few milliseconds at the end.
        #expect(abs(Double(audio.count / 2) - 48_000 / speed) < 48_000 * 0.1)
        #expect(audio.contains { $0 > 0.4 })
    }
}
