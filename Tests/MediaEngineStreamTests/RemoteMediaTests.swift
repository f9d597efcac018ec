import EngineTestSupport
import Foundation
import MediaCore
import Streaming
import Synchronization
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Reading media over HTTP")
struct RemoteMediaTests {
    private static let picture = "-f lavfi -i testsrc2=s=640x360:r=25:d=8", tone = "-f lavfi -i sine=440:d=8"
    private static let x264 = "-c:v libx264 -preset ultrafast -crf 8 -pix_fmt yuv420p -g 25 -c:a aac"

    enum Kind: String, CaseIterable, Sendable {
        case mp4, faststart, mkv, ts, webm
        /// Returns a file of two to four megabytes, more than the first response of a connection delivers.
        func file() throws -> URL {
            switch self {
            case .mp4: try AssetTestMedia.make("remote.mp4", "\(picture) \(tone) \(x264)")
            case .faststart:
                try AssetTestMedia.make("remote-faststart.mp4", "\(picture) \(tone) \(x264) -movflags +faststart")
            case .mkv: try AssetTestMedia.make("remote.mkv", "\(picture) \(tone) \(x264)")
            case .ts: try AssetTestMedia.make("remote.ts", "\(picture) \(tone) \(x264)")
            case .webm:
                try AssetTestMedia.make(
                    "remote.webm", "\(picture) \(tone) -c:v libvpx -deadline realtime -cpu-used 8 -b:v 3M -c:a libopus")
            }
        }
    }

    private func served(_ kind: Kind) throws -> (StreamServer, URL, URL) {
        let file = try kind.file()
        let server = try StreamServer(root: file.deletingLastPathComponent())
        return (server, server.url(for: file.lastPathComponent), file)
    }

    private struct Read: Sendable, Equatable {
        var packets: [String] = []
        var failure: AVError?
    }

    /// Reads each packet's time, size and checksum, from the start or from `time`.
    private func read(_ url: URL, from time: Int64? = nil, options: HTTPOptions = HTTPOptions()) async throws -> Read {
        try await offPool {
            let reader = try ItemReader(
                url: url, options: options, selection: TrackSelection(), interrupt: InterruptToken())
            var result = Read()
            if let time { result.failure = reader.seek(to: MediaTime(nanoseconds: time)) }
            while true {
                switch reader.next() {
                case .video(let packet), .audio(let packet):
                    let raw = packet.raw.pointee
                    let sum = UnsafeBufferPointer(start: raw.data, count: Int(raw.size)).reduce(UInt32(0)) {
                        $0 &* 31 &+ UInt32($1)
                    }
                    result.packets.append("\(packet.pts?.nanoseconds ?? -1) \(raw.size) \(sum)")
                case .other: continue
                case .track, .problem, .jump: continue
                case .end: return result
                case .failed(let error):
                    result.failure = error
                    return result
                }
            }
        }
    }

    private func error(_ url: URL, options: [String: any Sendable] = [:]) async -> AVError? {
        do throws(AVError) {
            _ = try await AVURLAsset(url: url, options: options).load(.duration)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "remote and local files give the same packets, with or without ranges", arguments: Kind.allCases, [true, false])
    func packets(kind: Kind, ranges: Bool) async throws {
        let (server, url, file) = try served(kind)
        if !ranges { server.inject(.noRanges) }
        let local = try await read(file)
        let remote = try await read(url)
        #expect(remote == local && local.packets.count > 400)
        #expect(server.requests.count <= (ranges ? 8 : 1), "\(server.requests.map { $0.range ?? "-" })")
    }

    @Test("a playlist is recognized although its first bytes arrive separately")
    func separateBytes() async throws {
        let continues = DispatchSemaphore(value: 0)
        defer { continues.signal() }
        let server = try ScriptedServer { talk in
            guard talk.readHead() != nil else { return }
            talk.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n#EX")
            continues.wait()
            talk.send("TM3U\n")
            talk.waitForClose()
        }
        let url = try server.url("/list")
        let isPlaylist = try await offPool {
            let input = try RemoteInput(
                url: url, options: HTTPOptions(), forwardBytes: nil, interrupt: InterruptToken())
            let file = input.file
            blockUntil("the first bytes arrive") { file.transferLog.bytes == 3 }
            // The other bytes follow when the input waits for them.
            let isKnown = Atomic(false)
            Thread.detachNewThread {
                blockUntil("the input waits") { file.isWaiting || isKnown.load(ordering: .acquiring) }
                continues.signal()
            }
            defer { isKnown.store(true, ordering: .releasing) }
            return input.isPlaylist
        }
        #expect(isPlaylist)
    }

    @Test("a remote seek gives the same packets as a local one", arguments: Kind.allCases)
    func seeks(kind: Kind) async throws {
        let (server, url, file) = try served(kind)
        defer { server.close() }
        for time in [5_000_000_000, 1_300_000_000] as [Int64] {
            let local = try await read(file, from: time)
            let remote = try await read(url, from: time)
            #expect(remote == local)
        }
    }

    @Test("a response of unknown length plays to its end", arguments: [Kind.faststart, .mkv, .ts, .webm])
    func chunked(kind: Kind) async throws {
        let (server, url, file) = try served(kind)
        server.inject(.chunked, .noRanges)
        let local = try await read(file)
        let remote = try await read(url)
        // If libavformat cannot read the end of a transport stream first, it rounds some times differently. Therefore
        // only the contents are compared.
        func contents(_ read: Read) -> [Substring] { read.packets.map { $0.drop { $0 != " " } } }
        #expect(contents(remote) == contents(local) && remote.failure == nil)
        #expect(server.requests.count == 1)
    }

    @Test("an index at the end is read in one request without ranges")
    func indexBehind() async throws {
        let (server, url, file) = try served(.mp4)
        server.inject(.chunked, .noRanges)
        let local = try await read(file)
        let remote = try await read(url)
        #expect(remote == local)
        #expect(server.requests.count == 1)
    }

    @Test("connection resets and truncated responses lose no packet", arguments: [true, false])
    func breaks(byReset: Bool) async throws {
        let (server, url, file) = try served(.faststart)
        server.inject(byReset ? .reset(after: 500_000) : .truncate(after: 500_000), nth: 1...3)
        let local = try await read(file)
        let remote = try await read(url)
        #expect(remote == local)
        #expect(server.requests.count > 3)
    }

    @Test(
        "a response that ends early plays, then reports the truncation",
        arguments: [Kind.mp4, .faststart, .ts], [true, false])
    func endsEarly(kind: Kind, isMeasured: Bool) async throws {
        let file = try kind.file()
        let film = try Data(contentsOf: file)
        let head =
            isMeasured
            ? "Content-Length: \(film.count + 5000)\r\n\r\n"
            : "Transfer-Encoding: chunked\r\n\r\n\(String(film.count, radix: 16))\r\n"
        let (server, url, _) = try served(kind)
        server.inject(.raw(Data("HTTP/1.1 200 OK\r\n\(head)".utf8) + film + Data((isMeasured ? "" : "\r\n").utf8)))
        let (packets, failure, shortfall) = try await offPool { () throws -> (Int, AVError?, AVError?) in
            let reader = try ItemReader(
                url: url, options: HTTPOptions(), selection: TrackSelection(), interrupt: InterruptToken())
            var packets = 0
            while true {
                switch reader.next() {
                case .video, .audio: packets += 1
                case .other, .track, .problem, .jump: continue
                case .end: return (packets, nil, reader.shortfall)
                case .failed(let error): return (packets, error, reader.shortfall)
                }
            }
        }
        let local = try await read(file)
        #expect(packets == local.packets.count && failure == nil, "\(failure as Any)")
        #expect(shortfall?.code == .fileTruncated && shortfall?.reason.contains("ended early") == true)
        // A few retries make sure that the response is complete, but there is a limit.
        #expect(server.requests.count <= 6)
    }

    @Test("an HTTP error reports its status and URL", arguments: [404, 403, 401, 500, 503])
    func status(code: Int) async throws {
        let server = try StreamServer()
        server.inject(.status(code))
        let url = server.url(for: "film.mp4")
        let error = await error(url)
        #expect(error?.code == .badServerResponse && error?.httpStatus == code && error?.location == url.absoluteString)
        // Server errors are retried. 403 is requested once without a range, which some servers refuse.
        #expect(server.requests.count == (code >= 500 ? 3 : code == 403 ? 2 : 1))
    }

    @Test("each kind of connection failure has its own error")
    func errors() async throws {
        let server = try StreamServer()
        server.inject(.redirectCircle, on: "circle.mp4")
        server.inject(.garbage(100_000), on: "garbage.mp4")
        server.inject(.empty, on: "empty.mp4")
        server.inject(.slowHead(0.05), on: "slow.mp4")
        server.inject(.latency(60), on: "silent.mp4")
        server.inject(.closeBeforeHead, on: "mute.mp4")
        server.inject(.raw(Data("What do you want?\n".utf8)), on: "language.mp4")
        let short = [AVURLAssetTimeoutKey: 0.2]
        expectEqual(await error(server.url(for: "circle.mp4"))?.code, .httpTooManyRedirects)
        expectEqual(await error(server.url(for: "garbage.mp4"))?.code, .fileFormatNotRecognized)
        expectEqual(await error(server.url(for: "empty.mp4"))?.code, .fileEmpty)
        expectEqual(await error(server.url(for: "slow.mp4"), options: short)?.code, .timedOut)
        expectEqual(await error(server.url(for: "silent.mp4"), options: short)?.code, .timedOut)
        expectEqual(await error(server.url(for: "mute.mp4"))?.code, .networkConnectionLost)
        expectEqual(await error(server.url(for: "language.mp4"))?.code, .readFailed)
        expectEqual(
            await error(try #require(URL(string: "http://no-such-host.invalid/film.mp4")))?.code, .cannotFindHost)
        server.close()
        expectEqual(await error(server.url(for: "film.mp4"))?.code, .cannotConnectToHost)
    }

    @Test("a lost connection is an error, not the end of the file")
    func willFail() async throws {
        let (server, url, _) = try served(.faststart)
        server.inject(.status(403), where: { $0.headers["Range"] != "bytes=0-" })
        server.inject(.truncate(after: 800_000))
        let read = try await read(url)
        #expect(read.failure?.httpStatus == 403)
        #expect(!read.packets.isEmpty)
    }

    @Test("content types and redirects do not affect reading")
    func manners() async throws {
        let (server, url, file) = try served(.faststart)
        server.inject(.type("text/html"))
        server.inject(.redirect(to: "/" + url.lastPathComponent), on: "moved.mp4")
        try await expectEqual(read(server.url(for: "moved.mp4")), read(file))
    }

    @Test("every request carries the asset's headers, user agent and cookies")
    func options() async throws {
        let (server, url, _) = try served(.mp4)
        let asset = AVURLAsset(
            url: url,
            options: [
                AVURLAssetHTTPHeaderFieldsKey: ["X-Token": "secret"], AVURLAssetHTTPUserAgentKey: "Kiosk/2",
                AVURLAssetHTTPCookiesKey: [
                    AVURLAssetHTTPCookie(name: "asset", value: "yes", path: "/" + url.lastPathComponent)
                ],
            ])
        #expect(try await asset.load(.isPlayable))
        _ = try await AVAssetImageGenerator(asset: asset).image(at: CMTime(seconds: 4, preferredTimescale: 600))
        #expect(server.requests.count >= 2)
        for request in server.requests {
            #expect(request.headers["X-Token"] == "secret" && request.headers["User-Agent"] == "Kiosk/2")
            #expect(request.headers["Cookie"] == "asset=yes")
        }
    }

    @Test(
        "invalid asset options fail when loading",
        arguments: [
            AVURLAssetHTTPHeaderFieldsKey, AVURLAssetHTTPUserAgentKey, AVURLAssetHTTPCookiesKey,
            AVURLAssetAllowsUntrustedCertificatesKey, AVURLAssetTimeoutKey,
        ])
    func wrongOptions(key: String) async throws {
        let (server, url, _) = try served(.mp4)
        expectEqual(await error(url, options: [key: [1, 2]])?.code, .invalidArgument)
        expectEqual(await error(url, options: [AVURLAssetTimeoutKey: -1.0])?.code, .invalidArgument)
        expectEqual(await error(url, options: [AVURLAssetHTTPHeaderFieldsKey: ["a b": "c"]])?.code, .invalidArgument)
        #expect(server.requests.isEmpty)
    }

    @Test("an untrusted certificate is refused unless the app allows it")
    func certificates() async throws {
        let (server, url, _) = try served(.mp4)
        let front = try TLSFront(before: server)
        defer { front.close() }
        let secure = front.url(for: url.lastPathComponent)
        let error = await error(secure)
        #expect(error?.code == .secureConnectionFailed && error?.suggestion.contains("certificate") == true)
        let trusting = AVURLAsset(url: secure, options: [AVURLAssetAllowsUntrustedCertificatesKey: true])
        #expect(try await trusting.load(.isPlayable))
    }

    @Test("an interruption ends a read that waits for the network")
    func interruption() async throws {
        let (server, url, _) = try served(.faststart)
        let stall = server.inject(.stall(after: 10_000))
        let token = InterruptToken()
        async let result: AVError? = {
            do {
                try await offPool { _ = try MediaSource(url: url, interrupt: token) }
                return nil
            } catch { return error as? AVError }
        }()
        #expect(await server.wait { $0.contains { $0.bytesSent >= 10_000 } })
        token.interrupt()
        let error = await result
        #expect(error?.code == .cancelled, "\(String(describing: error))")
        server.remove(stall)
    }

    @Test("reading continues after an interruption without another request")
    func afterInterruption() async throws {
        let (server, url, file) = try served(.faststart)
        let local = try await read(file, from: 0)
        // Media that has arrived is read in spite of the interruption. The stall keeps the rest from arriving before
        // it.
        let stall = server.inject(.stall(after: 1_000_000))
        try await offPool {
            let token = InterruptToken()
            let reader = try ItemReader(url: url, selection: TrackSelection(), interrupt: token)
            token.interrupt()
            var isCancelled = false
            for _ in 0..<10_000 {
                guard case .failed(let error) = reader.next() else { continue }
                isCancelled = error.code == .cancelled
                break
            }
            guard isCancelled else { throw AVError(.unknown, at: "", reason: "was not interrupted") }
            server.remove(stall)
            token.reset()
            if let error = reader.seek(to: 0) { throw error }
            var count = 0
            reading: while true {
                switch reader.next() {
                case .video, .audio: count += 1
                case .other: continue
                case .track, .problem, .jump: continue
                case .end: break reading
                case .failed(let error): throw error
                }
            }
            guard count == local.packets.count else { throw AVError(.unknown, at: "", reason: "\(count) packets") }
        }
        #expect(server.requests.count == 1)
    }

    @Test("reading a local file does not load the HTTP client's libcurl")
    func localIsFree() async throws {
        let result = try await ToolProcess.run(["probe", try Kind.mp4.file().path], environment: ["LD_DEBUG": "libs"])
        #expect(result.code == 0)
        // The linker reports every library that it looks for. Foundation's networking is linked to libcurl.so.4.
        #expect(result.error.contains("libavformat") && !result.error.contains("libcurl-gnutls"))
    }
}
