import Foundation
import TestSupport
import Testing

/// Tests a playlist on one server whose stream is on another.
@Suite("Credentials of the tool", .serialized)
struct CredentialToolTests {
    private let shell: ToolShell
    private let own: StreamServer
    private let other: StreamServer

    init() throws {
        shell = try ToolShell()
        own = try StreamServer()
        let other = try TestStreams.server()
        self.other = other
        own.serve("master.m3u8") { _ in
            .playlist(
                """
                #EXTM3U
                #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,URI="\(other.url(for: "vod-fmp4/subs-en/index.m3u8"))"
                #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,URI="\(other.url(for: "vod-fmp4/audio-en/index.m3u8"))"
                #EXT-X-STREAM-INF:BANDWIDTH=223372,CODECS="avc1.4D400B,mp4a.40.2",RESOLUTION=320x64,AUDIO="a",SUBTITLES="s"
                \(other.url(for: "vod-fmp4/v0/index.m3u8"))

                """)
        }
        own.serve("moved.m3u8") { _ in .redirect(to: other.url(for: "vod-ts/master.m3u8").absoluteString) }
    }

    private func url(_ path: String) -> String { "http://joe:secret@127.0.0.1:\(own.port)/\(path)" }

    /// Returns the names of the secret headers that a server received.
    private func secrets(_ server: StreamServer) -> Set<String> {
        Set(
            server.requests.flatMap { request in
                ["Authorization", "X-Api-Key", "Cookie"].filter { request.headers[$0] != nil }
            })
    }

    @Test(
        "A download's secret headers and password stay with the URL's server", arguments: ["master.m3u8", "moved.m3u8"])
    func download(_ path: String) async throws {
        let line =
            "exec $Z download '\(url(path))' --header 'X-Api-Key: k' --header 'Cookie: a=b' --header 'Referer: http://r/' --quality worst --subtitles en --quiet -o out"
        let run = try await shell.run(line)
        #expect(run.code == 0, "\(run.error)")
        #expect(secrets(own) == ["Authorization", "X-Api-Key", "Cookie"])
        #expect(secrets(other).isEmpty && other.requests.count > 4)
        #expect(other.requests.allSatisfy { $0.headers["Referer"] == "http://r/" })
    }

    @Test("--share-credentials sends a download's credentials to all servers")
    func shared() async throws {
        let run = try await shell.run(
            "exec $Z download '\(url("master.m3u8"))' --header 'X-Api-Key: k' --share-credentials --quality worst --quiet -o out"
        )
        #expect(run.code == 0, "\(run.error)")
        #expect(secrets(other) == ["Authorization", "X-Api-Key"])
        #expect(other.requests.allSatisfy { $0.headers["X-Api-Key"] == "k" })
    }

    @Test(
        "--share-credentials sends a URL's password to all servers",
        arguments: ["probe", "snapshot -o a.png", "render -o a.mp4 --to 0.5", "play --headless --frames 20"])
    func sharedPassword(_ command: String) async throws {
        let run = try await shell.run("exec $Z \(command) --share-credentials '\(url("master.m3u8"))'")
        #expect(run.code == 0, "\(run.error)")
        #expect(secrets(own) == ["Authorization"] && secrets(other) == ["Authorization"])
    }

    @Test(
        "A password in the URL stays with its server",
        arguments: [
            "probe URL", "snapshot URL -o a.png", "render URL -o a.mp4 --to 0.5", "play --headless --frames 20 URL",
        ], ["master.m3u8", "moved.m3u8"])
    func password(_ command: String, _ path: String) async throws {
        let run = try await shell.run("exec $Z " + command.replacingOccurrences(of: "URL", with: "'\(url(path))'"))
        #expect(run.code == 0, "\(run.error)")
        #expect(secrets(own) == ["Authorization"] && secrets(other).isEmpty && !other.requests.isEmpty)
    }
}
