import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

/// Files of several megabytes, so that the first response does not contain all that a start needs. They have a keyframe
/// every two seconds.
@Suite("A start near a keyframe over a slow link", .serialized)
@MainActor
struct SlowStartTests {
    private static let picture =
        "-f lavfi -i testsrc2=s=320x180:r=30:d=24,noise=alls=30:allf=t -f lavfi -i sine=440:d=24"
    private static let h264 =
        "-c:v libx264 -preset ultrafast -b:v 3M -minrate 3M -maxrate 3M -bufsize 1M -g 60 -pix_fmt yuv420p"

    nonisolated static let files = [
        "slow.mp4", "slow-fragments.mp4", "slow.mkv", "slow.webm", "slow.ts", "slow.flv", "slow.mp3", "slow.ogg",
        "slow.wav",
    ]

    private static func url(_ name: String) throws -> URL {
        let sound = "-f lavfi -i anoisesrc=d=600:r=48000"
        return switch name {
        case "slow.mp4", "slow.mkv", "slow.ts", "slow.flv":
            try AssetTestMedia.make(name, "\(picture) \(h264) -c:a aac")
        case "slow-fragments.mp4":
            try AssetTestMedia.make(
                name, "\(picture) \(h264) -c:a aac -movflags frag_keyframe+empty_moov+default_base_moof")
        case "slow.webm":
            try AssetTestMedia.make(
                name, "\(picture) -c:v libvpx -deadline realtime -cpu-used 15 -b:v 3M -g 60 -c:a libopus")
        case "slow.mp3": try AssetTestMedia.make(name, "\(sound) -ac 2 -c:a libmp3lame -b:a 320k")
        case "slow.ogg": try AssetTestMedia.make(name, "\(sound) -ac 2 -c:a libvorbis -q:a 6")
        default: try AssetTestMedia.make(name, "-f lavfi -i anoisesrc=d=60:r=48000 -ac 2")
        }
    }

    @Test("files of every format play from positions around a keyframe", arguments: files)
    func starts(name: String) async throws {
        _ = try Self.url(name)
        // Run in parallel, each with its own server, because the players wait for the network most of the time.
        try await withThrowingTaskGroup { group in
            for milliseconds in [-20, 0, 1, 17, 33, 60, 99, 150] {
                // The keyframe is at 14.000 s or, because of rounding in the container, a few milliseconds later.
                group.addTask { try await plays(name, from: 14 + Double(milliseconds) / 1000) }
            }
            try await group.waitForAll()
        }
    }

    private func plays(_ name: String, from start: Double) async throws {
        let server = try StreamServer(root: AssetTestMedia.folder)
        server.setNetwork(.constant(1_500_000))
        let stream = try StreamRig(server.url(for: name), server)
        stream.player.playAtDefaultRate(from: CMTime(seconds: start, preferredTimescale: 1_000_000))
        let plays = await stream.reaches(start + 0.3)
        #expect(
            plays,
            "\(name) from \(start): \(stream.time), waits for \(String(describing: stream.player.pipeline.waitReason)), \(String(describing: stream.error))"
        )
        await stream.close()
    }

    @Test("audio of unknown length plays when it arrives barely fast enough", arguments: [Fault.noLength, .chunked])
    func unknownLength(fault: Fault) async throws {
        _ = try Self.url("slow.mp3")
        let server = try StreamServer(root: AssetTestMedia.folder)
        server.inject(fault)
        // Playback needs 40 kB per second.
        server.setNetwork(.constant(48_000))
        let stream = try StreamRig(server.url(for: "slow.mp3"), server)
        stream.play()
        let plays = await stream.reaches(1)
        #expect(plays, "\(stream.time), \(String(describing: stream.player.pipeline.waitReason))")
        await stream.close()
    }
}
