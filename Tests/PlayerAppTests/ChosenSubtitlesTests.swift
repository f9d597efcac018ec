import Foundation
import MediaCore
import Testing

@testable import PlayerApp

@Suite("Parts of the player's subtitles")
struct ChosenSubtitlesTests {
    private let first = PlayerSubtitles.Choice.file(URL(fileURLWithPath: "/a.srt"))
    private let second = PlayerSubtitles.Choice.file(URL(fileURLWithPath: "/b.srt"))

    @Test("hidden subtitles are shown again until they are forgotten")
    func toggled() {
        var chosen = ChosenSubtitles()
        #expect(chosen.toggled(first: first) == first)
        let haveChanged = [second, second, .none].map { chosen.choose($0) }
        #expect(haveChanged == [true, false, true])
        #expect(chosen.current == .none)
        #expect(chosen.toggled(first: first) == second)
        chosen.forgetLast()
        #expect(chosen.toggled(first: first) == first)
        _ = chosen.choose(first)
        #expect(chosen.toggled(first: second) == .none)
    }

    @Test("the delay is rounded, limited, and kept for a later overlay")
    @MainActor func delay() {
        var overlay = DelayedOverlay()
        for _ in 0..<3 { overlay.shift(by: 0.1) }
        #expect(overlay.delay == 0.3 && !overlay.exists)
        let drawn = overlay.create()
        #expect(overlay.exists && drawn.delay.seconds == 0.3)
        overlay.shift(by: -1e9)
        #expect(overlay.delay == -600 && drawn.delay.seconds == -600)
    }
}
