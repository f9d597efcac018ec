import MediaCore
import MediaEngine
import Testing

@testable import Filters
@testable import Overlays

@Suite("Frames drawn ahead")
struct FramesAheadTests {
    private func frame(_ color: UInt32) throws -> VideoFrame { try FrameStage.plain(color) }
    private func at(_ milliseconds: Int64) -> HostTime { HostTime(nanoseconds: milliseconds * 1_000_000) }

    @Test("the composer gets a frame once per version of the settings")
    func submitting() {
        var ahead = FramesAhead()
        let submitted = [(1, 1), (1, 1), (1, 2), (2, 2)].map { ahead.submit($0.0, version: $0.1) }
        #expect(submitted == [true, false, true, true])
        #expect(ahead.isLatest(2, version: 2) && !ahead.isLatest(1, version: 2))
        let forgotten = [ahead.discardAll(), ahead.discardAll()]
        #expect(forgotten == [true, false] && !ahead.isLatest(2, version: 2))
    }

    @Test("the newest frame that is due is shown, older ones are dropped")
    func due() throws {
        var ahead = FramesAhead()
        let frames = [try frame(1), try frame(2), try frame(3)]
        for (index, frame) in frames.enumerated() {
            ahead.add(frame, source: UInt64(index), due: at(Int64(index) * 40))
        }
        let shown = [40, 50, 77].map { ahead.take(at: at($0), isMoving: true) }
        // The second frame stays until the third is due. A frame that is due within a short time counts as due.
        #expect(shown[0]?.frame === frames[1] && shown[1]?.frame === frames[1] && shown[2]?.frame === frames[2])
        let last = try #require(shown[2])
        #expect(last.sequence > UInt64(Int64.max), "apart from the source's own numbers")
        #expect(ahead.source(of: last.sequence) == 2 && ahead.source(of: 7) == 7)
    }

    @Test("while nothing moves, the newest frame is shown at once")
    func still() throws {
        var ahead = FramesAhead()
        let late = try frame(2)
        ahead.add(try frame(1), source: 1, due: at(0))
        ahead.add(late, source: 2, due: at(1000))
        let shown = ahead.take(at: at(0), isMoving: false)
        #expect(shown?.frame === late)
    }

    @Test("the previous frame stays until the first frame is drawn")
    func fallbackFrame() throws {
        var ahead = FramesAhead()
        let plain = PulledFrame(frame: try frame(1), sequence: 1)
        #expect(ahead.fallbackFrame(plain) == nil, "a video does not begin without its filters")
        ahead.hasShown = true
        #expect(ahead.fallbackFrame(plain)?.frame === plain.frame)
        let drawn = try frame(2)
        ahead.add(drawn, source: 1, due: at(0))
        _ = ahead.take(at: at(0), isMoving: true)
        #expect(ahead.fallbackFrame(plain)?.frame === drawn)
    }

    @Test("drawn frames are requested earlier by their cost and a refresh")
    func lead() {
        var ahead = FramesAhead()
        let costs: [(due: Int64, cost: Int64?)] = [(0, nil), (16, 8), (1016, 8), (1032, 1000)]
        let leads = costs.map { ahead.lead(at: at($0.due), cost: $0.cost.map { $0 * 1_000_000 }) / 1_000_000 }
        // A pause does not count as a refresh interval. The lead is at most 90 ms.
        #expect(leads == [0, 26, 44, 90])
    }
}

@Suite("Colors that the display changes")
struct DisplayedColorsTests {
    @Test("the look changes only with the version of the colors")
    func appearanceVersion() {
        var displayed = DisplayedColors()
        displayed.set(nil)
        #expect(displayed.appearanceVersion == 1)
        displayed.set(.identity, of: 3)
        displayed.set(.identity, of: 3)
        #expect(displayed.appearanceVersion == 2 && displayed.colors != nil)
        displayed.set(nil)
        #expect(displayed.appearanceVersion == 3 && displayed.colors == nil)
    }
}
