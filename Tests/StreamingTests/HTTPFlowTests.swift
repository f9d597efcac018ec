import Foundation
import MediaCore
import Streaming
import Synchronization
import TestSupport
import Testing

@Suite("Running requests, data URLs and local files")
struct HTTPFlowTests {
    private let client = HTTPClient.shared

    /// The results of a request's callbacks.
    private final class Seen: Sendable {
        struct State {
            var response: HTTPResponse?
            var count = 0
            var calls = 0
            var result: Result<HTTPMetrics, HTTPError>?
        }
        let state = Mutex(State())
        let (steps, continuation) = AsyncStream.makeStream(of: Void.self)
        func callbacks(_ onBytes: @escaping @Sendable () -> Void = {}) -> HTTPCallbacks {
            HTTPCallbacks(
                onResponse: { response in self.state.withLock { $0.response = response } },
                onBytes: { bytes in
                    self.state.withLock {
                        $0.count += bytes.count
                        $0.calls += 1
                    }
                    onBytes()
                    self.continuation.yield()
                },
                onEnd: { result in
                    self.state.withLock { $0.result = result }
                    self.continuation.yield()
                })
        }
        func until(_ condition: (State) -> Bool) async {
            if state.withLock({ condition($0) }) { return }
            for await _ in steps where state.withLock({ condition($0) }) { return }
        }
    }

    /// Waits until the work that was scheduled on the loop before has run.
    private func turn(_ client: HTTPClient = .shared) async {
        await withCheckedContinuation { done in client.perform { done.resume() } }
    }

    @Test("a paused request stops the server; resuming delivers every byte")
    func backPressure() async throws {
        let size = 64 << 20
        let sent = Mutex(0)
        let server = try ScriptedServer.serving { talk, _ in
            talk.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
            for _ in 0..<size >> 16 where talk.send(Data(count: 1 << 16)) { sent.withLock { $0 += 1 << 16 } }
        }
        let seen = Seen()
        let task = Locked<(any HTTPTask)?>(nil)
        let request = HTTPRequest(url: try server.url("/big"))
        // Started on the loop, so that `task` is set before the first bytes arrive, even if this thread is late.
        let started: any HTTPTask = await withCheckedContinuation { done in
            client.perform { [client] in
                let started = client.start(request, seen.callbacks { task.withLock { $0 }?.setPaused(true) })
                task.withLock { $0 = started }
                done.resume(returning: started)
            }
        }
        await seen.until { $0.count > 0 }
        started.setPaused(true)
        await turn()
        let before = seen.state.withLock { $0.count }
        for _ in 0..<20 { _ = try await client.load(HTTPRequest(url: URL(string: "data:,x") ?? server.url("/"))) }
        #expect(seen.state.withLock { $0.count } == before)
        #expect(before < size / 4 && sent.withLock { $0 } < size)
        task.withLock { $0 = nil }
        started.setPaused(false)
        await seen.until { $0.result != nil }
        #expect(seen.state.withLock { $0.count } == size)
    }

    /// A simulated clock for a loop, which does not advance by itself on a slow machine.
    private final class Clock: Sendable {
        private let time = Mutex<Int64>(1_000_000_000)
        func callAsFunction() -> Int64 { time.withLock { $0 } }
        func move(by span: Int64) { time.withLock { $0 += span } }
    }
    private let hour: Int64 = 3_600_000_000_000

    @Test("a paused request does not time out", .timeLimit(.minutes(5)))
    func pausedIsNotIdle() async throws {
        let server = try ScriptedServer.serving { talk, _ in talk.answer(body: Data(count: 8 << 20)) }
        let clock = Clock()
        let client = HTTPClient(clock: { clock() })
        let seen = Seen()
        let task = client.start(HTTPRequest(url: try server.url("/big")), seen.callbacks())
        task.setPaused(true)
        // A pause prevents timeouts only after the response's head has arrived.
        while seen.state.withLock({ $0.response == nil && $0.result == nil }) { await turn(client) }
        clock.move(by: hour)
        for _ in 0..<3 { await turn(client) }
        #expect(seen.state.withLock { $0.result == nil })
        task.setPaused(false)
        await seen.until { $0.result != nil }
        #expect(seen.state.withLock { $0.count } == 8 << 20)
    }

    @Test("data that arrives while the loop hangs prevents a timeout", .timeLimit(.minutes(5)))
    func heldUp() async throws {
        let body = 1 << 20
        let (goOn, isOut) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let server = try ScriptedServer.serving { talk, _ in
            talk.send("HTTP/1.1 200 OK\r\nContent-Length: \(2 * body)\r\n\r\n")
            talk.send(Data(count: body))
            goOn.wait()
            // The sockets' buffers hold at least this much.
            talk.send(Data(count: 1 << 14))
            isOut.signal()
            talk.send(Data(count: body - 1 << 14))
            talk.waitForClose()
        }
        let clock = Clock()
        let client = HTTPClient(clock: { clock() })
        let seen = Seen()
        _ = client.start(HTTPRequest(url: try server.url("/big")), seen.callbacks())
        await seen.until { $0.count == body }
        client.perform { [hour] in
            goOn.signal()
            isOut.wait()
            clock.move(by: hour)
        }
        await seen.until { $0.result != nil || $0.count == 2 * body }
        #expect(seen.state.withLock { $0.count } == 2 * body)
        #expect(throws: Never.self) { try seen.state.withLock { try $0.result?.get() } }

        let silent = try ScriptedServer.serving { talk, _ in
            talk.send("HTTP/1.1 200 OK\r\nContent-Length: \(2 * body)\r\n\r\n")
            talk.send(Data(count: body))
            talk.waitForClose()
        }
        let unseen = Seen()
        _ = client.start(HTTPRequest(url: try silent.url("/half")), unseen.callbacks())
        await unseen.until { $0.count == body }
        clock.move(by: hour)
        await turn(client)
        await unseen.until { $0.result != nil }
        #expect(throws: HTTPError.self) { try unseen.state.withLock { try $0.result?.get() } }
    }

    @Test("a request cancelled on the loop makes no more callbacks")
    func cancel() async throws {
        let server = try ScriptedServer.serving { talk, _ in talk.answer(body: Data(count: 8 << 20)) }
        let seen = Seen()
        let task = Locked<(any HTTPTask)?>(nil)
        let request = HTTPRequest(url: try server.url("/big"))
        await withCheckedContinuation { done in
            client.perform {
                let started = client.start(request, seen.callbacks { task.withLock { $0 }?.cancel() })
                task.withLock { $0 = started }
                done.resume()
            }
        }
        await seen.until { $0.calls > 0 }
        for _ in 0..<20 { await turn() }
        #expect(seen.state.withLock { $0.calls == 1 && $0.result == nil })
    }

    @Test("cancelling the waiting task cancels the request")
    func cancelTask() async throws {
        let server = try ScriptedServer { talk in talk.waitForClose() }
        let url = try server.url("/silent")
        let task = Task { () -> HTTPError? in
            do throws(HTTPError) {
                _ = try await client.load(HTTPRequest(url: url))
                return nil
            } catch {
                return error
            }
        }
        while server.heads.isEmpty { await turn() }
        task.cancel()
        expectEqual(await task.value?.kind, .cancelled)
    }

    @Test("timers fire in order, not early, and not when cancelled")
    func timers() async {
        let order = Locked<[Int]>([])
        let early = Locked(false)
        await withCheckedContinuation { done in
            // Scheduled on the loop, so that no timer fires before all are set and one is cancelled.
            client.perform { [client] in
                let now = client.now
                let cancelled = client.schedule(at: now + 3_000_000) { order.withLock { $0.append(0) } }
                for (number, delay) in [(3, 30), (1, 10), (2, 20)] {
                    let time = now + Int64(delay) * 1_000_000
                    client.schedule(at: time) {
                        if HTTPClient.shared.now < time { early.withLock { $0 = true } }
                        order.withLock { $0.append(number) }
                    }
                }
                cancelled.cancel()
                client.schedule(at: now + 40_000_000) { done.resume() }
            }
        }
        #expect(order.withLock { $0 } == [1, 2, 3])
        #expect(!early.withLock { $0 })
    }

    @Test("compressed text is decompressed")
    func gzip() async throws {
        // `printf '#EXTM3U\n' | gzip -n`
        let packed = try #require(Data(base64Encoded: "H4sIAAAAAAAAA1N2jQjxNQ7lAgC1mOxBCAAAAA=="))
        let server = try ScriptedServer.serving { talk, _ in
            talk.answer("200 OK", ["Content-Encoding: gzip"], body: packed)
        }
        let loaded = try await client.load(HTTPRequest(url: server.url("/master.m3u8"), acceptsCompression: true))
        #expect(String(decoding: loaded.data, as: UTF8.self) == "#EXTM3U\n")
        #expect(loaded.response.contentLength == nil && !loaded.response.acceptsRanges)
    }

    @Test(
        "data URLs are answered without a network",
        arguments: [
            ("data:,A%20brief%20note", "A brief note", "text/plain;charset=US-ASCII"),
            ("data:application/x-key;base64,AQIDBA==", "\u{1}\u{2}\u{3}\u{4}", "application/x-key"),
            ("data:;charset=utf-8;base64,", "", "text/plain;charset=utf-8"),
            ("data:,a%23b#c", "a#b", "text/plain;charset=US-ASCII"), ("data:text/x;base64,YQ==#t=5", "a", "text/x"),
        ])
    func dataURL(text: String, body: String, type: String) async throws {
        let loaded = try await client.load(HTTPRequest(url: try #require(URL(string: text))))
        #expect(loaded.data == Data(body.utf8))
        #expect(loaded.response.headers["content-type"] == type)
    }

    @Test("local files are read whole and by range; failures have errors")
    func files() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zt-http-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        let url = folder.appendingPathComponent("a b.bin")
        try bytes.write(to: url)
        expectEqual(try await client.load(HTTPRequest(url: url)).data, bytes)
        let part = try await client.load(HTTPRequest(url: url, range: (1000, 1999)))
        #expect(part.data == bytes[1000..<2000])
        #expect(part.response.status == 206 && part.response.rangeStart == 1000 && part.response.wholeLength == 300_000)
        expectEqual(try await client.load(HTTPRequest(url: url, range: (299_990, nil))).data, bytes.suffix(10))
        for (request, kind) in [
            (HTTPRequest(url: folder.appendingPathComponent("none")), HTTPError.Kind.fileNotFound),
            (HTTPRequest(url: folder), .fileUnreadable),
            (HTTPRequest(url: url, range: (300_000, nil)), .status), (HTTPRequest(url: url, limit: 299_999), .tooLarge),
        ] {
            do throws(HTTPError) {
                _ = try await client.load(request)
                Issue.record("\(request.url) was read")
            } catch {
                #expect(error.kind == kind)
            }
        }
    }
}
