import Foundation
import TestSupport
import Testing

/// A video track that cannot be decoded while the audio plays is reported by every view, as the tool's window does.
@Suite("Player views with a video that cannot be decoded", .serialized)
struct TrackFailureViewTests {
    /// In the lower part of the view: a dark box with light letters, in the middle.
    private static let hasText: @Sendable (Screenshot) -> Bool = { shot in
        var light = 0
        for y in 250..<380 {
            for x in 100..<540 where shot.color(x, y).allSatisfy({ $0 > 200 }) { light += 1 }
        }
        return light > 150
    }

    @Test("each view shows the reason over its video, then hides it", arguments: SubtitledViewTests.kinds)
    func shown(_ kind: String) async throws {
        let seen = try await SeenApp(kind, try BrokenTracks.url("unknown-video.mp4"), hasPicture: false)
        #expect(try await seen.shows(Self.hasText), "\(kind): \(seen.app.errors)")
        #expect(try await seen.shows { !Self.hasText($0) })
        #expect(seen.isQuiet, "\(seen.app.errors)")
    }
}
