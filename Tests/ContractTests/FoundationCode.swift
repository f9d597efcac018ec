import Foundation
import FoundationExtras
import TestSupport
import Testing

// Requests and XML as public apps write them.

/// A protocol with which an app replaces `URLSession` in its tests.
protocol DataLoading: Sendable {
    func data(for request: URLRequest) async throws -> (Data, URLResponse)
    func data(from url: URL) async throws -> (Data, URLResponse)
    func upload(for request: URLRequest, from bodyData: Data) async throws -> (Data, URLResponse)
    func download(for request: URLRequest) async throws -> (URL, URLResponse)
}
extension URLSession: DataLoading {}

/// A parser of podcast feeds.
final class FeedParser: NSObject, XMLParserDelegate {
    private var text = ""
    private(set) var titles: [String] = []
    private(set) var enclosures: [String] = []

    func parse(_ data: Data) -> Bool {
        let parser = XMLParser(data: data)
        parser.delegate = self
        return parser.parse()
    }
    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?, qualifiedName qName: String?,
        attributes attributeDict: [String: String] = [:]
    ) {
        text = ""
        if elementName == "enclosure", let url = attributeDict["url"] { enclosures.append(url) }
    }
    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
    func parser(
        _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName qName: String?
    ) {
        if elementName == "title" { titles.append(text) }
    }
}

@Suite("Requests and XML in apps")
struct FoundationCodeTests {
    private let loader: any DataLoading = URLSession(configuration: .ephemeral)

    @Test("a session loads by the requirements of an app's protocol")
    func requests() async throws {
        let server = try StreamServer()
        server.serve("feed") { _ in .text("film") }
        let url = server.url(for: "feed")
        #expect(try await loader.data(from: url).0 == Data("film".utf8))
        #expect(try await loader.data(for: URLRequest(url: url)).0 == Data("film".utf8))
        let (file, response) = try await loader.download(for: URLRequest(url: url))
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try Data(contentsOf: file) == Data("film".utf8))
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }

    @Test("cancelling the task cancels its request")
    func cancellation() async throws {
        let server = try StreamServer()
        server.serve("feed") { _ in .text("film") }
        let rule = server.inject(.stall(after: 0))
        let url = server.url(for: "feed")
        let task = Task { [loader] in try await loader.data(from: url) }
        await eventually("the request arrives") { server.matches(rule) == 1 }
        task.cancel()
        let error = await #expect(throws: URLError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test("an XML parser reads a feed")
    func feed() {
        let parser = FeedParser()
        let feed = """
            <rss><channel><title>Films &amp; more</title>
            <item><title>One</title><enclosure url="https://example.com/1.mp3"/></item></channel></rss>
            """
        #expect(parser.parse(Data(feed.utf8)))
        #expect(parser.titles == ["Films & more", "One"])
        #expect(parser.enclosures == ["https://example.com/1.mp3"])
        #expect(!FeedParser().parse(Data("<rss></feed>".utf8)))
    }
}
