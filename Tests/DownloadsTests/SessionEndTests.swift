import Foundation
import MediaCore
import MediaEngine
import TestSupport
import Testing

@testable import Downloads

/// A task must end exactly once and report nothing afterwards. The tests cover faults of apps based on Apple's sample
/// code.
@Suite("End of a session task")
struct SessionEndTests {
    @Test("a task that fails early reports its error, and the next runs")
    func earlyFailure() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let test = TestSession()
        let lost = try test.aggregate(server.url(for: "nothing/master.m3u8"))
        let next = try test.aggregate(server.url(for: "vod-ts/master.m3u8"), bitRate: 1)
        lost.resume()
        #expect(await test.listener.ended(lost))
        let error = try #require(test.listener.error(lost))
        #expect(error.domain == NSURLErrorDomain && error.code == NSURLErrorFileDoesNotExist)
        #expect((error.userInfo[NSUnderlyingErrorKey] as? DownloadError)?.code == .gone)
        #expect(
            test.listener.words(lost) == ["failed"] && lost.state == .completed && (lost.error as NSError?) == error)
        next.resume()
        #expect(await test.listener.ended(next) && test.listener.error(next) == nil)
        #expect(test.listener.ends(lost) == 1)
        // Nothing had been received, so nothing is kept.
        #expect(test.packages.count == 1)
    }

    @Test(
        "a task with an invalid URL fails when it is resumed",
        arguments: ["ftp://127.0.0.1/film.m3u8", "mailto:somebody"])
    func impossible(text: String) async throws {
        let test = TestSession()
        let task = try test.aggregate(try #require(URL(string: text)))
        await test.settle()
        #expect(test.listener.all.isEmpty)
        task.resume()
        #expect(await test.listener.ended(task) && test.listener.error(task)?.code == NSURLErrorBadURL)
        task.resume()
        task.cancel()
        await test.settle()
        #expect(test.listener.words(task) == ["failed"])
    }

    @Test("a task of a library that cannot be opened fails")
    func noLibrary() async throws {
        let test = TestSession()
        let folder = test.session.folder
        _ = await test.session.allTasks
        test.session.invalidateAndCancel()
        try? FileManager.default.removeItem(at: folder)
        try Data("in the way".utf8).write(to: folder)
        let second = TestSession(test.identifier)
        let task = try second.aggregate(URL(fileURLWithPath: "/film.m3u8"))
        let other = try second.aggregate(URL(fileURLWithPath: "/film.m3u8"))
        expectEqual(await second.session.allTasks.count, 2)
        task.resume()
        other.cancel()
        #expect(await second.listener.ended(task) && second.listener.error(task)?.domain == NSURLErrorDomain)
        #expect(second.listener.error(task)?.userInfo[NSUnderlyingErrorKey] is DownloadError)
        #expect(await second.listener.ended(other) && second.listener.error(other)?.code == NSURLErrorCancelled)
    }

    @Test("cancelling at any moment ends the task once and leaves nothing")
    func cancelling() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        server.setNetwork(.kilobits(12_000))
        // The download can't end before a late cancellation.
        server.inject(.stall(after: 0), on: "vod-ts/*/seg011.ts", isOptional: true)
        let test = TestSession()
        let url = server.url(for: "vod-ts/master.m3u8")
        for delay in [-1, 0, 1, 5, 20, 60, 120, 250, 400] {
            let task = try test.aggregate(url, bitRate: 1_000_000, title: "No. \(delay)")
            if delay >= 0 {
                task.resume()
                await letTimePass(Double(delay) / 1000, because: "the task is cancelled at any moment")
            }
            task.cancel()
            #expect(task.state == .canceling || task.state == .completed)
            // At most two reports may follow the cancellation: one that is being delivered already, and the end.
            let before = test.listener.told(task).count
            #expect(await test.listener.ended(task))
            #expect(
                test.listener.error(task)?.code == NSURLErrorCancelled
                    && test.listener.error(task)?.domain == NSURLErrorDomain)
            #expect(test.listener.told(task).count <= before + 2 && test.listener.ends(task) == 1)
            #expect(test.files.isEmpty && test.packages.isEmpty)
        }
        #expect(await test.session.allTasks.isEmpty)
    }

    @Test("a new task for a cancelled asset gets only its own calls")
    func successor() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let slow = server.inject(.stall(after: 20_000), on: "vod-ts/v0/seg00[4-9].ts")
        let test = TestSession()
        let url = server.url(for: "vod-ts/master.m3u8")
        let first = try test.aggregate(url, bitRate: 1)
        first.resume()
        #expect(await test.listener.wait { $0.words(first).contains("loaded") })
        #expect(await server.waitForRequests(1, "vod-ts/v0/seg00[4-9].ts"))
        first.cancel()
        let second = try test.aggregate(url, bitRate: 1)
        second.resume()
        server.remove(slow)
        #expect(await test.listener.ended(first) && test.listener.error(first)?.code == NSURLErrorCancelled)
        #expect(await test.listener.ended(second) && test.listener.error(second) == nil)
        let words = test.listener.words(second)
        #expect(words.first == "place" && words.last == "ended")
        var total = 0.0
        for case .loaded(let new, _, _, _) in test.listener.told(second) { total += new.duration.seconds }
        #expect(abs(total - 24) < 0.2)
        #expect(test.listener.words(first).last == "failed" && test.listener.ends(first) == 1)
        #expect(try await AVURLAsset(url: try #require(test.listener.place(second))).load(.isPlayable))
    }

    @Test("a new task for the same asset continues after a failure")
    func failureOnTheWay() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let fault = server.inject(.status(404), on: "vod-ts/v0/seg007.ts")
        let test = TestSession()
        let url = server.url(for: "vod-ts/master.m3u8")
        let first = try test.aggregate(url, bitRate: 1)
        first.resume()
        #expect(await test.listener.ended(first))
        let error = try #require(test.listener.error(first))
        #expect(
            error.domain == NSURLErrorDomain && (error.userInfo[NSUnderlyingErrorKey] as? DownloadError)?.code == .gone)
        let came = Set(test.files.filter { $0.hasSuffix(".ts") })
        let count = server.requests("vod-ts/v0/seg000.ts").count
        #expect(!came.isEmpty)
        server.remove(fault)
        let second = try test.aggregate(url, bitRate: 1)
        second.resume()
        #expect(await test.listener.ended(second) && test.listener.error(second) == nil)
        #expect(server.requests("vod-ts/v0/seg000.ts").count == count, "downloaded segments are not fetched again")
        #expect(came.isSubset(of: Set(test.files)) && test.packages.count == 1)
        // Forgetting the first task removes nothing that the second uses.
        await test.settle()
        #expect(
            try await AVURLAsset(url: try #require(test.listener.place(second))).load(.isPlayable)
                && test.files.count { $0.hasSuffix(".ts") && $0.contains("/video-") } == 12)
    }

    @Test("a task cancelled before its end is reported counts as cancelled")
    func cancelledAtTheEnd() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.isSuspended = true
        let test = TestSession(queue: queue)
        let task = try test.aggregate(server.url(for: "vod-ts/master.m3u8"), bitRate: 1)
        task.resume()
        #expect(await test.listener.wait { _ in test.files.contains { $0.hasSuffix("movpkg/index.m3u8") } })
        // The report of its end waits in the suspended queue.
        #expect(await test.listener.wait { _ in task.downloadState == .finished })
        DownloadActor.sync {}
        task.cancel()
        queue.isSuspended = false
        #expect(await test.listener.ended(task))
        await test.settle()
        #expect(
            test.listener.words(task) == ["failed"] && test.listener.error(task)?.code == NSURLErrorCancelled
                && test.packages.isEmpty)
    }

    @Test("a suspended task stops, and a resumed task continues")
    func suspending() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let slow = server.inject(.stall(after: 20_000), on: "vod-ts/v0/seg00[4-9].ts")
        let test = TestSession()
        let task = try test.aggregate(server.url(for: "vod-ts/master.m3u8"), bitRate: 1)
        task.resume()
        #expect(await test.listener.wait { $0.words(task).contains("loaded") })
        #expect(await server.waitForRequests(1, "vod-ts/v0/seg00[4-9].ts"))
        task.suspend()
        #expect(task.state == .suspended)
        #expect(await test.listener.wait { _ in task.downloadState == .paused })
        // Another download runs to its end in the meantime.
        let other = TestSession()
        let meanwhile = try other.aggregate(server.url(for: "vod-fmp4/master.m3u8"), bitRate: 1)
        meanwhile.resume()
        #expect(await other.listener.wait { $0.words(meanwhile).contains("loaded") })
        let count = server.requests("vod-ts/*").count
        #expect(await other.listener.ended(meanwhile) && other.listener.error(meanwhile) == nil)
        #expect(
            server.requests("vod-ts/*").count == count && task.downloadState == .paused
                && task.countOfBytesReceived > 0)
        task.resume()
        #expect(task.state == .running)
        // The task's `Progress` can pause and resume it, too.
        task.progress.pause()
        #expect(await test.listener.wait { _ in task.state == .suspended })
        task.progress.resume()
        #expect(await test.listener.wait { _ in task.state == .running })
        server.remove(slow)
        #expect(
            await test.listener.ended(task) && test.listener.error(task) == nil
                && test.listener.words(task).count { $0 == "place" } == 1)
    }

    @Test("a waiting task reports its reason and continues by itself")
    func waiting() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let test = TestSession()
        let task = try test.aggregate(server.url(for: "vod-ts/master.m3u8"), bitRate: 1)
        let fault = server.inject(.status(503), on: "vod-ts/master.m3u8")
        task.resume()
        #expect(await test.listener.wait { $0.words(task).contains("waits") })
        if case .waiting(let error) = task.downloadState { #expect(error.code == .network) }
        server.remove(fault)
        #expect(await test.listener.ended(task) && test.listener.error(task) == nil)
        #expect(Array(test.listener.words(task).prefix(2)) == ["waits", "goes on"])
    }

    @Test("an invalidated session ends its tasks and creates no more")
    func invalidation() async throws {
        final class Last: NSObject, AVAssetDownloadDelegate, @unchecked Sendable {
            let told: @Sendable (String) -> Void
            init(_ told: @escaping @Sendable (String) -> Void) { self.told = told }
            func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
                told("ended")
            }
            func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) { told("invalid") }
            func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) { told("all") }
        }
        _ = TestSession.libraries
        let (stream, continuation) = AsyncStream<String>.makeStream()
        let session = AVAssetDownloadURLSession(
            configuration: .background(withIdentifier: UUID().uuidString),
            assetDownloadDelegate: Last { continuation.yield($0) }, delegateQueue: nil)
        for _ in 0..<2 {
            _ = session.makeAssetDownloadTask(
                asset: AVURLAsset(url: URL(fileURLWithPath: "/x.m3u8")), assetTitle: "", assetArtworkData: nil)
        }
        session.invalidateAndCancel()
        var told: [String] = []
        for await word in stream {
            told.append(word)
            if word == "invalid" { break }
        }
        #expect(told == ["ended", "ended", "all", "invalid"])
        let late = session.makeAssetDownloadTask(
            asset: AVURLAsset(url: URL(fileURLWithPath: "/x.m3u8")), assetTitle: "", assetArtworkData: nil)
        late?.resume()
        #expect(
            await eventually("a completed task", seen: { "\(String(describing: late))" }) { late?.state == .completed })
        #expect((late?.error as NSError?)?.code == NSURLErrorCancelled)
    }

    @Test("each error has a code in NSURLErrorDomain and an underlying error")
    func codes() throws {
        let url = try #require(URL(string: "https://example.com/a.m3u8"))
        for code in DownloadError.Code.allCases {
            let ours = DownloadError(code, at: url.absoluteString, reason: "was tried", suggestion: "Try again")
            let error = ours.asURLError(for: url)
            #expect(
                error.domain == NSURLErrorDomain && error.code < 0
                    && error.userInfo[NSUnderlyingErrorKey] as? DownloadError == ours)
            #expect(error.localizedDescription == ours.localizedDescription && error.code != NSURLErrorUnknown)
            #expect((error.code == NSURLErrorCancelled) == (code == .cancelled))
        }
    }
}
