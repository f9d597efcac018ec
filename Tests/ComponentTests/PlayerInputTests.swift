import Foundation
import TestSupport
import Testing

/// Tests of players without hit testing, and of disabled players.
@Suite("Players that take no input", .serialized)
struct PlayerInputTests {
    static let kinds = ["video", "ext", "layer", "controller", "macview", "kit-system", "kit-custom", "container"]

    private static func film() throws -> URL { try TestMedia.url("quad-709.mp4") }

    /// Moves the pointer over the video in small steps. Returns whether the video stayed uncovered all the time.
    private static func staysBare(_ seen: SeenApp) throws -> Bool {
        for step in 0..<30 {
            try seen.display.xdotool(["mousemove", "\(200 + step * 8)", "\(200 + step * 4)"])
            let shot = try seen.display.screenshot()
            guard SeenApp.isPicture(shot), isBare(shot) else { return false }
        }
        return true
    }
    /// Whether no bar covers the lower end of the video, which is blue and white.
    private static func isBare(_ shot: Screenshot) -> Bool {
        (30..<300).allSatisfy { shot.isNear($0, 345, [0, 0, 255], within: 20) }
            && (340..<610).allSatisfy { shot.isNear($0, 345, [255, 255, 255], within: 20) }
    }

    @Test("without hit testing, clicks reach the view below and show no controls", arguments: kinds)
    func hits(_ kind: String) async throws {
        let seen = try await SeenApp(kind, try Self.film())
        try await seen.tell("hits off")
        try await seen.app.wait(for: "ground tapped") {
            try seen.display.xdotool(["mousemove", "240", "150", "click", "1"])
        }
        #expect(try Self.staysBare(seen), "\(kind)")
        try await seen.tell("hits on")
        let taps = seen.app.lines.filter { $0 == "ground tapped" }.count
        try seen.display.xdotool(["mousemove", "400", "150", "click", "1"])
        // Views without their own gestures let all clicks through.
        if !["ext", "layer"].contains(kind) {
            try await seen.tell("pause")
            #expect(seen.app.lines.filter { $0 == "ground tapped" }.count == taps, "\(kind)")
        }
    }

    @Test("a disabled player shows no controls", arguments: ["video", "controller", "macview", "kit-system"])
    func disabled(_ kind: String) async throws {
        let seen = try await SeenApp(kind, try Self.film())
        // The controls appear while the player is enabled.
        let moves = Moves()
        #expect(
            try await until {
                try seen.display.xdotool(["mousemove", "\(240 + moves.next())", "150"])
                return Self.isBare(try seen.display.screenshot()) ? nil : true
            } == true)
        try await seen.tell("disabled on")
        #expect(try await seen.shows { SeenApp.isPicture($0) && Self.isBare($0) })
        #expect(try Self.staysBare(seen))
        try await seen.tell("disabled off")
        #expect(
            try await until {
                try seen.display.xdotool(["mousemove", "\(240 + moves.next())", "150"])
                return Self.isBare(try seen.display.screenshot()) ? nil : true
            } == true)
    }

    /// `@unchecked Sendable`, because only one thread at a time uses it.
    private final class Moves: @unchecked Sendable {
        private var count = 0
        func next() -> Int {
            count += 1
            return count % 2
        }
    }
}
