import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Truncated files", .serialized)
struct TruncatedFileTests {
    private static let kinds = [
        "faststart.mp4", "whole.mkv", "whole.webm", "whole.avi", "whole.flv", "whole.wav", "whole.flac",
        "fragments.mp4",
    ]

    /// Returns the URL of a complete file of six seconds.
    static func whole(_ name: String) throws -> URL {
        let source = try TestMedia.url("counter.ts").path
        let picture = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 30"
        let options =
            switch name {
            case "faststart.mp4": "\(picture) -c:a aac -movflags +faststart"
            case "fragments.mp4": "\(picture) -c:a aac -movflags +frag_keyframe+empty_moov+default_base_moof"
            case "whole.webm": "-c:v libvpx -deadline realtime -cpu-used 8 -c:a libopus"
            case "whole.avi": "-c:v mpeg4 -c:a mp3"
            case "whole.flv": "\(picture) -c:a aac"
            case "whole.wav", "whole.flac": "-vn"
            default: "\(picture) -c:a aac"
            }
        return try AssetTestMedia.make("six-\(name)", "-t 6 -i \(source) \(options)")
    }

    static func cut(_ name: String, to part: Double) throws -> URL {
        let bytes = try Data(contentsOf: whole(name))
        return try AssetTestMedia.temporary("cut-\(name)", bytes.prefix(Int(Double(bytes.count) * part)))
    }

    @Test("truncation is an error unless allowed; then the available part is read", arguments: kinds)
    func said(name: String) throws {
        for part in [0.4, 0.9] {
            let url = try Self.cut(name, to: part)
            defer { AssetTestMedia.remove(url) }
            let error = #expect(throws: AVError.self) { try ContainerRig.read(url, allowsTruncated: false) }
            #expect(error?.code == .fileTruncated, "\(name) \(part): \(error.map { "\($0)" } ?? "nothing")")
            #expect(error?.location == url.path && error?.suggestion.isEmpty == false)
            let there = try ContainerRig.read(url)
            #expect(max(there.times.last ?? 0, there.soundEnd) > 6 * part * 0.5)
        }
    }

    @Test(
        "a loop plays the available part and logs the truncation once",
        arguments: ["fragments.mp4", "faststart.mp4", "whole.mkv"]) @MainActor
    func loops(name: String) async throws {
        let url = try Self.cut(name, to: 0.6)
        defer { AssetTestMedia.remove(url) }
        let rig = Rig()
        let looper = AVPlayerLooper(player: rig.player, templateItem: AVPlayerItem(url: url))
        rig.player.rate = 2
        #expect(await rig.wait { looper.loopCount > 1 })
        let log = rig.player.currentItem?.errorLog()?.events.compactMap(\.errorComment) ?? []
        #expect(log.count == 1 && log.allSatisfy { $0.contains("is cut off") }, "\(name): \(log)")
    }

    @Test("an item that ends early posts newErrorLogEntry once") @MainActor
    func posts() {
        let item = AVPlayerItem(url: URL(fileURLWithPath: "/cut.mp4"))
        let posted = NotificationCounter(AVPlayerItem.newErrorLogEntryNotification, item)
        for _ in 0..<2 { item.endsEarly(AVError(.fileTruncated, at: "/cut.mp4", reason: "the file is cut off")) }
        #expect(posted.count == 1 && item.errorLog()?.events.count == 1)
    }

    @Test(
        "a whole file is not reported as truncated",
        arguments: kinds + ["whole.ts", "whole.mpg", "whole.ogv", "whole.mov", "whole.mp3", "whole.ogg", "whole.m4a"])
    func whole(name: String) throws {
        let url =
            name.hasPrefix("whole.og") || name == "whole.mpg" || name == "whole.mp3" || name == "whole.m4a"
            ? try AssetTestMedia.make(
                "six-\(name)",
                "-t 6 -i \(TestMedia.url("counter.ts").path)"
                    + (name.hasSuffix("mp3") || name.hasSuffix("ogg") || name.hasSuffix("m4a") ? " -vn" : ""))
            : try Self.whole(name)
        let all = try ContainerRig.read(url, allowsTruncated: false)
        #expect(max(all.times.last ?? 0, all.soundEnd) > 5.5)
    }

    @Test("a transport stream cut off within a packet is not an error") func transport() throws {
        let url = try Self.cut("whole.ts", to: 0.5)
        defer { AssetTestMedia.remove(url) }
        _ = try ContainerRig.read(url, allowsTruncated: false)
    }

    @Test("a player plays the available part, then posts failedToPlayToEndTime") @MainActor
    func plays() async throws {
        let url = try Self.cut("whole.mkv", to: 0.3)
        defer { AssetTestMedia.remove(url) }
        let rig = Rig()
        let item = AVPlayerItem(url: url)
        let ended = NotificationCounter(AVPlayerItem.didPlayToEndTimeNotification, item)
        let failed = NotificationCounter(AVPlayerItem.failedToPlayToEndTimeNotification, item)
        rig.player.insert(item)
        rig.player.play()
        #expect(await rig.wait { failed.count > 0 })
        #expect(ended.count == 0 && failed.count == 1)
        #expect((item.error as? AVError)?.code == .fileTruncated)
        #expect(item.status == .readyToPlay && rig.player.rate == 0)
        #expect((item.errorLog()?.events.count ?? 0) == 1)
        #expect(await rig.wait { (rig.shown.last ?? 0) > 30 })
        #expect(rig.player.currentTime().seconds > 1)
    }
}

@Suite("Encrypted and unplayable files", .serialized)
struct LockedFileTests {
    private static let key = "00112233445566778899aabbccddeeff"

    private func locked(_ more: String, _ name: String) throws -> URL {
        try AssetTestMedia.make(
            name,
            "-t 2 -i \(TestMedia.url("counter.mp4").path) -c copy -encryption_scheme cenc-aes-ctr -encryption_key \(Self.key) -encryption_kid \(Self.key) \(more)"
        )
    }

    @Test(
        "an encrypted MP4 file fails and names its encryption scheme",
        arguments: [("", "locked.mp4"), ("-movflags +faststart", "locked-first.mp4")])
    @MainActor func refused(more: String, name: String) async throws {
        let url = try locked(more, name)
        let asset = AVURLAsset(url: url)
        #expect(try await asset.load(.hasProtectedContent))
        #expect(try await !asset.load(.isPlayable))
        let rig = Rig()
        let item = AVPlayerItem(asset: asset)
        rig.player.insert(item)
        rig.player.play()
        #expect(await rig.wait { item.status == .failed })
        let error = try #require(item.error as? AVError)
        #expect(error.code == .unsupportedKeySystem && error.reason.contains("cenc"), "\(error)")
        #expect(rig.shown.isEmpty)
        #expect(throws: AVError.self) { try FrameExtractor(url: url) }
        #expect(throws: AVError.self) { try OfflineReader(url: url, interrupt: InterruptToken()) }
    }

    @Test("unencrypted files have no protected content") func open() async throws {
        for name in ["counter.mp4", "quad.mov", "editlist.mov", "sine-opus.webm"] {
            #expect(try await !AVURLAsset(url: TestMedia.url(name)).load(.hasProtectedContent), "\(name)")
        }
    }

    // Without a quick refusal each such fragment takes two seconds.
    @Test("fragments of a track without a header are refused quickly", arguments: ["gone", "tkhd"])
    func numberless(name: String) throws {
        let whole = try AssetTestMedia.make(
            "fragments-many.mp4",
            "-t 6 -i \(TestMedia.url("counter.ts").path) -c:v libx264 -preset ultrafast -g 3 -c:a aac -movflags +frag_keyframe+empty_moov+default_base_moof"
        )
        #expect(try ContainerRig.read(whole).times.count == 180)
        var bytes = try Data(contentsOf: whole)
        let header = try #require(bytes.range(of: Data("tkhd".utf8), options: .backwards))
        bytes.replaceSubrange(header, with: Data(name.utf8))
        // The track's number follows the version, the flags and two times.
        if name == "tkhd" { bytes[header.upperBound + 12] = 0xFF }
        let url = try AssetTestMedia.temporary("numberless.mp4", bytes)
        defer { AssetTestMedia.remove(url) }
        let token = InterruptToken()
        token.setDeadline(HostClock.now() + 60_000_000_000)
        let error = #expect(throws: AVError.self) { try OfflineReader(url: url, interrupt: token) }
        #expect(
            error?.code == .fileFailedToParse && error?.reason.contains("has no header") == true,
            "\(String(describing: error))")
    }

    @Test("a file with no decodable track fails with an error", arguments: ["silent.mkv", "dark.mkv", "both.mkv"])
    @MainActor func nothing(name: String) async throws {
        let tracks =
            switch name {
            case "silent.mkv": "-vn -c:a copy"
            case "dark.mkv": "-an -c:v copy"
            default: "-c copy"
            }
        let source = try AssetTestMedia.make(
            name, "-t 2 -i \(TestMedia.url("counter.mp4").path) \(tracks) -bsf noise=amount=1")
        let rig = Rig()
        let item = AVPlayerItem(url: source)
        rig.player.insert(item)
        rig.player.play()
        #expect(await rig.wait { item.status == .failed || !rig.shown.isEmpty })
        #expect(item.status == .failed && (item.error as? AVError) != nil)
    }
}
