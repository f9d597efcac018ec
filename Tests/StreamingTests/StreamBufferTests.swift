import Testing

@testable import Streaming

@Suite("Buffered ranges of a stream")
struct StreamBufferTests {
    private func seconds(_ from: Double, _ to: Double) -> Range<Int64> {
        Int64((from * 1000).rounded()) * 1_000_000..<Int64((to * 1000).rounded()) * 1_000_000
    }

    @Test("buffered time continues over a joint, but not over missing segments")
    func joints() {
        var buffer = StreamBuffer()
        // Audio segments last 2.048 s and video segments 2 s. At the joint the encoder restarted both where the audio
        // had ended.
        buffer.main = StreamBuffer.union([seconds(0, 10), seconds(10.24, 16.24)])
        buffer.audio = StreamBuffer.union([seconds(0, 10.24), seconds(10.24, 16.384)])
        #expect(buffer.ahead(of: 9_800_000_000) == 6_440_000_000)
        buffer.main = StreamBuffer.union([seconds(0, 10), seconds(11, 16)])
        #expect(buffer.ahead(of: 9_800_000_000) == 200_000_000)
    }
}
