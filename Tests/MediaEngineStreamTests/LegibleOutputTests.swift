import EngineTestSupport
import CFFmpeg
import Foundation
import MediaCore
import Streaming
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Subtitles of an HLS stream", .serialized)
@MainActor
struct LegibleOutputTests {
    /// A delegate that records the reports of an output, in order.
    @MainActor
    private final class Reader: AVPlayerItemLegibleOutputPushDelegate {
        struct Page {
            let texts: [String]
            let cues: [WebVTTCue]
            let time: Double
        }
        var pages: [Page] = []
        var flushes = 0
        let output = AVPlayerItemLegibleOutput()

        init(_ item: AVPlayerItem) {
            output.setDelegate(self)
            item.add(output)
        }

        func legibleOutput(
            _ output: AVPlayerItemLegibleOutput, didOutputAttributedStrings strings: [AttributedString],
            cues: [WebVTTCue], forItemTime itemTime: CMTime
        ) {
            pages.append(Page(texts: strings.map { String($0.characters) }, cues: cues, time: itemTime.seconds))
        }

        func outputSequenceWasFlushed(_ output: AVPlayerItemLegibleOutput) { flushes += 1 }

        var texts: [String] { pages.flatMap(\.texts) }
        /// Whether each cue was reported between its start and its end.
        var areInTime: Bool {
            pages.allSatisfy { page in page.cues.allSatisfy { $0.isInForce(at: Int64((page.time * 1e9).rounded())) } }
        }
    }

    private func open(_ server: StreamServer, _ change: (AVPlayerItem) -> Void = { _ in }) -> (
        Rig, AVPlayerItem, Reader
    ) {
        let rig = Rig()
        let item = AVPlayerItem(url: server.url(for: "master.m3u8"))
        change(item)
        let reader = Reader(item)
        rig.player.insert(item)
        return (rig, item, reader)
    }

    private func texts(_ reader: Reader, at seconds: Double) -> [String] {
        reader.output.cues(at: CMTime(seconds: seconds, preferredTimescale: 1000)).map(\.text.plain)
    }

    // MARK: selection

    @Test("the playlist alone gives the selection options and their names")
    func groups() async throws {
        let server = try SubtitledStream.serve(hasSound: true)
        defer { server.close() }
        let asset = AVURLAsset(url: server.url(for: "master.m3u8"))
        let audible = try #require(try await asset.loadMediaSelectionGroup(for: .audible))
        #expect(audible.options.map(\.displayName) == ["English", "Deutsch"])
        #expect(audible.defaultOption?.extendedLanguageTag == "en" && !audible.allowsEmptySelection)
        #expect(
            audible.options[1].hasMediaCharacteristic(.describesVideoForAccessibility)
                && audible.options[1].mediaType == .audio)
        let legible = try #require(try await asset.loadMediaSelectionGroup(for: .legible))
        #expect(legible.options.map(\.displayName) == ["English", "Deutsch", "Deutsch für Gehörlose", "Forced", "CC"])
        #expect(legible.options.map(\.mediaType) == [.subtitle, .subtitle, .subtitle, .subtitle, .closedCaption])
        #expect(legible.defaultOption == nil && legible.allowsEmptySelection)
        #expect(legible.options[2].hasMediaCharacteristic(.transcribesSpokenDialogForAccessibility))
        #expect(legible.options[2].hasMediaCharacteristic(.describesMusicAndSoundForAccessibility))
        #expect(legible.options[3].hasMediaCharacteristic(.containsOnlyForcedSubtitles))
        #expect(legible.options[4].track == nil && legible.options[4].isPlayable)
        let german = AVMediaSelectionGroup.mediaSelectionOptions(
            from: legible.options, filteredAndSortedAccordingToPreferredLanguages: ["de-AT"])
        #expect(german.map(\.displayName) == ["Deutsch", "Deutsch für Gehörlose"])
        #expect(try await asset.loadMediaSelectionGroup(for: .visual) == nil)
        expectEqual(
            try await asset.load(.availableMediaCharacteristicsWithMediaSelectionOptions), [.audible, .legible])
        // A second load returns equal options without a request.
        expectEqual(try await asset.loadMediaSelectionGroup(for: .legible)?.options, legible.options)
        #expect(server.requests.map(\.path) == ["master.m3u8"])
    }

    @Test("a missing playlist fails the selection groups with its status")
    func missing() async throws {
        let server = try StreamServer()
        defer { server.close() }
        let asset = AVURLAsset(url: server.url(for: "master.m3u8"))
        await #expect { try await asset.loadMediaSelectionGroup(for: .legible) } throws: {
            ($0 as? AVError)?.httpStatus == 404
        }
    }

    @Test("a selected audio language is played")
    func soundChanges() async throws {
        let server = try SubtitledStream.serve(hasSound: true)
        let pulse = try await PrivateSoundServer.launch()
        defer {
            server.close()
            pulse.stop()
        }
        let rig = Rig(server: pulse.address)
        let item = AVPlayerItem(url: server.url(for: "master.m3u8"))
        rig.player.insert(item)
        try await rig.ready()
        let group = try #require(try await item.asset.loadMediaSelectionGroup(for: .audible))
        func heard(from: Double) async throws -> Double {
            let recording = try await pulse.record()
            rig.player.play()
            #expect(await rig.wait { rig.player.currentTime().seconds > from + 1.5 })
            rig.player.pause()
            return await SineProof.of(try await recording.finish(), frequency: 440).pitch
        }
        #expect(abs(try await heard(from: 0) - 440) < 4)
        item.select(group.options[1], in: group)
        #expect(item.currentMediaSelection.selectedMediaOption(in: group)?.extendedLanguageTag == "de")
        #expect(await rig.seek(4))
        #expect(abs(try await heard(from: 4) - 550) < 4)
        #expect(server.requests.contains { $0.path == "de.ts" })
        rig.player.close()
    }

    // MARK: cues

    @Test("cues of the preferred language arrive in order and on time", arguments: [true, false])
    func order(hasMap: Bool) async throws {
        let server = try SubtitledStream.serve(hasMap: hasMap)
        defer { server.close() }
        let (rig, item, reader) = open(server) { $0.preferredSubtitleLanguages = ["de-CH", "en"] }
        let group = try #require(try await item.asset.loadMediaSelectionGroup(for: .legible))
        #expect(item.currentMediaSelection.selectedMediaOption(in: group)?.displayName == "Deutsch")
        rig.player.play()
        #expect(await rig.wait { reader.texts.contains("de 2") })
        rig.player.pause()
        #expect(reader.texts.filter { $0.hasPrefix("de ") } == reader.texts)
        #expect(reader.texts == reader.texts.sorted() && reader.texts.first == "de 0")
        #expect(reader.areInTime)
        // The pull method also returns cues that were loaded ahead.
        #expect(await rig.wait { texts(reader, at: 11) == ["de 5"] })
        #expect(texts(reader, at: 3.9) == ["de 1"] && texts(reader, at: 4.1) == ["de 2"])
        #expect(
            reader.pages.first { $0.texts == ["de 1"] }?.cues.first.map { abs($0.start - 2_000_000_000) < 5_000_000 }
                == true)
        rig.player.close()
    }

    @Test("a seek shows the cue at its target")
    func seeks() async throws {
        let server = try SubtitledStream.serve()
        defer { server.close() }
        let (rig, _, reader) = open(server) { $0.preferredSubtitleLanguages = ["en"] }
        try await rig.ready()
        for (target, text) in [(9.0, "en 4"), (3.0, "en 1"), (11.5, "en 5"), (0.5, "en 0")] {
            #expect(await rig.seek(target))
            #expect(await rig.wait { reader.pages.last?.texts == [text] }, "at \(target) s")
        }
        #expect(reader.flushes >= 4)
        #expect(reader.areInTime)
        rig.player.close()
    }

    @Test("selecting, changing and removing subtitles takes effect")
    func selecting() async throws {
        let server = try SubtitledStream.serve()
        defer { server.close() }
        let (rig, item, reader) = open(server)
        try await rig.ready()
        let group = try #require(try await item.asset.loadMediaSelectionGroup(for: .legible))
        #expect(await rig.seek(3))
        #expect(reader.pages.isEmpty && server.requests("s/*").isEmpty)
        item.select(group.options[2], in: group)
        #expect(await rig.wait { reader.pages.last?.texts == ["de-sdh 1"] })
        item.select(group.options[0], in: group)
        #expect(await rig.wait { reader.pages.last?.texts == ["en 1"] })
        item.select(nil, in: group)
        #expect(await rig.wait { reader.pages.last?.texts == [] })
        #expect(texts(reader, at: 3) == [])
        // Closed captions are part of the video, so no subtitle rendition is selected for them.
        item.select(group.options[4], in: group)
        #expect(item.currentMediaSelection.selectedMediaOption(in: group)?.mediaType == .closedCaption)
        item.select(group.options[1], in: group)
        #expect(await rig.wait { reader.pages.last?.texts == ["de 1"] })
        item.remove(reader.output)
        #expect(texts(reader, at: 3) == [])
        rig.player.close()
    }

    @Test("cues after a discontinuity follow the video's new timestamps", arguments: [true, false])
    func discontinuity(hasMap: Bool) async throws {
        let server = try SubtitledStream.serve(hasMap: hasMap, isSplit: true)
        defer { server.close() }
        let (rig, _, reader) = open(server) { $0.preferredSubtitleLanguages = ["en"] }
        try await rig.ready()
        #expect(await rig.seek(5))
        rig.player.play()
        #expect(await rig.wait { reader.texts.contains("en 4") })
        rig.player.pause()
        #expect(reader.areInTime)
        let starts = Dictionary(
            reader.pages.flatMap(\.cues).map { ($0.text.plain, $0.start) }, uniquingKeysWith: { a, _ in a })
        for (text, start) in starts {
            let number = Int64(text.dropFirst(3)) ?? -1
            #expect(abs(start - number * 2_000_000_000) < 50_000_000, "\(text) begins at \(start)")
        }
        #expect(starts["en 4"] != nil)
        // Seek directly beyond the discontinuity.
        #expect(await rig.seek(11))
        #expect(await rig.wait { reader.pages.last?.texts == ["en 5"] })
        rig.player.close()
    }

    @Test("broken subtitle segments are skipped and counted; playback continues")
    func broken() async throws {
        let server = try SubtitledStream.serve()
        defer { server.close() }
        server.inject(.garbage(2000), on: "s/en-1.vtt")
        server.inject(.status(404), on: "s/en-2.vtt")
        server.inject(.status(503), on: "s/en-3.vtt")
        let (rig, item, reader) = open(server) { $0.preferredSubtitleLanguages = ["en"] }
        try await rig.ready()
        let session = try #require(item.entry.session)
        #expect(await rig.wait { texts(reader, at: 11) == ["en 5"] && session.subtitleProgress.brokenSegments == 3 })
        #expect((0..<6).map { texts(reader, at: Double($0) * 2 + 1) } == [["en 0"], [], [], [], ["en 4"], ["en 5"]])
        #expect(session.subtitleProgress.segments == 3)
        let comments = try #require(item.errorLog()).events.compactMap(\.errorComment)
        #expect(comments.contains { $0.hasPrefix("subtitles: the file is not WebVTT") })
        #expect(item.errorLog()?.events.contains { $0.errorStatusCode == 404 } == true)
        rig.player.play()
        #expect(await rig.wait { rig.player.currentTime().seconds > 1 })
        #expect(item.status == .readyToPlay)
        rig.player.close()
    }

    @Test("a missing subtitle playlist does not stop the video")
    func missingPlaylist() async throws {
        let server = try SubtitledStream.serve()
        defer { server.close() }
        server.inject(.status(404), on: "s/en.m3u8")
        let (rig, item, reader) = open(server) { $0.preferredSubtitleLanguages = ["en"] }
        rig.player.play()
        #expect(await rig.wait { rig.player.currentTime().seconds > 1 })
        #expect(item.status == .readyToPlay && reader.pages.isEmpty)
        #expect(await rig.wait { item.errorLog()?.events.contains { $0.uri?.hasSuffix("s/en.m3u8") == true } == true })
        #expect(server.requests("s/en.m3u8").count == 1)
        rig.player.close()
    }

    /// Encrypts with AES-128 in CBC mode and PKCS #7 padding (RFC 8216 §4.3.2.4), using libavutil.
    nonisolated private static func encrypted(_ text: String, key: [UInt8], iv: [UInt8]) throws -> Data {
        var plain = Array(text.utf8)
        let padding = 16 - plain.count % 16
        plain += Array(repeating: UInt8(padding), count: padding)
        var out = [UInt8](repeating: 0, count: plain.count)
        var iv = iv
        let cipher = try #require(av_aes_alloc())
        defer { av_free(UnsafeMutableRawPointer(cipher)) }
        try #require(av_aes_init(cipher, key, 128, 0) >= 0)
        av_aes_crypt(cipher, &out, plain, Int32(plain.count / 16), &iv, 0)
        return Data(out)
    }

    @Test("encrypted subtitles are decrypted; a missing key affects only them")
    func encryption() async throws {
        let key = Array("sixteen bytes ok".utf8)
        let iv = [UInt8](repeating: 0, count: 15) + [7]
        for hasKey in [true, false] {
            let server = try SubtitledStream.serve()
            defer { server.close() }
            let secret = try Self.encrypted(
                SubtitledStream.vtt(["secret"], from: 0, map: "MPEGTS:900000,LOCAL:00:00:00.000"), key: key, iv: iv)
            server.serve("s/en.m3u8") { _ in
                .playlist(
                    SubtitledStream.playlist(["secret.vtt"]).replacingOccurrences(
                        of: "#EXTINF",
                        with:
                            "#EXT-X-KEY:METHOD=AES-128,URI=\"key\",IV=0x\(String(repeating: "0", count: 31))7\n#EXTINF")
                )
            }
            server.serve("s/secret.vtt") { _ in ServerResponse(type: "text/vtt", secret) }
            server.serve("s/key") { _ in
                hasKey ? ServerResponse(type: "application/octet-stream", Data(key)) : .status(403)
            }
            let (rig, item, reader) = open(server) { $0.preferredSubtitleLanguages = ["en"] }
            try await rig.ready()
            if hasKey {
                #expect(await rig.wait { reader.pages.last?.texts == ["secret"] })
            } else {
                #expect(await rig.wait { item.entry.session?.subtitleProgress.brokenSegments == 1 })
                #expect(reader.pages.isEmpty && item.status == .readyToPlay)
            }
            rig.player.close()
        }
    }

    @Test("tags become attributes of the string")
    func attributes() throws {
        let document = try WebVTTDocument(
            parsing: Array(
                "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann><b>Hi</b> <lang ja><ruby>日<rt>に</ruby></lang></v>".utf8))
        let string = try #require(document.cues.first).attributedString
        #expect(String(string.characters) == "Hi 日")
        let runs = Array(string.runs)
        #expect(runs.allSatisfy { $0[LegibleAttributes.Voice.self] == "Ann" })
        #expect(runs.map { $0[LegibleAttributes.Bold.self] } == [true, nil, nil])
        #expect(runs.last?[LegibleAttributes.Ruby.self] == "に" && runs.last?.languageIdentifier == "ja")
    }

    // MARK: live

    @Test("a live stream's cues stay aligned across its discontinuity")
    func live() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-live-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["v", "s"] {
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
        }
        let source = try SubtitledStream.folder()
        for index in 0..<SubtitledStream.count {
            try FileManager.default.copyItem(
                at: source.appendingPathComponent("a\(index).ts"), to: folder.appendingPathComponent("v/\(index).ts"))
            let text = SubtitledStream.vtt(
                ["live \(index)"], from: Double(index) * 2, map: "LOCAL:00:00:00.000,MPEGTS:900000")
            try Data(text.utf8).write(to: folder.appendingPathComponent("s/\(index).vtt"))
        }
        for (name, suffix) in [("v", "ts"), ("s", "vtt")] {
            let text = SubtitledStream.playlist((0..<SubtitledStream.count).map { "\($0).\(suffix)" })
            try Data(text.utf8).write(to: folder.appendingPathComponent("\(name)/index.m3u8"))
        }
        try Data(
            """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,URI="s/index.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=200000,SUBTITLES="s"
            v/index.m3u8

            """.utf8
        ).write(to: folder.appendingPathComponent("master.m3u8"))
        let server = try StreamServer()
        defer { server.close() }
        let stream = try LiveStream(
            server, at: "live", over: folder.appendingPathComponent("master.m3u8"),
            options: LiveStream.Options(pace: .realTime(speed: 1), window: 6))
        let rig = Rig()
        let item = AVPlayerItem(url: stream.url)
        let reader = Reader(item)
        rig.player.insert(item)
        rig.player.play()
        // Playback begins 6 s before the end of the program of 12 s, and continues in its repetition.
        #expect(await rig.wait { reader.texts.contains("live 1") && reader.texts.contains("live 5") })
        #expect(reader.areInTime)
        let cues = reader.pages.flatMap(\.cues)
        for (one, next) in zip(cues, cues.dropFirst()) where one.start != next.start {
            let steps = (Int(next.text.plain.dropFirst(5)) ?? -1) - (Int(one.text.plain.dropFirst(5)) ?? -1)
            let expected = Int64((steps + SubtitledStream.count) % SubtitledStream.count) * 2_000_000_000
            #expect(abs(next.start - one.start - expected) < 50_000_000, "from \(one.text.plain) to \(next.text.plain)")
        }
        rig.player.close()
    }
}
