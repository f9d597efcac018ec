import Foundation
import Testing

@testable import MediaEngine
@testable import Streaming

@Suite("Start of a stream segment")
struct SegmentHeadTests {
    private func segment(_ buffer: SegmentBuffer) -> StreamSegment {
        StreamSegment(
            run: .init(source: "s", discontinuity: 0, map: ""), variant: 0, mediaSequence: 0, start: 0, duration: 1,
            discontinuity: 0,
            initialization: nil, buffer: buffer, name: "s", sampleKey: nil)
    }

    /// Runs `body` with a segment whose bytes arrive at the moment when waiting for them is cancelled.
    private func race(_ bytes: [UInt8], _ body: (StreamSegment) -> Void) {
        for _ in 0..<3000 {
            let gate = StreamGate()
            gate.setInterrupt({ false }, preemption: { true })
            let buffer = SegmentBuffer(gate: gate)
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                bytes.withUnsafeBytes { buffer.append($0) }
                buffer.end(.complete)
                done.signal()
            }
            body(segment(buffer))
            done.wait()
        }
    }

    @Test("a fragment that arrives during cancellation is still media")
    func givenUp() {
        let fragment: [UInt8] = [0, 0, 0, 24] + Array("styp".utf8) + [UInt8](repeating: 0, count: 600)
        race(fragment) { #expect(SegmentHead.isMedia($0)) }
    }

    @Test("packed audio that arrives during cancellation is never misidentified")
    func packed() {
        let tagged: [UInt8] = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 600)
        race(tagged) { segment in
            if let tag = PackedAudio.tag(of: segment) { #expect(tag.isPacked) }
        }
    }
}
