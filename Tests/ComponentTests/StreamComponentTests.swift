import Foundation
import TestSupport
import Testing

/// Tests of `ExtVideoPlayer` with a source on a server.
@Suite("ExtVideoPlayer with network streams", .serialized)
struct StreamComponentTests {
    @Test("a stream URL plays, errors report the status, removal closes connections")
    func stream() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let server = try TestStreams.server()
        defer { server.close() }
        let app = try AppProcess(
            "Component", [server.url(for: "vod-ts/master.m3u8").absoluteString], display: display)
        try await app.wait(for: "event playing")
        try await app.wait(for: "time ")
        #expect(server.requests("vod-ts/*.ts").isEmpty == false)

        try await app.ask("source \(server.url(for: "nowhere.m3u8").absoluteString)")
        let told = try await app.wait(for: "event error:")
        #expect(told.contains("404") && told.contains("nowhere.m3u8"))

        try await app.ask("source \(server.url(for: "plain/film.mp4").absoluteString)")
        #expect(await server.waitForRequests(1, "plain/film.mp4"))
        expectEqual(try await app.ask("hide") { $0.playerThreads == 0 }.playerThreads, 0)
        #expect(await server.wait { requests in requests.allSatisfy { $0.outcome != .running } })
    }
}
