import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

@_spi(Graph) @testable import DeclarativeUI
@testable import Streaming
@_spi(Graph) @testable import ViewGraph

@Suite("Images from the network") @MainActor
struct ImageFetchTests {
    /// Starts an image server. `a.png` may be cached for a minute, `b.png` may not, and `words.png` is not an image.
    private func serving() throws -> (StreamServer, URL) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-picture-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent("red.png")
        try ChildProcess("convert", ["-size", "8x6", "xc:red", file.path]).wait()
        let png = try Data(contentsOf: file)
        let server = try StreamServer()
        server.serve("[ab].png") { request in
            var answer = ServerResponse(type: "image/png", png)
            answer.headers.append("Cache-Control", request.path.hasSuffix("a.png") ? "public, max-age=60" : "no-cache")
            return answer
        }
        server.serve("words.png") { _ in .text("no picture") }
        return (server, folder)
    }

    @Test("images are decoded and cached; failures report their reason")
    func fetched() async throws {
        let (server, folder) = try serving()
        defer {
            server.close()
            try? FileManager.default.removeItem(at: folder)
        }
        for name in ["a", "a", "b", "b"] {
            let box = try await ImageFetch.texture(server.url(for: "\(name).png"), scale: 1).get()
            #expect(box.size == CGSize(width: 8, height: 6))
        }
        #expect(server.requests.map(\.path).map { String($0.suffix(5)) } == ["a.png", "b.png", "b.png"])
        for (path, expected) in [
            ("nowhere.png", AsyncImageError.status(404, server.url(for: "nowhere.png"))), ("words.png", nil),
        ] {
            let result = await ImageFetch.texture(server.url(for: path), scale: 1)
            guard case .failure(let error) = result, let error = error as? AsyncImageError else {
                _ = Issue.record("\(path): \(result)")
                return
            }
            if let expected { #expect(error == expected) } else { #expect("\(error)".contains("notAPicture")) }
        }
        server.close()
        let gone = await ImageFetch.texture(server.url(for: "b.png"), scale: 1)
        guard case .failure(let error as AVError) = gone else {
            _ = Issue.record("\(gone)")
            return
        }
        #expect(error.code == .cannotConnectToHost)
    }

    @Test("an image has another size when its scale changes")
    func scales() async throws {
        final class Handle { var scale: Binding<CGFloat>? }
        struct Root: View {
            let url: URL
            let handle: Handle
            @State private var scale: CGFloat = 1
            var body: some View {
                let _ = handle.scale = $scale
                AsyncImage(url: url, scale: scale)
            }
        }
        let (server, folder) = try serving()
        defer {
            server.close()
            try? FileManager.default.removeItem(at: folder)
        }
        let handle = Handle()
        let stage = Stage { Root(url: folder.appendingPathComponent("red.png"), handle: handle) }
        for (scale, size) in [(1, CGSize(width: 8, height: 6)), (2, CGSize(width: 4, height: 3))] {
            handle.scale?.wrappedValue = CGFloat(scale)
            var shown: CGSize?
            await eventually("an image of \(size)", seen: { "\(String(describing: shown))" }) {
                stage.layOut()
                shown = stage.elements.first { $0 is ImageElement }?.frame.size
                return shown == size
            }
        }
    }

    @Test("cache headers decide how long an image is kept")
    func freshness() {
        func left(_ headers: [String: String]) -> Int64? { KeptImages.freshness(headers) }
        #expect(
            left(["cache-control": "max-age=60"]) == 60
                && left(["cache-control": "Public, Max-Age=\"60\"", "age": "20"]) == 40)
        #expect(
            left(["cache-control": "max-age=9223372036854775807"]) == 7 * 86_400
                && left(["cache-control": "max-age=60", "age": "-9223372036854775808"]) == 60)
        for none in [
            [:], ["cache-control": ""], ["cache-control": "max-age=0"], ["cache-control": "max-age=-5"],
            ["cache-control": "max-age=99999999999999999999"],
            ["cache-control": "no-store, max-age=60"], ["cache-control": "max-age=60, no-cache=x"],
            ["cache-control": "max-age=60", "age": "60"], ["cache-control": "max-age=60", "vary": "*"],
        ] {
            #expect(left(none) == nil, "\(none)")
        }
    }

    @Test("cached images expire and stay within their memory limit")
    func kept() throws {
        let now = Mutex<Int64>(0)
        let images = KeptImages { now.withLock { $0 } }
        let url = try #require(URL(string: "http://127.0.0.1/a.png"))
        func loaded(_ bytes: Int) -> HTTPLoaded {
            HTTPLoaded(
                data: Data(count: bytes),
                response: HTTPResponse(url: url, status: 200, headers: ["cache-control": "max-age=10"]),
                metrics: HTTPMetrics(started: .zero, firstByte: .zero, ended: .zero, bytes: 0, reusedConnection: false))
        }
        images.keep(loaded(3), for: url)
        now.withLock { $0 = 9_999_999_999 }
        #expect(images.data(url)?.count == 3)
        now.withLock { $0 = 10_000_000_000 }
        #expect(images.data(url) == nil)
        for n in 0..<9 { images.keep(loaded(8 << 20), for: url.appendingPathComponent("\(n)")) }
        #expect((0..<9).count { images.data(url.appendingPathComponent("\($0)")) != nil } <= 4)
    }
}
