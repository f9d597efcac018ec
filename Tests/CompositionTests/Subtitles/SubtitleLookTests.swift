import Foundation
import Testing
@testable import Composition

@Suite("TRY", .serialized)
struct TryTests {
    @Test func pictures() throws {
        let vtt = """
            WEBVTT

            STYLE
            ::cue(.loud) { color: #ff0000; font-size: 150%; }
            ::cue(v[voice="Mary"]) { color: lime; background-color: rgba(0,0,255,0.8) }
            ::cue(:future) { color: rgba(255,255,255,0.3) }

            00:00.000 --> 00:10.000
            A first line, which is long enough to be broken in two by its own length, is it not, or is it?
            and <c.loud>a loud</c> one

            00:01.000 --> 00:10.000
            <v Mary>Mary says</v> hello <i>there</i> <b>you</b> <u>all</u>

            00:00.000 --> 00:10.000 line:0 align:start
            top left

            00:00.000 --> 00:10.000 line:20% position:80% align:end size:30%
            at the right in two lines

            00:00.000 --> 00:10.000 vertical:rl
            turned text
            again

            00:00.000 --> 00:10.000 vertical:lr
            turned text
            again

            00:00.000 --> 00:10.000 line:50%,center
            sing <00:02.000>along <00:04.000>now
            """
        let stage = try SubtitleStage(vtt)
        stage.save(3, "vtt")
        let srt = try SubtitleStage("1\n00:00:00,000 --> 00:00:10,000\nHello <i>italic</i> <font color=\"#ff0000\">red</font>\nsecond <b>bold</b> line\n\n2\n00:00:00,000 --> 00:00:10,000\n{\\an8}שלום עולם مرحبا بالعالم é\u{301} 日本語")
        srt.save(3, "srt")
        var style = SubtitleStyle()
        style.edge = .outline
        srt.overlay.style = style
        srt.save(3, "srt-box-outline")
        style.edge = .dropShadow
        style.backgroundColor = .clear
        style.edgeColor = .init(red: 0, green: 0, blue: 1)
        style.color = .init(red: 1, green: 1, blue: 0)
        style.fontFamily = "DejaVu Serif"
        style.size = .fraction(0.08)
        srt.overlay.style = style
        srt.save(3, "srt-shadow")
        style.edge = .raised
        style.overridesAuthor = true
        srt.overlay.style = style
        srt.save(3, "srt-raised-override")
        stage.overlay.style = style
        stage.save(3, "vtt-override")
        let ass = try SubtitleStage("[Script Info]\nScriptType: v4.00+\nPlayResX: 640\nPlayResY: 360\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding\nStyle: Default,DejaVu Sans,30,&H0000FFFF,&H000000FF,&H00FF0000,&H00000000,0,0,0,0,100,100,0,0,1,2,1,2,10,10,10,1\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\nDialogue: 0,0:00:00.00,0:00:10.00,Default,,0,0,0,,A dialogue, {\\c&H00FF00&}green\nDialogue: 0,0:00:00.00,0:00:10.00,Default,,0,0,0,,{\\pos(100,100)\\k200}ka{\\k200}ra{\\k200}o")
        ass.save(3, "ass")
        ass.overlay.style = style
        ass.save(3, "ass-override")
    }
}
