import Foundation
import TestSupport
import Testing
import Zoetrope

/// What an app does with audio in the closure of a network request.
private final class OlderPlayback: @unchecked Sendable {
    func use(_ bytes: Data) throws -> [Double] {
        let player = try AVAudioPlayer(data: bytes)
        player.numberOfLoops = -1
        player.enableRate = true
        player.rate = 1.5
        player.volume = 0.5
        let isStarted = player.prepareToPlay() && player.play() && player.isPlaying
        player.pause()
        player.currentTime = 0.25
        let isPaused = !player.isPlaying
        return [
            isStarted ? 1 : 0, isPaused ? 1 : 0, player.currentTime, Double(player.volume), Double(player.rate),
            player.duration,
        ]
    }
}

@Suite("Audio in Swift 5 mode")
struct OlderAudioTests {
    private func onAnotherThread(_ bytes: Data) async throws -> [Double] {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try OlderPlayback().use(bytes) }) }
        }
    }

    @Test("an audio player may be created, used and released on another thread")
    func anotherThread() async throws {
        let bytes = try Data(contentsOf: try TestMedia.url("audio-stereo.wav"))
        #expect(try await onAnotherThread(bytes) == [1, 1, 0.25, 0.5, 1.5, 1])
    }

    @Test("another thread gets the error of data without audio")
    func refused() async throws {
        await #expect(throws: AVError.self) { try await onAnotherThread(Data("no audio".utf8)) }
    }
}
