import Foundation
import TestSupport
import Testing

/// Tests of a player that a view's body creates, in an app.
@Suite("Players made in bodies", .serialized)
struct MadePlayerTests {
    @Test("a player that is a view's property is made once, and plays")
    func made() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let app = try AppProcess("Made", [TestMedia.url("counter.mp4").path], display: display)
        try await app.wait(for: "played")
        #expect(app.lines.count { $0 == "app" } == 1, "\(app.lines)")
        #expect(app.lines.count { $0 == "made" } == 1, "\(app.lines)")
    }
}
