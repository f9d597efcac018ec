import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Preloaded items", .serialized)
@MainActor
struct PreloadTests {
    /// Returns a player paused at frame 60 of one video, and an item of another video, which begins with frame 0.
    private func stand(_ url: URL) async throws -> (rig: Rig, item: AVPlayerItem) {
        let rig = try Rig("counter.mp4")
        try await rig.ready()
        #expect(await rig.seek(2))
        #expect(rig.number() == 60)
        return (rig, AVPlayerItem(url: url))
    }

    /// Returns the number of display refreshes until frame 0 is shown.
    private func turns(_ rig: Rig) async -> Int {
        var turns = 1
        while rig.number() != 0, turns < 10_000 {
            turns += 1
            await rig.drainMainQueue()
        }
        return turns
    }

    @Test("a preloaded item shows its first frame at the next display refresh")
    func shows() async throws {
        let url = try TestMedia.url("counter.ts")
        for isPreloaded in [true, false] {
            let (rig, item) = try await stand(url)
            defer { rig.stopDisplay() }
            if isPreloaded {
                item.preload()
                #expect(await rig.wait { item.isPreloaded })
                #expect(item.status == .unknown, "no player has it")
            }
            rig.player.replaceCurrentItem(with: item)
            let turns = await turns(rig)
            // Without a preload, more refreshes are usual, but a busy machine can open the item in between.
            #expect(!isPreloaded || turns == 1, "\(turns)")
            try await rig.ready()
            #expect(rig.number() == 0 && !item.isPreloaded)
            #expect(await rig.wait { rig.shown.last == 0 })
            // Preloaded packets are used once, and reading continues after them.
            rig.player.play()
            #expect(await rig.wait { rig.player.currentTime().seconds > 4 })
            let all = rig.shown
            let shown = Array(all.suffix(from: try #require(all.lastIndex(of: 0)) + 1))
            #expect(zip(shown, shown.dropFirst()).allSatisfy { $0 < $1 }, "\(shown.prefix(20))")
            // A busy machine may miss frames, which the player counts.
            let dropped = rig.player.statistics.framesDropped
            #expect(
                shown.first.map { $0 < 10 + dropped } == true || rig.missedRefreshes,
                "\(shown.prefix(20)), \(dropped) dropped")
        }
    }

    @Test("preloading a stream loads only its start, and only once")
    func stream() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let (rig, item) = try await stand(server.url(for: "vod-ts/master.m3u8"))
        defer { rig.stopDisplay() }
        item.preload()
        #expect(await rig.wait { item.isPreloaded })
        for _ in 0..<3 { await rig.settle() }
        let early = server.requests.map(\.path)
        let segments = early.filter { !$0.hasSuffix(".m3u8") }
        #expect(!segments.isEmpty && segments.count <= 6, "\(early)")
        rig.player.replaceCurrentItem(with: item)
        expectEqual(await turns(rig), 1)
        rig.player.play()
        #expect(await rig.wait { rig.player.currentTime().seconds > 3 })
        func all() -> [String] { server.requests.map(\.path).filter { !$0.hasSuffix(".m3u8") } }
        #expect(await rig.wait { all().count > segments.count })
        #expect(
            early.allSatisfy { path in server.requests.filter { $0.path == path }.count == 1 },
            "\(server.requests.map(\.path))")
    }

    @Test("a preloaded stream first shows the frame at its start time")
    func start() async throws {
        _ = try TestStreams.url("start-offset/between.m3u8")
        let server = try TestStreams.server()
        defer { server.close() }
        let (rig, item) = try await stand(server.url(for: "start-offset/between.m3u8"))
        defer { rig.stopDisplay() }
        item.preload()
        #expect(await rig.wait { item.isPreloaded })
        rig.player.replaceCurrentItem(with: item)
        await rig.drainMainQueue()
        let first = rig.number()
        expectEqual(first, 270)
        try await rig.ready()
        expectEqual(rig.number(), 270)
    }

    @Test("preloading a remote file uses one request, which playback continues")
    func file() async throws {
        let folder = try SineFile.Folder()
        let url = try SineFile(frequency: 440, seconds: 60).write("long.wav", to: folder.url)
        let size = try #require(url.resourceValues(forKeys: [.fileSizeKey]).fileSize)
        let server = try StreamServer(root: folder.url)
        defer { server.close() }
        let rig = Rig()
        let item = AVPlayerItem(url: server.url(for: "long.wav"))
        defer { rig.stopDisplay() }
        item.preload()
        #expect(await rig.wait { item.isPreloaded })
        for _ in 0..<3 { await rig.settle() }
        #expect(server.bytesSent < Int64(size) / 2, "\(server.bytesSent) of \(size)")
        let early = server.requests.count
        rig.player.replaceCurrentItem(with: item)
        rig.player.play()
        #expect(await rig.wait { rig.player.currentTime().seconds > 0.5 })
        #expect(server.requests.count == early)
    }

    @Test("a preloaded item plays in a queue and in a loop")
    func queues() async throws {
        let rig = Rig()
        let first = AVPlayerItem(url: try TestMedia.url("loop-flac.mkv"))
        let second = AVPlayerItem(url: try TestMedia.url("loop-aac.mp4"))
        defer { rig.stopDisplay() }
        second.preload()
        #expect(await rig.wait { second.isPreloaded })
        rig.player.actionAtItemEnd = .advance
        rig.player.insert(first)
        rig.player.insert(second)
        rig.player.play()
        #expect(await rig.wait { rig.player.items().isEmpty })
        #expect(!second.isPreloaded && second.status == .readyToPlay)
        let looped = AVPlayerItem(url: try TestMedia.url("loop-opus.webm"))
        looped.preload()
        #expect(await rig.wait { looped.isPreloaded })
        let looper = AVPlayerLooper(player: rig.player, templateItem: looped)
        #expect(await rig.wait { looper.loopCount >= 3 })
    }

    private func open(_ url: URL) -> Int { OpenDescriptors.all().filter { $0 == url.path }.count }

    @Test("a preload can be cancelled and repeated, and closes its file")
    func givesUp() async throws {
        let url = try TestMedia.url("counter.mp4")
        let rig = Rig()
        defer { rig.stopDisplay() }
        let item = AVPlayerItem(url: url)
        for _ in 0..<3 {
            item.preload()
            item.preload()
            #expect(await rig.wait { item.isPreloaded })
            #expect(open(url) > 0)
            item.cancelPreload()
            #expect(await rig.wait { !item.isPreloaded && open(url) == 0 })
        }
        item.preload()
        item.cancelPreload()
        await rig.settle()
        #expect(!item.isPreloaded)
        let missing = AVPlayerItem(url: url.appendingPathExtension("not"))
        missing.preload()
        rig.player.insert(missing)
        #expect(await rig.wait { missing.status == .failed })
        #expect((missing.error as? AVError)?.code == .fileNotFound && !missing.isPreloaded)
    }

    @Test("opening ahead throws errors and ends when its task is cancelled")
    func opensAhead() async throws {
        let url = try TestMedia.url("counter.mp4")
        let whole = AVPlayerItem(url: url)
        try await whole.openAhead()
        #expect(open(url) > 0)
        whole.cancelPreload()
        let missing = AVPlayerItem(url: url.appendingPathExtension("not"))
        await #expect { try await missing.openAhead() } throws: { ($0 as? AVError)?.code == .fileNotFound }
        let server = try TestStreams.server()
        defer { server.close() }
        server.inject(.stall(after: 0), on: "vod-ts/*.ts")
        let stalled = AVPlayerItem(url: server.url(for: "vod-ts/master.m3u8"))
        let task = Task { try await stalled.openAhead() }
        #expect(await server.waitForRequests(1, "vod-ts/*.ts"))
        task.cancel()
        await #expect { try await task.value } throws: { ($0 as? AVError)?.code == .cancelled }
        let late = AVPlayerItem(url: server.url(for: "vod-ts/master.m3u8"))
        await #expect { try await late.openAhead(timeout: 0.2) } throws: { ($0 as? AVError)?.code == .timedOut }
    }

    /// Opens `item` ahead in a task.
    private func openAhead(
        _ item: AVPlayerItem, timeout: Double
    ) -> (task: Task<Void, Never>, result: Boxed<Result<Void, AVError>?>) {
        let result = Boxed<Result<Void, AVError>?>(nil)
        let task = Task {
            do throws(AVError) {
                try await item.openAhead(timeout: timeout)
                result.change { $0 = .success(()) }
            } catch {
                result.change { $0 = .failure(error) }
            }
        }
        return (task, result)
    }

    enum Interruption: CaseIterable { case cancelledBefore, cancelledLater, timeout }

    @Test("opening ahead ends although all preload threads are blocked", arguments: Interruption.allCases)
    func blockedThreads(by interruption: Interruption) async throws {
        let pipe = try SilentPipe()
        let busy = (0..<2).map { _ in AVPlayerItem(url: pipe.url) }
        for item in busy { item.preload() }
        defer {
            for item in busy { item.cancelPreload() }
            pipe.endOfFile()
        }
        let item = AVPlayerItem(url: try TestMedia.url("counter.mp4"))
        let (task, result) = openAhead(item, timeout: interruption == .timeout ? 0.01 : 3600)
        if interruption == .cancelledLater { for _ in 0..<10 { await Task.yield() } }
        if interruption != .timeout { task.cancel() }
        await eventually("opening ahead ends") { result.value != nil }
        guard case .failure(let error) = result.value else {
            Issue.record("\(String(describing: result.value))")
            return
        }
        #expect(error.code == (interruption == .timeout ? .timedOut : .cancelled), "\(error)")
    }

    @Test("opening ahead reports the result of a preload that already runs")
    func joins() async throws {
        let pipe = try SilentPipe()
        let item = AVPlayerItem(url: pipe.url)
        item.preload()
        let (_, first) = openAhead(item, timeout: 3600)
        // The pipe must be open for reading before its writer ends.
        await eventually("the preload begins") { PipedMedia.find(pipe.url) != nil }
        pipe.endOfFile()
        await eventually("the preload ends") { first.value != nil }
        let (_, second) = openAhead(item, timeout: 3600)
        await eventually("the result is known") { second.value != nil }
        for result in [first, second] {
            guard case .failure(let error) = result.value else {
                Issue.record("one byte was opened as media: \(String(describing: result.value))")
                continue
            }
            #expect(error.code != .cancelled && error.code != .timedOut, "\(error)")
        }
    }

    @Test("opening ahead, playing and inspecting a remote file share one request")
    func requestedOnce() async throws {
        let server = try StreamServer(root: try TestMedia.url("counter.mp4").deletingLastPathComponent())
        defer { server.close() }
        // The server answers only once, like a single-use link.
        let rig = Rig()
        defer { rig.stopDisplay() }
        let item = AVPlayerItem(url: server.url(for: "counter.mp4"))
        try await item.openAhead()
        let requests = server.requests.count
        rig.player.insert(item)
        #expect(await rig.wait { item.status == .readyToPlay })
        #expect(try await !item.asset.load(.tracks).isEmpty)
        #expect(try await item.asset.load(.isPlayable))
        #expect(item.asset.readsStarted == 0)
        #expect(server.requests.count == requests, "\(server.requests.map(\.path))")
    }

    @Test("a track selected after preloading is the one that plays")
    func otherTrack() async throws {
        let rig = Rig()
        let item = AVPlayerItem(url: try TestMedia.url("languages.mkv"))
        defer { rig.stopDisplay() }
        item.preload()
        #expect(await rig.wait { item.isPreloaded })
        item.preferredAudioLanguages = ["fr"]
        rig.player.insert(item)
        #expect(await rig.wait { item.description != nil })
        #expect(item.description?.audioLanguage == "fr")
    }

    @Test("a cancelled preload can be restarted, or the item played", arguments: [false, true])
    func again(plays: Bool) async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let rig = Rig()
        defer { rig.stopDisplay() }
        for (round, pattern) in ["vod-ts/master.m3u8", "vod-ts/*.ts", "vod-ts/master.m3u8", "vod-ts/*.ts"].enumerated()
        {
            let rule = server.inject(.stall(after: 0), on: pattern)
            let item = AVPlayerItem(url: server.url(for: "vod-ts/master.m3u8"))
            item.preload()
            #expect(await server.wait { _ in server.matches(rule) != 0 }, "\(round): no request")
            item.cancelPreload()
            if plays { rig.player.replaceCurrentItem(with: item) } else { item.preload() }
            await rig.settle()
            server.remove(rule)
            #expect(await rig.wait { plays ? item.status == .readyToPlay : item.isPreloaded }, "\(round), \(pattern)")
        }
        #expect(await rig.wait { !ProcessState.has(thread: "zt-preload") }, "no preload thread remains")
    }

    @Test("preloading does nothing while the item is being opened for playback")
    func whileOpening() async throws {
        let folder = try SineFile.Folder()
        let server = try TestStreams.server()
        let rig = Rig()
        defer {
            server.close()
            rig.stopDisplay()
        }
        let rule = server.inject(.stall(after: 0), on: "vod-ts/master.m3u8")
        let first = AVPlayerItem(url: try SineFile(frequency: 440, seconds: 2).write("a.wav", to: folder.url))
        let second = AVPlayerItem(url: server.url(for: "vod-ts/master.m3u8"))
        let other = AVPlayerItem(url: try TestMedia.url("loop-flac.mkv"))
        rig.player.actionAtItemEnd = .advance
        rig.player.insert(first)
        rig.player.insert(second)
        rig.player.play()
        #expect(await server.wait { _ in server.matches(rule) != 0 })
        second.preload()
        // By then the second item would have been preloaded, too.
        other.preload()
        #expect(await rig.wait { other.isPreloaded })
        server.remove(rule)
        #expect(await rig.wait { rig.player.currentItem === second && rig.player.currentTime().seconds > 1 })
        #expect(!second.isPreloaded)
    }

    @Test("ended preload threads release their memory")
    func threads() async throws {
        let url = try TestMedia.url("loop-flac.mkv")
        let rig = Rig()
        defer { rig.stopDisplay() }
        func once() async {
            let item = AVPlayerItem(url: url)
            item.preload()
            #expect(await rig.wait { item.isPreloaded })
            item.cancelPreload()
            #expect(await rig.wait { !ProcessState.has(thread: "zt-preload") })
        }
        for _ in 0..<4 { await once() }
        let before = ProcessState.addressSpace
        for _ in 0..<80 { await once() }
        let grown = ProcessState.addressSpace - before
        #expect(
            grown < 40 * ProcessState.stackSize, "\(grown >> 20) MB of address space for 80 threads that have ended")
    }

    @Test("a preload does not lower the network thread's priority")
    func urgency() async {
        await #expect(processExitsWith: .success) { try await PreloadTests.preloadFirst() }
    }

    /// Runs in a process of its own, which has made no request yet.
    private static func preloadFirst() async throws {
        let server = try TestStreams.server()
        let rig = Rig()
        defer {
            server.close()
            rig.stopDisplay()
        }
        let item = AVPlayerItem(url: server.url(for: "vod-ts/master.m3u8"))
        let own = Int(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0))
        item.preload()
        #expect(await rig.wait { item.isPreloaded })
        #expect(ProcessState.threads().filter { $0.name == "zt-net" }.map(\.nice) == [own])
        rig.player.close()
    }
}

/// A pipe that delivers one byte, and then nothing until it is closed.
private final class SilentPipe {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("zt-silent-\(UUID().uuidString)")
    private let end: Int32
    init() throws {
        try #require(mkfifo(url.path, 0o600) == 0)
        end = open(url.path, O_RDWR | O_CLOEXEC)
        try #require(write(end, "x", 1) == 1)
    }
    func endOfFile() { close(end) }
    deinit { unlink(url.path) }
}
