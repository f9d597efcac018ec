import Foundation
import FoundationNetworking
import MediaCore
import MediaEngine
import Synchronization
import TestSupport
import Testing

@testable import Downloads

/// Assets whose URLs have a scheme of the app's own.
@Suite("Resource loaders") struct ResourceLoaderTests {
    @Test("An asset and its images are read from a delegate")
    func file() async throws {
        let url = try TestMedia.url("counter.mp4")
        let vault = Vault(["film.mp4": try Data(contentsOf: url)], pieces: 5000)
        let asset = vault.asset("film.mp4")
        let original = AVURLAsset(url: url)
        #expect(try await asset.load(.duration) == original.load(.duration))
        let time = CMTime(seconds: 1.5, preferredTimescale: 600)
        let image = try await exact(asset).image(at: time)
        #expect(image.actualTime == (try await exact(original).image(at: time)).actualTime)
        let first = try #require(vault.requests.first)
        #expect(first.isInformation && first.offset == 0 && first.length == 2, "\(first)")
    }

    @Test("Later parts of a resource are requested by range, without information")
    func ranges() async throws {
        let film = try Data(contentsOf: TestStreams.url("plain/film.ts"))
        let vault = Vault(["film.ts": Data(Array(repeating: film, count: 12).joined())])
        let asset = vault.asset("film.ts")
        _ = try await asset.load(.tracks)
        let later = vault.requests.filter { $0.offset > 0 }
        #expect(!later.isEmpty && later.allSatisfy { !$0.isInformation && $0.isOpenEnded }, "\(vault.requests)")
        #expect(later.allSatisfy { $0.offset + Int64($0.length) == Int64(film.count * 12) }, "\(later)")
    }

    @Test("A resource without byte ranges and length is read from its start")
    func stream() async throws {
        let url = try TestMedia.url("counter-vfr.mkv")
        let vault = Vault(["film.mkv": try Data(contentsOf: url)], isBare: true)
        let asset = vault.asset("film.mkv")
        #expect(try await asset.load(.duration) == AVURLAsset(url: url).load(.duration))
        #expect(vault.requests.allSatisfy { $0.offset == 0 }, "\(vault.requests)")
    }

    @Test("Playlists and segments of a stream come from the delegate", arguments: [false, true])
    func playlists(isBare: Bool) async throws {
        let folder = try TestStreams.url("vod-ts/master.m3u8").deletingLastPathComponent()
        let vault = Vault(isBare: isBare) { try? Data(contentsOf: folder.appendingPathComponent($0)) }
        let asset = vault.asset("master.m3u8")
        #expect(try await asset.load(.duration).seconds == 24)
        _ = try await exact(asset).image(at: CMTime(seconds: 5, preferredTimescale: 600))
        #expect(vault.requests.contains { $0.path.hasSuffix(".ts") }, "\(vault.requests)")
    }

    @Test("The keys of a stream on a server come from the delegate")
    func keys() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let folder = try TestStreams.url("aes128/explicit.m3u8").deletingLastPathComponent()
        let playlist = try String(contentsOf: folder.appendingPathComponent("explicit.m3u8"), encoding: .utf8)
        let locked = Data(playlist.replacingOccurrences(of: "URI=\"", with: "URI=\"vault://keys/").utf8)
        server.serve("aes128/locked.m3u8") { _ in
            ServerResponse(headers: ["Content-Type": "application/vnd.apple.mpegurl"], body: .data(locked))
        }
        let vault = Vault(isBare: true) { try? Data(contentsOf: folder.appendingPathComponent($0)) }
        let asset = AVURLAsset(url: server.url(for: "aes128/locked.m3u8"))
        asset.resourceLoader.setDelegate(vault, queue: nil)
        _ = try await exact(asset).image(at: CMTime(seconds: 1, preferredTimescale: 600))
        #expect(vault.requests.contains { $0.path.hasSuffix(".key") }, "\(vault.requests)")
    }

    @Test("A redirected request is loaded from the other URL, with its headers")
    func redirected() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let vault = Vault { _ in nil }
        vault.redirect = { path in
            var request = URLRequest(url: server.url(for: "vod-ts/\(path)"))
            request.setValue("open", forHTTPHeaderField: "X-Vault")
            return request
        }
        let asset = vault.asset("master.m3u8")
        #expect(try await asset.load(.duration).seconds == 24)
        let master = try #require(server.requests.first { $0.path == "vod-ts/master.m3u8" })
        #expect(master.headers["X-Vault"] == "open")
        #expect(vault.requests.count == 1, "the names in the playlist belong to the server")
    }

    @Test("The delegate's error is in the asset's, and is final")
    func failed() async throws {
        let vault = Vault { _ in nil }
        let asset = vault.asset("film.mp4")
        let error = await #expect(throws: AVError.self) { _ = try await asset.load(.duration) }
        #expect(error?.reason.contains("the vault has no film.mp4") == true, "\(error as Any)")
        #expect(vault.requests.count == 1)
    }

    @Test(
        "An app's User-Agent reaches the delegate",
        arguments: [
            ([AVURLAssetHTTPHeaderFieldsKey: ["User-Agent": "Mine"]], "Mine"),
            ([AVURLAssetHTTPHeaderFieldsKey: ["user-agent": "Mine"], AVURLAssetHTTPUserAgentKey: "Other"], "Mine"),
            ([AVURLAssetHTTPUserAgentKey: "Other"], "Other"),
        ] as [([String: any Sendable], String)])
    func userAgent(options: [String: any Sendable], expected: String) async {
        let vault = Vault { _ in nil }
        await #expect(throws: AVError.self) { _ = try await vault.asset("film.mp4", options).load(.duration) }
        #expect(vault.requests.map(\.userAgent) == [expected])
    }

    @Test("Without a delegate that accepts them, such URLs are unsupported")
    func declined() async throws {
        let vault = Vault { _ in nil }
        vault.accepts = false
        let declined = await #expect(throws: AVError.self) { _ = try await vault.asset("film.mp4").load(.duration) }
        #expect(declined?.code == .unsupportedURL && vault.requests.count == 1)
        let alone = AVURLAsset(url: try #require(URL(string: "vault://films/film.mp4")))
        let nobody = await #expect(throws: AVError.self) { _ = try await alone.load(.duration) }
        #expect(nobody?.code == .unsupportedURL && vault.requests.count == 1)
    }

    @Test("A delegate that is silent ends in a timeout")
    func silent() async throws {
        let vault = Vault { _ in nil }
        vault.answers = false
        let asset = vault.asset("film.mp4", [AVURLAssetTimeoutKey: 0.2, AVURLAssetOpeningTimeoutKey: 0])
        let error = await #expect(throws: AVError.self) { _ = try await asset.load(.duration) }
        #expect(error?.code == .timedOut, "\(error as Any)")
        #expect(await eventually { vault.cancelled.count == vault.requests.count })
    }

    @Test("Canceled loading is reported to the delegate")
    func cancelled() async throws {
        let vault = Vault { _ in nil }
        vault.answers = false
        let asset = vault.asset("film.mp4")
        let load = Task { try await asset.load(.duration) }
        #expect(await eventually { vault.requests.count == 1 })
        asset.cancelLoading()
        await #expect(throws: AVError.self) { try await load.value }
        #expect(await eventually { vault.cancelled.count == 1 })
        let request = try #require(vault.cancelled.first)
        #expect(request.isCancelled && !request.isFinished)
        request.finishLoading()
        #expect(!request.isFinished, "a canceled request stays canceled")
    }

    private func exact(_ asset: AVAsset) -> AVAssetImageGenerator {
        let generator = AVAssetImageGenerator(asset: asset)
        (generator.requestedTimeToleranceBefore, generator.requestedTimeToleranceAfter) = (.zero, .zero)
        return generator
    }
}

/// A delegate as an app writes it: it sends what it has, and records what it is asked for.
private final class Vault: NSObject, AVAssetResourceLoaderDelegate {
    struct Asked: Sendable {
        var path: String
        var isInformation: Bool
        var offset: Int64
        var length: Int
        var isOpenEnded: Bool
        var userAgent: String?
    }
    private struct State {
        var requests: [Asked] = []
        var cancelled: [AVAssetResourceLoadingRequest] = []
        var redirect: (@Sendable (String) -> URLRequest)?
        var accepts = true
        var answers = true
    }
    private let state = Mutex(State())
    private let find: @Sendable (String) -> Data?
    private let pieces: Int
    private let isBare: Bool

    /// - Parameters:
    ///   - pieces: The number of bytes in each call of `respond`.
    ///   - isBare: Whether no information is given, and all data is sent for each request.
    init(pieces: Int = .max, isBare: Bool = false, _ find: @escaping @Sendable (String) -> Data?) {
        (self.pieces, self.isBare, self.find) = (pieces, isBare, find)
    }
    convenience init(_ content: [String: Data], pieces: Int = .max, isBare: Bool = false) {
        self.init(pieces: pieces, isBare: isBare) { content[$0] }
    }

    var requests: [Asked] { state.withLock { $0.requests } }
    var cancelled: [AVAssetResourceLoadingRequest] { state.withLock { $0.cancelled } }
    var redirect: (@Sendable (String) -> URLRequest)? {
        get { state.withLock { $0.redirect } }
        set { state.withLock { $0.redirect = newValue } }
    }
    var accepts: Bool {
        get { state.withLock { $0.accepts } }
        set { state.withLock { $0.accepts = newValue } }
    }
    var answers: Bool {
        get { state.withLock { $0.answers } }
        set { state.withLock { $0.answers = newValue } }
    }

    func asset(_ name: String, _ options: [String: any Sendable]? = nil) -> AVURLAsset {
        let asset = AVURLAsset(
            url: URL(string: "vault://films/\(name)") ?? URL(fileURLWithPath: name), options: options)
        asset.resourceLoader.setDelegate(self, queue: DispatchQueue(label: "vault"))
        return asset
    }

    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader,
        shouldWaitForLoadingOfRequestedResource loadingRequest: AVAssetResourceLoadingRequest
    ) -> Bool {
        guard let url = loadingRequest.request.url, let request = loadingRequest.dataRequest else { return false }
        let path = String(url.path.dropFirst())
        let (redirect, accepts, answers) = state.withLock { state in
            state.requests.append(
                Asked(
                    path: path, isInformation: loadingRequest.contentInformationRequest != nil,
                    offset: request.requestedOffset, length: request.requestedLength,
                    isOpenEnded: request.requestsAllDataToEndOfResource,
                    userAgent: loadingRequest.request.value(forHTTPHeaderField: "User-Agent")))
            return (state.redirect, state.accepts, state.answers)
        }
        guard accepts else { return false }
        guard answers else { return true }
        if let redirect {
            loadingRequest.redirect = redirect(path)
            loadingRequest.finishLoading()
            return true
        }
        guard let data = find(path) else {
            loadingRequest.finishLoading(with: Missing(name: path))
            return true
        }
        if isBare {
            request.respond(with: data)
            loadingRequest.finishLoading()
            return true
        }
        if let information = loadingRequest.contentInformationRequest {
            information.contentType = "public.mpeg-4"
            information.contentLength = Int64(data.count)
            information.isByteRangeAccessSupported = true
        }
        var offset = min(Int(request.requestedOffset), data.count)
        let end = offset + min(request.requestedLength, data.count - offset)
        while offset < end, !loadingRequest.isCancelled {
            let next = offset + min(pieces, end - offset)
            request.respond(with: data[offset..<next])
            offset = next
        }
        loadingRequest.finishLoading()
        return true
    }

    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader, didCancel loadingRequest: AVAssetResourceLoadingRequest
    ) {
        state.withLock { $0.cancelled.append(loadingRequest) }
    }

    private struct Missing: LocalizedError {
        let name: String
        var errorDescription: String? { "the vault has no \(name)" }
    }
}
