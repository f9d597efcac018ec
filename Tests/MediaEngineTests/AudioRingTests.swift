import Foundation
import MediaCore
import Synchronization
import Testing

@testable import MediaEngine

@Suite("PCM ring buffer")
struct AudioRingTests {
    /// Returns the frames in `range`. The first channel contains the frame's number, the second the negated number.
    private func frames(_ range: Range<Int>) -> [Float] { range.flatMap { [Float($0), -Float($0)] } }

    private func read(_ ring: PCMRing, _ count: Int) -> [Float] {
        var out = [Float](repeating: .nan, count: count * ring.channels)
        let got = out.withUnsafeMutableBufferPointer { p in
            p.baseAddress.map { ring.read(into: $0, frames: count) } ?? 0
        }
        return Array(out.prefix(got * ring.channels))
    }

    @Test("frames are read in the order written, also across the wrap")
    func order() {
        let ring = PCMRing(channels: 2, capacity: 100, history: 7)
        var next = 0
        var seen = 0
        for size in [60, 60, 13, 100, 1, 99, 37] {
            next += ring.write(frames(next..<(next + size)), frames: size)
            #expect(ring.availableFrames <= 100)
            #expect(ring.availableFrames + ring.freeFrames == 100)
            let out = read(ring, size / 2 + 7)
            #expect(out == frames(seen..<(seen + out.count / 2)))
            seen += out.count / 2
            #expect(ring.readFrames == seen)
            #expect(ring.writtenFrames == next)
        }
        #expect(read(ring, 1000) == frames(seen..<next))
        #expect(read(ring, 1) == [])
    }

    @Test("a full ring refuses frames and keeps the unread ones")
    func full() {
        let ring = PCMRing(channels: 2, capacity: 10)
        #expect(ring.write(frames(0..<25), frames: 25) == 10)
        #expect(ring.write(frames(100..<101), frames: 1) == 0)
        #expect(read(ring, 25) == frames(0..<10))
    }

    @Test("a reader can move back only as far as the history")
    func history() {
        let ring = PCMRing(channels: 2, capacity: 50, history: 20)
        var next = 0
        for _ in 0..<9 {  // well past the first wrap
            next += ring.write(frames(next..<(next + 30)), frames: 30)
            _ = read(ring, 30)
        }
        // The producer fills all free space before the consumer moves back.
        next += ring.write(frames(next..<(next + 80)), frames: 80)
        #expect(next == 9 * 30 + 50)
        #expect(ring.move(to: 255) == 255)
        #expect(ring.freeFrames == 0)
        #expect(read(ring, 1000) == frames(255..<next))
        #expect(ring.move(to: 0) == next - 20)
        #expect(ring.move(to: 1_000_000) == next)
        // A second move back does not reach further: overwritten frames cannot be read again.
        #expect(ring.move(to: next - 20) == next - 20)
        #expect(ring.move(to: next - 40) == next - 20)
    }

    @Test("copying does not consume frames")
    func copy() {
        let ring = PCMRing(channels: 2, capacity: 50, history: 20)
        _ = ring.write(frames(0..<40), frames: 40)
        _ = read(ring, 30)
        var out = [Float](repeating: 0, count: 60)
        out.withUnsafeMutableBufferPointer { p in
            guard let base = p.baseAddress else { return }
            #expect(ring.copy(from: 25, into: base, frames: 30) == 15)
            #expect(ring.copy(from: 40, into: base, frames: 1) == 0)
            #expect(ring.copy(from: 9, into: base, frames: 1) == 0)
        }
        #expect(Array(out.prefix(30)) == frames(25..<40))
        #expect(ring.readFrames == 30)
    }

    @Test("a concurrent producer and consumer keep every frame in order")
    func stress() {
        let total = 2_000_000
        let ring = PCMRing(channels: 2, capacity: 997, history: 100)
        let wrong = Atomic<Int>(0)
        let producer = WorkerThread(name: "test-producer") {
            var next = 0
            var size = 1
            var chunk = [Float](repeating: 0, count: 1400)
            while next < total {
                size = size * 7 % 691 + 1
                let count = min(size, total - next)
                for i in 0..<count {
                    chunk[2 * i] = Float((next + i) % 65_536)
                    chunk[2 * i + 1] = -chunk[2 * i]
                }
                var done = 0
                while done < count {
                    done += chunk.withUnsafeBufferPointer { p in
                        p.baseAddress.map { ring.write($0 + 2 * done, frames: count - done) } ?? 0
                    }
                    if done < count { ring.waitForSpace(count - done) }
                }
                next += count
            }
        }
        var seen = 0
        var size = 3
        var out = [Float](repeating: 0, count: 1600)
        while seen < total {
            size = size * 11 % 787 + 1
            let got = out.withUnsafeMutableBufferPointer { p in
                p.baseAddress.map { ring.read(into: $0, frames: size) } ?? 0
            }
            for i in 0..<got where out[2 * i] != Float((seen + i) % 65_536) || out[2 * i + 1] != -out[2 * i] {
                wrong.add(1, ordering: .relaxed)
            }
            seen += got
            // Sometimes read the last frames again, as after a pause.
            if got > 50, seen % 5 == 0 { seen = ring.move(to: seen - 40) }
        }
        producer.join()
        let mistakes = wrong.load(ordering: .relaxed)
        #expect(mistakes == 0)
        #expect(ring.writtenFrames == total)
        #expect(ring.readFrames == total)
    }

    @Test("waking the producer ends its wait, even before the wait begins")
    func wake() {
        let ring = PCMRing(channels: 1, capacity: 4)
        _ = ring.write([1, 2, 3, 4], frames: 4)
        ring.wakeProducer()
        ring.waitForSpace(1)  // hangs if the wake was lost
        let ended = Atomic<Bool>(false)
        let waiter = WorkerThread(name: "test-waiter") {
            ring.waitForSpace(1)
            ended.store(true, ordering: .releasing)
        }
        let early = ended.load(ordering: .acquiring)
        #expect(!early)
        ring.wakeProducer()
        waiter.join()
        let late = ended.load(ordering: .acquiring)
        #expect(late)
        #expect(ring.freeFrames == 0)
    }
}
