import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Stalled audio devices", .serialized)
struct DeviceWatchTests {
    // MARK: with a simulated clock

    private let ms: (Int64) -> Int64 = { $0 * 1_000_000 }
    private func at(_ milliseconds: Int64) -> HostTime { HostTime(nanoseconds: ms(milliseconds)) }

    // After an earlier failure, the delays are a quarter and half a second.
    @Test("a stalled device is queried after one second, abandoned after two")
    func timeout() {
        var watch = DeviceWatch()
        #expect(watch.due == .max)
        watch.begin(at: at(0))
        #expect(watch.due == at(1000) && !watch.isOver(at: at(5000)), "not abandoned before a query")
        watch.didRequestPosition(at: at(1000))
        #expect(watch.due == at(2000) && !watch.isOver(at: at(1999)) && watch.isOver(at: at(2000)))
        watch.didStall()
        watch.begin(at: at(3000))
        #expect(watch.due == at(3250))
        watch.didRequestPosition(at: at(3250))
        #expect(!watch.isOver(at: at(3499)) && watch.isOver(at: at(3500)))
        watch.didRecover()
        #expect(watch.timeout == 2_000_000_000)
    }

    @Test("a late query extends the wait for the device's answer")
    func lateQuery() {
        var watch = DeviceWatch()
        watch.begin(at: at(0))
        watch.didRequestPosition(at: at(9000))
        #expect(watch.due == at(10_000) && !watch.isOver(at: at(9999)) && watch.isOver(at: at(10_000)))
        watch.didAdvance(at: at(9500))
        #expect(watch.due == at(10_500) && !watch.isOver(at: at(20_000)))
    }

    @Test("only a growing position counts as movement")
    func movement() {
        var watch = DeviceWatch()
        watch.begin(at: at(0))
        let reports: [(Int64, Int64, Bool)] = [
            (100, 500, false), (600, 500, false), (700, 800, true), (800, 700, false), (900, 700, false),
            (1000, 701, true),
        ]
        for (time, index, moves) in reports { #expect(watch.report(index, at: at(time)) == moves) }
        #expect(watch.due == at(2000))
        watch.didRequestPosition(at: at(2000))
        #expect(watch.due == at(3000))
    }

    // MARK: with a sound server

    /// Returns whether the position advances by more than `seconds` seconds before the deadline.
    private func goesOn(_ tone: Tone, seconds: Double = 1) async -> Bool {
        let from = tone.position
        return await eventually { tone.position > from + seconds * 48_000 }
    }

    @Test("a null sink that renders ahead does not delay the clock")
    func renderedAhead() async throws {
        let server = try await PrivateSoundServer.launch(sink: .asLoaded)
        defer { server.stop() }
        var silenceSwitches = 0
        for _ in 0..<4 {
            // With a timeout of an hour no device is ever abandoned. If the host clock still replaces it, the device's
            // reports are the reason.
            let tone = Tone(server: server.address, watch: DeviceWatch(timeout: ms(3_600_000)))
            defer { tone.close() }
            tone.feed()
            #expect(await eventually { tone.output.isConnected })
            let watch = PositionWatch(tone.output)
            tone.output.start()
            #expect(await eventually { tone.position > 48_000 })
            silenceSwitches += tone.silenceSwitches
            #expect(await eventually { tone.output.isAudible })
            #expect(await goesOn(tone))
            watch.stopsSteady()
        }
        #expect(silenceSwitches > 0)
    }

    @Test("a moving device is never replaced by the host clock", arguments: SoundServer.allCases)
    func moves(on kind: SoundServer) async throws {
        let server = try await PrivateSoundServer.launch(kind)
        defer { server.stop() }
        // A server that a busy machine delays for a few seconds does not count as a stalled device.
        let timeout = ms(6000)
        let tone = Tone(server: server.address, watch: DeviceWatch(timeout: timeout))
        defer { tone.close() }
        tone.feed()
        tone.output.start()
        #expect(await goesOn(tone, seconds: 5))
        for _ in 0..<3 {
            tone.output.pause()
            tone.stopFeeding()
            tone.output.flush()
            tone.output.start()
            // Longer than the timeout of a stalled device, with nothing to play.
            let begin = HostClock.now()
            #expect(await eventually { HostClock.now() - begin > timeout + ms(500) })
            tone.feed()
            #expect(await goesOn(tone))
        }
        #expect(tone.silenceSwitches == 0 && tone.output.isAudible)
    }

    @Test("time continues while the server hangs, and audio returns afterwards", arguments: SoundServer.allCases)
    func hangs(on kind: SoundServer) async throws {
        let server = try await PrivateSoundServer.launch(kind)
        defer { server.stop() }
        let recording = try await server.record()
        let tone = await Tone.playing(over: server)
        defer { tone.close() }
        #expect(await eventually { tone.output.isAudible })
        let watch = PositionWatch(tone.output)
        for _ in 0..<2 {
            server.setHanging(true)
            #expect(await eventually { !tone.output.isAudible })
            #expect(await goesOn(tone))
            server.setHanging(false)
            #expect(await eventually { tone.output.isAudible })
            #expect(await goesOn(tone, seconds: 2))
            // On a machine that delayed the server, the host clock may have replaced the device again.
            #expect(await eventually { tone.output.isAudible })
        }
        #expect(tone.events.list.isEmpty, "\(tone.events.list)")
        watch.stopsSteady()
        let proof = await SineProof.of(try await recording.finish(), frequency: 440)
        #expect(abs(proof.peak - 0.5) < 0.001)
    }

    @Test("pause, seek and close do not wait for a hung server", arguments: SoundServer.allCases)
    func whileStandingIn(on kind: SoundServer) async throws {
        let server = try await PrivateSoundServer.launch(kind)
        defer { server.stop() }
        let tone = await Tone.playing(over: server)
        server.setHanging(true)
        #expect(await eventually { !tone.output.isAudible })
        tone.output.pause()
        let frozen = tone.position
        #expect(tone.output.playedFrames(atHostTime: .now() + ms(60_000)) == frozen)
        tone.output.start()
        #expect(await goesOn(tone))
        // Several seeks must not queue up requests to the server.
        tone.stopFeeding()
        for _ in 0..<20 { tone.output.flush() }
        tone.feed()
        #expect(await goesOn(tone))
        server.setHanging(false)
        #expect(await eventually { tone.output.isAudible })
        #expect(await goesOn(tone))
        server.setHanging(true)
        #expect(await eventually { !tone.output.isAudible })
        tone.close()
    }

    @Test("the clock continues while another program suspends the device")
    func suspended() async throws {
        let server = try await PrivateSoundServer.launch()
        defer { server.stop() }
        let tone = await Tone.playing(over: server)
        defer { tone.close() }
        let watch = PositionWatch(tone.output)
        _ = try server.pactl(["suspend-sink", "test", "1"])
        #expect(await eventually { !tone.output.isAudible })
        #expect(await goesOn(tone))
        _ = try server.pactl(["suspend-sink", "test", "0"])
        #expect(await eventually { tone.output.isAudible })
        #expect(await goesOn(tone, seconds: 2))
        watch.stopsSteady()
    }

    @Test("time continues when a hung server is killed and restarted", arguments: SoundServer.allCases)
    func hangsAndDies(on kind: SoundServer) async throws {
        let server = try await PrivateSoundServer.launch(kind)
        defer { server.stop() }
        let tone = await Tone.playing(over: server)
        defer { tone.close() }
        let watch = PositionWatch(tone.output)
        server.setHanging(true)
        #expect(await eventually { !tone.output.isAudible })
        server.kill()
        #expect(await eventually { tone.events.list == [.serverLost] })
        #expect(await goesOn(tone))
        try server.start()
        #expect(await eventually { tone.output.isAudible })
        #expect(await goesOn(tone, seconds: 2))
        watch.stopsSteady()
    }

    @Test("a player continues while the server hangs, with frames in order", arguments: SoundServer.allCases)
    @MainActor func player(on kind: SoundServer) async throws {
        let server = try await PrivateSoundServer.launch(kind, sink: .asLoaded)
        defer { server.stop() }
        let rig = try Rig("counter.mp4", server: server.address)
        try await rig.ready()
        rig.player.play()
        #expect(await rig.wait { rig.player.currentTime().seconds > 0.5 })
        server.setHanging(true)
        #expect(await rig.wait { rig.player.currentTime().seconds > 5 })
        server.setHanging(false)
        let now = rig.player.currentTime().seconds
        #expect(await rig.wait { rig.player.currentTime().seconds > now + 2 })
        let shown = rig.shown
        #expect(zip(shown, shown.dropFirst()).allSatisfy { $0 < $1 }, "each frame is shown once, in order")
    }
}
