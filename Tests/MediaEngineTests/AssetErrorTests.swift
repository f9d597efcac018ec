import EngineTestSupport
import Foundation
import MediaCore
import MediaEngine
import TestSupport
import Testing

@Suite("Errors of files that cannot be played")
struct AssetErrorTests {
    private func code(_ url: URL) async -> AVError.Code? {
        do throws(AVError) {
            _ = try await AVURLAsset(url: url).load(.duration)
            return nil
        } catch {
            #expect(!error.reason.isEmpty && !error.location.isEmpty)
            return error.code
        }
    }
    private func code(_ name: String, _ bytes: Data) async throws -> AVError.Code? {
        let url = try AssetTestMedia.temporary(name, bytes)
        defer { AssetTestMedia.remove(url) }
        return await code(url)
    }

    @Test("missing files, folders, devices and empty files each have an error")
    func filesystem() async throws {
        expectEqual(await code(URL(fileURLWithPath: "/nowhere/film.mp4")), .fileNotFound)
        expectEqual(await code(URL(fileURLWithPath: "/tmp")), .notAFile)
        expectEqual(await code(URL(fileURLWithPath: "/etc/passwd/film.mp4")), .fileNotFound)
        expectEqual(try await code("empty.mp4", Data()), .fileEmpty)
        expectEqual(await code(URL(fileURLWithPath: "/dev/null")), .notAFile)
    }

    @Test("a file without read permission fails with permissionDenied")
    func permission() throws {
        let url = try AssetTestMedia.temporary("secret.mp4", Data(contentsOf: AssetTestMedia.mp4()))
        defer { AssetTestMedia.remove(url) }
        #expect(chmod(url.path, 0) == 0)
        // Root can read every file. Therefore only this thread changes to the user `nobody` for its file access.
        typealias SetFSUID = @convention(c) (UInt32) -> Int32
        let symbol = try #require(dlsym(nil, "setfsuid"))
        let setfsuid = unsafeBitCast(symbol, to: SetFSUID.self)
        if geteuid() == 0 { _ = setfsuid(65534) }
        defer { if geteuid() == 0 { _ = setfsuid(0) } }
        do throws(AVError) {
            _ = try AssetDetails.read(url)
            Issue.record("a file without permissions was read")
        } catch {
            #expect(error.code == .permissionDenied)
        }
    }

    @Test(
        "files without media are refused under any file name",
        arguments: ["x", "x.mp4", "x.txt", "x.mkv", "x.nfo", "x.mp3"])
    func notMedia(name: String) async throws {
        let expected: Set<AVError.Code?> = [
            .fileFormatNotRecognized, .noPlayableTracks, .fileFailedToParse, .decoderNotFound,
        ]
        let noise = noise(seed: 1)
        for bytes in [
            Data(String(repeating: "Once upon a time.\n", count: 500).utf8), noise, Data(count: 20_000), Data("x".utf8),
            Data("1\n00:00:01,000 --> 00:00:02,000\nHello\n\n".utf8), Data("[00:01.00]la la\n[00:02.00]la\n".utf8),
        ] {
            let code = try await code(name, bytes)
            #expect(
                expected.contains(code) || name == "x.mp3" && bytes == noise && code == nil,
                "\(bytes.prefix(20)) → \(String(describing: code))")
        }
        let picture = try AssetTestMedia.make("still.jpg", "-f lavfi -i testsrc2=s=64x64 -frames:v 1")
        #expect(expected.contains(try await code(name, Data(contentsOf: picture))))
    }

    /// Returns random bytes, the same for each `seed`.
    private func noise(seed: UInt64) -> Data {
        var random = SeededNumbers(seed: seed)
        return Data((0..<60_000).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    }

    // Several hundred seeds, because libavformat detects a format in a few of them.
    @Test("random bytes are never recognized as media")
    func manyNoises() async throws {
        let expected: Set<AVError.Code?> = [.fileFormatNotRecognized, .noPlayableTracks, .fileFailedToParse]
        for seed in 100..<500 as Range<UInt64> {
            let code = try await code("x.mkv", noise(seed: seed))
            #expect(expected.contains(code), "seed \(seed): \(String(describing: code))")
        }
    }

    @Test("a JPEG fails with fileFormatNotRecognized")
    func still() async throws {
        let picture = try AssetTestMedia.make("still.jpg", "-f lavfi -i testsrc2=s=64x64 -frames:v 1")
        expectEqual(await code(picture), .fileFormatNotRecognized)
    }

    enum Kind: String, CaseIterable { case mp4, faststart, mkv, ts }

    @Test("a file cut off anywhere plays or fails with a typed error", arguments: Kind.allCases)
    func truncated(kind: Kind) async throws {
        let url =
            switch kind {
            case .mp4: try AssetTestMedia.mp4()
            case .faststart: try AssetTestMedia.faststart()
            case .mkv: try AssetTestMedia.mkv()
            case .ts: try AssetTestMedia.ts()
            }
        let whole = try Data(contentsOf: url)
        // Many lengths within the header, then some across the whole file, then the last bytes.
        var lengths =
            Array(stride(from: 1, through: 64, by: 3)) + Array(stride(from: 70, to: min(6000, whole.count), by: 211))
        lengths +=
            (1..<40).map { whole.count * $0 / 40 } + [
                whole.count - 1, whole.count - 2, whole.count - 7, whole.count - 100,
            ]
        let cut = try AssetTestMedia.temporary("cut.\(url.pathExtension)", Data())
        defer { AssetTestMedia.remove(cut) }
        var played = 0
        var failed: [AVError.Code: Int] = [:]
        for length in Set(lengths).sorted() {
            try whole.prefix(length).write(to: cut)
            do throws(AVError) {
                let details = try AssetDetails.read(cut)
                if let error = details.unplayable { throw error }
                played += 1
                // A file that opens must return a frame or throw an error.
                _ = try AVAssetImageGenerator(asset: AVURLAsset(url: cut)).copyImage(at: CMTime(value: 1, timescale: 1))
            } catch {
                failed[error.code, default: 0] += 1
                #expect(error.code != .unknown && error.code != .readFailed, "\(kind) cut to \(length): \(error)")
            }
        }
        #expect(failed.values.reduce(0, +) > 5)
        if kind == .mp4 {
            // Without its moov box the file cannot be played. Only a cut inside the tags after the last track leaves
            // enough of it.
            #expect(played < 6, "without its moov an mp4 cannot be played")
            #expect(failed[.fileFailedToParse, default: 0] > 40)
        } else {
            #expect(played > 20)
        }
    }

    @Test("damaged files neither crash nor hang the reader", arguments: Kind.allCases)
    func damaged(kind: Kind) async throws {
        let url =
            switch kind {
            case .mp4: try AssetTestMedia.mp4()
            case .faststart: try AssetTestMedia.faststart()
            case .mkv: try AssetTestMedia.mkv()
            case .ts: try AssetTestMedia.ts()
            }
        let whole = try Data(contentsOf: url)
        let broken = try AssetTestMedia.temporary("broken.\(url.pathExtension)", Data())
        defer { AssetTestMedia.remove(broken) }
        var outcomes = 0
        for step in 0..<40 {
            var bytes = whole
            let start = whole.count * step / 40
            for i in start..<min(start + 200, whole.count) { bytes[i] = UInt8(truncatingIfNeeded: i &* 167 &+ step) }
            try bytes.write(to: broken)
            do throws(AVError) {
                _ = try AssetDetails.read(broken)
                _ = try AVAssetImageGenerator(asset: AVURLAsset(url: broken)).copyImage(
                    at: CMTime(value: 3, timescale: 2))
            } catch {
                #expect(error.code != .unknown, "\(error)")
            }
            outcomes += 1
        }
        #expect(outcomes == 40)
    }

    @Test("an unknown codec opens, but reports that no decoder exists")
    func unknownCodec() async throws {
        var bytes = try Data(
            contentsOf: AssetTestMedia.make(
                "mute.mp4", "-f lavfi -i testsrc2=s=64x64:d=1 -c:v libx264 -preset ultrafast"))
        let range = try #require(bytes.range(of: Data("avc1".utf8), options: .backwards))
        bytes.replaceSubrange(range, with: Data("zz99".utf8))
        // The text avc1 also occurs as a compatible brand. Only the last one, in the sample description, is replaced.
        let url = try AssetTestMedia.temporary("unknown.mp4", bytes)
        defer { AssetTestMedia.remove(url) }
        let details = try AssetDetails.read(url)
        #expect(details.unplayable?.code == .decoderNotFound)
        #expect(details.unplayable?.description.contains("zz99") == true)
        expectEqual(try await AVURLAsset(url: url).load(.isPlayable), false)
        #expect(throws: AVError.self) { try AVAssetImageGenerator(asset: AVURLAsset(url: url)).copyImage(at: .zero) }
    }

    @Test("an image of an audio file fails with noVideoTrack")
    func noVideo() async throws {
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: try AssetTestMedia.audioOnly()))
        do throws(AVError) {
            _ = try await generator.image(at: .zero)
            Issue.record("an audio file returned an image")
        } catch {
            #expect(error.code == .noVideoTrack)
        }
    }

    @Test("a failed load is not cached: a later load succeeds")
    func retry() async throws {
        let url = try AssetTestMedia.temporary("late.mp4", Data())
        defer { AssetTestMedia.remove(url) }
        let asset = AVURLAsset(url: url)
        await #expect(throws: AVError.self) { try await asset.load(.duration) }
        try Data(contentsOf: AssetTestMedia.mp4()).write(to: url)
        #expect(try await asset.load(.duration).seconds > 1.9)
    }
}
