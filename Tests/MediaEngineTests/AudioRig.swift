import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import MediaEngine

/// An output fed with a sine that is a function of the ring position alone: sample n is the same
/// whenever it is sent, so that what comes out of the device can be checked against it.
final class Tone: @unchecked Sendable {
    // `thread` belongs to the test; what both threads touch is atomic.
    /// Where no server is.
    static let nowhere = "unix:/nonexistent/zoetrope"
    let output: AudioOutput
    let events = Events()
    private let frequency: Double
    private let amplitude: Double
    private let isStopped = Atomic<Bool>(false)
    private let limit = Atomic<Int64>(.max)
    private var thread: WorkerThread?

    /// What the output said, in order.
    final class Events: Sendable {
        private let all = Mutex<[AudioOutputEvent]>([])
        func add(_ event: AudioOutputEvent) { all.withLock { $0.append(event) } }
        var list: [AudioOutputEvent] { all.withLock { $0 } }
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

    /// One that has played half a second over `server`, which has a sink.
    static func playing(over server: PrivateSoundServer, _ location: SourceLocation = #_sourceLocation) async -> Tone {
        let tone = Tone(server: server.address)
        tone.feed()
        tone.output.start()
        #expect(await eventually { tone.output.isConnected && tone.position > 24_000 }, sourceLocation: location)
        return tone
    }

    /// How often the clock began to stand in for the device.
    var silenceSwitches: Int { output.shared.silenceSwitches.load(ordering: .relaxed) }
    var position: Double {
        let position = output.playedFrames(atHostTime: .now())
        Sightings.note { [output] in
            "position \(position) of \(output.writtenFrames), connected \(output.isConnected), \(output.underrunCount) underruns"
        }
        return position
    }

    /// Writes from here on, up to frame `end` of the ring, then declares the sound complete.
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

/// The largest difference between neighbours: a click is one that the sound itself does not have.
func largestStep(_ samples: some Collection<Float>) -> Double {
    var last: Float?
    var largest: Float = 0
    for sample in samples {
        if let last { largest = max(largest, abs(sample - last)) }
        last = sample
    }
    return Double(largest)
}
