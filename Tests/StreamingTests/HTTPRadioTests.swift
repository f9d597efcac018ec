import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import Streaming

@Suite("Internet radio")
struct HTTPRadioTests {
    /// Inserts a metadata block after every `interval` bytes of audio. nil in `texts` is an empty block.
    private func interleaved(_ audio: [UInt8], _ interval: Int, _ texts: [String?]) -> [UInt8] {
        var result: [UInt8] = []
        for (index, start) in stride(from: 0, to: audio.count, by: interval).enumerated() {
            let piece = audio[start..<min(start + interval, audio.count)]
            result += piece
            guard piece.count == interval else { break }
            let text = Array((index < texts.count ? texts[index] ?? "" : "").utf8)
            let blocks = (text.count + 15) / 16
            result += [UInt8(blocks)] + text + [UInt8](repeating: 0, count: blocks * 16 - text.count)
        }
        return result
    }

    private func taken(_ bytes: [UInt8], _ interval: Int, pieces: Int) throws -> (audio: [UInt8], titles: [String]) {
        var icy = try #require(IcyMetadata("\(interval)"))
        var audio: [UInt8] = [], titles: [String] = []
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            Array(bytes[start..<min(start + pieces, bytes.count)]).withUnsafeBytes {
                icy.take($0, audio: { audio += Array($0) }, title: { titles.append($0) })
            }
        }
        return (audio, titles)
    }

    @Test("Metadata is removed from the audio, whatever the chunk size", arguments: [1, 7, 16, 1000, 100_000])
    func pieces(_ count: Int) throws {
        let audio = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let bytes = interleaved(
            audio, 4000,
            ["StreamTitle='One';StreamUrl='';", nil, "StreamTitle='It's two; or three';", "StreamTitle='';"])
        let (left, titles) = try taken(bytes, 4000, pieces: count)
        #expect(left == audio && titles == ["One", "It's two; or three", ""])
    }

    @Test("Titles in Latin-1 are decoded")
    func latin() throws {
        var bytes = [UInt8](repeating: 1, count: 16) + [2] + Array("StreamTitle='Caf".utf8) + [0xE9] + Array("';".utf8)
        bytes += [UInt8](repeating: 0, count: 16 + 1 + 32 - bytes.count)
        #expect(try taken(bytes, 16, pieces: 5).titles == ["Café"])
    }

    @Test("A server that announces metadata but sends none loses no bytes", arguments: [1, 4096])
    func announcedOnly(_ count: Int) throws {
        let audio = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 5) }
        let (left, titles) = try taken(audio, 8000, pieces: count)
        #expect(left == audio && titles.isEmpty)
    }

    @Test("An invalid interval disables metadata", arguments: [nil, "", "0", "-1", "x", "99999999999999999999"])
    func nonsense(_ text: String?) { #expect(IcyMetadata(text) == nil) }

    @Test(
        "A radio's audio is read, and its titles are reported",
        arguments: ["ICY 200 OK", "HTTP/1.0 200 OK", "HTTP/1.1 200 OK"])
    func file(_ status: String) async throws {
        let audio = [UInt8](repeating: 9, count: 10_000)
        let body = interleaved(audio, 4000, ["StreamTitle='First';", "StreamTitle='Second';"])
        let server = try ScriptedServer { talk in
            _ = talk.readHead()
            talk.send("\(status)\r\nicy-name: Radio One\r\nicy-metaint: 4000\r\nContent-Type: audio/mpeg\r\n\r\n")
            talk.send(Data(body))
        }
        let titles = Mutex<[String?]>([])
        let file = RemoteFile(url: try server.url("/radio.mp3"))
        defer { file.close() }
        file.setOnTitle { title in titles.withLock { $0.append(title) } }
        let bytes = try await offPool {
            try file.open()
            var all: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 3000)
            while true {
                let count = try buffer.withUnsafeMutableBytes { try file.read(at: Int64(all.count), into: $0) }
                if count == 0 { return all }
                all += buffer[..<count]
            }
        }
        #expect(bytes == audio)
        #expect(titles.withLock { $0 } == ["Radio One", "First", "Second"])
        #expect(ScriptedServer.header("Icy-MetaData", in: server.heads.first ?? "") == "1")
    }

    @Test("A request that a callback cancels calls no other callback")
    func cancelled() async throws {
        // The whole body arrives at once, and its audio and titles need several callbacks.
        let body = interleaved(
            [UInt8](repeating: 9, count: 1000), 100, ["StreamTitle='First';", "StreamTitle='Second';"])
        let server = try ScriptedServer { talk in
            _ = talk.readHead()
            talk.send(Data("HTTP/1.1 200 OK\r\nicy-metaint: 100\r\n\r\n".utf8) + Data(body))
            talk.waitForClose()
        }
        let request = HTTPRequest(url: try server.url("/radio"))
        let calls = Calls()
        await withCheckedContinuation { done in
            // Started on the loop, so that no callback is called before the task is known.
            HTTPClient.shared.perform {
                calls.onFirst = { HTTPClient.shared.perform { done.resume() } }
                calls.task = HTTPClient.shared.start(
                    request,
                    HTTPCallbacks(
                        onBytes: { _ in calls.add() }, onEnd: { _ in calls.add() }, onTitle: { _ in calls.add() }))
            }
        }
        #expect(await calls.count == 1)
    }

    @Test("A radio continues after a lost connection")
    func reconnects() async throws {
        let connections = Atomic<Int>(0)
        let server = try ScriptedServer { talk in
            _ = talk.readHead()
            let number = connections.add(1, ordering: .relaxed).newValue
            talk.send("HTTP/1.1 200 OK\r\nicy-name: R\r\nTransfer-Encoding: chunked\r\n\r\n")
            talk.send("3e8\r\n" + String(repeating: "\(number)", count: 1000) + "\r\n")
            // The first response is cut off, and the later ones end correctly.
            if number > 1 { talk.send("0\r\n\r\n") }
        }
        var settings = RemoteFile.Settings()
        settings.random = { 0 }
        let file = RemoteFile(url: try server.url("/radio"), settings: settings)
        defer { file.close() }
        let bytes = try await offPool {
            var all: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 600)
            while true {
                let count = try buffer.withUnsafeMutableBytes { try file.read(at: Int64(all.count), into: $0) }
                if count == 0 { return all }
                all += buffer[..<count]
            }
        }
        #expect(bytes.count == 2000 && bytes.first == UInt8(ascii: "1") && bytes.last == UInt8(ascii: "2"))
    }
}

/// The number of callbacks of a request. The first one cancels the request.
@NetworkActor
private final class Calls {
    private(set) var count = 0
    var task: (any HTTPTask)?
    var onFirst: () -> Void = {}

    nonisolated init() {}

    func add() {
        count += 1
        guard count == 1 else { return }
        task?.cancel()
        onFirst()
    }
}
