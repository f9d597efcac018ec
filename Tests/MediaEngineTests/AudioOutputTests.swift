import EngineTestSupport
import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Audio output on a real server", .serialized)
struct AudioOutputTests {
    /// The largest step between two samples of an undisturbed 440 Hz sine with amplitude 0.5.
    private static let slope = 0.5 * 2 * Double.pi * 440 / 48_000

    /// Runs `body` on a new server with a recorder, up to ten times. An attempt with an underrun proves nothing, and
    /// neither does one in which a due thread was delayed by more than 8 ms: its fades may be cut.
    /// - Returns: the samples of the attempt with the shortest delay, their largest step, and the result of `body`. If
    ///   every attempt was delayed, `step` is the smallest of all attempts, because a delayed fade is cut in some
    ///   attempts only.
    /// - Throws: `CancellationError` if every attempt had an underrun, or was skipped by the server.
    private func recorded<Told>(
        on kind: SoundServer, _ body: (PrivateSoundServer.Recording, Tone) async throws -> Told
    ) async throws -> (
        samples: [Float], step: Double, told: Told
    ) {
        var best: (samples: [Float], delay: Double, told: Told)?
        var step = Double.infinity
        for _ in 1...10 where best.map({ $0.delay > 0.008 }) ?? true {
            let server = try await PrivateSoundServer.launch(kind)
            defer { server.stop() }
            let recording = try await server.record()
            let tone = Tone(server: server.address)
            defer { tone.close() }
            // The server discards audio that is played before the stream is connected.
            #expect(await eventually { tone.output.isConnected })
            let watch = DelayWatch()
            let told = try await body(recording, tone)
            let underruns = tone.output.underrunCount
            let delay = watch.stop()
            let samples = try await recording.finish()
            guard underruns == 0, !server.hasSkippedClient else { continue }
            step = delay > 0.008 ? min(step, largestStep(samples)) : largestStep(samples)
            if delay < best?.delay ?? .infinity { best = (samples, delay, told) }
        }
        guard let best else { throw CancellationError() }
        return (best.samples, step, best.told)
    }

    /// Waits until the recording has more than `count` samples of audible audio and ends with a quarter of a second of
    /// silence. The recording may lag behind playback.
    private func heard(_ count: Double, by recording: PrivateSoundServer.Recording) async throws {
        var samples: [Float] = []
        func loud() -> Int { samples.count { abs($0) > 0.01 } }
        try await eventually("\(count) samples of sound, then silence", seen: { "\(loud()) of \(samples.count)" }) {
            samples = try recording.samples()
            return samples.suffix(12_000).allSatisfy { $0 == 0 } && Double(loud()) > count
        }
    }

    @Test("the device plays every sample, and the position ends at the end", arguments: SoundServer.allCases)
    func continuous(on kind: SoundServer) async throws {
        let samples = try await recorded(on: kind) { recording, tone in
            tone.feed(to: 144_000)
            tone.output.start()
            #expect(await eventually { tone.position >= 144_000 })
            #expect(tone.position == 144_000)
            // The device still holds audio of its latency.
            try await heard(0.97 * 144_000, by: recording)
        }.samples
        let proof = await SineProof.of(samples, frequency: 440)
        #expect(proof.seconds > 2.85 && proof.seconds < 3.0)
        #expect(proof.worstBreak < 0.05 * proof.oneSample)
        #expect(abs(proof.measuredFrequency - 440) < 0.01)
        #expect(abs(proof.peak - 0.5) < 0.001)
    }

    @Test("volume and mute change without clicks", arguments: SoundServer.allCases)
    func volume(on kind: SoundServer) async throws {
        let (samples, step, _) = try await recorded(on: kind) { _, tone in
            tone.feed()
            tone.output.start()
            let changes: [() -> Void] = [
                { tone.output.setVolume(0.2) }, { tone.output.setMuted(true) }, { tone.output.setMuted(false) },
                { tone.output.setVolume(1) }, { tone.output.setMuted(true) },
            ]
            // Each change starts from the current position, so that even a late change leaves its level audible for
            // more than two of the windows below.
            var goal = 17_011.0
            for change in changes {
                #expect(await eventually { tone.position > goal })
                change()
                goal = tone.position + 17_011
            }
            #expect(await eventually { tone.position > goal + 12_000 })
        }
        #expect(step < AudioOutputTests.slope + 0.5 / 720 + 0.0005)
        // Peaks of 100 ms windows: full volume, a fifth, silence, a fifth, full volume, silence.
        let peaks = stride(from: 0, to: samples.count - 4800, by: 4800).map {
            samples[$0..<($0 + 4800)].map(abs).max() ?? 0
        }
        var steps: [Int] = []
        for peak in peaks {
            let level = abs(peak - 0.5) < 0.001 ? 2 : abs(peak - 0.1) < 0.001 ? 1 : peak == 0 ? 0 : -1
            if level >= 0, level != steps.last { steps.append(level) }
        }
        #expect(steps.suffix(6) == [2, 1, 0, 1, 2, 0])
    }

    @Test("pause freezes the position and start resumes it without clicks", arguments: SoundServer.allCases)
    func pauses(on kind: SoundServer) async throws {
        let (samples, step, long) = try await recorded(on: kind) { _, tone in
            tone.feed()
            tone.output.start()
            var long = 0
            for round in 1...6 {
                let goal = tone.position + 9600 + Double(round) * 37
                #expect(await eventually { tone.position > goal })
                tone.output.pause()
                let frozen = tone.position
                let since = HostClock.now()
                // Every third pause is so short that it ends during its fade-out.
                if round % 3 != 0 {
                    let until = HostClock.now() + 300_000_000
                    while HostClock.now() < until {
                        #expect(tone.position == frozen)
                        await letTimePass(0.005, because: "the pause is to be heard as silence")
                    }
                }
                let begin = HostClock.now()
                if begin - since > 50_000_000 { long += 1 }
                tone.output.start()
                // If this thread was delayed, the position may have advanced by the time that has passed since the
                // start.
                let resumed = tone.position
                let passed = Double(HostClock.now() - begin) / 1e9
                #expect(resumed >= frozen && resumed < frozen + 4800 + passed * 48_000)
            }
            #expect(await eventually { tone.position > 6 * 9600 + 24_000 })
            // The difference is the audio that the server and its device still hold.
            #expect(tone.output.ring.readFrames - Int(tone.position) < Int(48_000 * (AudioOutput.serverLatency + 0.1)))
            return long
        }
        // A fade over 480 frames adds this much to the sine's largest step. A cut at a peak would be a step of 0.5.
        #expect(step < AudioOutputTests.slope + 0.5 / 480 + 0.0005)
        #expect(samples.map(abs).max() ?? 0 > 0.49)
        // Four pauses are long enough to be audible as silence. On a delayed machine the other two may be, too.
        var silences = 0
        var run = 0
        for sample in samples.drop(while: { $0 == 0 }) {
            run = sample == 0 ? run + 1 : 0
            if run == 4800 { silences += 1 }
        }
        #expect((4...max(4, long)).contains(silences), "\(silences) of \(long)")
    }

    @Test("a flush drops unheard audio from the ring and the server", arguments: SoundServer.allCases)
    func flush(on kind: SoundServer) async throws {
        let (samples, step, before) = try await recorded(on: kind) { recording, tone in
            tone.feed(to: 24_000)
            #expect(await eventually { tone.output.writtenFrames == 24_000 })
            tone.output.start()
            #expect(await eventually { tone.position > 4800 })
            tone.output.pause()
            let before = tone.position
            tone.output.flush()
            #expect(tone.position == 24_000)
            #expect(tone.output.ring.availableFrames == 0)
            tone.output.setDraining(true)
            tone.output.start()
            await letTimePass(0.3, because: "the audio clock must stand in real time")
            #expect(tone.position == 24_000)
            // Playback continues after the flush.
            tone.feed(to: 48_000)
            #expect(await eventually { tone.position >= 48_000 })
            try await heard(0.97 * (24_000 + before) - 1000, by: recording)
            return before
        }
        let loud = Double(samples.count { abs($0) > 0.01 })
        // Audible: the audio before the flush (more if the pause was late), the fade-out of the pause, and the half
        // second after the flush.
        #expect(loud > 0.97 * (24_000 + before) - 1000 && loud < 24_000 + before + 12_000)
        #expect(step < AudioOutputTests.slope + 0.5 / 480 + 0.0005)
    }

    @Test("audio that follows a drained end loses nothing", arguments: SoundServer.allCases)
    func afterDrain(on kind: SoundServer) async throws {
        let (samples, step, _) = try await recorded(on: kind) { recording, tone in
            tone.output.start()
            for part in 1...3 {
                tone.feed(to: Int64(part * 24_000))
                #expect(await eventually { tone.position == Double(part * 24_000) })
                // All of it has been played, and the server has reported this.
                try await heard(0.97 * Double(part) * 24_000 - 1000, by: recording)
            }
        }
        #expect(Double(samples.count { abs($0) > 0.01 }) > 0.97 * 72_000 - 1000)
        #expect(step < AudioOutputTests.slope + 0.5 / 480 + 0.0005)
    }

    @Test("the audio clock advances evenly with the host clock", arguments: SoundServer.allCases, ["test", "plain"])
    func evenClock(on kind: SoundServer, sink: String) async throws {
        let server = try await PrivateSoundServer.launch(kind)
        defer { server.stop() }
        if sink == "plain" {
            _ = try server.pactl(["load-module", "module-null-sink", "sink_name=plain", "rate=44100"])
            _ = try server.pactl(["set-default-sink", "plain"])
        }
        var failures: [String] = []
        var punctual = 0
        // At most ten attempts, until four ran without a delay.
        for _ in 1...10 where punctual < 4 {
            let watch = DelayWatch()
            let tone = Tone(server: server.address)
            defer { tone.close() }
            tone.feed()
            tone.output.start()
            // After a device has rendered ahead, the clock runs without it until the device advances.
            #expect(await eventually { tone.output.isAudible && tone.output.position.isSettled })
            let heard = tone.position
            #expect(await eventually { tone.position > heard + 72_000 })
            var hosts: [Double] = []
            var frames: [Double] = []
            while hosts.count < 600 {
                let host = HostClock.now()
                let position = tone.output.playedFrames(atHostTime: HostTime(nanoseconds: host)) / 48_000
                // Skip a sample if the thread was delayed between the two calls: the position of a time so long ago is
                // no longer known.
                if HostClock.now() - host < 1_000_000 {
                    hosts.append(Double(host) / 1e9)
                    frames.append(position)
                }
                await letTimePass(0.005, because: "the audio clock is compared with the host clock over three seconds")
            }
            // A machine that is too busy to feed the device proves nothing about its clock.
            let delay = watch.stop()
            if tone.output.underrunCount > 0 { continue }
            if delay < 0.008 { punctual += 1 }
            failures = []
            for n in 1..<hosts.count where frames[n] < frames[n - 1] {
                failures.append("back by \(frames[n - 1] - frames[n])")
            }
            let offsets = zip(frames, hosts).map { $0 - $1 }
            let middle = offsets.sorted()[offsets.count / 2]
            let worst = offsets.map { abs($0 - middle) }.max() ?? 1
            if worst > max(0.008, delay) { failures.append("off its own line by \(worst) s") }
            if failures.isEmpty { break }
        }
        #expect(failures == [])
    }

    @Test("only audio threads get a higher priority, where the system allows it")
    func urgency() async throws {
        let server = try await PrivateSoundServer.launch()
        defer { server.stop() }
        let which = __priority_which_t(PRIO_PROCESS.rawValue)
        let own = getpriority(which, id_t(getpid()))
        let tone = await Tone.playing(over: server)
        defer { tone.close() }
        /// Returns the scheduling policy and the niceness of each thread of that name.
        func standing(_ name: String) -> [(policy: Int32, nice: Int32)] {
            ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []).filter {
                (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)) == name + "\n"
            }.compactMap { id_t($0) }.map { (sched_getscheduler(pid_t($0)) & 0xff, getpriority(which, $0)) }
        }
        // A separate thread finds out which priorities this user may set.
        let may = await withCheckedContinuation { done in
            Thread {
                let nice = setpriority(which, 0, ThreadUrgency.nice) == 0
                var parameters = sched_param()
                parameters.sched_priority = ThreadUrgency.realTimePriority
                done.resume(returning: (nice: nice, realTime: sched_setscheduler(0, SCHED_RR, &parameters) == 0))
            }.start()
        }
        let raised = may.nice ? min(own, ThreadUrgency.nice) : own
        #expect(standing("zt-pulse").contains { may.realTime ? $0.policy == SCHED_RR : $0.nice == raised })
        let worker = Mutex<(Int32, Int32)>((-1, 0))
        WorkerThread(name: "zt-urgent", isUrgent: true) {
            worker.withLock { $0 = (sched_getscheduler(0), getpriority(which, 0)) }
        }.join()
        #expect(worker.withLock { $0 } == (SCHED_OTHER, raised))
        #expect(sched_getscheduler(getpid()) == SCHED_OTHER && getpriority(which, id_t(getpid())) == own)
    }

    @Test("the mixer shows the role, title, application, icon and channels", arguments: SoundServer.allCases)
    func properties(on kind: SoundServer) async throws {
        let server = try await PrivateSoundServer.launch(kind, channels: 6)
        defer { server.stop() }
        let tone = Tone(server: server.address, mask: 0x3f, title: "A loop called “Ö”")
        defer { tone.close() }
        tone.feed()
        tone.output.start()
        #expect(await eventually { tone.output.isConnected })
        let list = try server.pactl(["list", "sink-inputs"])
        for expected in [
            "media.role = \"video\"", "media.name = \"A loop called “Ö”\"",
            "application.name = \"\(AudioIdentity.name)\"",
            "application.icon_name = \"\(AudioIdentity.iconName)\"", "application.id = \"\(AudioIdentity.identifier)\"",
            "float32le 6ch 48000Hz",
        ] {
            #expect(list.contains(expected), "no \(expected)")
        }
        // PipeWire's own tools read these properties.
        if kind == .pipeWire {
            let properties = try server.objects().compactMap {
                ($0["info"] as? [String: Any])?["props"] as? [String: Any]
            }
            let stream = try #require(properties.first { $0["media.class"] as? String == "Stream/Output/Audio" })
            for (key, value) in [
                "media.role": "Movie", "media.name": "A loop called “Ö”", "media.icon-name": AudioIdentity.iconName,
                "application.name": AudioIdentity.name, "application.id": AudioIdentity.identifier,
                "application.icon-name": AudioIdentity.iconName,
            ] {
                #expect(stream[key] as? String == value, "\(key)")
            }
        }
        for title in ["Another loop", ""] {
            tone.output.setTitle(title)
            let shown = "media.name = \"\(title.isEmpty ? AudioIdentity.name : title)\""
            #expect(try await eventually { try server.pactl(["list", "sink-inputs"]).contains(shown) }, "\(shown)")
        }
    }

    @Test("5.1 audio stays 5.1 where the device can play it, else stereo", arguments: SoundServer.allCases)
    func formats(on kind: SoundServer) async throws {
        for (channels, expected) in [(2, AudioFormat.stereo), (6, UInt64(0x3f))] {
            let server = try await PrivateSoundServer.launch(kind, channels: channels)
            defer { server.stop() }
            let device = AudioDevice(server: server.address)
            // A device that does not answer soon is treated as stereo. A later query gets its real format.
            #expect(
                await eventually {
                    device.preferredFormat(channelMask: 0x3f, sampleRate: 44_100)
                        == AudioFormat(sampleRate: 44_100, channelMask: expected)
                })
            #expect(device.preferredFormat(channelMask: 0x3, sampleRate: 48_000).channelMask == 0x3)
        }
        let none = AudioDevice(server: Tone.nowhere)
        #expect(
            none.preferredFormat(channelMask: 0x3f, sampleRate: 48_000)
                == AudioFormat(sampleRate: 48_000, channelMask: AudioFormat.stereo))
    }

    @Test("sixteen outputs share one connection", arguments: SoundServer.allCases)
    func sixteen(on kind: SoundServer) async throws {
        let server = try await PrivateSoundServer.launch(kind)
        defer { server.stop() }
        let tones = (0..<16).map { Tone(server: server.address, frequency: 200 + 50 * Double($0), amplitude: 0.05) }
        defer { for tone in tones { tone.close() } }
        for tone in tones { tone.feed() }
        for tone in tones { tone.output.start() }
        #expect(await eventually { tones.allSatisfy { $0.position > 48_000 } })
        // If a stream connects late, its position advances without it.
        #expect(
            try await eventually {
                try server.pactl(["list", "short", "sink-inputs"]).split(separator: "\n").count == 16
            })
        // The recorder's pactl is a client of its own and is not counted, because its process ID differs.
        let clients = try server.pactl(["list", "clients"])
        #expect(clients.components(separatedBy: "application.process.id = \"\(getpid())\"").count - 1 == 1)
        for tone in tones { tone.close() }
        #expect(try await eventually { try server.pactl(["list", "short", "sink-inputs"]).isEmpty })
    }
}
