import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine
@testable import Streaming

/// Seeks, item changes and closing at each moment of an item's opening.
@Suite("Seeks while an item is opening", .serialized)
@MainActor
struct SeekWhileOpeningTests {
    enum Kind: String, Sendable, CaseIterable, CustomTestStringConvertible {
        case localFile, remoteFile, transportStream, fragmentedMP4, onePlaylist, live, loopedClip
        var testDescription: String { rawValue }
        static let remote: [Kind] = [.remoteFile, .transportStream, .fragmentedMP4, .onePlaylist, .live]
    }

    /// A source of one kind, which creates items for it.
    private final class Source {
        let kind: Kind
        let server: StreamServer
        let url: URL
        private let live: LiveStream?

        init(_ kind: Kind) throws {
            self.kind = kind
            server = try TestStreams.server()
            live =
                kind == .live
                ? try LiveStream(
                    server, at: "live", over: try TestStreams.url("vod-ts/v0/index.m3u8"), options: .init(window: 8))
                : nil
            url =
                switch kind {
                case .localFile: try TestStreams.url("plain/film.mp4")
                case .remoteFile: server.url(for: "plain/film.mp4")
                case .transportStream: server.url(for: "vod-ts/master.m3u8")
                case .fragmentedMP4: server.url(for: "vod-fmp4/master.m3u8")
                case .onePlaylist: server.url(for: "vod-ts/v0/index.m3u8")
                case .live: live?.url ?? server.url
                case .loopedClip: try TestMedia.url("counter-video.mp4")
                }
            ThroughputMemory.shared.remember(1_000_000, for: url)
        }

        /// The numbers of frames to seek to, which exist in every kind.
        static let frames = [61, 200, 7, 119, 260]

        @MainActor func item() -> AVPlayerItem {
            AVPlayerItem(asset: AVURLAsset(url: url, options: [AVURLAssetOpeningTimeoutKey: 20.0]))
        }
    }

    private final class Answers {
        var all: [[Bool]] = []
        /// Whether each seek has been answered exactly once.
        var areComplete: Bool { all.allSatisfy { $0.count == 1 } }
    }

    private func seek(_ player: AVPlayer, to frame: Int, _ answers: Answers) {
        let place = answers.all.count
        answers.all.append([])
        player.seek(to: CMTime(seconds: (Double(frame) + 0.5) / 30, preferredTimescale: 1_000_000)) {
            answers.all[place].append($0)
        }
    }

    private func begin(_ source: Source) -> (Rig, AVPlayerItem, AVPlayerLooper?) {
        let rig = Rig()
        let item = source.item()
        guard source.kind == .loopedClip else {
            rig.player.insert(item)
            return (rig, item, nil)
        }
        return (rig, item, AVPlayerLooper(player: rig.player, templateItem: item))
    }

    /// Checks that the newest seek was performed, that each seek was answered once, and that the item has not failed.
    private func settles(
        _ rig: Rig, _ answers: Answers, on frame: Int, _ what: String, _ location: SourceLocation = #_sourceLocation
    ) async {
        let done = await rig.wait { answers.areComplete || rig.player.currentItem?.status == .failed }
        let error = rig.player.currentItem?.error.map { "\($0)" } ?? "no error"
        #expect(done && answers.areComplete, "\(what): \(answers.all), \(error)", sourceLocation: location)
        #expect(answers.all.last == [true], "\(what): \(answers.all), \(error)", sourceLocation: location)
        #expect(rig.player.currentItem?.status == .readyToPlay, "\(what): \(error)", sourceLocation: location)
        #expect(rig.number() == frame, "\(what)", sourceLocation: location)
    }

    private func end(_ rig: Rig) {
        rig.stopDisplay()
        rig.player.close()
    }

    // MARK: with each request held in turn

    /// Returns the number of requests that a source makes until its first frame is shown.
    private func requests(_ source: Source) async -> Int {
        let (rig, item, _) = begin(source)
        _ = await rig.wait { item.status != .unknown && rig.picture() != nil }
        let count = source.server.requests.count
        end(rig)
        return count
    }

    /// Opens an item with request number `nth` held, calls `act` meanwhile, and then releases the request.
    private func held(
        _ kind: Kind, request nth: Int, after bytes: Int64, _ act: (Rig, AVPlayerItem, Answers) async throws -> Void
    ) async throws {
        let source = try Source(kind)
        defer { source.server.close() }
        // The item may open with fewer requests (see `opens`).
        let rule = source.server.inject(.stall(after: bytes), nth: nth...nth, isOptional: nth > 1)
        let (rig, item, _) = begin(source)
        #expect(await opens(rig, item, source, upTo: nth), "\(kind) \(nth)")
        let answers = Answers()
        try await act(rig, item, answers)
        source.server.remove(rule)
        if !answers.all.isEmpty {
            await settles(rig, answers, on: 200, "\(kind), request \(nth) held after \(bytes) bytes")
        }
        end(rig)
    }

    /// Waits until request number `nth` has arrived, or until the item is open with fewer requests: the number depends
    /// on the speed of the network.
    private func opens(_ rig: Rig, _ item: AVPlayerItem, _ source: Source, upTo nth: Int) async -> Bool {
        await rig.wait {
            source.server.requests.count >= nth || nth > 1 && item.status == .readyToPlay && rig.picture() != nil
        }
    }

    private func everywhere(_ kind: Kind, _ act: (Rig, AVPlayerItem, Answers) async throws -> Void) async throws {
        let source = try Source(kind)
        let count = await requests(source)
        source.server.close()
        try #require(count > 0)
        for nth in 1...count {
            for bytes in [0, 100] { try await held(kind, request: nth, after: Int64(bytes), act) }
        }
    }

    @Test("a seek is performed when the item is open", arguments: Kind.remote)
    func one(kind: Kind) async throws {
        try await everywhere(kind) { rig, _, answers in seek(rig.player, to: 200, answers) }
    }

    @Test("of several seeks, the newest is performed and each is answered", arguments: Kind.remote)
    func several(kind: Kind) async throws {
        try await everywhere(kind) { rig, _, answers in
            for frame in [61, 7] {
                seek(rig.player, to: frame, answers)
                // The next seek finds this one waiting or running.
                await letTimePass(0.02, because: "the seek before is to be at any stage")
            }
            seek(rig.player, to: 200, answers)
        }
    }

    @Test("an opening item can be replaced and set again", arguments: Kind.remote)
    func replaced(kind: Kind) async throws {
        try await everywhere(kind) { rig, item, answers in
            seek(rig.player, to: 61, answers)
            let other = AVPlayerItem(url: try TestMedia.url("counter-video.mp4"))
            rig.player.replaceCurrentItem(with: other)
            // Late in the opening the seek may be finished already.
            #expect(await rig.wait { answers.areComplete }, "\(answers.all)")
            #expect(await rig.wait { other.status == .readyToPlay && rig.picture() != nil })
            #expect(item.status != .failed && item.error == nil)
            rig.player.replaceCurrentItem(with: item)
            seek(rig.player, to: 200, answers)
        }
    }

    @Test("segments loaded before their initialization section are not skipped", arguments: [61, 200, 119])
    func initialization(frame: Int) async throws {
        let source = try Source(.fragmentedMP4)
        defer { source.server.close() }
        // A high remembered throughput keeps the player at one variant from the start.
        ThroughputMemory.shared.remember(20_000_000, for: source.url)
        func asked(_ name: String) -> Int {
            source.server.requests.count { $0.path.contains("/v") && $0.path.hasSuffix(name) }
        }
        let held = source.server.inject(.stall(after: 0), on: "*/v*/init.mp4")
        let (rig, _, _) = begin(source)
        #expect(await rig.wait { asked("seg005.m4s") > 0 })
        let answers = Answers()
        let before = asked("init.mp4")
        seek(rig.player, to: frame, answers)
        #expect(await rig.wait { asked("init.mp4") > before })
        source.server.remove(held)
        await settles(rig, answers, on: frame, "\(source.server.requests.map(\.path))")
        end(rig)
    }

    @Test("closing an opening item ends it and answers its seeks", arguments: Kind.remote)
    func closed(kind: Kind) async throws {
        let source = try Source(kind)
        let count = await requests(source)
        source.server.close()
        for nth in 1...max(1, count) {
            let source = try Source(kind)
            // The item may open with fewer requests (see `opens`).
            source.server.inject(.stall(after: 0), nth: nth...nth, isOptional: nth > 1)
            let answers = Answers()
            var (rig, item, _): (Rig?, AVPlayerItem, AVPlayerLooper?) = begin(source)
            if let rig {
                #expect(await opens(rig, item, source, upTo: nth), "\(kind) \(nth)")
                seek(rig.player, to: 61, answers)
            }
            if nth % 2 == 0, let rig { end(rig) } else { rig = nil }
            let clock = Rig()
            // While the first request is held, no seek can finish. A seek may not need the data of a later request.
            #expect(
                await clock.wait { answers.all == [[false]] || nth > 1 && answers.all == [[true]] },
                "\(kind) \(nth) \(answers.all)")
            #expect(item.status != .failed)
            source.server.close()
        }
    }

    // MARK: at any moment

    /// The SplitMix64 generator by Steele and Vigna.
    private struct Seeded {
        var state: UInt64
        mutating func next(below limit: Int) -> Int {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return Int((z ^ (z >> 31)) % UInt64(max(1, limit)))
        }
    }

    @Test("one or two seeks at any moment of opening succeed", arguments: Kind.allCases)
    func anyMoment(kind: Kind) async throws {
        let source = try Source(kind)
        var random = Seeded(state: 11)
        for run in 0..<100 {
            let answers = Answers()
            let (rig, item, looper) = begin(source)
            let isPlaying = run % 4 == 3
            for frame in run % 3 == 0 ? [Source.frames[run % 5], 200] : [200] {
                // From before the start of the opening to after its end. Openings take between 10 and 100 ms.
                let turns = random.next(below: 5) == 0 ? 0 : random.next(below: 60)
                if turns > 0 {
                    await letTimePass(Double(turns) / 1000, because: "the opening is to be at any stage")
                }
                seek(rig.player, to: frame, answers)
            }
            if isPlaying { rig.player.play() }
            #expect(await rig.wait { answers.areComplete || item.status == .failed }, "run \(run): \(answers.all)")
            #expect(answers.all.last == [true], "run \(run): \(answers.all), \(item.error.map { "\($0)" } ?? "")")
            if !isPlaying {
                #expect(
                    rig.number() == 200,
                    "run \(run), \(rig.player.statistics.framesDecoded) decoded, \(source.server.requests.suffix(40).map(\.path))"
                )
            }
            _ = looper
            end(rig)
            if item.status == .failed { break }
        }
        source.server.close()
    }
}
