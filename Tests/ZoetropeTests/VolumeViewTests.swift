import Foundation
import MediaEngine
import Testing

@testable import DeclarativeUI
@testable import Zoetrope

/// Tests of `MPVolumeView` and `AVAudioSession.outputVolume`. They never suspend, because the players of other tests of
/// the process would change the volume of the session.
@Suite("Volume of the audio session")
@MainActor
struct VolumeViewTests {
    private let session = AVAudioSession.sharedInstance()

    private func startedPlayer() -> AVPlayer {
        let player = AVPlayer(title: "test", audioServer: Stage.nowhere)
        player.play()
        return player
    }
    private func slider(of view: MPVolumeView) throws -> UISlider {
        try #require(view.subviews.lazy.compactMap { $0 as? UISlider }.first)
    }

    @Test("the slider of a volume view moves the volume and follows it")
    func slider() throws {
        let player = startedPlayer()
        defer { player.close() }
        player.volume = 0.25
        let view = MPVolumeView(frame: CGRect(x: 0, y: 0, width: 200, height: 40))
        let slider = try slider(of: view)
        #expect(slider.value == 0.25 && slider.isEnabled)
        // The user moves the knob.
        slider.moved(to: 0.75)
        #expect(player.volume == 0.75 && session.outputVolume == 0.75)
        player.volume = 0.5
        #expect(slider.value == 0.5)
        player.isMuted = true
        #expect(slider.value == 0 && session.outputVolume == 0 && player.volume == 0.5)
        // Increasing the volume unmutes.
        slider.moved(to: 0.1)
        #expect(!player.isMuted && player.volume == 0.1 && slider.value == 0.1)
        // Apps set the value of the slider to change the volume.
        slider.value = 0.3
        #expect(player.volume == 0.3)
        slider.setValue(.nan, animated: false)
        #expect(player.volume == 0.3 && slider.value == 0.3)
        slider.value = 7
        #expect(player.volume == 1 && slider.value == 1)
    }

    @Test("the output volume is that of the player that started last")
    func lastPlayer() {
        let (first, second) = (startedPlayer(), startedPlayer())
        defer { for player in [first, second] { player.close() } }
        var seen: [Float] = []
        let observation = session.observe(\.outputVolume, options: [.new]) { _, change in
            if let new = change.newValue { seen.append(new) }
        }
        defer { observation.invalidate() }
        second.volume = 0.5
        first.volume = 0.2
        #expect(session.outputVolume == 0.5)
        first.pause()
        first.play()
        #expect(session.outputVolume == 0.2)
        // A new player that has not started has no effect.
        let idle = AVPlayer(title: "test", audioServer: Stage.nowhere)
        defer { idle.close() }
        idle.volume = 0.9
        #expect(session.outputVolume == 0.2)
        #expect(seen == [0.5, 0.2])
    }

    @Test("a volume view lays out its slider and stores images")
    func layout() throws {
        let view = MPVolumeView(frame: CGRect(x: 0, y: 0, width: 200, height: 100))
        view.layoutIfNeeded()
        let slider = try slider(of: view)
        let rect = view.volumeSliderRect(forBounds: view.bounds)
        // There is no cast device, so the slider has the whole width.
        #expect(slider.frame == rect && rect.width == 200 && rect.midY == 50)
        #expect(view.sizeThatFits(CGSize(width: 300, height: 10)).height == rect.height)
        let knob = view.volumeThumbRect(forBounds: view.bounds, volumeSliderRect: rect, value: 1)
        #expect(knob.maxX == rect.maxX && knob.midY == rect.midY)
        view.showsVolumeSlider = false
        view.showsRouteButton = false
        #expect(slider.isHidden && view.routeButtonRect(forBounds: view.bounds).isEmpty)
        #expect(!view.areWirelessRoutesAvailable && !view.isWirelessRouteActive)
        let image = UIImage(systemName: "speaker.fill")
        view.setVolumeThumbImage(image, for: .normal)
        #expect(view.volumeThumbImage(for: .normal) === image && view.volumeThumbImage(for: .highlighted) == nil)
    }
}
