import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Audio output when the server, the device or the producer fails", .serialized)
struct AudioFailureTests {
    @Test("without a server, audio is consumed in real time")
    func noServer() async throws {
        let tone = Tone(server: Tone.nowhere, ringSeconds: 2.5)
        defer { tone.close() }
        // All audio is written first, so that a delayed producer causes no underrun.
        tone.feed(to: 96_000)
        #expect(await eventually { tone.output.writtenFrames == 96_000 })
        tone.output.setDraining(true)
        #expect(tone.position == 0)
        let begin = HostClock.now()
        tone.output.start()
        #expect(await eventually { tone.position > 4800 })
        #expect(!tone.output.isConnected)
        // The position must not be ahead of the host clock. How far it may be behind depends on the load of the
        // machine.
        let position = tone.position
        #expect(position <= Double(HostClock.now() - begin) / 1e9 * 48_000 + 1)
        tone.output.pause()
        let frozen = tone.position
        await letTimePass(0.1, because: "the audio clock must stand in real time")
        #expect(tone.position == frozen)
        tone.output.start()
        #expect(await eventually { tone.position == 96_000 })
        #expect(tone.output.underrunCount == 0)
        tone.output.flush()
        #expect(tone.position == 96_000)
    }

    /// libpulse reports events with its lock held. Play and pause take that lock while they hold the pipeline's lock.
    @Test("an audio event does not wait for the pipeline's lock")
    @MainActor
    func eventUnderLock() async throws {
        let rig = try Rig("loop-flac.mkv")
        try await rig.ready()
        let pipeline = rig.player.pipeline
        rig.player.play()
        try #require(await rig.wait { pipeline.state.withLock { $0.output != nil } })
        let isDone = Boxed(false)
        WorkerThread.detached(name: "test") {
            pipeline.state.withLock { $0.output?.onEvent(.deviceChanged) }
            isDone.change { $0 = true }
        }
        try #require(await rig.wait { isDone.value })
        rig.player.close()
    }

    @Test(
        "the position stays steady when the server dies; audio resumes after restart", arguments: SoundServer.allCases)
    func death(on kind: SoundServer) async throws {
        let server = try await PrivateSoundServer.launch(kind)
        defer { server.stop() }
        let tone = await Tone.playing(over: server)
        defer { tone.close() }

        let watch = PositionWatch(tone.output)
        server.kill()
        #expect(await eventually { tone.events.list == [.serverLost] })
        #expect(!tone.output.isConnected)
        let lost = tone.position
        #expect(await eventually { tone.position > lost + 48_000 })

        try server.start()
        let recording = try await server.record()
        #expect(await eventually { tone.output.isConnected })
        #expect(tone.events.list == [.serverLost, .serverRestored])
        let back = tone.position
        #expect(await eventually { tone.position > back + 72_000 })
        watch.stopsSteady()
        let samples = try await recording.finish()
        let proof = await SineProof.of(samples, frequency: 440)
        #expect(proof.seconds > 1)
        #expect(abs(proof.peak - 0.5) < 0.001)
    }

    @Test("a player reports a missing audio server until one starts")
    @MainActor
    func missing() async throws {
        let server = try await PrivateSoundServer.launch(.pulseAudio)
        defer { server.stop() }
        server.kill()
        let rig = try Rig("loop-aac.mp4", server: server.address)
        #expect(rig.player.audioError == nil)
        try await rig.ready()
        rig.player.play()
        #expect(await rig.wait { rig.player.audioError != nil })
        let error = try #require(rig.player.audioError as? AVError)
        #expect(error.code == .operationNotSupported && error.description.contains("No audio server can be reached"))
        #expect(error.suggestion.contains("pipewire-pulse"))
        // Playback continues in silence.
        #expect(await rig.wait { rig.player.currentTime().seconds > 0.1 })
        try server.start()
        #expect(await rig.wait { rig.player.audioError == nil })
        rig.player.close()
    }

    @Test(
        "audio shorter than the server's buffer plays and reports its end", arguments: SoundServer.allCases,
        [Int64(1), 96, 720, 1_500])
    func short(on kind: SoundServer, frames: Int64) async throws {
        let server = try await PrivateSoundServer.launch(kind)
        defer { server.stop() }
        // The device counts as stalled only after a minute. An output that relied on the device's reports about such
        // short audio would wait that long.
        let tone = Tone(server: server.address, watch: DeviceWatch(timeout: 60_000_000_000))
        defer { tone.close() }
        #expect(await eventually { tone.output.isConnected })
        tone.feed(to: frames)
        tone.output.start()
        #expect(await eventually { tone.position == Double(frames) }, "\(tone.position)")
        #expect(tone.output.isConnected && tone.silenceSwitches == 0)
        // More audio arrives after the announced end and plays to its end, too.
        tone.feed(to: frames + 48_000)
        #expect(await eventually { tone.position == Double(frames + 48_000) }, "\(tone.position)")
    }

    @Test("a removed device is replaced by a silent clock until one returns", arguments: SoundServer.allCases)
    func noDevice(on kind: SoundServer) async throws {
        let server = try await PrivateSoundServer.launch(kind)
        defer { server.stop() }
        // PipeWire creates a silent device when none exists. Without that module a stream stays connected, but does not
        // advance.
        if kind == .pipeWire { _ = try server.pactl(["unload-module", "module-always-sink"]) }
        _ = try server.pactl(["unload-module", "module-null-sink"])
        let tone = Tone(server: server.address)
        defer { tone.close() }
        tone.feed()
        tone.output.start()
        #expect(await eventually { tone.position > 24_000 })
        #expect(!tone.output.isAudible)
        _ = try server.pactl(["load-module", "module-null-sink", "sink_name=test"])
        #expect(await eventually { tone.output.isAudible })
        let watch = PositionWatch(tone.output)
        _ = try server.pactl(["unload-module", "module-null-sink"])
        #expect(await eventually { !tone.output.isAudible })
        if kind == .pulseAudio { #expect(tone.events.list == [.serverLost]) }
        let lost = tone.position
        #expect(await eventually { tone.position > lost + 24_000 })
        _ = try server.pactl(["load-module", "module-null-sink", "sink_name=test"])
        #expect(await eventually { tone.output.isAudible })
        if kind == .pulseAudio { #expect(tone.events.list == [.serverLost, .serverRestored]) }
        let back = tone.position
        #expect(await eventually { tone.position > back + 24_000 })
        watch.stopsSteady()
    }

    @Test("audio moves to the server's silent device and back", arguments: SoundServer.allCases)
    func dummyDevice(on kind: SoundServer) async throws {
        let server = try await PrivateSoundServer.launch(kind)
        defer { server.stop() }
        // Desktops load these modules in PulseAudio. PipeWire's session manager does the same by itself.
        if kind == .pulseAudio {
            for module in ["module-always-sink", "module-rescue-streams"] {
                _ = try server.pactl(["load-module", module])
            }
        }
        let tone = await Tone.playing(over: server)
        defer { tone.close() }
        let watch = PositionWatch(tone.output)
        for (step, command) in ["unload-module module-null-sink", "load-module module-null-sink sink_name=test"]
            .enumerated()
        {
            _ = try server.pactl(command.split(separator: " ").map(String.init))
            #expect(await eventually { tone.events.list.count == step + 1 })
            let there = tone.position
            #expect(await eventually { tone.position > there + 48_000 })
        }
        #expect(tone.events.list == [.deviceChanged, .deviceChanged], "\(tone.events.list)")
        watch.stopsSteady()
    }

    @Test("an output does not wait for a hung server", arguments: SoundServer.allCases)
    func hangs(on kind: SoundServer) async throws {
        let server = try await PrivateSoundServer.launch(kind)
        defer { server.stop() }
        let first = Tone(server: server.address)
        defer { first.close() }
        #expect(await eventually { first.output.isConnected })
        server.setHanging(true)
        let second = Tone(server: server.address)
        defer { second.close() }
        second.feed()
        second.output.start()
        #expect(await eventually { second.position > 24_000 })
        server.setHanging(false)
        #expect(await eventually { second.output.isConnected })
        let there = second.position
        #expect(await eventually { second.position > there + 24_000 })
    }

    @Test("missing audio is an underrun; the end and a pause are not", arguments: SoundServer.allCases)
    func underruns(on kind: SoundServer) async throws {
        let server = try await PrivateSoundServer.launch(kind)
        defer { server.stop() }
        for address in [server.address, Tone.nowhere] {
            let tone = Tone(server: address)
            defer { tone.close() }
            // The end of this audio is announced, so the silence after it is not an underrun.
            tone.feed(to: 24_000)
            // All audio is written first, so that a delayed producer causes no underrun.
            #expect(await eventually { tone.output.writtenFrames == 24_000 })
            tone.output.setDraining(true)
            tone.output.start()
            #expect(await eventually { tone.position == 24_000 })
            await letTimePass(0.2, because: "an output without audio must not count underruns in real time")
            let atEnd = tone.output.underrunCount
            #expect(atEnd == 0)
            tone.output.pause()
            tone.output.setDraining(false)
            await letTimePass(0.2, because: "a paused output must not count underruns in real time")
            #expect(tone.output.underrunCount == 0)
            tone.output.start()
            // This producer stops without announcing the end.
            tone.feed(to: 72_000)
            #expect(await eventually { tone.position > 36_000 })
            tone.output.setDraining(false)
            tone.stopFeeding()
            tone.output.setDraining(false)
            #expect(await eventually { tone.output.underrunCount > 0 })
            #expect(tone.position <= Double(tone.output.writtenFrames))
            // Time stops with the producer and continues when more audio arrives.
            tone.feed()
            let more = tone.position
            #expect(await eventually { tone.position > more + 24_000 })
        }
    }

    @Test("a suspended device or a call interrupts; suspension while paused does not")
    func interruptions() async throws {
        let server = try await PrivateSoundServer.launch()
        defer { server.stop() }
        _ = try server.pactl(["load-module", "module-role-cork"])
        let tone = await Tone.playing(over: server)
        defer { tone.close() }

        _ = try server.pactl(["suspend-sink", "test", "1"])
        #expect(await eventually { tone.events.list == [.interruptionBegan] })
        _ = try server.pactl(["suspend-sink", "test", "0"])
        #expect(await eventually { tone.events.list == [.interruptionBegan, .interruptionEnded(resumes: true)] })
        let after = tone.position
        #expect(await eventually { tone.position > after + 24_000 })

        let call = try ChildProcess("pacat", ["-s", server.address, "--property=media.role=phone", "/dev/zero"])
        #expect(await eventually { tone.events.list.count == 3 })
        // A player pauses, too, when it is interrupted. The server reports the end of an interruption only to a paused
        // stream.
        tone.output.pause()
        #expect(try await eventually { try server.pactl(["list", "sink-inputs"]).contains("Corked: yes") })
        call.send(SIGTERM)
        call.wait()
        #expect(await eventually { tone.events.list.count == 4 })
        #expect(tone.events.list.suffix(2) == [.interruptionBegan, .interruptionEnded(resumes: true)])

        tone.output.start()
        let resumed = tone.position
        #expect(await eventually { tone.position > resumed + 24_000 })

        tone.output.pause()
        #expect(try await eventually { try server.pactl(["list", "sink-inputs"]).contains("Corked: yes") })
        _ = try server.pactl(["suspend-sink", "test", "1"])
        _ = try server.pactl(["suspend-sink", "test", "0"])
        // The connection delivers in order: when a later stream is connected, the reports of both events have arrived.
        let later = Tone(server: server.address)
        #expect(await eventually { later.output.isConnected })
        later.close()
        tone.output.start()
        let again = tone.position
        #expect(await eventually { tone.position > again + 4800 })
        #expect(tone.events.list.count == 4)
    }

    @Test("an interruption ends when the stream moves, starts or closes")
    func endsOfInterruptions() async throws {
        let server = try await PrivateSoundServer.launch()
        defer { server.stop() }
        _ = try server.pactl(["load-module", "module-role-cork"])
        let tone = await Tone.playing(over: server)
        defer { tone.close() }

        // The stream moves from a suspended device to one that plays.
        _ = try server.pactl(["suspend-sink", "test", "1"])
        #expect(await eventually { tone.events.list == [.interruptionBegan] })
        _ = try server.pactl(["load-module", "module-null-sink", "sink_name=other"])
        let stream = try server.pactl(["list", "short", "sink-inputs"]).split(separator: "\t")
        _ = try server.pactl(["move-sink-input", String(try #require(stream.first)), "other"])
        #expect(
            await eventually {
                tone.events.list == [.interruptionBegan, .deviceChanged, .interruptionEnded(resumes: true)]
            })

        // The player starts again during a call. The server doesn't report the end of the call to a running stream.
        let call = try ChildProcess(
            "pacat", ["-s", server.address, "-d", "other", "--property=media.role=phone", "/dev/zero"])
        #expect(await eventually { tone.events.list.count == 4 })
        tone.output.pause()
        #expect(tone.events.list.last == .interruptionBegan)
        tone.output.start()
        #expect(tone.events.list.suffix(2) == [.interruptionBegan, .interruptionEnded(resumes: true)])
        call.send(SIGTERM)
        call.wait()

        // The output closes while its device is suspended.
        _ = try server.pactl(["suspend-sink", "other", "1"])
        #expect(await eventually { tone.events.list.count == 6 })
        tone.close()
        #expect(tone.events.list.suffix(2) == [.interruptionBegan, .interruptionEnded(resumes: true)])
        #expect(tone.events.list.count == 7)
    }

    @Test("a stream that ends during a call does not resume", arguments: [false, true])
    func endDuringCall(serverEnds: Bool) async throws {
        let server = try await PrivateSoundServer.launch()
        defer { server.stop() }
        _ = try server.pactl(["load-module", "module-role-cork"])
        let tone = await Tone.playing(over: server)
        defer { tone.close() }
        let call = try ChildProcess("pacat", ["-s", server.address, "--property=media.role=phone", "/dev/zero"])
        defer { call.send(SIGKILL) }
        #expect(await eventually { tone.events.list == [.interruptionBegan] })
        tone.output.pause()
        if serverEnds { server.kill() } else { tone.close() }
        #expect(
            await eventually { tone.events.list.prefix(2) == [.interruptionBegan, .interruptionEnded(resumes: false)] })
    }

    @Test("an idle device suspended after the last sample does not interrupt")
    func idleAfterEnd() async throws {
        let server = try await PrivateSoundServer.launch()
        defer { server.stop() }
        let tone = Tone(server: server.address)
        defer { tone.close() }
        tone.feed(to: 24_000)
        tone.output.start()
        #expect(await eventually { tone.output.writtenFrames == 24_000 })
        tone.output.setDraining(true)
        #expect(await eventually { tone.position == 24_000 })
        _ = try server.pactl(["load-module", "module-suspend-on-idle", "timeout=1"])
        #expect(try await eventually { try server.pactl(["list", "short", "sinks"]).contains("SUSPENDED") })
        // The connection delivers in order: when a later stream is connected, the report has arrived.
        let later = Tone(server: server.address)
        defer { later.close() }
        #expect(await eventually { later.output.isConnected })
        #expect(tone.events.list.isEmpty)
    }

    // PipeWire has no modules that pause or duck streams by role, and it resumes a suspended device that is used.
    @Test("calls and suspended devices do not interrupt on PipeWire")
    func noInterruptions() async throws {
        let server = try await PrivateSoundServer.launch(.pipeWire)
        defer { server.stop() }
        #expect(throws: PrivateSoundServer.Failure.self) { try server.pactl(["load-module", "module-role-cork"]) }
        // A delayed server does not count as a stalled device.
        let tone = await Tone.playing(over: server, watch: DeviceWatch(timeout: 60_000_000_000))
        defer { tone.close() }
        _ = try server.pactl(["suspend-sink", "test", "1"])
        let suspended = tone.position
        #expect(await eventually { tone.position > suspended + 48_000 })
        let call = try ChildProcess("pacat", ["-s", server.address, "--property=media.role=phone", "/dev/zero"])
        defer { call.send(SIGKILL) }
        #expect(
            try await eventually {
                try server.pactl(["list", "short", "sink-inputs"]).split(separator: "\n").count == 2
            })
        let calling = tone.position
        #expect(await eventually { tone.position > calling + 48_000 })
        #expect(tone.events.list.isEmpty && tone.silenceSwitches == 0, "\(tone.events.list)")
    }

    @Test("another program's latency changes neither position nor audio", arguments: SoundServer.allCases)
    func latency(on kind: SoundServer) async throws {
        let server = try await PrivateSoundServer.launch(kind)
        defer { server.stop() }
        let recording = try await server.record()
        let tone = await Tone.playing(over: server)
        defer { tone.close() }
        let (watch, delay) = (PositionWatch(tone.output), DelayWatch())
        for milliseconds in [5, 100, 20] {
            let other = try ChildProcess(
                "pacat", ["-s", server.address, "--latency-msec=\(milliseconds)", "/dev/zero"])
            #expect(
                try await eventually {
                    try server.pactl(["list", "short", "sink-inputs"]).split(separator: "\n").count == 2
                })
            let both = tone.position
            #expect(await eventually { tone.position > both + 36_000 })
            other.send(SIGKILL)
            other.wait()
            #expect(
                try await eventually {
                    try server.pactl(["list", "short", "sink-inputs"]).split(separator: "\n").count == 1
                })
            let alone = tone.position
            #expect(await eventually { tone.position > alone + 12_000 })
        }
        watch.stopsSteady()
        let isPunctual = delay.stop() < 0.008 && tone.output.underrunCount == 0
        let proof = await SineProof.of(try await recording.finish(), frequency: 440)
        #expect(abs(proof.peak - 0.5) < 0.001)
        // A delayed machine may cut the audio of any server. PipeWire also loses part of a block when its block size
        // changes, independent of the player.
        if isPunctual {
            #expect(kind == .pipeWire || proof.worstBreak < 0.05 * proof.oneSample)
            #expect(proof.longestGap < 0.03)
        }
    }

    @Test("moving to another device is reported and keeps the position steady", arguments: SoundServer.allCases)
    func moved(on kind: SoundServer) async throws {
        let server = try await PrivateSoundServer.launch(kind)
        defer { server.stop() }
        _ = try server.pactl(["load-module", "module-null-sink", "sink_name=other", "rate=44100"])
        let tone = await Tone.playing(over: server)
        defer { tone.close() }
        let watch = PositionWatch(tone.output)
        func rows(_ kind: String) throws -> [[Substring]] {
            try server.pactl(["list", "short", kind]).split(separator: "\n").map { $0.split(separator: "\t") }
        }
        let other = try #require(try rows("sinks").first { $0.dropFirst().first == "other" }?.first)
        // A busy PipeWire may lose the request, so it is repeated until the server has moved the stream.
        #expect(
            try await eventually {
                let stream = try #require(try rows("sink-inputs").first)
                if stream.dropFirst().first == other { return true }
                _ = try? server.pactl(["move-sink-input", String(stream[0]), "other"])
                return false
            })
        #expect(await eventually { tone.events.list == [.deviceChanged] })
        let there = tone.position
        #expect(await eventually { tone.position > there + 48_000 })
        watch.stopsSteady()
    }

    @Test("closed outputs leave no threads and no descriptors")
    func leaves() async {
        await #expect(processExitsWith: .success) {
            func threadCount() -> Int {
                (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? -1
            }
            let server = try await PrivateSoundServer.launch()
            defer { server.stop() }
            func round() async -> Bool {
                let tones = (0..<4).map { _ in Tone(server: server.address) } + [Tone(server: Tone.nowhere)]
                for tone in tones { tone.feed() }
                for tone in tones { tone.output.start() }
                let moved = await eventually { tones.allSatisfy { $0.position > 4800 } }
                for tone in tones { tone.close() }
                return moved
            }
            func ownThreads() -> [String] {
                let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
                return tasks.compactMap { FileManager.default.contents(atPath: "/proc/self/task/\($0)/comm") }
                    .map { String(decoding: $0, as: UTF8.self) }.filter { $0.hasPrefix("zt-") }
            }
            // The first round also creates threads and descriptors of the runtime, which stay.
            #expect(await round())
            #expect(await eventually { ownThreads().isEmpty }, "\(ownThreads())")
            let pid = "application.process.id = \"\(getpid())\""
            #expect(try await eventually { try !server.pactl(["list", "clients"]).contains(pid) })
            let threads = threadCount()
            let descriptors = OpenDescriptors.used()
            for _ in 0..<5 { #expect(await round()) }
            #expect(
                await eventually { threadCount() <= threads && OpenDescriptors.used().count <= descriptors.count },
                "\(threadCount()) threads of \(threads), \(OpenDescriptors.used()) of \(descriptors)")
        }
    }

    @Test("a player closed while it opens releases its audio output")
    func closedWhileOpening() async {
        await #expect(processExitsWith: .success) {
            func soundThreads() -> Int {
                let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
                return tasks.compactMap { FileManager.default.contents(atPath: "/proc/self/task/\($0)/comm") }
                    .count { String(decoding: $0, as: UTF8.self).hasPrefix("zt-pulse") }
            }
            @MainActor func sweep() async {
                for step in 0..<100 {
                    guard let url = try? TestMedia.url("counter.mp4") else { return }
                    let player = AVQueuePlayer(title: "test", audioServer: "unix:/nonexistent/zoetrope")
                    player.insert(AVPlayerItem(url: url))
                    player.play()
                    // Closes the player before, while and after the audio thread creates the output. The thread
                    // connects to the server first.
                    let limit = HostClock.now() + 20_000_000_000
                    while step > 0, soundThreads() == 0, HostClock.now() < limit { await Task.yield() }
                    let moment = HostClock.now() + Int64(step) * 10_000
                    while HostClock.now() < moment { await Task.yield() }
                    player.close()
                    if soundThreads() > 0 { return }
                }
            }
            await sweep()
            #expect(
                await eventually { soundThreads() == 0 }, "\(soundThreads()) threads of connections to sound servers")
        }
    }

    @Test("sixteen paused outputs hardly wake the process")
    func asleep() async {
        await #expect(processExitsWith: .success) {
            /// Returns the CPU time in seconds and the number of voluntary context switches so far.
            func cost() -> (cpu: Double, wakes: Int) {
                var usage = rusage()
                getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
                return (
                    Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + Double(
                        usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6, usage.ru_nvcsw
                )
            }
            let servers = [try await PrivateSoundServer.launch(), try await PrivateSoundServer.launch(.pipeWire)]
            defer { for server in servers { server.stop() } }
            for address in servers.map(\.address) + [Tone.nowhere] {
                let tones = (0..<16).map { _ in Tone(server: address) }
                for tone in tones { tone.feed() }
                for tone in tones { tone.output.start() }
                #expect(await eventually { tones.allSatisfy { $0.position > 4800 } })
                for tone in tones { tone.output.pause() }
                // Wait until the fades have ended and the server reports its timing less often. On a busy machine this
                // takes longer, so the cost is measured again. Outputs that never rest fail every measurement.
                await letTimePass(1.5, because: "the timing reports of the server grow rare with time")
                var used = (cpu: Double.infinity, wakes: Int.max)
                for _ in 0..<10 where used.wakes >= 200 || used.cpu >= 0.04 {
                    let before = cost()
                    await letTimePass(2, because: "the cost of paused outputs is measured over two seconds")
                    let after = cost()
                    used = (after.cpu - before.cpu, after.wakes - before.wakes)
                }
                // While an output plays, its wake-ups are about 600 per second.
                #expect(used.wakes < 200)
                #expect(used.cpu < 0.04)
                for tone in tones { tone.close() }
            }
        }
    }
}

/// Samples the position of an output every 5 ms, as players do. Records the largest step back, and the largest leap
/// ahead of the host clock.
final class PositionWatch: @unchecked Sendable {
    // The thread writes these variables. The test reads them after joining the thread.
    private var backward = 0.0
    private var leap = 0.0
    private let isStopped = Flag()
    private var thread: WorkerThread?

    init(_ output: AudioOutput) {
        let rate = Double(output.format.sampleRate)
        thread = WorkerThread(name: "test-watch") { [self] in
            let begin = HostClock.now()
            var last = output.playedFrames(atHostTime: HostTime(nanoseconds: begin)) / rate
            var furthest = last
            while !isStopped.isSet {
                blockWhileTimePasses(0.005, because: "the position is sampled, as players do")
                let now = HostClock.now()
                let position = output.playedFrames(atHostTime: HostTime(nanoseconds: now)) / rate
                backward = max(backward, last - position)
                // Until a device sends its first report, the position is estimated. On a busy machine the report may be
                // late, and the position then catches up.
                let ahead = position - Double(now - begin) / 1e9
                leap = max(leap, ahead - furthest)
                furthest = max(furthest, ahead)
                last = position
            }
        }
    }

    /// Stops sampling. Checks that the position never went back and never leapt ahead of the host clock by 0.1 s or
    /// more. A new device's first reports may cause a smaller leap.
    func stopsSteady(_ location: SourceLocation = #_sourceLocation) {
        isStopped.set()
        thread?.join()
        thread = nil
        #expect(backward == 0, sourceLocation: location)
        #expect(leap < 0.1, "leapt \(leap) s", sourceLocation: location)
    }
}
