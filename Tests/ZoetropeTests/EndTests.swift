import Foundation
import MediaCore
import MediaEngine
import TestSupport
import Testing

@testable import Zoetrope

/// Tests of settings and commands that an app uses at the end of a video.
@Suite("At the end of a video", .serialized)
@MainActor
struct EndTests {
    @MainActor
    private final class AtEnd {
        private(set) var count = 0
        private var token: (any NSObjectProtocol)?
        init(_ body: @escaping @MainActor (Int) -> Void) {
            token = NotificationCenter.default.addObserver(
                forName: AVPlayerItem.didPlayToEndTimeNotification, object: nil, queue: nil
            ) { [weak self] _ in
                MainActor.assumeIsolated {
                    guard let self else { return }
                    self.count += 1
                    body(self.count)
                }
            }
        }
        func stop() {
            if let token { NotificationCenter.default.removeObserver(token) }
            token = nil
        }
    }

    /// The moment when the app starts the next video: in the end notification, one turn of the main loop later, when
    /// the published time is the end, or at the pause event.
    enum Way: CaseIterable { case notification, later, time, event }

    @Test("a handler can start the next video at the end, twenty times", arguments: Way.allCases)
    func list(way: Way) async throws {
        let names = ["loop-pcm.mov", "loop-flac.mkv", "loop-aac.mp4"]
        let paths = try names.map { try TestMedia.url($0).path }
        let stage = try Stage(names[0]) { if way == .time { $0.timePublishing = CMTime(value: 1, timescale: 30) } }
        defer { stage.controller.close() }
        var index = 0
        func next() {
            guard index < 20 else { return }
            index += 1
            stage.change { $0.name = paths[index % 3] }
        }
        let end = AtEnd { _ in
            switch way {
            case .notification: next()
            case .later: DispatchQueue.main.async { MainActor.assumeIsolated { next() } }
            default: break
            }
        }
        defer { end.stop() }
        if way == .time {
            let told = stage.controller.onTime
            stage.controller.onTime = { [weak stage] time in
                told?(time)
                guard let player = stage?.player, let length = player.currentItem?.duration, length.isNumeric,
                    time >= length.seconds - 0.05
                else { return }
                next()
            }
        }
        if way == .event {
            let told = stage.controller.onEvents
            stage.controller.onEvents = { [weak stage] events in
                told?(events)
                guard stage?.player.isAtEnd == true, events.contains(where: { PlayerEventFilter.paused.matches($0) })
                else { return }
                next()
            }
        }
        #expect(await stage.wait { index == 20 }, "\(index) switches")
        // The last video plays to its end.
        let last = try #require(stage.player.currentItem)
        #expect(last.asset.url.path == paths[20 % 3])
        #expect(await stage.wait { stage.player.isAtEnd && stage.player.rate == 0 })
        #expect(stage.controller.error == nil)
    }

    @Test("seek and play commands at the end take effect")
    func again() async throws {
        let stage = try Stage("loop-pcm.mov")
        defer { stage.controller.close() }
        let end = AtEnd { count in
            guard count < 4 else { return }
            stage.controller.perform(.idle)
            switch count {
            case 1: stage.controller.perform(.seek(to: 0))
            case 2: stage.controller.perform(.play)
            default: stage.controller.perform(.batch([.begin, .play]))
            }
        }
        defer { end.stop() }
        #expect(await stage.wait { end.count == 4 && stage.player.rate == 0 })
    }

    @Test("closing in a handler of the end, time or an event works")
    func closes() async throws {
        for way in 0..<3 {
            let stage = try Stage("loop-pcm.mov") { $0.timePublishing = CMTime(value: 1, timescale: 10) }
            let controller = stage.controller
            let end = AtEnd { _ in if way == 0 { controller.close() } }
            defer { end.stop() }
            if way == 1 { controller.onTime = { if $0 > 0.2 { controller.close() } } }
            if way == 2 { controller.onEvents = { if $0.contains(.playing) { controller.close() } } }
            #expect(await stage.wait { controller.isClosed })
            #expect(stage.player.currentItem == nil && stage.player.rate == 0)
        }
    }

    @Test(".begin and .end pause there, in every state; play then restarts", arguments: [false, true], [false, true])
    func beginAndEnd(loops: Bool, plays: Bool) async throws {
        let stage = try Stage("sine-flac.mkv") {
            $0.loop = loops
            $0.notAutoPlay = !plays
        }
        defer { stage.controller.close() }
        #expect(await stage.ready())
        if plays { #expect(await stage.isTold(.playing)) }
        let length = try #require(stage.player.currentItem?.duration.seconds)
        stage.controller.perform(.end)
        #expect(await stage.wait { stage.seeks.count == 1 })
        guard case .seek(true, let time)? = stage.seeks.first else {
            Issue.record("\(stage.seeks)")
            return
        }
        #expect(abs(time - length) < 0.001)
        #expect(stage.player.rate == 0 && abs(stage.time - length) < 0.001)
        stage.controller.perform(.begin)
        #expect(await stage.isTold(.seek(true, currentTime: 0)))
        #expect(stage.player.rate == 0 && stage.time == 0)
        stage.controller.perform(.end)
        #expect(await stage.wait { stage.seeks.count == 3 })
        stage.forget()
        stage.controller.perform(.play)
        /// Whether the video has played to its end. A busy machine may miss the two seconds of playback, but not this.
        func hasPlayed() -> Bool {
            guard let start = stage.events.firstIndex(of: .playing), let end = stage.events.lastIndex(of: .ended) else {
                return false
            }
            return start < end
        }
        #expect(
            await stage.wait {
                stage.player.rate == 1 && stage.time > 0.1 && stage.time < length - 0.1 || hasPlayed()
            })
    }

    @Test("extreme numbers in commands and settings are clamped or ignored")
    func numbers() async throws {
        let stage = try Stage("counter.mp4") { $0.notAutoPlay = true }
        defer { stage.controller.close() }
        #expect(await stage.ready())
        for number in [Double.nan, .infinity, -.infinity, 1e300, -1e300] {
            stage.controller.perform(.idle)
            stage.controller.perform(.seek(to: number, play: false))
            stage.controller.perform(.volume(Float(number)))
            stage.controller.perform(.playbackSpeed(Float(number)))
            stage.controller.perform(.brightness(Float(number)))
            stage.controller.perform(.contrast(Float(number)))
            #expect(await stage.wait { !stage.player.isSeeking })
            #expect(stage.time >= 0 && stage.time <= 20)
            #expect(stage.player.volume >= 0 && stage.player.volume <= 1)
            stage.change { $0.timePublishing = CMTime(seconds: number, preferredTimescale: 600) }
            stage.controller.boundsChanged(CGRect(x: number, y: 0, width: 10, height: 10))
        }
        stage.controller.perform(.batch([.playbackSpeed(1), .seek(to: 0)]))
        #expect(await stage.wait { stage.time > 0.1 })
    }
}
