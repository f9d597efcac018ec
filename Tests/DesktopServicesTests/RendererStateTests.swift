import Foundation
import MediaCore
import TestSupport
import Testing

@testable import DesktopServices

/// Tests of the interpretation of renderers' answers, without a renderer and with simulated time.
@Suite("A renderer's state")
struct RendererStateTests {
    private func at(_ seconds: Double) -> HostTime { HostTime(seconds: seconds) }
    private func seconds(_ value: Double) -> MediaTime { MediaTime(seconds: value) }

    @Test(
        "AVTransport times are parsed, and invalid ones rejected",
        arguments: [
            ("0:00:00", 0), ("00:01:05", 65), ("1:00:00.500", 3600.5), ("0:00:01.1/4", 1.25), ("+0:00:02", 2),
            (" 12:34:56 ", 45296), ("0:00:00.", nil), ("NOT_IMPLEMENTED", nil), ("", nil),
            ("0:60:00", nil), ("0:00:99", nil), ("-1:00:00", nil), ("99999999999999999999:00:00", nil), ("1:2", nil),
            ("0:00:01.4/0", nil), ("0:00:01.5/4", nil), ("0:00:1e3", nil),
            ("0:00:0٣", nil),
        ] as [(String, Double?)])
    func times(_ text: String, _ wanted: Double?) {
        #expect(UPnPTime.parse(text)?.seconds == wanted)
    }

    @Test("a time of a hundred thousand digits is rejected")
    func longTime() { #expect(UPnPTime.parse(String(repeating: "9", count: 100_000)) == nil) }

    @Test("the port is free for TCP and UDP; without one GSSDP chooses")
    func port() throws {
        for kind in [SOCK_STREAM, SOCK_DGRAM] {
            let port = UInt16(UPnPPort.free())
            #expect(UPnPPort.candidates.contains(port))
            let descriptor = socket(AF_INET, Int32(kind.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            // Bind to the loopback address, as a program that serves only this machine would.
            address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
            let code = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            try #require(code == 0)
            #expect(!UPnPPort.isFree(port))
            #expect(UPnPPort.free(among: port...port) == 0)
            close(descriptor)
            #expect(UPnPPort.isFree(port))
        }
        var asked = 0
        #expect(
            UPnPPort.free {
                _ = $0
                asked += 1
                return asked == 3
            } != 0)
        #expect(asked == 3)
    }

    @Test("times are formatted with hours, minutes and seconds, and parse back")
    func sayTimes() {
        #expect(UPnPTime.text(seconds(0)) == "0:00:00")
        #expect(UPnPTime.text(seconds(3725.25)) == "1:02:05.250")
        #expect(UPnPTime.text(seconds(-3)) == "0:00:00")
        for value in stride(from: 0.0, to: 400_000, by: 1234.5) {
            #expect(UPnPTime.parse(UPnPTime.text(seconds(value)))?.seconds == value)
        }
    }

    @Test("the position advances smoothly between answers and stops at the end")
    func goesOn() {
        var state = RendererState(at: 0, duration: seconds(60), now: .zero)
        state.willPlay(at: .zero)
        #expect(!state.isPlaying)
        var last = -1.0
        for tick in 0..<100 {
            let now = at(Double(tick) / 4)
            if tick % 4 == 0 {
                #expect(
                    state.update(
                        with:
                            .init(state: "PLAYING", place: seconds(Double(tick / 4))), wantsToPlay: true,
                        isStarted: true,
                        at: now) == .unchanged)
            }
            let media = state.media(atHostTime: now).seconds
            #expect(media >= last && abs(media - Double(tick) / 4) < 1.1)
            last = media
        }
        #expect(state.isPlaying)
        #expect(state.media(atHostTime: at(1000)) == seconds(60))
    }

    @Test("a renderer whose position stands still is not playing, and eventually fails")
    func frozen() {
        for (place, wanted) in [(20.0, RendererState.Verdict.unchanged), (59.5, .ended)] {
            var state = RendererState(at: 0, duration: seconds(60), now: .zero)
            state.willPlay(at: .zero)
            var verdict = RendererState.Verdict.unchanged
            for tick in 0..<8 where verdict == .unchanged {
                verdict = state.update(
                    with:
                        .init(state: "PLAYING", place: seconds(place)), wantsToPlay: true, isStarted: true,
                    at: at(Double(tick)))
            }
            #expect(verdict == wanted)
            #expect(!state.isPlaying && state.isAtEnd == (wanted == .ended))
            guard wanted == .unchanged else { continue }
            for tick in 8..<200 where verdict == .unchanged {
                verdict = state.update(
                    with:
                        .init(state: "PLAYING", place: seconds(place)), wantsToPlay: true, isStarted: true,
                    at: at(Double(tick)))
            }
            guard case .doesNotPlay = verdict else {
                Issue.record("a frozen position is never reported")
                continue
            }
        }
    }

    // A renderer may take 20 s to start. A later stop counts as the end of the item if it is near the end, and
    // otherwise as the user's.
    @Test("a stop is a failed start, the end, or the user's action")
    func stops() {
        var state = RendererState(at: 0, duration: seconds(60), now: .zero)
        state.willPlay(at: .zero)
        #expect(
            state.update(with: .init(state: "STOPPED"), wantsToPlay: true, isStarted: true, at: at(19)) == .unchanged)
        guard
            case .doesNotPlay = state.update(
                with:
                    .init(state: "STOPPED"), wantsToPlay: true, isStarted: true, at: at(21))
        else { return #expect(Bool(false), "a stop after 20 s counts as a failed start") }
        for (place, wanted) in [(30.0, RendererState.Verdict.stoppedThere), (58, .ended)] {
            var state = RendererState(at: 0, duration: seconds(60), now: .zero)
            state.willPlay(at: .zero)
            _ = state.update(
                with:
                    .init(state: "PLAYING", place: seconds(place)), wantsToPlay: true, isStarted: true, at: at(1))
            let first = state.update(with: .init(state: "STOPPED"), wantsToPlay: true, isStarted: true, at: at(1.5))
            #expect(
                (first == .unchanged
                    ? state.update(with: .init(state: "STOPPED"), wantsToPlay: true, isStarted: true, at: at(2))
                    : first)
                    == wanted)
        }
    }

    @Test("stale positions after a seek and positions beyond the end are ignored")
    func stale() {
        var state = RendererState(at: 0, duration: seconds(60), now: .zero)
        state.willPlay(at: .zero)
        _ = state.update(
            with: .init(state: "PLAYING", place: seconds(10)), wantsToPlay: true, isStarted: true, at: at(1))
        state.didSeek(to: seconds(40), at: at(2))
        _ = state.update(
            with:
                .init(state: "PLAYING", place: seconds(11)), wantsToPlay: true, isStarted: true, at: at(2.25)
        )
        #expect(abs(state.media(atHostTime: at(2.25)).seconds - 40) < 0.5)
        // Later answers count: the renderer did not seek.
        _ = state.update(
            with: .init(state: "PLAYING", place: seconds(15)), wantsToPlay: true, isStarted: true, at: at(6))
        #expect(abs(state.media(atHostTime: at(6)).seconds - 15) < 0.5)
        _ = state.update(
            with:
                .init(state: "PLAYING", place: seconds(1_000_000)), wantsToPlay: true, isStarted: true, at: at(7))
        #expect(abs(state.media(atHostTime: at(7)).seconds - 16) < 0.5)
    }

    @Test("random answers in any order keep the position within its bounds")
    func byChance() {
        var numbers = SeededNumbers(seed: 14)
        let states = ["PLAYING", "PAUSED_PLAYBACK", "STOPPED", "TRANSITIONING", "NO_MEDIA_PRESENT", "", "DANCING"]
        for _ in 0..<300 {
            let duration: MediaTime? = numbers.next() % 3 == 0 ? nil : seconds(Double(numbers.next() % 100) + 1)
            var state = RendererState(at: seconds(Double(numbers.next() % 30)), duration: duration, now: .zero)
            var now = HostTime.zero
            for _ in 0..<60 {
                now = now + Int64(bitPattern: numbers.next() >> (numbers.next() % 50 == 0 ? 1 : 33))
                switch numbers.next() % 8 {
                case 0: state.willPlay(at: now)
                case 1: state.pause(at: now)
                case 2: state.didSeek(to: MediaTime(nanoseconds: Int64(bitPattern: numbers.next())), at: now)
                default:
                    let place: MediaTime? =
                        numbers.next() % 4 == 0
                        ? nil
                        : numbers.next() % 9 == 0
                            ? MediaTime(nanoseconds: Int64(bitPattern: numbers.next()))
                            : seconds(Double(numbers.next() % 120))
                    _ = state.update(
                        with:
                            .init(
                                state: states[Int(numbers.next() % 7)], place: place,
                                duration: numbers.next() % 5 == 0
                                    ? MediaTime(nanoseconds: Int64(bitPattern: numbers.next())) : nil),
                        wantsToPlay: numbers.next() % 2 == 0, isStarted: numbers.next() % 4 != 0, at: now)
                }
                let media = state.media(atHostTime: now)
                #expect(media >= 0)
                if let end = duration { #expect(media <= max(end, seconds(30)) || !state.isPlaying) }
                _ = state.hostTime(media: seconds(1e6))
            }
        }
    }
}
