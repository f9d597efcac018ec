import EngineTestSupport
import CFFmpeg
import Foundation
import MediaCore
import Streaming
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Subtitles of an item", .serialized)
@MainActor
struct EmbeddedSubtitleTests {
    private static let english =
        "1\n00:00:00,500 --> 00:00:02,000\nHello <i>there</i>\n\n2\n00:00:03,000 --> 00:00:05,500\nSecond, to be\nread long\n\n3\n00:00:05,000 --> 00:00:05,800\nAnd a third\n"
    private static let german = english.replacingOccurrences(of: "Hello <i>there</i>", with: "Hallo")
        .replacingOccurrences(of: "Second, to be", with: "Zweiter, um")
    private static let webVTT =
        "WEBVTT\n\n00:00:00.500 --> 00:00:02.000 line:0 align:start\nBonjour <c.a>toi</c>\n\n00:00:03.000 --> 00:00:05.500\nDeuxi\u{E8}me\n"

    enum Kind: String, CaseIterable, Sendable { case srt, ass, webvtt, movText }

    private static func text(_ name: String, _ content: String) throws -> String {
        try FileManager.default.createDirectory(at: AssetTestMedia.folder, withIntermediateDirectories: true)
        let url = AssetTestMedia.folder.appendingPathComponent(name)
        try Data(content.utf8).write(to: url)
        return url.path
    }

    private static let picture = "-f lavfi -i testsrc2=s=160x90:r=25:d=6",
        x264 = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 50"

    /// Returns the URL of a file with English SubRip subtitles (marked as default), German SubStation and French
    /// WebVTT.
    private static func matroska() throws -> URL {
        let (a, b, c) = (
            try text("sub-en.srt", english), try text("sub-de.srt", german), try text("sub-fr.vtt", webVTT)
        )
        return try AssetTestMedia.make(
            "subtitled.mkv",
            """
            \(picture) -i \(a) -i \(b) -i \(c) -map 0 -map 1 -map 2 -map 3 \(x264) -c:s:0 srt -c:s:1 ass -c:s:2 copy \
            -metadata:s:s:0 language=eng -metadata:s:s:1 language=ger -metadata:s:s:2 language=fre -disposition:s:0 default
            """)
    }

    private static func mp4() throws -> URL {
        let a = try text("sub-en.srt", english)
        return try AssetTestMedia.make(
            "subtitled.mp4",
            "\(picture) -i \(a) -map 0 -map 1 \(x264) -c:s mov_text -metadata:s:s:0 language=eng -disposition:s:0 0")
    }

    private static func url(_ kind: Kind) throws -> URL { kind == .movText ? try mp4() : try matroska() }

    private func open(_ url: URL, _ change: (AVPlayerItem) -> Void = { _ in }) -> (
        Rig, AVPlayerItem, AVPlayerItemLegibleOutput
    ) {
        let rig = Rig()
        let item = AVPlayerItem(url: url)
        let output = AVPlayerItemLegibleOutput()
        change(item)
        item.add(output)
        rig.player.insert(item)
        return (rig, item, output)
    }

    private func texts(_ output: AVPlayerItemLegibleOutput, _ seconds: Double) -> [String] {
        output.cues(at: CMTime(seconds: seconds, preferredTimescale: 1_000_000)).map(\.text.plain)
    }

    @Test("text tracks of every kind show each cue at its times", arguments: Kind.allCases)
    func everyKind(_ kind: Kind) async throws {
        let url = try Self.url(kind)
        let (rig, item, output) = open(url)
        let group = try #require(try await item.asset.loadMediaSelectionGroup(for: .legible))
        let index =
            switch kind {
            case .srt, .movText: 0
            case .ass: 1
            case .webvtt: 2
            }
        item.select(group.options[index], in: group)
        try await rig.ready()
        let (first, second) =
            switch kind {
            case .srt, .movText: ("Hello there", "Second, to be\nread long")
            case .ass: ("Hallo", "Zweiter, um\nread long")
            case .webvtt: ("Bonjour toi", "Deuxième")
            }
        // MP4 can show only one text at a time, and the WebVTT track has no third cue. Cues are read in order, so the
        // last one arrives last.
        let last =
            switch kind {
            case .srt, .ass: [second, "And a third"]
            case .movText: ["And a third"]
            case .webvtt: [second]
            }
        #expect(await rig.wait { texts(output, 4) == [second] && texts(output, 5.2) == last }, "\(texts(output, 5.2))")
        #expect(
            texts(output, 0.499) == [] && texts(output, 0.5) == [first] && texts(output, 1.999) == [first]
                && texts(output, 2) == [])
        #expect(texts(output, 2.999) == [] && texts(output, 3) == [second])
        if kind == .webvtt {
            let settings = try #require(output.cues(at: CMTime(seconds: 1, preferredTimescale: 1000)).first).settings
            #expect(settings.line == .number(0) && settings.textAlignment == .start)
        }
    }

    @Test(
        "a WebVTT cue can last longer than an hour",
        arguments: [(7_200_000, [7_201_000_000_000]), (1 << 32, []), (1 << 32 - 1, [])] as [(Int64, [Int64])])
    func longCue(milliseconds: Int64, ends: [Int64]) throws {
        let parameters = try #require(avcodec_parameters_alloc())
        var owned: UnsafeMutablePointer<AVCodecParameters>? = parameters
        defer { avcodec_parameters_free(&owned) }
        parameters.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
        parameters.pointee.codec_id = AV_CODEC_ID_WEBVTT
        let store = SubtitleStore()
        let decoder = try #require(
            SubtitleDecoder(
                parameters: parameters, timeBase: AVRational(num: 1, den: 1000), startOffset: 0, store: store))
        let packet = try #require(av_packet_alloc())
        var held: UnsafeMutablePointer<AVPacket>? = packet
        defer { av_packet_free(&held) }
        try #require(av_new_packet(packet, 2) >= 0)
        (packet.pointee.data[0], packet.pointee.data[1]) = (0x48, 0x69)
        (packet.pointee.pts, packet.pointee.duration) = (1000, milliseconds)
        decoder.decode(packet)
        // Muxers write about 2³² ms for a cue that ends when the next one begins.
        #expect(store.cues.map(\.end) == ends)
    }

    @Test("a seek into a cue shows it, and playback shows the next")
    func seeks() async throws {
        let (rig, item, output) = open(try Self.matroska())
        var told: [[String]] = []
        output.onChange = { cues, _ in told.append(cues.map(\.text.plain)) }
        try await rig.ready()
        await rig.seek(4)
        #expect(await rig.wait { told.last == ["Second, to be\nread long"] })
        await rig.seek(1)
        #expect(await rig.wait { told.last == ["Hello there"] })
        // Both cues are shown for half a second, which a busy machine may miss in some attempts, but not in all.
        let both = ["Second, to be\nread long", "And a third"]
        for _ in 1...20 where !told.contains(both) {
            await rig.seek(4.8)
            #expect(await rig.wait { told.last == ["Second, to be\nread long"] })
            rig.player.play()
            #expect(await rig.wait { told.last == [] })
            rig.player.pause()
        }
        #expect(told.contains(both))
        #expect(item.status == .readyToPlay)
    }

    @Test("subtitles follow the default flag, the preferred languages or the selection")
    func choices() async throws {
        let url = try Self.matroska()
        let (rig, item, output) = open(url) { $0.preferredSubtitleLanguages = ["de"] }
        try await rig.ready()
        #expect(await rig.wait { texts(output, 1) == ["Hallo"] })
        item.preferredSubtitleLanguages = ["ja"]
        #expect(await rig.wait { texts(output, 1) == ["Hello there"] })
        let group = try #require(try await item.asset.loadMediaSelectionGroup(for: .legible))
        item.select(group.options[2], in: group)
        #expect(await rig.wait { texts(output, 1) == ["Bonjour toi"] })
        item.select(nil, in: group)
        #expect(await rig.wait { texts(output, 1) == [] })
        let a = try Self.text("sub-en.srt", Self.english)
        let unmarked = try AssetTestMedia.make(
            "unmarked.mkv",
            "\(Self.picture) -i \(a) -map 0 -map 1 \(Self.x264) -c:s srt -metadata:s:s:0 language=eng -disposition:s:0 0"
        )
        let (other, _, silent) = open(unmarked)
        try await other.ready()
        #expect(texts(silent, 1) == [])
    }

    @Test("a track marked as default and forced is not the default option")
    func forcedDefault() async throws {
        let (a, b) = (try Self.text("sub-en.srt", Self.english), try Self.text("sub-de.srt", Self.german))
        let url = try AssetTestMedia.make(
            "forced.mkv",
            """
            \(Self.picture) -i \(a) -i \(b) -map 0 -map 1 -map 2 \(Self.x264) -c:s srt -metadata:s:s:0 language=eng \
            -metadata:s:s:1 language=ger -disposition:s:0 default+forced -disposition:s:1 0
            """)
        let (rig, item, _) = open(url)
        try await rig.ready()
        let group = try #require(try await item.asset.loadMediaSelectionGroup(for: .legible))
        func selected() -> AVMediaSelectionOption? { item.currentMediaSelection.selectedMediaOption(in: group) }
        // The reader shows no subtitles either, because the language of the audio is unknown.
        #expect(group.defaultOption == nil && selected() == nil)
        item.preferredSubtitleLanguages = ["en"]
        #expect(selected() == nil)
        item.preferredSubtitleLanguages = ["de"]
        #expect(selected() == group.options[1])
    }

    @Test("a looped decoded clip shows its subtitles in every pass")
    func loops() async throws {
        let url = try AssetTestMedia.make(
            "subtitled-short.mkv",
            """
            -f lavfi -i testsrc2=s=160x90:r=25:d=0.6 -i \(try Self.text("sub-short.srt", "1\n00:00:00,100 --> 00:00:00,400\nShort\n")) -map 0 -map 1 \(Self.x264) -c:s srt -disposition:s:0 default
            """)
        let rig = Rig()
        let item = AVPlayerItem(url: url)
        let output = AVPlayerItemLegibleOutput()
        var told: [[String]] = []
        output.onChange = { cues, _ in told.append(cues.map(\.text.plain)) }
        item.add(output)
        let looper = AVPlayerLooper(player: rig.player, templateItem: item)
        rig.player.play()
        #expect(await rig.wait { told.filter { $0 == ["Short"] }.count >= 3 })
        looper.disableLooping()
    }

    @Test("a remote file's subtitles are read with its frames, each once")
    func remote() async throws {
        let file = try Self.matroska()
        let server = try StreamServer(root: file.deletingLastPathComponent())
        defer { server.close() }
        let (rig, item, output) = open(server.url(for: file.lastPathComponent)) {
            $0.preferredSubtitleLanguages = ["en"]
        }
        try await rig.ready()
        rig.player.rate = 6
        #expect(
            await rig.wait {
                texts(output, 1) == ["Hello there"]
                    && texts(output, 5.2) == ["Second, to be\nread long", "And a third"]
            })
        let group = try #require(try await item.asset.loadMediaSelectionGroup(for: .legible))
        item.select(group.options[1], in: group)
        await rig.seek(0)
        #expect(await rig.wait { texts(output, 1) == ["Hallo"] })
        await rig.seek(0)
        #expect(await rig.wait { texts(output, 4) == ["Zweiter, um\nread long"] })
        #expect(item.cues.filter { $0.text.plain == "Hallo" }.count == 1)
    }

    @Test("a preloaded remote file shows the subtitles of its beginning")
    func preloaded() async throws {
        let file = try Self.matroska()
        let server = try StreamServer(root: file.deletingLastPathComponent())
        defer { server.close() }
        let rig = Rig()
        let item = AVPlayerItem(url: server.url(for: file.lastPathComponent))
        item.preferredSubtitleLanguages = ["de"]
        item.preload()
        #expect(await rig.wait { item.isPreloaded })
        let output = AVPlayerItemLegibleOutput()
        item.add(output)
        rig.player.replaceCurrentItem(with: item)
        try await rig.ready()
        #expect(await rig.wait { texts(output, 1) == ["Hallo"] })
        rig.player.rate = 6
        #expect(await rig.wait { texts(output, 4) == ["Zweiter, um\nread long"] })
        #expect(item.cues.filter { $0.text.plain == "Hallo" }.count == 1)
    }

    @Test("a queue's next remote file shows the subtitles of its beginning")
    func next() async throws {
        let file = try Self.matroska()
        let server = try StreamServer(root: file.deletingLastPathComponent())
        defer { server.close() }
        let rig = Rig()
        rig.player.actionAtItemEnd = .advance
        let items = ["first", "second"].map {
            AVPlayerItem(url: server.url(for: "\(file.lastPathComponent)?\($0)"))
        }
        for item in items {
            item.preferredSubtitleLanguages = ["de"]
            rig.player.insert(item)
        }
        try await rig.ready()
        rig.player.rate = 4
        #expect(await rig.wait { rig.player.currentItem === items[1] })
        let output = AVPlayerItemLegibleOutput()
        items[1].add(output)
        #expect(await rig.wait { texts(output, 1) == ["Hallo"] })
    }

    @Test("bitmap subtitles appear at their authored time and place", arguments: ["copy", "dvdsub", "dvbsub"])
    func pictures(_ codec: String) async throws {
        let sup = AssetTestMedia.folder.appendingPathComponent("pictures.sup")
        try FileManager.default.createDirectory(at: AssetTestMedia.folder, withIntermediateDirectories: true)
        try PGSWriter.stream([
            .init(start: 1, end: 2, x: 480, y: 810, width: 960, height: 108),
            .init(start: 3, end: 4.5, x: 192, y: 108, width: 480, height: 54, luma: 81, cr: 240, cb: 90),
        ]).write(to: sup)
        let url = try AssetTestMedia.make(
            "pictures-\(codec).mkv",
            "\(Self.picture) \(codec == "copy" ? "" : "-fix_sub_duration") -itsoffset 1 -i \(sup.path) -map 0 -map 1 \(Self.x264) -c:s \(codec) -disposition:s:0 default"
        )
        let rig = Rig()
        let item = AVPlayerItem(url: url)
        let owner = NSObject()
        let source = item.subtitleSource
        source.setOnChange({}, for: owner)
        rig.player.insert(item)
        try await rig.ready()
        func standing(_ seconds: Double) -> [SubtitleBitmap] {
            source.cues(at: Int64(seconds * 1e9)).compactMap {
                if case .bitmap(let picture) = $0.body { picture } else { nil }
            }
        }
        // The end of a bitmap subtitle is known only when its end, or the next one, has been read.
        #expect(await rig.wait { standing(3.5).count == 1 && standing(4.6).isEmpty })
        #expect(
            standing(0.9).isEmpty && standing(1.01).count == 1 && standing(1.95).count == 1 && standing(2.05).isEmpty
                && standing(4.6).isEmpty)
        let picture = try #require(standing(1.5).first)
        let rectangle = try #require(picture.rectangles.first)
        func near(_ value: Double, _ wanted: Double) -> Bool { abs(value - wanted) < 0.012 }
        #expect(
            near(Double(rectangle.x) / Double(picture.canvasWidth), 0.25)
                && near(Double(rectangle.y) / Double(picture.canvasHeight), 0.75))
        #expect(
            near(Double(rectangle.width) / Double(picture.canvasWidth), 0.5)
                && near(Double(rectangle.height) / Double(picture.canvasHeight), 0.1))
        #expect(rectangle.pixels.count == rectangle.width * rectangle.height)
        // White at its sides, half transparent in its middle, with premultiplied colors.
        #expect(rectangle.pixels[0] & 0xFFFFFF > 0xE0E0E0)
        if codec == "copy" {
            #expect(
                rectangle.pixels[rectangle.width / 2] >> 24 == 128 && rectangle.pixels[rectangle.width / 2] & 255 <= 128
            )
        }
        #expect(picture.hasSquarePixels == (codec == "copy"))
        let red = try #require(standing(3.5).first?.rectangles.first).pixels[0]
        #expect(red >> 16 & 255 > 180 && red & 255 < 80)
    }

    /// The contents of `SubtitleStore.show`, by the rules of its description.
    private struct ShownContents {
        var cues: [SubtitleCue] = []
        mutating func show(_ body: SubtitleCue.Body?, from start: Int64, until end: Int64) {
            if let index = cues.firstIndex(where: { abs($0.start - start) < 1_000_000 }) {
                if let body, cues[index].body == body { return }
                cues.remove(at: index)
            }
            for index in cues.indices where cues[index].start < start { cues[index].end = min(cues[index].end, start) }
            let end = min(end, cues.first { $0.start > start }?.start ?? .max)
            guard let body, end > start else { return }
            cues.insert(
                SubtitleCue(start: start, end: end, body: body), at: cues.firstIndex { $0.start > start } ?? cues.count)
        }
    }

    @Test("content read in any order is shown until the next begins")
    func shownContent() {
        let store = SubtitleStore()
        var shown = ShownContents()
        var numbers = SeededNumbers(seed: 11)
        for number in 0..<2000 {
            let start = Int64(numbers.below(400)) * 400_000
            let end = start + Int64(numbers.below(40)) * 400_000
            let body = numbers.below(4) == 0 ? nil : SubtitleCue.Body.events(["\(number % 7)"])
            store.show(body, from: start, until: end)
            shown.show(body, from: start, until: end)
        }
        func facts(_ cues: [SubtitleCue]) -> [SubtitleCue] {
            cues.map { SubtitleCue(start: $0.start, end: $0.end, body: $0.body) }
        }
        let (cues, expected) = (store.cues, shown.cues)
        #expect(cues.count > 20 && facts(cues) == expected)
        for time in stride(from: Int64(0), to: 200_000_000, by: 300_000) {
            #expect(facts(store.cues(at: time)) == expected.filter { $0.isInForce(at: time) })
        }
        // Nothing is shown there, so nothing changes.
        let version = store.version
        store.show(nil, from: 1_000_000_000, until: 2_000_000_000)
        #expect(store.version == version)
    }

    @Test("a hundred thousand captions are stored in reasonable time", .timeLimit(.minutes(5)))
    func manyShown() {
        let store = SubtitleStore()
        for number in 0..<Int64(100_000) {
            store.show(.events(["\(number)"]), from: number * 40_000_000, until: number * 40_000_000 + 16_000_000_000)
        }
        let cues = store.cues
        #expect(cues.count == 100_000 && cues.dropLast().allSatisfy { $0.end - $0.start == 40_000_000 })
        #expect(store.cues(at: 2_000_010_000).map(\.body) == [.events(["50"])])
    }

    /// Returns the number of cues that a scanner finds in the second track.
    private func scannedCueCount(_ url: URL) async -> Int {
        let store = SubtitleStore()
        let (ends, end) = AsyncStream<Void>.makeStream()
        let scanner = SubtitleScanner(url: url, stream: 1, first: 0, store: store) { end.finish() }
        for await _ in ends {}
        scanner.stop()
        return store.cues.count
    }

    @Test("subtitles and frames after 70 damaged places are read")
    func damaged() async throws {
        let sup = AssetTestMedia.folder.appendingPathComponent("many-pictures.sup")
        try FileManager.default.createDirectory(at: AssetTestMedia.folder, withIntermediateDirectories: true)
        try PGSWriter.stream(
            (0..<45).map {
                .init(
                    start: 0.5 * Double($0) + 0.1, end: 0.5 * Double($0) + 0.4, x: 480, y: 810, width: 96, height: 12)
            }
        ).write(to: sup)
        let url = try AssetTestMedia.make(
            "many-pictures.ts",
            "-f lavfi -i testsrc2=s=64x36:r=5:d=23 -fix_sub_duration -i \(sup.path) -map 0 -map 1 \(Self.x264) -c:s dvbsub"
        )
        let whole = [UInt8](try Data(contentsOf: url))
        var damaged: [UInt8] = []
        var subtitlePackets = 0
        for at in stride(from: 0, to: whole.count - 187, by: 188) {
            if whole[at + 1] & 0x40 != 0, whole[at + 1] & 0x1F == 1, whole[at + 2] == 1 {
                subtitlePackets += 1
                // libavformat searches 64 KiB for the next packet.
                if subtitlePackets > 20 { damaged += [UInt8](repeating: 0, count: 70_000) }
            }
            damaged += whole[at..<at + 188]
        }
        try #require(subtitlePackets >= 90)
        let copy = try AssetTestMedia.temporary("damaged.ts", Data(damaged))
        defer { AssetTestMedia.remove(copy) }
        let count = await scannedCueCount(url)
        #expect(count > 40)
        #expect(await scannedCueCount(copy) == count)
        let reader = try ItemReader(url: copy, selection: TrackSelection(), interrupt: InterruptToken())
        var end: MediaTime?
        reading: while true {
            switch reader.next() {
            case .video(let packet): end = packet.end ?? packet.pts
            case .failed(let error):
                Issue.record("\(error)")
                break reading
            case .end: break reading
            default: continue
            }
        }
        #expect(try #require(end) > 22_000_000_000)
    }

    @Test("a stream's WebVTT cue keeps its identity while it is shown")
    func stream() async throws {
        let server = try SubtitledStream.serve()
        defer { server.close() }
        let rig = Rig()
        let item = AVPlayerItem(url: server.url(for: "master.m3u8"))
        item.preferredSubtitleLanguages = ["en"]
        let owner = NSObject()
        let source = item.subtitleSource
        source.setOnChange({}, for: owner)
        rig.player.insert(item)
        try await rig.ready()
        #expect(
            await rig.wait {
                source.cues(at: 3_000_000_000).count == 1 && source.cues(at: 5_000_000_000).count == 1
            })
        let cue = try #require(source.cues(at: 3_000_000_000).first)
        #expect(cue.plain == "en 1" && source.cues(at: 3_100_000_000) == [cue])
        if case .webVTT = cue.body {} else { Issue.record("a rendition's cue is WebVTT") }
        #expect(source.cues(at: 5_000_000_000).first?.id != cue.id)
        rig.player.close()
    }

    // MARK: closed captions

    /// Returns `byte` with the odd parity bit of line 21.
    private nonisolated static func parity(_ byte: UInt8) -> UInt8 {
        byte.nonzeroBitCount % 2 == 0 ? byte | 0x80 : byte
    }

    /// Returns a frame with one byte pair of closed captions in the first field.
    private nonisolated static func picture(_ pair: (UInt8, UInt8), _ seconds: Double) -> VideoFrame? {
        guard let frame = av_frame_alloc() else { return nil }
        var owned: UnsafeMutablePointer<AVFrame>? = frame
        defer { av_frame_free(&owned) }
        frame.pointee.format = AV_PIX_FMT_GRAY8.rawValue
        frame.pointee.width = 16
        frame.pointee.height = 16
        guard av_frame_get_buffer(frame, 0) >= 0, let side = av_frame_new_side_data(frame, AV_FRAME_DATA_A53_CC, 3)
        else { return nil }
        side.pointee.data[0] = 0xFC
        side.pointee.data[1] = parity(pair.0)
        side.pointee.data[2] = parity(pair.1)
        return VideoFrame(
            retaining: frame, presentationTime: CMTime(seconds: seconds, preferredTimescale: 1000), duration: .invalid,
            orientation: .upright, pixelAspectRatio: 1)
    }

    /// The commands of a caption: load, move to row 15, four letters, show. Frames 40 and 41 erase it.
    private nonisolated static let captionPairs: [(UInt8, UInt8)] = [
        (0x14, 0x20), (0x14, 0x20), (0x14, 0x70), (0x14, 0x70), (0x48, 0x49), (0x59, 0x4F), (0x14, 0x2F), (0x14, 0x2F),
    ]

    /// Passes frames with a caption to `subtitles`, at 25 frames per second.
    private static func play(_ frames: Range<Int>, to subtitles: ItemSubtitles) throws {
        for index in frames {
            let pair: (UInt8, UInt8) =
                index < captionPairs.count ? captionPairs[index] : index == 40 || index == 41 ? (0x14, 0x2C) : (0, 0)
            let seconds = Double(index) / 25
            subtitles.take(try #require(picture(pair, seconds)), at: MediaTime(seconds: seconds))
        }
    }

    @Test("closed captions appear only while selected, until they are erased")
    func captions() throws {
        let subtitles = ItemSubtitles(url: URL(fileURLWithPath: "/captions.ts"))
        let owner = NSObject()
        subtitles.setOnChange({}, for: owner)
        func play() throws {
            try Self.play(0..<60, to: subtitles)
        }
        subtitles.opened(ItemDescription())
        try play()
        #expect(subtitles.cues.isEmpty)
        subtitles.choose(.captions)
        for _ in 0..<3 {
            try play()
            #expect(subtitles.cues.map { $0.text.plain.trimmingCharacters(in: .whitespacesAndNewlines) } == ["HIYO"])
        }
        let cue = try #require(subtitles.cues.first)
        #expect(
            cue.start >= 200_000_000 && cue.start <= 480_000_000 && cue.end >= 1_560_000_000 && cue.end <= 1_900_000_000
        )
        #expect(subtitles.header.header.script?.contains("PlayRes") == true)
        subtitles.choose(.none)
        #expect(subtitles.cues.isEmpty)
    }

    @Test("a caption disappears after a jump, and returns with the position")
    func captionJump() throws {
        let subtitles = ItemSubtitles(url: URL(fileURLWithPath: "/captions.ts"))
        let owner = NSObject()
        subtitles.setOnChange({}, for: owner)
        subtitles.opened(ItemDescription())
        subtitles.choose(.captions)
        func isShown(at seconds: Double) -> Bool { !subtitles.cues(at: Int64(seconds * 1e9)).isEmpty }
        // The frames that erase the caption are not read.
        try Self.play(0..<30, to: subtitles)
        #expect(isShown(at: 1) && isShown(at: 10))
        try Self.play(250..<260, to: subtitles)
        #expect(isShown(at: 1) && !isShown(at: 2) && !isShown(at: 10))
        // Frame 20 is in the part that was read.
        try Self.play(20..<35, to: subtitles)
        #expect(isShown(at: 1.5))
        try Self.play(250..<260, to: subtitles)
        #expect(!isShown(at: 10))
        try Self.play(0..<60, to: subtitles)
        #expect(isShown(at: 1.5) && !isShown(at: 1.9) && subtitles.cues.count == 1)
    }
}
