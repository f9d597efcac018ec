import CFFmpeg
import Foundation
import MediaCore
import MediaEngine
import TestSupport
import Testing

@testable import Overlays

@Suite("Drawing of subtitles")
struct SubtitleDrawingTests {
    private static let head = """
        [Script Info]
        ScriptType: v4.00+
        PlayResX: 640
        PlayResY: 360

        [V4+ Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
        Style: Default,DejaVu Sans,30,&H000000FF,&H00FF0000,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,0,0,2,10,10,10,1

        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

        """
    private static func cue(_ text: String, _ times: String = "00:00:00,000 --> 00:00:10,000") -> String {
        "1\n\(times)\n\(text)\n\n"
    }

    @Test("by default white text is on a dark box at the bottom")
    func usual() throws {
        let stage = try SubtitleStage(Self.cue("Plain words"))
        stage.save(1, "usual")
        let box = try #require(stage.all(1))
        let letters = try #require(stage.letters(1))
        #expect(
            abs(box.middle - 320) <= 2 && box.bottom > 335 && box.bottom < 352 && box.height > 18 && box.height < 32)
        #expect(
            letters.left > box.left && letters.right < box.right && letters.top > box.top && letters.bottom < box.bottom
        )
        let corner = stage.draw(1)[(box.top + 2) * 640 + box.left + 2]
        #expect(corner & 0xFFFFFF == 0 && abs(Int(corner >> 24) - 191) <= 2)
    }

    @Test("the version changes only when the subtitles or their layout change")
    func versions() throws {
        let stage = try SubtitleStage(
            Self.cue("first", "00:00:01,000 --> 00:00:03,000") + Self.cue("second", "00:00:02,000 --> 00:00:04,000"))
        func version(_ seconds: Double) -> UInt64 {
            stage.draw(seconds)
            return stage.content.version
        }
        #expect(version(0.5) == 0)
        let first = version(1)
        #expect(first != 0 && version(1.5) == first && version(1.99) == first)
        let both = version(2)
        #expect(both != first && version(2.5) == both && version(3) != both && version(4) == 0)
        let again = version(3.5)
        stage.overlay.style.color = .init(red: 1, green: 0, blue: 0)
        #expect(version(3.5) != again)
        stage.geometry.width = 800
        stage.geometry.frameWidth = 800
        let wide = version(3.5)
        #expect(wide != again && version(3.5) == wide && !stage.overlay.isAnimating(at: .zero))
    }

    @Test("simultaneous cues are stacked without overlap")
    func stacked() throws {
        let stage = try SubtitleStage(
            Self.cue("<font color=\"#ff0000\">lower</font>")
                + Self.cue("<font color=\"#0000ff\">upper</font>", "00:00:01,000 --> 00:00:10,000"))
        let alone = try #require(stage.red(0.5))
        let red = try #require(stage.red(2))
        let blue = try #require(stage.blue(2))
        #expect(red == alone && blue.bottom <= red.top)
    }

    @Test("SubRip tags change color, position and style")
    func tags() throws {
        let stage = try SubtitleStage(
            Self.cue("<font color=\"#ff0000\">red</font> white") + Self.cue("{\\an8}<font color=\"#0000ff\">top</font>")
        )
        let red = try #require(stage.red(1))
        let letters = try #require(stage.letters(1))
        let blue = try #require(stage.blue(1))
        #expect(red.right < letters.right - 20 && red.left < 320 && blue.bottom < 60)
        let upright = try SubtitleStage(Self.cue("lll"))
        let slanted = try SubtitleStage(Self.cue("<i>lll</i>"))
        let bold = try SubtitleStage(Self.cue("<b>lll</b>"))
        let (a, b, c) = (
            try #require(upright.letters(1)), try #require(slanted.letters(1)), try #require(bold.letters(1))
        )
        #expect(upright.draw(1) != slanted.draw(1) && a != b && c.width > a.width)
    }

    @Test("Advanced SubStation sets position, color and karaoke timing")
    func subStation() throws {
        let stage = try SubtitleStage(
            Self.head + """
                Dialogue: 0,0:00:00.00,0:00:04.00,Default,,0,0,0,,{\\an7\\pos(100,50)}placed
                Dialogue: 0,0:00:05.00,0:00:09.00,Default,,0,0,0,,{\\k200}NNNN{\\k200}NNNN
                Dialogue: 0,0:00:10.00,0:00:14.00,Default,,0,0,0,,{\\c&H00FF00&}green

                """)
        let placed = try #require(stage.red(1))
        #expect(abs(placed.left - 100) <= 5 && placed.top >= 50 && placed.top < 65)
        // Sung syllables are red, and the others blue.
        let early = try #require(stage.red(6))
        let late = try #require(stage.red(8))
        let ahead = try #require(stage.blue(6))
        #expect(ahead.left >= early.right - 2 && late.right > early.right + 20 && stage.blue(8) == nil)
        #expect(stage.green(11) != nil && stage.red(11) == nil)
        let version = { () -> UInt64 in
            stage.draw(5.5)
            return stage.content.version
        }()
        stage.draw(5.6)
        // Nothing changes between two syllables, so the version stays the same at another time.
        #expect(stage.content.version == version)
    }

    @Test("the user's style applies where the author sets nothing")
    func userStyle() throws {
        let stage = try SubtitleStage(Self.cue("Own <font color=\"#ff0000\">red</font>"))
        let usual = try #require(stage.letters(1))
        var style = SubtitleStyle()
        style.color = .init(red: 0, green: 1, blue: 0)
        style.backgroundColor = .clear
        style.size = .fraction(0.1)
        style.verticalPosition = 0
        style.alignment = .left
        stage.overlay.style = style
        stage.save(1, "user")
        let green = try #require(stage.green(1))
        let red = try #require(stage.red(1))
        #expect(green.height > usual.height * 3 / 2 && green.top < 60 && green.left < 40 && red.left > green.right)
        style.edge = .outline
        style.edgeColor = .init(red: 0, green: 0, blue: 1)
        stage.overlay.style = style
        let blue = try #require(stage.blue(1))
        let inner = try #require(stage.green(1))
        #expect(blue.left < inner.left && blue.top < inner.top && blue.bottom > inner.bottom)
        for (edge, name) in [(SubtitleStyle.Edge.dropShadow, "shadow"), (.raised, "raised")] {
            style.edge = edge
            stage.overlay.style = style
            stage.save(1, name)
            let blue = try #require(stage.blue(1))
            let letters = try #require(stage.green(1))
            // The shadow is only below and to the right.
            #expect(blue.left >= letters.left - 1 && blue.bottom > letters.bottom)
        }
        // A box and an outline are both drawn.
        style.edge = .outline
        style.backgroundColor = .init(red: 1, green: 0, blue: 0)
        stage.overlay.style = style
        stage.save(1, "box-and-outline")
        let box = try #require(stage.red(1))
        #expect(stage.blue(1).map { $0.left > box.left && $0.right < box.right } == true && stage.green(1) != nil)
        style.size = .points(36)
        stage.geometry.scale = 2
        stage.overlay.style = style
        let points = try #require(stage.red(1))
        #expect(points.height > 72 && points.height < 110)
    }

    @Test("the author's style wins unless overridden; signs always keep theirs")
    func override() throws {
        let stage = try SubtitleStage(
            Self.head + """
                Dialogue: 0,0:00:00.00,0:00:04.00,Default,,0,0,0,,speech {\\c&HFF0000&}blue
                Dialogue: 0,0:00:05.00,0:00:09.00,Default,,0,0,0,,{\\pos(320,100)}a sign

                """)
        var style = SubtitleStyle()
        style.color = .init(red: 0, green: 1, blue: 0)
        style.verticalPosition = 0
        stage.overlay.style = style
        let before = try #require(stage.red(1))
        #expect(stage.green(1) == nil && stage.blue(1) != nil && before.top > 180)
        style.overridesAuthor = true
        stage.overlay.style = style
        stage.save(1, "override")
        let after = try #require(stage.green(1))
        #expect(stage.red(1) == nil && stage.blue(1) == nil && after.bottom < 100)
        #expect(stage.green(6) == nil && stage.red(6) != nil)
        let tagged = try SubtitleStage(Self.cue("<font color=\"#ff0000\">red</font>"))
        tagged.overlay.style = style
        #expect(tagged.red(1) == nil && tagged.green(1) != nil)
    }

    @Test("the user's style also applies after a change of style")
    func overrideAfterReset() throws {
        let red = try #require(Self.head.split(separator: "\n").first { $0.hasPrefix("Style: Default") })
        let blue = red.replacing("Default", with: "Other").replacing("&H000000FF", with: "&H00FF0000")
        let stage = try SubtitleStage(
            Self.head.replacing("[Events]", with: blue + "\n\n[Events]") + """
                Dialogue: 0,0:00:00.00,0:00:04.00,Default,,0,0,0,,speech {\\rOther}other {\\r}again

                """)
        #expect(stage.red(1) != nil && stage.blue(1) != nil)
        var style = SubtitleStyle()
        style.color = .init(red: 0, green: 1, blue: 0)
        style.overridesAuthor = true
        stage.overlay.style = style
        #expect(stage.green(1) != nil && stage.red(1) == nil && stage.blue(1) == nil)
    }

    @Test("subtitles of a released source are never shown again")
    func releasedSource() throws {
        let (short, long) = (Self.cue("I"), Self.cue("a much longer line"))
        let expected = try SubtitleStage(long).all(1)
        let stage = SubtitleStage()
        // A new document often gets the address of a released one.
        for _ in 0..<50 {
            stage.overlay.show(try SubtitleStage.document(short))
            stage.draw(1)
            stage.overlay.show(nil)
            stage.overlay.show(try SubtitleStage.document(long))
            #expect(stage.all(1) == expected)
            stage.overlay.show(nil)
        }
    }

    @Test("subtitles stay inside the video unless margins are allowed")
    func margins() throws {
        let stage = try SubtitleStage(Self.cue("words"))
        stage.geometry = OverlayGeometry(
            width: 640, height: 480, frameX: 0, frameY: 60, frameWidth: 640, frameHeight: 360, scale: 1)
        let inside = try #require(stage.all(1))
        #expect(inside.bottom < 420 && inside.top > 360)
        stage.overlay.style.usesMargins = true
        let below = try #require(stage.all(1))
        #expect(below.top > 420 && abs(below.height - inside.height) <= 1)
        // If the video fills the view and is cropped, the text stays visible.
        stage.overlay.style.usesMargins = false
        stage.geometry = OverlayGeometry(
            width: 640, height: 360, frameX: -100, frameY: -60, frameWidth: 840, frameHeight: 480, scale: 1)
        #expect(try #require(stage.all(1)).bottom < 360)
        let script = try SubtitleStage(Self.head + "Dialogue: 0,0:00:00.00,0:00:04.00,Default,,0,0,0,,speech\n")
        script.geometry = stage.geometry
        #expect(try #require(script.red(1)).bottom < 360)
    }

    @Test("subtitles move above controls; text in the upper half stays")
    func covered() throws {
        for text in [
            Self.cue("one line"), Self.cue("two\nlines"),
            Self.head + "Dialogue: 0,0:00:00.00,0:00:04.00,Default,,0,0,0,,speech\n",
        ] {
            let stage = try SubtitleStage(text)
            let free = try #require(stage.all(1))
            stage.geometry.coveredBottom = 80
            let raised = try #require(stage.all(1))
            #expect(raised.bottom <= 280 && raised.bottom > 260, "\(raised)")
            #expect(raised.height == free.height && raised.left == free.left && raised.right == free.right)
            let version = stage.content.version
            _ = stage.all(1.5)
            #expect(stage.content.version == version, "the same content is not drawn again")
            stage.geometry.coveredBottom = 0
            #expect(stage.all(1) == free && stage.content.version != version)
        }
        let title = try SubtitleStage(
            Self.head + "Dialogue: 0,0:00:00.00,0:00:04.00,Default,,0,0,0,,{\\an8}title\n")
        let free = try #require(title.all(1))
        title.geometry.coveredBottom = 80
        #expect(title.all(1) == free)
    }

    @Test("a moved bitmap pushes those above by the same distance")
    func raised() throws {
        func bitmap(_ x: Int, _ y: Int, _ width: Int, _ height: Int) throws -> OverlayBitmap {
            try #require(
                OverlayBitmap(
                    x: x, y: y, width: width, height: height, pixels: [UInt32](repeating: 1, count: width * height)))
        }
        let all = [
            try bitmap(0, 300, 40, 20), try bitmap(0, 260, 40, 20), try bitmap(100, 265, 40, 20),
            try bitmap(0, 10, 40, 20),
        ]
        let raised = try #require(OverlayBitmap.raised(all, above: 290))
        #expect(raised.map(\.y) == [270, 230, 265, 10])
        #expect(OverlayBitmap.raised(all, above: 320) == nil)
    }

    @Test("the delay moves subtitles later or earlier")
    func delay() throws {
        let stage = try SubtitleStage(Self.cue("words", "00:00:01,000 --> 00:00:02,000"))
        stage.overlay.delay = CMTime(value: 500, timescale: 1000)
        #expect(stage.all(1.4) == nil && stage.all(1.5) != nil && stage.all(2.4) != nil && stage.all(2.5) == nil)
        stage.overlay.delay = CMTime(value: -500, timescale: 1000)
        #expect(stage.all(0.5) != nil && stage.all(1.5) == nil)
        stage.overlay.show(nil)
        #expect(stage.all(0.5) == nil)
    }

    @Test("right-to-left text, combining marks and missing glyphs are drawn")
    func scripts() throws {
        // A number after Hebrew text is at its left.
        let stage = try SubtitleStage(Self.cue("<font color=\"#0000ff\">שלום</font> <font color=\"#ff0000\">77</font>"))
        stage.save(1, "hebrew")
        #expect(try #require(stage.red(1)).right < (try #require(stage.blue(1)).left))
        // Joined Arabic letters are narrower than separate ones.
        let joined = try #require(try SubtitleStage(Self.cue("ببببب")).letters(1))
        let apart = try #require(try SubtitleStage(Self.cue("ب\u{200C}ب\u{200C}ب\u{200C}ب\u{200C}ب")).letters(1))
        #expect(joined.width < apart.width)
        let plain = try #require(try SubtitleStage(Self.cue("e")).letters(1))
        let accented = try #require(try SubtitleStage(Self.cue("e\u{301}")).letters(1))
        #expect(accented.height > plain.height && abs(accented.width - plain.width) <= 2)
        #expect(try SubtitleStage(Self.cue("日本語 한국어 😀 𒀀")).all(1) != nil)
    }

    @Test("every change of text, style or delay notifies the display")
    func changes() throws {
        final class Count: @unchecked Sendable { var value = 0 }  // used on this thread only
        let count = Count()
        let stage = SubtitleStage()
        stage.overlay.onChange { count.value += 1 }
        stage.overlay.show(try SubtitleStage.document(Self.cue("a")))
        #expect(count.value == 1)
        stage.overlay.style.edge = .raised
        #expect(count.value == 2)
        stage.overlay.delay = CMTime(value: 1, timescale: 1)
        #expect(count.value == 3)
        stage.overlay.onChange(nil)
        stage.overlay.show(nil)
        #expect(count.value == 3)
    }

    @Test("bitmap subtitles scale with the video")
    func bitmaps() throws {
        func store(_ hasSquarePixels: Bool) -> SubtitleStore {
            let store = SubtitleStore()
            // A red frame around a blue area, at the upper left corner of the lower right quarter.
            var indices = [UInt8](repeating: 1, count: 100 * 50)
            for y in 10..<40 { for x in 10..<90 { indices[y * 100 + x] = 2 } }
            let palette: [UInt32] = [0, 0xFFFF_0000, 0xFF00_00FF] + [UInt32](repeating: 0, count: 253)
            let rectangle = SubtitleBitmap.Rectangle(
                x: 360, y: 288, width: 100, height: 50, palette: palette, indices: indices)
            store.show(
                .bitmap(
                    SubtitleBitmap(
                        rectangles: [rectangle], canvasWidth: 720, canvasHeight: 576, hasSquarePixels: hasSquarePixels)),
                from: 0, until: 1_000_000_000)
            return store
        }
        let stage = SubtitleStage(width: 1440, height: 576)
        stage.overlay.show(store(false))
        #expect(stage.red(0.5) == .init(left: 720, top: 288, right: 920, bottom: 338))
        let blue = try #require(stage.blue(0.5))
        #expect(abs(blue.left - 740) <= 1 && abs(blue.right - 900) <= 1 && blue.top == 298 && blue.bottom == 328)
        let version = stage.content.version
        stage.draw(0.6)
        #expect(stage.content.version == version && stage.all(1) == nil)
        stage.geometry = OverlayGeometry(
            width: 360, height: 288, frameX: 0, frameY: 0, frameWidth: 360, frameHeight: 288, scale: 1)
        let small = try #require(stage.red(0.5))
        #expect(
            abs(small.left - 180) <= 1 && abs(small.top - 144) <= 1 && abs(small.right - 230) <= 1
                && abs(small.bottom - 169) <= 1)
        // A video without its black bars: 720 × 400 of 576 rows. The subtitle canvas keeps its aspect ratio and is
        // centered.
        stage.overlay.show(store(true))
        stage.geometry = OverlayGeometry(
            width: 720, height: 400, frameX: 0, frameY: 0, frameWidth: 720, frameHeight: 400, scale: 1)
        #expect(stage.red(0.5) == .init(left: 360, top: 200, right: 460, bottom: 250))
    }

    @Test("a new subtitle replaces one that would last longer")
    func replaced() throws {
        let store = SubtitleStore()
        let stage = SubtitleStage()
        func event(_ color: String) -> SubtitleCue.Body { .events(["0,Default,,0,0,0,,{\\c&H\(color)&}words"]) }
        store.show(event("0000FF"), from: 0, until: 16_000_000_000)
        stage.overlay.show(store)
        #expect(stage.red(1) != nil)
        store.show(event("FF0000"), from: 2_000_000_000, until: 16_000_000_000)
        #expect(stage.red(1.5) != nil && stage.blue(1.5) == nil)
        #expect(stage.blue(2) != nil && stage.red(2) == nil)
        store.show(nil, from: 3_000_000_000, until: 16_000_000_000)
        #expect(stage.all(3) == nil)
    }

    @Test("captions keep their grid position and accept the user's color")
    func captions() throws {
        let store = SubtitleStore()
        let parameters = try #require(avcodec_parameters_alloc())
        var owned: UnsafeMutablePointer<AVCodecParameters>? = parameters
        defer { avcodec_parameters_free(&owned) }
        parameters.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
        parameters.pointee.codec_id = AV_CODEC_ID_EIA_608
        let decoder = try #require(
            SubtitleDecoder(parameters: parameters, timeBase: AVRational(num: 1, den: 25), startOffset: 0, store: store)
        )
        // Commands: load, row 15, four letters, show.
        let pairs: [(UInt8, UInt8)] = [
            (0x94, 0x20), (0x94, 0x20), (0x94, 0x70), (0x94, 0x70), (0xC8, 0x49), (0xD9, 0x4F), (0x94, 0x2F),
            (0x94, 0x2F),
        ]
        for index in 0..<40 {
            let packet = try #require(av_packet_alloc())
            var held: UnsafeMutablePointer<AVPacket>? = packet
            defer { av_packet_free(&held) }
            #expect(av_new_packet(packet, 3) >= 0)
            let pair = index < pairs.count ? pairs[index] : (0x80, 0x80)
            (packet.pointee.data[0], packet.pointee.data[1], packet.pointee.data[2]) = (0xFC, pair.0, pair.1)
            packet.pointee.pts = Int64(index)
            decoder.decode(packet)
        }
        let stage = SubtitleStage()
        stage.overlay.show(store)
        stage.save(1, "captions")
        let letters = try #require(stage.letters(1))
        #expect(letters.top > 270 && letters.left < 200 && letters.left > 30)
        stage.overlay.style.color = .init(red: 0, green: 1, blue: 0)
        #expect(stage.green(1) == nil)
        stage.overlay.style.overridesAuthor = true
        #expect(try abs(#require(stage.green(1)).left - letters.left) <= 2)
    }
}
