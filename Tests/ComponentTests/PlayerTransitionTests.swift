import Foundation
import TestSupport
import Testing

/// Tests of transitions that insert and remove player views. The probe's animation clock is held, so that each frame
/// can be checked.
@Suite("Transitions of players", .serialized)
struct PlayerTransitionTests {
    static let kinds = ["video", "ext", "layer", "controller", "macview", "kit-system", "kit-custom", "container"]

    private static func app(_ kind: String) async throws -> SeenApp {
        try await SeenApp(kind, TestMedia.url("quad-709.mp4"))
    }

    @Test("a player crossfades with the view behind, out and in", arguments: kinds)
    func opacity(_ kind: String) async throws {
        let seen = try await Self.app(kind)
        try await seen.tell("hold", "go")
        #expect(try await seen.shows { SeenApp.isPicture($0) }, "at first")
        for share in [0.75, 0.5, 0.25] {
            try await seen.tell("advance 0.25")
            #expect(try await seen.shows { SeenApp.isPicture($0, share: share) }, "out, at \(share)")
        }
        try await seen.tell("advance 0.3")
        #expect(try await seen.shows(SeenApp.isGround), "gone")
        try await seen.tell("come")
        #expect(try await seen.shows(SeenApp.isGround), "not yet there")
        for share in [0.25, 0.5, 0.75] {
            try await seen.tell("advance 0.25")
            #expect(try await seen.shows { SeenApp.isPicture($0, share: share) }, "in, at \(share)")
        }
        try await seen.tell("advance 0.3")
        #expect(try await seen.shows { SeenApp.isPicture($0) }, "there")
        #expect(seen.isQuiet, "\(seen.app.errors)")
    }

    @Test("a player removed during its entrance crossfades out again")
    func turnsBack() async throws {
        let seen = try await Self.app("video")
        try await seen.tell("hold", "go", "advance 1.2")
        #expect(try await seen.shows(SeenApp.isGround))
        try await seen.tell("come", "advance 0.5")
        #expect(try await seen.shows { SeenApp.isPicture($0, share: 0.5) })
        try await seen.tell("go", "advance 1.2")
        #expect(try await seen.shows(SeenApp.isGround))
        try await seen.tell("come", "advance 1.2")
        #expect(try await seen.shows { SeenApp.isPicture($0) })
    }

    /// Whether the screenshot shows the whole video, scaled around its center by `scale` and moved by (`x`, `y`).
    private static func isPlaced(_ shot: Screenshot, x: Int = 0, y: Int = 0, scale: Double = 1) -> Bool {
        SeenApp.quarters.allSatisfy { quarter in
            let (px, py) = (
                320 + x + Int(Double(quarter.x - 320) * scale), 200 + y + Int(Double(quarter.y - 200) * scale)
            )
            guard (2..<638).contains(px), (2..<398).contains(py) else { return true }
            return shot.isNear(px, py, quarter.color, within: 8)
        }
    }

    @Test("a scale transition scales the player as a whole", arguments: ["video", "ext", "layer", "container"])
    func scale(_ kind: String) async throws {
        let seen = try await Self.app(kind)
        try await seen.tell("transition scale", "hold", "go", "advance 0.8")
        // The scale goes from 1 to 0.5, and is now 0.6: 360 × 216 points around the center.
        let isSmall: @Sendable (Screenshot) -> Bool = {
            Self.isPlaced($0, scale: 0.6) && $0.isNear(60, 200, SeenApp.ground) && $0.isNear(580, 200, SeenApp.ground)
        }
        #expect(try await seen.shows(isSmall), "out")
        try await seen.tell("advance 0.3")
        #expect(try await seen.shows(SeenApp.isGround))
        try await seen.tell("come", "advance 0.2")
        #expect(try await seen.shows(isSmall), "in")
        try await seen.tell("advance 1")
        #expect(try await seen.shows { SeenApp.isPicture($0) && $0.isNear(60, 100, [255, 0, 0]) })
    }

    @Test(
        "a move or slide transition moves the video with the player",
        arguments: [("video", "move"), ("ext", "move"), ("layer", "move"), ("video", "slide"), ("ext", "slide")])
    func moves(_ kind: String, _ transition: String) async throws {
        let seen = try await Self.app(kind)
        try await seen.tell("transition \(transition)", "hold", "go", "advance 0.25")
        // The view has moved by a quarter of its 640 points: out through the leading edge, or for a slide through the
        // trailing edge.
        let out = transition == "slide" ? 160 : -160
        #expect(try await seen.shows { Self.isPlaced($0, x: out) }, "out")
        try await seen.tell("advance 0.8")
        #expect(try await seen.shows(SeenApp.isGround))
        try await seen.tell("come", "advance 0.75")
        #expect(
            try await seen.shows {
                Self.isPlaced($0, x: -160) && $0.isNear(600, 200, SeenApp.ground)
            }, "in")
        try await seen.tell("advance 0.5")
        #expect(try await seen.shows { SeenApp.isPicture($0) })
    }

    /// The colors, in order, that a pixel in the video's red quarter has had since the test began to watch it.
    private static func watched(_ seen: SeenApp) async throws -> [[Int]] {
        try await seen.tell("watched")
        let line = try #require(seen.app.lines.last { $0.hasPrefix("watched ") })
        let looked = seen.app.lines.last { $0.hasPrefix("looked ") }.flatMap { Int($0.dropFirst(7)) } ?? 0
        // A busy machine takes fewer samples, but more than five are needed for a result.
        #expect(looked > 5)
        return line.dropFirst(8).split(separator: " ").map { $0.split(separator: ",").compactMap { Int($0) } }
    }

    @Test("adding and removing an effect never hides the video", arguments: ["video", "ext", "layer"])
    func effects(_ kind: String) async throws {
        let seen = try await Self.app(kind)
        try await seen.tell("watch")
        for _ in 0..<20 {
            for state in ["on", "off"] {
                try await seen.tell("effect \(state)")
                // The screenshot takes a few display refreshes.
                #expect(SeenApp.isPicture(try seen.display.screenshot()))
            }
        }
        let wrong = try await Self.watched(seen).filter { zip($0, [255, 0, 0]).contains { abs($0 - $1) > 12 } }
        #expect(wrong.isEmpty, "\(wrong)")
    }

    @Test("a fade passes through mixtures of both colors without flashing", arguments: kinds)
    func fades(_ kind: String) async throws {
        let seen = try await Self.app(kind)
        for order in ["go", "come", "go", "come"] {
            try await seen.tell("watch", order)
            let isComing = order == "come"
            #expect(try await seen.shows { isComing ? SeenApp.isPicture($0) : SeenApp.isGround($0) })
            let colors = try await Self.watched(seen)
            // The video's share in each color. A color that is not a mixture of video and background is an error.
            let shares = colors.map { Double($0.first ?? 0) / 255 }
            for (color, share) in zip(colors, shares) {
                let mixture = SeenApp.mixed([255, 0, 0], SeenApp.ground, share)
                #expect(zip(mixture, color).allSatisfy { abs($0 - $1) <= 16 }, "\(order): \(color)")
            }
            for (a, b) in zip(shares, shares.dropFirst()) {
                #expect(isComing ? b >= a - 0.03 : b <= a + 0.03, "\(order): \(a) then \(b)")
            }
        }
    }

    @Test("a player appears and disappears with different transitions")
    func asymmetric() async throws {
        let seen = try await Self.app("video")
        try await seen.tell("transition asymmetric", "hold", "go", "advance 0.25")
        #expect(try await seen.shows { Self.isPlaced($0, y: 100) })
        try await seen.tell("advance 0.8", "come", "advance 0.5")
        #expect(try await seen.shows { SeenApp.isPicture($0, share: 0.5) })
        try await seen.tell("advance 0.6")
        #expect(try await seen.shows { SeenApp.isPicture($0) })
    }
}
