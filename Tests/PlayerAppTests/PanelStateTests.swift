import Testing

@testable import PlayerApp

@Suite("The playlist's place in a window")
struct PanelStateTests {
    @Test("the playlist is beside the page from 600 points on")
    func docking() {
        #expect(!PanelState(width: nil).isDocked)
        #expect(!PanelState(width: 599).isDocked)
        #expect(PanelState(width: 600).isDocked)
        var state = PanelState(width: 599)
        let first = state.fit(width: 600, isFullscreen: false)
        let again = state.fit(width: 900, isFullscreen: false)
        #expect(first && !again && state.isDocked)
    }

    @Test("the playlist covers the page in full screen")
    func fullscreen() {
        var state = PanelState(width: 900)
        let entered = state.fit(width: 1_920, isFullscreen: true)
        #expect(entered && !state.isDocked)
        state.show(true)
        #expect(state.isShown && state.isOverPage)
    }

    @Test("a playlist over the page does not change the preference")
    func preference() {
        var state = PanelState(width: 900)
        state.prefer(true)
        #expect(state.isShown && !state.isOverPage)
        _ = state.fit(width: 400, isFullscreen: false)
        #expect(!state.isShown)
        state.show(true)
        state.show(false)
        _ = state.fit(width: 900, isFullscreen: false)
        #expect(state.isShown)
    }

    @Test("a playlist over the page closes when the window widens")
    func widening() {
        var state = PanelState(width: 400)
        state.show(true)
        _ = state.fit(width: 900, isFullscreen: false)
        #expect(!state.isShown && !state.isOverPage)
        _ = state.fit(width: 400, isFullscreen: false)
        #expect(!state.isShown)
    }

    @Test("a playlist over the page leaves part of a narrow window free")
    func widths() {
        #expect(PanelState(width: 900).panelWidth(in: 900) == 300)
        let narrow = PanelState(width: 320)
        #expect(narrow.panelWidth(in: 320) == 276)
        #expect(narrow.panelWidth(in: 500) == 300)
        #expect(narrow.panelWidth(in: 10) == 1)
    }
}
