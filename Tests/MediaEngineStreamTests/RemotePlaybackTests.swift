import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Playback of a remote file", .serialized)
@MainActor
struct RemotePlaybackTests {
    nonisolated static let files = ["film.mp4", "faststart.mp4", "film.webm", "film.mkv", "film.ts"]

    @Test("a remote file plays without stalling, frames in order", arguments: files, [true, false])
    func plays(name: String, ranges: Bool) async throws {
        // A machine that delays a loading thread causes a stall, but not each time.
        var stalls = [try await stallsOfPlaying(name, ranges)]
        while stalls.last != 0, stalls.count < 6 { stalls.append(try await stallsOfPlaying(name, ranges)) }
        #expect(stalls.last == 0, "\(stalls)")
    }

    private func stallsOfPlaying(_ name: String, _ ranges: Bool) async throws -> Int {
        let stream = try StreamRig("plain/\(name)") { server, _ in if !ranges { server.inject(.noRanges) } }
        stream.play()
        #expect(await stream.reaches(2))
        stream.player.pause()
        let stalls = stream.player.statistics.stalls
        #expect(stream.item.stallCount == stalls)
        stream.neverWentBack()
        // A late display catches up at its next refresh.
        #expect(
            await stream.rig.wait { abs(Double(stream.rig.shown.last ?? -1) / 30 - stream.time) < 0.5 },
            "\(stream.rig.shown.last ?? -1), \(stream.time)")
        #expect(stream.item.accessLog()?.events.first?.playbackType == "FILE")
        await stream.close()
        return stalls
    }

    @Test("a remote seek shows the same frame as a local one", arguments: files, [true, false])
    func seeks(name: String, ranges: Bool) async throws {
        let stream = try StreamRig("plain/\(name)") { server, _ in if !ranges { server.inject(.noRanges) } }
        #expect(await stream.ready())
        let local = Rig()
        local.player.insert(AVPlayerItem(url: try TestStreams.url("plain/\(name)")))
        try await local.ready()
        for second in [12.0, 20.5, 3.1, 23.9, 0] {
            #expect(await stream.rig.seek(second))
            #expect(await local.seek(second))
            #expect(stream.rig.number() == local.number(), "\(second)")
            #expect(abs((stream.rig.number() ?? -9) - Int(second * 30)) <= 1)
        }
        local.stopDisplay()
        local.player.close()
        await stream.close()
    }

    @Test("a remote file plays to its end", arguments: files)
    func toTheEnd(name: String) async throws {
        let stream = try StreamRig("plain/\(name)")
        #expect(await stream.ready())
        #expect(await stream.rig.seek(22))
        stream.play(rate: 2)
        #expect(await stream.rig.wait { stream.player.isAtEnd && stream.player.timeControlStatus == .paused })
        // The clock decides when the end is reached. The last frame may be shown a moment later.
        #expect(await stream.rig.wait { stream.rig.number() == 719 }, "\(stream.rig.number() ?? -1)")
        #expect(stream.item.error == nil)
        await stream.close()
    }

    @Test("on a slow network, seeks within loaded ranges make no request")
    func loaded() async throws {
        let stream = try StreamRig("plain/faststart.mp4") { server, _ in server.setNetwork(.constant(600_000)) }
        #expect(await stream.ready())
        await stream.loadsBitByBit(to: 23.9)
        let asked = stream.server.requests.count
        for second in [20.0, 3.5, 11.1] {
            #expect(await stream.rig.seek(second))
            #expect(stream.rig.number() == Int((second * 30).rounded(.down)))
        }
        #expect(stream.server.requests.count == asked)
        await stream.close()
    }

    /// The files of which the first response contains only a part. The WebM file is too small.
    nonisolated private static let longFiles = files.filter { $0 != "film.webm" }

    /// Returns a file that plays until nothing more arrives.
    private func stalled(_ name: String) async throws -> StreamRig {
        let stream = try StreamRig("plain/\(name)") { server, _ in server.setNetwork(.constant(400_000)) }
        stream.play()
        #expect(await stream.reaches(0.5))
        stream.server.setNetwork(.constant(1))
        stream.play(rate: 4)
        #expect(
            await stream.rig.wait {
                stream.player.statistics.stalls > 0 && stream.player.timeControlStatus == .waitingToPlayAtSpecifiedRate
            })
        #expect(await stream.rig.wait { stream.item.isPlaybackBufferEmpty })
        return stream
    }

    @Test("a stall is reported, and playback resumes from the same position", arguments: longFiles)
    func stall(name: String) async throws {
        let stream = try await stalled(name)
        #expect(stream.player.reasonForWaitingToPlay == .toMinimizeStalls)
        let stood = stream.time
        stream.server.setNetwork(nil)
        #expect(await stream.reaches(min(23.5, stood + 2)))
        stream.neverWentBack()
        await stream.close()
    }

    @Test("a short seek while data is missing plays on when it arrives", arguments: longFiles)
    func seekWhileWaiting(name: String) async throws {
        let stream = try await stalled(name)
        // Less than a second ahead, so decoding would continue if the reader could.
        let target = stream.time + 0.3
        let player = stream.player
        let seek = Task { await player.seek(to: CMTime(seconds: target, preferredTimescale: 90_000)) }
        #expect(await stream.rig.wait { stream.player.isSeeking })
        stream.server.setNetwork(nil)
        #expect(await seek.value)
        stream.play(rate: 1)
        #expect(await stream.reaches(min(23, target + 1)))
        await stream.close()
    }

    @Test("a lost connection is restored and playback continues", arguments: files)
    func breaks(name: String) async throws {
        let stream = try StreamRig("plain/\(name)") { server, _ in server.inject(.reset(after: 150_000), on: "plain/*")
        }
        stream.play(rate: 3)
        #expect(await stream.reaches(8))
        stream.neverWentBack()
        #expect(stream.item.errorLog() != nil)
        await stream.close()
    }

    @Test(
        "an unavailable file fails with a typed error",
        arguments: [
            (Fault.status(404), AVError.Code.badServerResponse, Int?.some(404)),
            (.status(403), .badServerResponse, 403), (.status(500), .badServerResponse, 500),
            (.status(503, headers: ["Retry-After": "3600"]), .badServerResponse, 503),
            (.redirectCircle, .httpTooManyRedirects, nil), (.stall(after: 0), .timedOut, nil),
            (.resetBeforeHead, .networkConnectionLost, nil), (.garbage(100_000), .fileFormatNotRecognized, nil),
            (.empty, .fileEmpty, nil),
            (.slowHead(0.1), .timedOut, nil), (.slowBody(0.05), .timedOut, nil),
        ])
    func fails(fault: Fault, code: AVError.Code, status: Int?) async throws {
        // With a short timeout, a late answer of a slow machine would be another error.
        let timeout = code == .timedOut ? 0.5 : 20
        let stream = try StreamRig("plain/film.mp4", timeout: timeout, opening: 0.5, recovery: 0.5) { server, _ in
            server.inject(fault)
        }
        stream.play()
        let error = await stream.fails()
        #expect(error?.code == code, "\(error?.description ?? "\(stream.time)")")
        #expect(error?.httpStatus == status)
        #expect(error?.location.contains("plain/film.mp4") == true)
        await stream.close()
    }

    @Test("a connection lost before playback starts plays the loaded part")
    func early() async throws {
        // At half the bit rate the player waits for eight seconds of buffer.
        let stream = try StreamRig("plain/faststart.mp4", recovery: 1) { server, _ in
            server.setNetwork(.constant(60_000))
        }
        stream.play(rate: 2)
        #expect(await stream.server.wait { $0.reduce(0) { $0 + $1.bytesSent } > 320_000 })
        #expect(stream.player.timeControlStatus == .waitingToPlayAtSpecifiedRate)
        stream.server.pullCable()
        #expect(await stream.fails()?.code == .cannotConnectToHost, "\(stream.time)")
        #expect((stream.rig.shown.last ?? 0) > 0, "\(stream.rig.shown)")
        await stream.close()
    }

    @Test("every failed request of a remote file is reported")
    func reports() async throws {
        // The file must not be loaded completely before the cable is pulled.
        let stream = try StreamRig("plain/faststart.mp4") { server, _ in server.setNetwork(.constant(60_000)) }
        let posted = NotificationCounter(AVPlayerItem.newErrorLogEntryNotification, stream.item)
        #expect(await stream.ready())
        #expect(posted.count == 0)
        // Requests fail and are repeated until the server listens again.
        stream.server.pullCable()
        for count in 1...3 { #expect(await stream.rig.wait { posted.count >= count }, "\(posted.count)") }
        #expect(stream.item.errorLog()?.events.count == 1)
        await stream.close()
    }

    @Test("a connection lost for good fails after the recovery time")
    func patience() async throws {
        let stream = try StreamRig("plain/faststart.mp4", recovery: 1) { server, _ in
            server.setNetwork(.constant(400_000))
        }
        #expect(await stream.ready())
        #expect(await stream.rig.wait { stream.item.loadedTimeRanges.last?.timeRangeValue.end.seconds ?? 0 > 4 })
        stream.server.pullCable()
        stream.play(rate: 4)
        expectEqual(await stream.fails()?.code, .cannotConnectToHost)
        await stream.close()
    }
}
