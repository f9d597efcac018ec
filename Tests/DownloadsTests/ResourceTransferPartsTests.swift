import Foundation
import MediaCore
import Streaming
import Testing

@testable import Downloads

@Suite("Parts of a resource transfer")
struct ResourceTransferPartsTests {
    @Test("bytes are delivered in pieces, up to the expected length")
    func pieces() {
        var bytes = ResourceBytes()
        bytes.expect(5)
        let areNew = [Data([1, 2, 3]), Data(), Data([4, 5, 6]), Data([7])].map { bytes.receive($0) }
        #expect(areNew == [true, false, true, false])
        #expect(bytes.isComplete && bytes.isWaiting)
        let steps = (0..<4).map { _ in bytes.next(atMost: 2) }
        #expect(steps == [.deliver(Data([1, 2])), .deliver(Data([3])), .deliver(Data([4, 5])), .complete])
        #expect(bytes.delivered == 5 && !bytes.isWaiting)
    }

    @Test("bytes are ignored until the content is requested")
    func early() {
        var bytes = ResourceBytes()
        let isNew = bytes.receive(Data([1]))
        #expect(!isNew && !bytes.isWaiting && !bytes.isComplete)
    }

    @Test("only a resource of known length can be truncated")
    func finished() {
        func steps(expecting length: Int64?) -> [ResourceBytes.Step] {
            var bytes = ResourceBytes()
            bytes.expect(length)
            _ = bytes.receive(Data([1]))
            _ = bytes.next(atMost: 9)
            let unfinished = bytes.next(atMost: 9)
            bytes.finish()
            return [unfinished, bytes.next(atMost: 9)]
        }
        #expect(steps(expecting: 3) == [.wait, .truncated(missing: 2)])
        #expect(steps(expecting: nil) == [.wait, .complete])
        #expect(steps(expecting: 1) == [.complete, .complete])
    }

    @Test("silence counts from the last activity, other times from the start")
    func times() {
        var times = ResourceTransferTimes()
        times.begin(at: HostTime(seconds: 1))
        times.didAnswer(at: HostTime(seconds: 2))
        times.didAct(at: HostTime(seconds: 3))
        let limit: Int64 = 4_000_000_000
        #expect(times.end(ofSilence: limit) == HostTime(seconds: 7))
        #expect(!times.isSilent(for: limit, at: HostTime(seconds: 6.5)))
        #expect(times.isSilent(for: limit, at: HostTime(seconds: 7)))
        #expect(times.elapsed(at: HostTime(seconds: 8)) == 7_000_000_000)
        let metrics = times.metrics(at: HostTime(seconds: 8), bytes: 9)
        #expect(metrics.started == HostTime(seconds: 1) && metrics.firstByte == HostTime(seconds: 2))
        #expect(metrics.ended == HostTime(seconds: 8) && metrics.bytes == 9)
    }
}
