import Foundation
import TestSupport
import Testing

/// Players that are told to leave the pointer alone, or to do nothing.
@Suite("Players that take no input", .serialized)
struct PlayerInputTests {
    static let kinds = ["video", "ext", "layer", "controller", "macview", "kit-system", "kit-custom", "container"]

    private static func film() throws -> URL { try TestMedia.url("quad-709.mp4") }

    /// Moves the pointer about over the picture as a hand does, and says whether anything came over it.
    private static func staysBare(_ seen: SeenApp) throws -> Bool {
        for step in 0..<30 {
            try seen.display.xdotool(["mousemove", "\(200 + step * 8)", "\(200 + step * 4)"])
            let shot = try seen.display.screenshot()
            guard SeenApp.isPicture(shot), isBare(shot) else { return false }
        }
        return true
    }
    /// No bar over the lower end of the picture: it is blue there, and white.
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
        // What has no gestures of its own never took them.
        if !["ext", "layer"].contains(kind) {
            try await seen.tell("pause")
            #expect(seen.app.lines.filter { $0 == "ground tapped" }.count == taps, "\(kind)")
        }
    }

    @Test("a disabled player shows no controls", arguments: ["video", "controller", "macview", "kit-system"])
    func disabled(_ kind: String) async throws {
        let seen = try await SeenApp(kind, try Self.film())
        // They are there while it is not.
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

    /// Used by one thread at a time.
    private final class Moves: @unchecked Sendable {
        private var count = 0
        func next() -> Int {
            count += 1
            return count % 2
        }
    }
}
