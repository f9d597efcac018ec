import Foundation
import TestSupport
import Testing

/// Tests of `ExtVideoPlayer` in a real window, as an app uses it.
@Suite("ExtVideoPlayer in a window", .serialized)
struct ComponentTests {
    @Test("a player plays, obeys commands and frees its resources when removed")
    func life() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let sound = try await PrivateSoundServer.launch()
        defer { sound.stop() }
        let app = try AppProcess(
            "Component", [TestMedia.url("sine-aac48.mp4").path], environment: ["PULSE_SERVER": sound.address],
            display: display)
        try await app.wait(for: "ready")
        try await app.wait(for: "event playing")
        try await app.wait(for: "time ")
        let playing = try await app.ask("cover")
        #expect(playing.playerThreads >= 3)

        try await app.ask("pause")
        try await app.wait(for: "event paused")
        // A command that equals the last one is ignored, but runs again after another command.
        try await app.ask("play")
        try await app.wait(for: "event playing")
        try await app.ask("both")
        try await app.wait(for: "event paused")
        try await app.ask("seek 0.5")
        let sought = try await app.wait(for: "event seek")
        #expect(sought == "event SeekSuccess")
        // Without its setting Picture in Picture does not start: the next event belongs to the next command.
        try await app.ask("startpip")
        try app.send("seek 0.7")
        try await app.wait(for: "event seek")
        #expect(!app.lines.contains { $0.hasPrefix("event error") })
        // The command to play, with which the player is shown again below.
        try await app.ask("play")
        try await app.wait(for: "event playing")

        let gone = try await app.ask("hide") { $0.playerThreads == 0 }
        #expect(gone.playerThreads == 0)
        #expect(gone.mediaFiles == 0)
        #expect(gone.sockets < playing.sockets)
        try await app.ask("show")
        try await app.wait(for: "event playing")
        // Count the threads only now, because a thread has its name only after it first runs.
        #expect(try await app.ask("cover").playerThreads >= 3)
        expectEqual(try await app.ask("hide") { $0.playerThreads == 0 }.playerThreads, 0)
    }

    @Test("NotAutoPlay() overrides an initial play command but not an initial seek")
    func begins() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let media = try TestMedia.url("sine-aac48.mp4").path
        let hasPlayed: @Sendable (AppProcess) -> Bool = { $0.lines.contains("event Playing") }
        let still = try AppProcess("Component", [media, "still"], display: display)
        try await still.wait(for: "event Status: ReadyToPlay")
        try await still.ask("seek 0.5")
        try await still.wait(for: "event seek")
        #expect(!hasPlayed(still))
        try await still.ask("play")
        try await still.wait(for: "event playing")
        let sought = try AppProcess("Component", [media, "seek"], display: display)
        expectEqual(try await sought.wait(for: "event seek"), "event SeekSuccess")
        // The time is reported at once, and events follow in a later batch.
        #expect(try await until { sought.lines.contains { $0.hasPrefix("time 1") } ? true : nil } == true)
        #expect(!hasPlayed(sought))
    }

    @Test("a new source replaces the first; a missing source reports an error")
    func sources() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let app = try AppProcess("Component", [TestMedia.url("sine-aac48.mp4").path], display: display)
        try await app.wait(for: "event playing")
        // Count twice, because a thread that has not run yet has no name and is not counted.
        let one = max(try await app.ask("gravity fill").playerThreads, try await app.ask("idle").playerThreads)
        try await app.ask("source \(TestMedia.url("counter.mp4").path)")
        try await app.wait(for: "event") { $0.hasPrefix("event") && $0.lowercased().contains("item") }
        // The threads of the first source have ended: a player has three or more. Both clips are short, so the number
        // of decoding threads may vary.
        let both = try await app.ask("loop on") { $0.playerThreads <= one }.playerThreads
        #expect(both >= 3 && both <= one, "\(both) after \(one)")
        try await app.ask("source nowhere")
        let told = try await app.wait(for: "event error:")
        #expect(told.contains("nowhere"))
    }

    @Test("a video of zero width disappears; a moved view moves its video")
    func squeezed() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let app = try AppProcess("Component", [TestMedia.url("quad-709.mp4").path], display: display)
        try await app.wait(for: "event playing")
        let red = [255, 0, 0]
        let green = [0, 255, 0]
        let blue = [0, 0, 255]
        let white = [255, 255, 255]
        for isPlaying in [true, false] {
            if !isPlaying {
                try await app.ask("pause")
                try await app.wait(for: "event paused")
            }
            try await app.ask("width 600")
            let whole = try await display.settled { $0.isNear(100, 100, red) && $0.isNear(500, 300, white) }
            #expect(whole.isNear(100, 100, red) && whole.isNear(500, 300, white))
            try await app.ask("width 0")
            let gone = try await display.settled {
                $0.isNear(100, 100, blue) && $0.isNear(500, 300, blue) && $0.isNear(320, 200, blue)
            }
            #expect(
                gone.isNear(100, 100, blue) && gone.isNear(500, 300, blue) && gone.isNear(320, 200, blue),
                "playing: \(isPlaying)")
        }
        // The player is 200 points wide, in the middle, and its frame 112 points high. Above and below, the background
        // is visible.
        try await app.ask("width 200")
        let back = try await display.settled {
            $0.isNear(270, 172, red) && $0.isNear(370, 228, white) && $0.isNear(270, 60, blue)
        }
        #expect(back.isNear(270, 172, red) && back.isNear(370, 228, white) && back.isNear(270, 60, blue))
        // The player moved 50 points to the right.
        try await app.ask("push")
        let moved = try await display.settled {
            $0.isNear(245, 172, green) && $0.isNear(460, 228, white) && $0.isNear(290, 172, red)
        }
        #expect(moved.isNear(245, 172, green) && moved.isNear(460, 228, white) && moved.isNear(290, 172, red))
    }

    @Test("the video is visible plain, in a mask and under other views", arguments: Windowing.frameless)
    func seen(windowing: Windowing) async throws {
        let display = try await windowing.launch(width: 640, height: 400)
        defer { display.close() }
        let app = try AppProcess("Component", [TestMedia.url("quad-709.mp4").path], display: display)
        try await app.wait(for: "event playing")
        // The window has 640 × 400 points at the corner of the screen. The player has 600 × 360 points at (20, 20),
        // with blue around it. Its quarters are red, green, blue and white.
        let red = [255, 0, 0]
        let green = [0, 255, 0]
        let blue = [0, 0, 255]
        let white = [255, 255, 255]
        let whole = try await display.settled {
            $0.isNear(100, 100, red) && $0.isNear(500, 100, green) && $0.isNear(500, 300, white)
                && $0.isNear(10, 10, blue)
        }
        #expect(whole.isNear(100, 100, red) && whole.isNear(500, 100, green) && whole.isNear(500, 300, white))
        #expect(whole.isNear(10, 10, blue))
        try await app.ask("mask")
        let masked = try await display.settled {
            $0.isNear(60, 60, blue) && $0.isNear(250, 120, red) && $0.isNear(400, 260, white)
        }
        #expect(masked.isNear(60, 60, blue) && masked.isNear(250, 120, red) && masked.isNear(400, 260, white))
        try await app.ask("mask")
        try await app.ask("cover")
        let covered = try await display.settled {
            $0.isNear(355, 235, red) && $0.isNear(500, 300, white) && $0.isNear(500, 100, green)
        }
        #expect(covered.isNear(355, 235, red) && covered.isNear(500, 300, white) && covered.isNear(500, 100, green))
    }

    @Test("a transition shows the removed player's last frame, then frees the player")
    func fading() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let app = try AppProcess("Component", [TestMedia.url("quad-709.mp4").path], display: display)
        try await app.wait(for: "event playing")
        let red = [255, 0, 0]
        let green = [0, 255, 0]
        let blue = [0, 0, 255]
        let whole = try await display.settled { $0.isNear(100, 100, red) && $0.isNear(500, 100, green) }
        #expect(whole.isNear(500, 100, green))
        // The fade takes ten minutes, so that it has hardly begun. The square in the middle appears one frame later.
        try await app.ask("fade 600")
        try await app.ask("cover")
        let going = try await display.settled {
            $0.isNear(320, 200, red) && $0.isNear(100, 100, red) && $0.isNear(500, 100, green)
        }
        #expect(going.isNear(320, 200, red) && going.isNear(100, 100, red) && going.isNear(500, 100, green))

        let second = try AppProcess("Component", [TestMedia.url("quad-709.mp4").path], display: display)
        try await second.wait(for: "event playing")
        // Its window covers the first one, and has no red square yet.
        _ = try await display.settled { $0.isNear(100, 100, red) && $0.isNear(355, 235, [255, 255, 255]) }
        #expect(try await second.ask("loop on").playerThreads > 0)
        try await second.ask("fade 0.3")
        let gone = try await display.settled { $0.isNear(100, 100, blue) && $0.isNear(500, 100, blue) }
        #expect(gone.isNear(100, 100, blue) && gone.isNear(500, 100, blue))
        // The last steps of the fade may still be in progress.
        let facts = try await second.ask("loop off") { $0.playerThreads == 0 && $0.mediaFiles == 0 }
        #expect(facts.playerThreads == 0 && facts.mediaFiles == 0)
        for one in [app, second] {
            #expect(!one.errors.contains("CRITICAL") && !one.errors.contains("WARNING"), "\(one.errors)")
        }
    }

    @Test("the app's error view replaces the component's error text")
    func words() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let app = try AppProcess("Component", ["nowhere"], display: display)
        try await app.wait(for: "event error:")
        // Counts the pixels of the default error text, which is red, in the middle of the window.
        let own: @Sendable (Screenshot) -> Int = { shot in
            (20..<620).reduce(0) { sum, x in sum + (150..<250).count { shot.isNear(x, $0, [255, 59, 48], within: 40) } }
        }
        #expect(own(try await display.settled { own($0) > 20 }) > 20)
        try await app.ask("words")
        let green = [0, 255, 0]
        let theirs = try await display.settled { own($0) == 0 && $0.isNear(320, 200, green) }
        #expect(own(theirs) == 0 && theirs.isNear(320, 200, green))
        try await app.ask("words")
        #expect(own(try await display.settled { own($0) > 20 }) > 20)
    }
}
