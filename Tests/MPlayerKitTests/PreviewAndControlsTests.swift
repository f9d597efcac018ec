import Foundation
import TestSupport
import Testing
import Zoetrope

@testable import MPlayerKit

@Suite("The preview model and calculations of the controls", .serialized) @MainActor
struct PreviewAndControlsTests {
    @Test("the preview loads the preview file, stays paused and seeks")
    func preview() async throws {
        let model = PlayerPreviewModel()
        await model.load(try Clip("counter.mp4"))
        #expect(model.currentItem == nil && model.duration == nil && model.player.currentItem == nil)
        var clip = try Clip("counter.mp4")
        clip.previewAsset = try TestMedia.url("quad-rot90.mp4")
        await model.load(clip)
        #expect(
            model.currentItem?.title == "A Title" && model.duration != nil && abs(model.aspectRatio - 9.0 / 16) < 0.01)
        #expect(
            model.state.words == "userInitiated" && model.player.isMuted && !model.player.updatesNowPlayingInfoCenter)
        model.seek(CMTime(seconds: 0.5, preferredTimescale: 600))
        #expect(await eventually { model.currentTime?.seconds == 0.5 })
        model.seek(CMTime(seconds: 1e9, preferredTimescale: 600))
        #expect(await eventually { model.currentTime == model.duration })
        #expect(model.player.timeControlStatus == .paused)
        clip.previewAsset = URL(fileURLWithPath: "/nonexistent.mp4")
        await model.load(clip)
        #expect(model.state.words == "error" && model.duration == nil)
    }

    @Test(
        "a position on the bar is a fraction from 0 to 1",
        arguments: [(5.0, 10.0, 0.5), (-3, 10, 0), (30, 10, 1), (.nan, 10, 0), (5, 0, 0)])
    func share(_ x: Double, _ width: Double, _ share: Double) { #expect(Fraction.of(x, width) == share) }

    @Test("a preview is centered over its position, inside the bar")
    func offset() {
        let view = PlaybackPreviewView(trackingState: .constant(.idle))
        let bar = CGSize(width: 400, height: 100)
        let box = CGSize(width: 178, height: 100)
        #expect(view.offset(geometrySize: bar, previewSize: box, progress: 0.5) == CGPoint(x: 111, y: 0))
        #expect(view.offset(geometrySize: bar, previewSize: box, progress: 0) == .zero)
        #expect(view.offset(geometrySize: bar, previewSize: box, progress: 1) == CGPoint(x: 222, y: 0))
        #expect(view.offset(geometrySize: bar, previewSize: box, progress: .nan) == .zero)
        #expect(view.offset(geometrySize: CGSize(width: 100, height: 100), previewSize: box, progress: 0.5) == .zero)
    }

    @Test("times are mm:ss, with hours if needed, and 00:00 if unknown")
    func clock() {
        #expect(
            [nil, 0, 65, 3599.9, 3600, -5, .nan, .infinity].map(KitText.clock) == [
                "00:00", "00:00", "01:05", "59:59", "1:00:00", "00:00", "00:00", "00:00",
            ])
        #expect(KitText.clock(1e300).hasSuffix(":40"))
    }

    @Test("the speaker symbol shows mute and three volume levels")
    func speaker() {
        #expect(
            VolumeSlider.symbol(volume: 1, isMuted: true) == "speaker.slash.fill"
                && VolumeSlider.symbol(volume: 0, isMuted: false) == "speaker.slash.fill")
        #expect(
            [0.2, 0.5, 0.9].map { VolumeSlider.symbol(volume: $0, isMuted: false) } == [
                "speaker.wave.1.fill", "speaker.wave.2.fill", "speaker.wave.3.fill",
            ])
    }
}
