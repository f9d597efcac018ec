import Foundation
import MediaCore
import Testing

@testable import MediaEngine

@Suite("External device")
@MainActor
struct ExternalDeviceTests {
    @MainActor
    private final class Device: ExternalPlayback {
        var commands: [String] = []
        let name = "TV"
        var isPlaying = false
        var isAtEnd = false
        func load(_ item: AVPlayerItem, at position: MediaTime, rate: Float) { commands.append("load") }
        func setRate(_ rate: Float) { commands.append("rate \(rate)") }
        func seek(to position: MediaTime, completion: @escaping @MainActor (Bool) -> Void) { completion(true) }
        func setVolume(_ volume: Float, isMuted: Bool) { commands.append("volume \(volume)") }
        func media(atHostTime host: HostTime) -> MediaTime { 0 }
        func hostTime(media: MediaTime) -> HostTime? { nil }
        func end() { commands.append("end") }
    }

    private let external = ExternalDevice()
    private let device = Device()

    @Test("commands go to the device, without one to the player")
    func command() {
        #expect(!external.command { $0.setRate(1) })
        external.begin(device, volume: 1, isMuted: false)
        #expect(external.command { $0.setRate(2) } && device.commands == ["rate 2.0"])
    }

    @Test("a change that the device reports is not sent back")
    func report() {
        external.begin(device, volume: 1, isMuted: false)
        external.report {
            #expect(external.isReporting && external.command { $0.setRate(2) })
        }
        #expect(!external.isReporting && device.commands.isEmpty)
    }

    @Test("the player's own volume survives a change of device")
    func volume() {
        external.begin(device, volume: 0.5, isMuted: true)
        external.begin(Device(), volume: 1, isMuted: false)
        let here = external.remove(error: nil)
        #expect(here?.volume == 0.5 && here?.isMuted == true && external.device == nil)
        #expect(external.remove(error: nil) == nil)
    }

    @Test("an error is kept until another device starts")
    func error() {
        external.begin(device, volume: 1, isMuted: false)
        _ = external.remove(error: AVError(.timedOut, at: "tv", reason: "The device does not answer."))
        #expect((external.error as? AVError)?.code == .timedOut)
        external.begin(device, volume: 1, isMuted: false)
        #expect(external.error == nil)
    }

    @Test("a device that begins to play ends pending prerolls")
    func prerolls() {
        let player = AVPlayer(playerItem: AVPlayerItem(url: URL(fileURLWithPath: "/nonexistent/film.mp4")))
        var answers: [Bool] = []
        player.preroll(atRate: 1) { answers.append($0) }
        #expect(answers.isEmpty)
        player.beginExternalPlayback(device)
        #expect(answers == [false] && device.commands.contains("load"))
        player.close()
    }

    @Test("closing ends the device once")
    func close() {
        external.begin(device, volume: 1, isMuted: false)
        external.close()
        external.close()
        #expect(device.commands == ["end"] && external.device == nil)
    }
}
