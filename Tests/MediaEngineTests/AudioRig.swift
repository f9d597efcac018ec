import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import MediaEngine

/// An audio output that is fed with a sine. Sample n depends only on its position in the ring, so it is the same
/// whenever it is sent. A recording of the device can therefore be checked against it.
final class Tone: @unchecked Sendable {
    // Only the test uses `thread`. Variables that both threads use are atomic.
    /// The address of a server that does not exist.
    static let nowhere = "unix:/nonexistent/zoetrope"
    let output: AudioOutput
    let events = Events()
    private let frequency: Double
    private let amplitude: Double
    private let isStopped = Atomic<Bool>(false)
    private let limit = Atomic<Int64>(.max)
    private var thread: WorkerThread?

    /// The events that the output reported, in order.
    final class Events: Sendable {
        private let all = Mutex<[AudioOutputEvent]>([])
        func add(_ event: AudioOutputEvent) { all.withLock { $0.append(event) } }
        var list: [AudioOutputEvent] {
            let list = all.withLock { $0 }
            Sightings.note { "events \(list)" }
            return list
        }
    }

    init(
        server: String, frequency: Double = 440, amplitude: Double = 0.5, mask: UInt64 = AudioFormat.stereo,
        title: String = "tone", ringSeconds: Double = 0.5, watch: DeviceWatch = DeviceWatch()
    ) {
        self.frequency = frequency
        self.amplitude = amplitude
        let events = events
        output = AudioOutput(
            device: AudioDevice(server: server), format: AudioFormat(sampleRate: 48_000, channelMask: mask),
            title: title, ringSeconds: ringSeconds, watch: watch
        ) { events.add($0) }
    }

    /// Returns a tone that has played half a second on `server`, which must have a sink.
    static func playing(
        over server: PrivateSoundServer, watch: DeviceWatch = DeviceWatch(),
        _ location: SourceLocation = #_sourceLocation
    ) async -> Tone {
        let tone = Tone(server: server.address, watch: watch)
        tone.feed()
        tone.output.start()
        #expect(await eventually { tone.output.isConnected && tone.position > 24_000 }, sourceLocation: location)
        return tone
    }

    /// The number of times that the host clock replaced the device's clock.
    var silenceSwitches: Int { output.shared.silenceSwitches.load(ordering: .relaxed) }
    var position: Double {
        let position = output.playedFrames(atHostTime: .now())
        Sightings.note { [output] in
            "position \(position) of \(output.writtenFrames), connected \(output.isConnected), \(output.underrunCount) underruns"
        }
        return position
    }

    /// Writes from the current position up to frame `end` of the ring, then declares the audio complete.
    func feed(to end: Int64 = .max) {
        stopFeeding()
        limit.store(end, ordering: .releasing)
        isStopped.store(false, ordering: .releasing)
        output.setDraining(false)
        thread = WorkerThread(name: "test-tone", isUrgent: true) { [self] in
            let channels = output.format.channelCount
            var chunk = [Float](repeating: 0, count: 480 * channels)
            while !isStopped.load(ordering: .acquiring) {
                let at = output.writtenFrames
                let count = Int(min(480, limit.load(ordering: .acquiring) - at))
                if count <= 0 {
                    output.setDraining(true)
                    return
                }
                for n in 0..<count {
                    let value = Float(amplitude * sin(2 * Double.pi * frequency / 48_000 * Double(at + Int64(n))))
                    for channel in 0..<channels { chunk[n * channels + channel] = value }
                }
                let done = chunk.withUnsafeBufferPointer { p in
                    p.baseAddress.map { output.write($0, frames: count) } ?? 0
                }
                if done < count { output.waitForSpace(frames: count - done) }
            }
        }
    }

    func stopFeeding() {
        isStopped.store(true, ordering: .releasing)
        output.wakeProducer()
        thread?.join()
        thread = nil
    }

    func close() {
        stopFeeding()
        output.close()
    }
}

/// Returns the largest difference between adjacent samples. A click is a difference that is larger than those of the
/// audio itself.
func largestStep(_ samples: some Collection<Float>) -> Double {
    var last: Float?
    var largest: Float = 0
    for sample in samples {
        if let last { largest = max(largest, abs(sample - last)) }
        last = sample
    }
    return Double(largest)
}
