import Foundation
import TestSupport
import Testing

@testable import Zoetrope

@Suite("The component's player controller")
@MainActor
struct ControllerTests {
    @Test("a source plays at once and publishes its events in order")
    func plays() async throws {
        let stage = try Stage("counter.mp4")
        defer { stage.controller.close() }
        #expect(await stage.isTold(.playing))
        let item = try #require(stage.player.currentItem)
        #expect(
            stage.events == [
                .currentItemChanged(newItem: item), .itemStatusChanged(.unknown), .waitingToPlayAtSpecifiedRate,
                .itemStatusChanged(.readyToPlay), .duration(item.duration),
                .bufferChanged(loadedTo: item.duration.seconds), .playing,
            ])
        #expect(await stage.wait { stage.time > 0.2 })
        #expect(stage.controller.error == nil && stage.errors.isEmpty)
        stage.controller.perform(.pause)
        #expect(stage.player.timeControlStatus == .paused)
        stage.clock.advance(1)
        #expect(stage.events.last == .paused)
    }

    @Test("a retry continues at the position of the failure")
    func retries() async throws {
        let server = try TestStreams.server()
        let stage = Stage()
        defer {
            stage.controller.close()
            server.close()
        }
        // One broken segment is skipped, but the stream fails if more than a third are broken.
        let rule = server.inject(.body(Data(repeating: 7, count: 20_000)), on: "*/seg00[4-9].*")
        let address = server.url(for: "vod-ts/master.m3u8").absoluteString
        stage.controller.apply(settings: VideoSettings { SourceName(address) })
        stage.controller.perform(.seek(to: 7))
        #expect(await stage.wait { stage.controller.error != nil })
        server.remove(rule)
        stage.controller.retry()
        #expect(await stage.wait { stage.player.timeControlStatus == .playing && !stage.player.isSeeking })
        #expect(stage.controller.error == nil && stage.time > 6.5)
    }

    @Test("NotAutoPlay() waits for play; Mute() starts muted")
    func stands() async throws {
        let stage = try Stage("counter.mp4") {
            $0.notAutoPlay = true
            $0.mute = true
        }
        defer { stage.controller.close() }
        #expect(await stage.ready())
        #expect(stage.player.rate == 0 && stage.time == 0)
        #expect(stage.player.isMuted)
        stage.controller.perform(.play)
        stage.controller.perform(.unmute)
        #expect(await stage.wait { stage.time > 0.1 })
        #expect(!stage.player.isMuted)
    }

    @Test("without Events() nothing is published, but the video plays")
    func silent() async throws {
        let stage = try Stage("counter.mp4") { $0.events = nil }
        defer { stage.controller.close() }
        #expect(await stage.wait { stage.time > 0.1 })
        #expect(stage.events.isEmpty && stage.clock.isIdle)
        #expect(stage.times.isEmpty)
    }

    @Test("time is published at multiples of the interval until turned off")
    func time() async throws {
        let stage = try Stage("counter.mp4") { $0.timePublishing = CMTime(value: 1, timescale: 10) }
        defer { stage.controller.close() }
        // The times must contain four consecutive tenths, each once. This may take a while, because a main queue that
        // is blocked for more than a tenth skips one.
        let isTold = await stage.wait {
            let tenths = stage.times.map { Int($0 * 10 + 1e-6) }
            return tenths.indices.dropLast(3).contains { first in
                (1...3).allSatisfy { tenths[first + $0] == tenths[first] + $0 }
            }
        }
        #expect(isTold, "\(stage.times)")
        stage.change { $0.timePublishing = nil }
        let count = stage.times.count
        let now = stage.time
        #expect(await stage.wait { stage.time > now + 0.3 })
        #expect(stage.times.count == count)
    }

    // MARK: seeking

    @Test("a seek reports its position, then plays or pauses as requested")
    func seeks() async throws {
        let stage = try Stage("counter.mp4") { $0.notAutoPlay = true }
        defer { stage.controller.close() }
        #expect(await stage.ready())
        stage.forget()
        stage.controller.perform(.seek(to: 5, play: false))
        #expect(await stage.isTold(.seek(true, currentTime: 5)))
        #expect(stage.player.rate == 0)
        stage.forget()
        stage.controller.perform(.seek(to: 7))
        #expect(await stage.isTold(.playing))
        #expect(stage.events.first == .seek(true, currentTime: 7))
        stage.controller.perform(.seek(to: 9, play: false))
        #expect(await stage.isTold(.seek(true, currentTime: 9)))
        #expect(stage.player.rate == 0)
    }

    @Test("a pause during a seek stays in effect")
    func pauseWhileSeeking() async throws {
        let stage = try Stage("counter.mp4") { $0.notAutoPlay = true }
        defer { stage.controller.close() }
        #expect(await stage.ready())
        stage.controller.perform(.seek(to: 5))
        stage.controller.perform(.pause)
        #expect(await stage.isTold(.seek(true, currentTime: 5)))
        #expect(stage.player.rate == 0)
    }

    @Test("begin and end seek there, and play at the end restarts")
    func beginAndEnd() async throws {
        let stage = try Stage("sine-flac.mkv") { $0.notAutoPlay = true }
        defer { stage.controller.close() }
        #expect(await stage.ready())
        let length = try #require(stage.player.currentItem?.duration.seconds)
        stage.controller.perform(.end)
        #expect(await stage.isTold(.seek(true, currentTime: length)))
        stage.controller.perform(.begin)
        #expect(await stage.isTold(.seek(true, currentTime: 0)))
        stage.controller.perform(.end)
        #expect(await stage.wait { stage.seeks.count == 3 && stage.player.isAtEnd })
        stage.forget()
        stage.controller.perform(.play)
        #expect(await stage.isTold(.playing))
        #expect(stage.events.first == .seek(true, currentTime: 0))
        // A busy machine may miss the two seconds of playback, but not their end.
        #expect(await stage.wait { stage.time > 0.1 && stage.time < length || stage.events.contains(.ended) })
    }

    @Test("every seek reports a result; the last succeeds, an invalid one fails")
    func manySeeks() async throws {
        let stage = try Stage("counter.mp4") { $0.notAutoPlay = true }
        defer { stage.controller.close() }
        #expect(await stage.ready())
        stage.forget()
        for second in 1...12 { stage.controller.perform(.seek(to: Double(second), play: false)) }
        #expect(await stage.wait { stage.seeks.count == 12 })
        #expect(stage.seeks.last == .seek(true, currentTime: 12))
        stage.forget()
        stage.controller.perform(.seek(to: .nan, play: false))
        #expect(await stage.isTold(.seek(false, currentTime: 12)))
        stage.controller.perform(.seek(to: .nan, play: false))
        stage.controller.perform(.seek(to: -3, play: false))
        #expect(await stage.isTold(.seek(true, currentTime: 0)))
        #expect(stage.seeks.count == 2, "the repeated command was ignored, although its number is NaN")
        let empty = Stage()
        defer { empty.controller.close() }
        empty.controller.apply(settings: VideoSettings(name: "nowhere-at-all", events: [.seekAny]))
        empty.controller.perform(.seek(to: 1))
        #expect(await empty.isTold(.seek(false, currentTime: 0)))
        #expect(empty.player.rate == 0)
    }

    @Test("a seek beyond the start or end is clamped and reported")
    func beyond() async throws {
        let stage = try Stage("sine-flac.mkv") { $0.notAutoPlay = true }
        defer { stage.controller.close() }
        #expect(await stage.ready())
        let length = try #require(stage.player.currentItem?.duration.seconds)
        stage.forget()
        stage.controller.perform(.seek(to: 1e6, play: false))
        #expect(await stage.isTold(.seek(true, currentTime: length)))
        #expect(await stage.wait { stage.player.isAtEnd })
        #expect(stage.player.rate == 0)
        stage.controller.perform(.seek(to: -1e6, play: false))
        #expect(await stage.isTold(.seek(true, currentTime: 0)))
        #expect(stage.seeks.count == 2)
    }

    // MARK: looping

    @Test("Loop() repeats until unloop, and loop starts the repetition again")
    func loops() async throws {
        let stage = try Stage("loop-flac.mkv") { $0.loop = true }
        defer { stage.controller.close() }
        let item = try #require(stage.player.currentItem)
        #expect(await stage.wait { item.loopCount >= 3 })
        #expect(stage.player.timeControlStatus == .playing)
        stage.controller.perform(.unloop)
        #expect(await stage.wait { stage.player.timeControlStatus == .paused && stage.player.isAtEnd })
        #expect(stage.player.currentItem === item, "the item stays, with its last frame")
        let count = item.loopCount
        stage.controller.perform(.loop)
        stage.controller.perform(.play)
        #expect(await stage.wait { item.loopCount >= count + 2 })
        #expect(stage.controller.isLooping)
    }

    @Test("the end of a video is published once, with a pause")
    func end() async throws {
        let stage = try Stage("loop-flac.mkv")
        defer { stage.controller.close() }
        #expect(await stage.wait { stage.events.contains(.ended) && stage.events.contains(.paused) })
        #expect(stage.events.count { $0 == .ended } == 1)
        #expect(abs(stage.time - 0.5) < 0.05)
    }

    @Test("each pass publishes the item, and only the last pass the end")
    func passes() async throws {
        let stage = try Stage("loop-flac.mkv") { $0.loop = true }
        defer { stage.controller.close() }
        let item = try #require(stage.player.currentItem)
        #expect(await stage.wait { stage.controller.loopCount >= 3 })
        #expect(stage.events.count { $0 == .currentItemChanged(newItem: item) } == stage.controller.loopCount + 1)
        #expect(!stage.events.contains(.ended))
        stage.controller.perform(.unloop)
        #expect(await stage.isTold(.ended))
    }

    @Test("the buffered position is published up to the end of the file")
    func buffer() async throws {
        let stage = try Stage("counter.mp4") {
            $0.notAutoPlay = true
            $0.events = [.bufferChangedAny]
        }
        defer { stage.controller.close() }
        #expect(await stage.ready())
        let length = try #require(stage.player.currentItem?.duration.seconds)
        #expect(await stage.isTold(.bufferChanged(loadedTo: length)))
    }

    // MARK: changes of settings

    @Test("changes with the same source keep the item and apply to it")
    func sameSource() async throws {
        let stage = try Stage("counter.mp4")
        defer { stage.controller.close() }
        #expect(await stage.wait { stage.time > 0.2 })
        let item = try #require(stage.player.currentItem)
        stage.change {
            $0.mute = true
            $0.loop = true
            $0.gravity = .resizeAspectFill
            $0.notAutoPlay = true
            $0.events = [.volumeChangedAny]
        }
        #expect(stage.player.currentItem === item)
        #expect(stage.time > 0.2 && stage.player.rate == 1)
        #expect(stage.player.isMuted && stage.controller.isLooping)
        #expect(stage.controller.settings?.gravity == .resizeAspectFill)
        stage.forget()
        stage.controller.perform(.volume(0.5))
        stage.controller.perform(.pause)
        stage.clock.advance(1)
        #expect(stage.events == [.volumeChanged(newVolume: 0.5)])
        // A command overrides a setting, and an unchanged setting does not undo the command.
        stage.controller.perform(.unmute)
        stage.controller.perform(.unloop)
        stage.change { $0.gravity = .resize }
        #expect(!stage.player.isMuted && !stage.controller.isLooping)
        // Another spelling of the same file is the same source.
        stage.change { $0.name = URL(fileURLWithPath: $0.name).absoluteString }
        #expect(stage.player.currentItem === item)
    }

    @Test("a new source is a new item; values set by commands stay")
    func otherSource() async throws {
        let stage = try Stage("counter.mp4") { $0.loop = true }
        defer { stage.controller.close() }
        #expect(await stage.wait { stage.time > 0.2 })
        let first = try #require(stage.player.currentItem)
        stage.controller.perform(.volume(0.25))
        stage.controller.perform(.brightness(0.5))
        stage.forget()
        let path = try TestMedia.url("loop-flac.mkv").path
        stage.change { $0.name = path }
        let second = try #require(stage.player.currentItem)
        #expect(second !== first && stage.player.items() == [second])
        #expect(await stage.isTold(.itemStatusChanged(.readyToPlay)))
        #expect(stage.events.first == .currentItemChanged(newItem: second))
        #expect(await stage.wait { second.loopCount >= 2 }, "the new item loops as the previous one")
        #expect(stage.player.volume == 0.25 && stage.controller.picture.brightness == 0.5)
        #expect(stage.controller.sourceURL?.path == path)
        stage.change {
            $0.name = first.asset.url.path
            $0.notAutoPlay = true
        }
        #expect(await stage.ready())
        #expect(stage.player.rate == 0 && stage.time == 0)
    }

    // MARK: errors

    @Test("a missing source sets and publishes an error and opens nothing")
    func notFound() async throws {
        let stage = Stage()
        defer { stage.controller.close() }
        stage.controller.apply(
            settings: VideoSettings {
                SourceName("nowhere-at-all")
                Events()
            })
        #expect(stage.controller.error == .sourceNotFound("nowhere-at-all"))
        #expect(stage.errors == [.sourceNotFound("nowhere-at-all")])
        #expect(stage.controller.errorText == "Source not found: nowhere-at-all")
        stage.clock.advance(1)
        #expect(stage.events == [.error(.sourceNotFound("nowhere-at-all"))])
        #expect(stage.player.currentItem == nil && stage.player.rate == 0)
        // The same settings publish no second event. An existing source removes the error.
        stage.controller.apply(
            settings: VideoSettings {
                SourceName("nowhere-at-all")
                Events()
            })
        stage.clock.advance(1)
        #expect(stage.events.count == 1)
        let path = try TestMedia.url("counter.mp4").path
        stage.change { $0.name = path }
        #expect(stage.errors == [.sourceNotFound("nowhere-at-all"), nil])
        #expect(await stage.isTold(.playing))
    }

    @Test("duplicate settings set and publish an error and remove the item")
    func notUnique() async throws {
        let stage = try Stage("counter.mp4")
        defer { stage.controller.close() }
        #expect(await stage.wait { stage.time > 0.1 })
        stage.forget()
        let path = try TestMedia.url("counter.mp4").path
        stage.controller.apply(
            settings: VideoSettings {
                SourceName(path)
                Loop()
                Loop()
                Events()
            })
        #expect(stage.controller.error == .settingsNotUnique)
        #expect(stage.player.currentItem == nil && stage.player.rate == 0)
        stage.clock.advance(1)
        #expect(stage.events.suffix(2) == [.currentItemRemoved, .error(.settingsNotUnique)])
        stage.controller.apply(
            settings: VideoSettings {
                SourceName(path)
                Events()
            })
        #expect(stage.controller.error == nil)
        #expect(await stage.isTold(.playing))
    }

    @Test("correcting invalid settings applies all of them")
    func putRight() throws {
        let path = try TestMedia.url("counter.mp4").path
        for wrong in [
            VideoSettings {
                SourceName("nowhere-at-all")
                Mute()
                Loop()
            },
            VideoSettings {
                SourceName(path)
                Mute()
                Loop()
                Loop()
            },
        ] {
            let stage = Stage()
            defer { stage.controller.close() }
            stage.controller.apply(settings: wrong)
            #expect(!stage.player.isMuted && stage.controller.error != nil)
            stage.controller.apply(
                settings: VideoSettings {
                    SourceName(path)
                    Mute()
                    Loop()
                })
            #expect(stage.player.isMuted && stage.controller.isLooping && stage.controller.error == nil)
        }
    }

    @Test("a file that is no video fails with a reason")
    func failedToLoad() async throws {
        let folder = try Folder(["text.mp4"])
        defer { folder.remove() }
        try Data("not a video".utf8).write(to: URL(fileURLWithPath: folder.path("text.mp4")))
        let stage = Stage()
        defer { stage.controller.close() }
        stage.controller.apply(settings: VideoSettings(name: folder.path("text.mp4"), events: []))
        #expect(await stage.wait { stage.controller.error != nil })
        let reason = try #require(stage.player.currentItem?.error)
        #expect(stage.controller.error == .failedToLoad(reason))
        #expect(stage.events.suffix(2) == [.itemStatusChanged(.failed), .error(.failedToLoad(reason))])
        #expect(stage.controller.errorText?.contains("text.mp4") == true)
    }

    @Test("an unreachable URL is a remote error with the engine's reason")
    func remote() async throws {
        let stage = Stage()
        defer { stage.controller.close() }
        stage.controller.apply(settings: VideoSettings(name: "http://127.0.0.1:1/clip.mp4", events: [.errorAny]))
        #expect(await stage.wait { !stage.events.isEmpty })
        guard case .error(.remoteVideoError(let reason?))? = stage.events.first else {
            Issue.record("\(stage.events)")
            return
        }
        #expect(reason is AVError)
        #expect(stage.controller.errorText?.contains("127.0.0.1") == true)
    }

    // MARK: bounds and release

    @Test("bounds are published when the size changes, unless they are empty")
    func bounds() throws {
        let stage = try Stage("counter.mp4") {
            $0.notAutoPlay = true
            $0.events = [.boundsChangedAny]
        }
        defer { stage.controller.close() }
        let rect = CGRect(x: 0, y: 0, width: 320, height: 180)
        for one in [
            .zero, CGRect(x: 1, y: 1, width: 0, height: 9), rect, rect,
            CGRect(x: 0, y: 0, width: Double.infinity, height: 9),
        ] {
            stage.controller.boundsChanged(one)
        }
        let moved = rect.offsetBy(dx: 10, dy: 20)
        let larger = CGRect(x: 10, y: 20, width: 640, height: 360)
        stage.controller.boundsChanged(moved)
        #expect(stage.controller.bounds == moved)
        stage.controller.boundsChanged(larger)
        stage.clock.advance(1)
        #expect(stage.events == [.boundsChanged(rect), .boundsChanged(CGRect(x: 0, y: 0, width: 640, height: 360))])
    }

    @Test("closing publishes pending events; later calls are ignored")
    func closed() async throws {
        let stage = try Stage("counter.mp4")
        #expect(await stage.ready())
        stage.forget()
        stage.controller.perform(.volume(0.5))
        stage.controller.perform(.seek(to: 3))
        stage.controller.close()
        #expect(stage.events == [.volumeChanged(newVolume: 0.5)])
        stage.controller.close()
        stage.controller.perform(.play)
        stage.controller.apply(settings: VideoSettings(name: "nowhere-at-all", events: []))
        stage.controller.boundsChanged(CGRect(x: 0, y: 0, width: 1, height: 1))
        stage.clock.advance(5)
        #expect(stage.events.count == 1 && stage.errors.isEmpty)
        #expect(stage.player.currentItem == nil)
    }

    @Test("a released controller closes itself")
    func released() async throws {
        var stage: Stage? = try Stage("counter.mp4")
        #expect(await stage?.ready() == true)
        weak let controller = stage?.controller
        weak let player = stage?.player
        stage = nil
        #expect(controller == nil)
        #expect(await Stage().wait { player == nil })
    }

    @Test("closing frees threads, file descriptors and audio before it returns")
    func frees() async {
        await #expect(processExitsWith: .success) { try await ControllerTests.openAndClose() }
    }

    /// Runs in a separate process, so that no other test changes the numbers of threads and descriptors.
    private static func openAndClose() async throws {
        /// Returns the number of threads per name, without the threads that libdispatch creates and ends at any time
        /// (`com.apple.root…-qos`).
        func threads() -> [String: Int] {
            let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
            let names = tasks.compactMap { task -> String? in
                // The fields of proc_pid_stat(5): the name in parentheses, then the state, five numbers and the kernel
                // flags.
                guard let data = FileManager.default.contents(atPath: "/proc/self/task/\(task)/stat") else {
                    return nil
                }
                let line = String(decoding: data, as: UTF8.self)
                guard let start = line.firstIndex(of: "("), let end = line.lastIndex(of: ")") else { return nil }
                let fields = line[end...].split(separator: " ")
                // Skip threads with PF_EXITING (0x4): a joined thread may still be listed for a moment.
                guard fields.count > 7, let flags = Int(fields[7]), flags & 0x4 == 0 else { return nil }
                return String(line[line.index(after: start)..<end])
            }
            return names.filter { !$0.hasSuffix("-qos") && !$0.hasSuffix("qos.overcommit") }.reduce(into: [:]) {
                $0[$1, default: 0] += 1
            }
        }
        func descriptors() -> Int {
            (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1
        }
        let server = try await PrivateSoundServer.launch()
        defer { server.stop() }
        func round() async throws -> [AVQueuePlayer] {
            let stages = try ["counter.mp4", "loop-flac.mkv", "languages.mkv"].map { name in
                try Stage(name, server: server.address) { $0.loop = name.hasPrefix("loop") }
            }
            for stage in stages { #expect(await stage.wait { stage.time > 0.1 }) }
            stages[2].controller.perform(.audioTrack(languageCode: "fr"))
            stages[0].controller.perform(.seek(to: 10))
            #expect(threads().filter { $0.key.hasPrefix("zt-") }.values.reduce(0, +) >= 9)
            for stage in stages { stage.controller.close() }
            #expect(!threads().contains { $0.key.hasPrefix("zt-") }, "\(threads())")
            return stages.map(\.player)
        }
        // The first round creates the threads and descriptors of the runtime.
        var players = try await round()
        let idle = Stage()
        idle.controller.close()
        #expect(await idle.wait { (try? server.pactl(["list", "short", "sink-inputs"]))?.isEmpty == true })
        let threadsBefore = threads()
        let descriptorsBefore = descriptors()
        for _ in 0..<3 { players += try await round() }
        // There may be fewer threads than before: a temporary thread counted then may have ended.
        #expect(
            await idle.wait {
                threads().allSatisfy { $0.value <= threadsBefore[$0.key, default: 0] }
                    && descriptors() <= descriptorsBefore
            },
            "\(threads()) were \(threadsBefore); \(descriptors()) descriptors were \(descriptorsBefore)")
        #expect(players.count == 12)
    }
}
