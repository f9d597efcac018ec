import Foundation
import TestSupport
import Testing

/// Tests that every player view reports a video track that cannot be decoded while the audio plays, as the window of
/// the tool does.
@Suite("Player views with a video that cannot be decoded", .serialized)
struct TrackFailureViewTests {
    /// Whether the report is visible: light letters in the lower middle of the view. A window without its content may
    /// be light as a whole.
    private static let hasText: @Sendable (Screenshot) -> Bool = { shot in
        guard TrackFailureViewTests.hasGround(shot) else { return false }
        var light = 0
        for y in 250..<380 {
            for x in 100..<540 where shot.color(x, y).allSatisfy({ $0 > 200 }) { light += 1 }
        }
        return light > 150
    }

    /// Whether the window has its content: the background beside the view.
    private static let hasGround: @Sendable (Screenshot) -> Bool = { $0.isNear(10, 10, SeenApp.ground) }

    @Test("each view shows the reason over its video, then hides it", arguments: SubtitledViewTests.kinds)
    func shown(_ kind: String) async throws {
        let seen = try await SeenApp(kind, try BrokenTracks.url("unknown-video.mp4"), hasPicture: false)
        #expect(try await seen.shows(Self.hasText), "\(kind): \(seen.app.errors)")
        #expect(try await seen.shows { Self.hasGround($0) && !Self.hasText($0) })
        #expect(seen.isQuiet, "\(seen.app.errors)")
    }
}
