import EngineTestSupport
import Foundation
import MediaCore
import Observation
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Playback")
@MainActor
struct PlaybackTests {
    @Test("rates are clamped to 0…16 and volumes to 0…1")
    func clamping() throws {
        let rig = try Rig("counter.mp4")
        rig.player.rate = -2
        #expect(rig.player.rate == 0)
        rig.player.rate = 99
        #expect(rig.player.rate == 16)
        rig.player.rate = .nan
        #expect(rig.player.rate == 0)
        rig.player.volume = 7
        #expect(rig.player.volume == 1)
        rig.player.volume = -1
        #expect(rig.player.volume == 0)
        rig.player.volume = .nan
        #expect(rig.player.volume == 0)
    }

    /// Returns a video of 200 s, which does not end during a test even if a thread is delayed.
    private func long() throws -> AVPlayerItem {
        let source = try TestMedia.url("counter.mp4").path
        return AVPlayerItem(url: try AssetTestMedia.make("counter-long.mp4", "-stream_loop 9 -i \(source) -c copy"))
    }

    @Test("time advances at the playback rate", arguments: [0.5, 2.0, 4.0, 8.0])
    func rates(rate: Double) async throws {
        let rig = Rig()
        rig.player.insert(try long())
        try await rig.ready()
        rig.player.rate = Float(rate)
        #expect(await rig.wait { rig.player.currentTime().seconds > 0.5 })
        // Compares media time with host time. On a busy machine the two clocks are not read at the same moment. The
        // elapsed time is at least that from the end of the first read to the beginning of the last. It is at most that
        // from the beginning of the first read to the end of the last.
        func read() -> (media: Double, began: Double, ended: Double) {
            let began = HostClock.now()
            let media = rig.player.currentTime().seconds
            return (media, Double(began) / 1e9, Double(HostClock.now()) / 1e9)
        }
        let first = read()
        #expect(await rig.wait { rig.player.currentTime().seconds > first.media + rate * 0.5 })
        let last = read()
        let media = last.media - first.media
        #expect(media / (last.ended - first.began) < rate * 1.2)
        // If audio was not ready in time, the position stopped meanwhile.
        if rig.player.statistics.underruns == 0 { #expect(media / (last.began - first.ended) > rate * 0.8) }
    }

    @Test("rate changes keep the pitch and leave no gap", arguments: SoundServer.allCases)
    func pitch(on kind: SoundServer) async throws {
        let server = try await PrivateSoundServer.launch(kind)
        defer { server.stop() }
        let recording = try await server.record()
        let rig = try Rig("counter.mp4", server: server.address)
        try await rig.ready()
        rig.player.play()
        let watch = DelayWatch()
        for (rate, until) in [(Float(1), 0.8), (2, 2.4), (0.5, 3.0), (1.5, 4.2), (1, 5)] {
            rig.player.rate = rate
            #expect(await rig.wait { rig.player.currentTime().seconds > until })
        }
        rig.player.pause()
        let delay = watch.stop()
        let proof = await SineProof.of(try await recording.finish(), frequency: 440)
        #expect(abs(proof.pitch - 440) < 8)
        // Underruns before the audio position has settled are not counted. Therefore the machine itself must have been
        // in time, too.
        if rig.player.statistics.underruns == 0, !server.hasSkippedClient, delay < 0.1 {
            #expect(proof.longestGap < 0.015)
        }
    }

    @Test("volume changes take effect without a click", arguments: SoundServer.allCases)
    func volume(on kind: SoundServer) async throws {
        let server = try await PrivateSoundServer.launch(kind)
        defer { server.stop() }
        let recording = try await server.record()
        let rig = try Rig("counter.mp4", server: server.address)
        try await rig.ready()
        rig.player.play()
        let watch = DelayWatch()
        // Each level plays for half a second, however late it was set.
        var until = 0.5
        for level in [Float(1), 0.2, 1, 0.5, 0.9] {
            #expect(await rig.wait { rig.player.currentTime().seconds > until })
            rig.player.volume = level
            until = rig.player.currentTime().seconds + 0.5
        }
        #expect(await rig.wait { rig.player.currentTime().seconds > until })
        let underruns = rig.player.statistics.underruns
        let delay = watch.stop()
        rig.player.pause()
        let proof = await SineProof.of(try await recording.finish(), frequency: 440)
        // A sudden change from 0.2 to 1 of a wave with amplitude 0.4 would be a break of most of the wave. A 15 ms ramp
        // breaks by far less than one sample's step.
        if underruns == 0, !server.hasSkippedClient, delay < 0.1 {
            #expect(proof.worstBreak < 0.5 * proof.oneSample)
        }
        let quietest =
            stride(from: proof.samples.startIndex, to: proof.samples.endIndex - 2400, by: 480).map { from in
                proof.samples[from..<(from + 2400)].map(abs).max() ?? 0
            }.min() ?? 1
        #expect(quietest < proof.peak * 0.3)
    }

    @Test("the mixer shows the title, role and icon", arguments: SoundServer.allCases)
    func properties(on kind: SoundServer) async throws {
        let server = try await PrivateSoundServer.launch(kind)
        defer { server.stop() }
        let rig = Rig(server: server.address, title: "A title of its own")
        rig.player.insert(AVPlayerItem(url: try TestMedia.url("counter.mp4")))
        rig.player.play()
        // The position may advance before the stream is connected.
        for expected in ["media.role = \"video\"", "A title of its own", "application.icon_name", "application.name"] {
            #expect(
                await rig.wait { (try? server.pactl(["list", "sink-inputs"]))?.contains(expected) == true },
                "no \(expected)")
        }
    }

    @Test("the mixer shows the title of the current item", arguments: SoundServer.allCases)
    func titles(on kind: SoundServer) async throws {
        let server = try await PrivateSoundServer.launch(kind)
        defer { server.stop() }
        let folder = try SineFile.Folder()
        let tagged = folder.url.appendingPathComponent("tagged.mkv")
        let copy = try ChildProcess(
            "ffmpeg",
            ["-v", "error", "-i", try TestMedia.url("loop-flac.mkv").path, "-c", "copy"]
                + ["-metadata", "title=Abendlied", tagged.path])
        #expect(try await offPool { copy.wait() } == 0)
        let rig = Rig(server: server.address, title: "")
        let first = AVPlayerItem(url: try TestMedia.url("counter.mp4"))
        rig.player.insert(first)
        rig.player.insert(AVPlayerItem(url: tagged))
        rig.player.play()
        func shows(_ title: String) async -> Bool {
            await rig.wait {
                (try? server.pactl(["list", "sink-inputs"]))?.contains("media.name = \"\(title)\"") == true
            }
        }
        #expect(await shows("counter.mp4"))
        first.externalMetadata = [AVMetadataItem(identifier: .commonIdentifierTitle, stringValue: "A counter")]
        #expect(await shows("A counter"))
        rig.player.advanceToNextItem()
        rig.player.pause()
        #expect(await shows("Abendlied"))
        rig.player.close()
    }

    @Test("playback continues silently without a sound server")
    func noServer() async throws {
        let rig = try Rig("sine-flac.mkv")
        rig.player.play()
        #expect(await rig.wait { rig.player.timeControlStatus == .paused && rig.player.isAtEnd })
        // A busy machine may miss frames, which the player counts.
        let statistics = rig.player.statistics
        #expect(statistics.framesShown + statistics.framesDropped > 30 || rig.missedRefreshes)
        #expect(rig.player.currentItem?.error == nil)
    }

    @Test("playback survives a sound server restart", arguments: SoundServer.allCases)
    func serverDies(on kind: SoundServer) async throws {
        let server = try await PrivateSoundServer.launch(kind)
        defer { server.stop() }
        let rig = Rig(server: server.address)
        rig.player.insert(try long())
        rig.player.play()
        #expect(await rig.wait { rig.player.currentTime().seconds > 0.5 })
        server.kill()
        let then = rig.player.currentTime().seconds
        #expect(await rig.wait { rig.player.currentTime().seconds > then + 1 })
        // On a busy machine the player may wait again in between.
        #expect(await rig.wait { rig.player.timeControlStatus == .playing })
        try await offPool { try server.start() }
        #expect(await rig.wait { (try? server.pactl(["list", "short", "sink-inputs"]))?.isEmpty == false })
        let recording = try await server.record()
        let back = rig.player.currentTime().seconds
        #expect(await rig.wait { rig.player.currentTime().seconds > back + 1 })
        rig.player.pause()
        let proof = await SineProof.of(try await recording.finish(), frequency: 440)
        #expect(proof.peak > 0.1)
        #expect(abs(proof.pitch - 440) < 8)
    }

    @Test("a suspended device interrupts playback until it resumes")
    func interruption() async throws {
        let server = try await PrivateSoundServer.launch()
        defer { server.stop() }
        let rig = Rig(server: server.address)
        rig.player.insert(try long())
        rig.player.play()
        #expect(await rig.wait { rig.player.currentTime().seconds > 0.3 })
        // The position may advance before the stream is connected, and only a connected stream is interrupted.
        #expect(await rig.wait { (try? server.pactl(["list", "short", "sink-inputs"]))?.isEmpty == false })
        _ = try server.pactl(["suspend-sink", "test", "1"])
        #expect(await rig.wait { rig.player.isInterrupted && rig.player.timeControlStatus == .paused })
        _ = try server.pactl(["suspend-sink", "test", "0"])
        #expect(await rig.wait { !rig.player.isInterrupted && rig.player.timeControlStatus == .playing })
        let then = rig.player.currentTime().seconds
        #expect(await rig.wait { rig.player.currentTime().seconds > then + 0.3 })
    }

    @Test("the end posts a notification and performs the player's action")
    func atEnd() async throws {
        let url = try TestMedia.url("loop-flac.mkv")
        for action in [AVPlayer.ActionAtItemEnd.pause, .none] {
            let rig = Rig()
            rig.player.actionAtItemEnd = action
            let item = AVPlayerItem(url: url)
            rig.player.insert(item)
            let posted = Posted(AVPlayerItem.didPlayToEndTimeNotification, item)
            rig.player.play()
            #expect(await rig.wait { posted.count == 1 })
            #expect(rig.player.rate == (action == .pause ? 0 : 1))
            #expect(rig.player.currentItem === item)
        }
        let rig = Rig()
        rig.player.actionAtItemEnd = .advance
        let items = (0..<3).map { _ in AVPlayerItem(url: url) }
        for item in items { rig.player.insert(item) }
        #expect(!rig.player.canInsert(items[0], after: nil))
        let seen = Seen<ObjectIdentifier?>()
        let observation = rig.player.observe(\.currentItem, options: [.initial, .new]) { player, _ in
            seen.add(player.currentItem.map(ObjectIdentifier.init))
        }
        rig.player.play()
        #expect(await rig.wait { rig.player.items().isEmpty })
        #expect(seen.all == items.map { Optional(ObjectIdentifier($0)) } + [nil])
        observation.invalidate()
    }

    @Test("items can be inserted, removed, skipped and replaced")
    func queue() async throws {
        let rig = Rig()
        let items = try ["counter.mp4", "counter-video.mp4", "sine-flac.mkv", "loop-flac.mkv"].map {
            AVPlayerItem(url: try TestMedia.url($0))
        }
        rig.player.insert(items[0])
        rig.player.insert(items[3])
        rig.player.insert(items[1], after: items[0])
        #expect(rig.player.items().map(\.id) == [items[0], items[1], items[3]].map(\.id))
        rig.player.remove(items[3])
        try await rig.ready()
        rig.player.advanceToNextItem()
        #expect(rig.player.currentItem === items[1])
        #expect(await rig.wait { items[1].status == .readyToPlay && rig.number() == 0 })
        rig.player.replaceCurrentItem(with: items[2])
        #expect(await rig.wait { items[2].status == .readyToPlay })
        rig.player.removeAllItems()
        #expect(rig.player.currentItem == nil)
        #expect(await rig.wait { rig.picture() == nil })
    }

    @Test("an item that has moved stays with its second player", arguments: [true, false])
    func moves(fromQueue: Bool) async throws {
        let rig = Rig()
        let other: AVPlayer =
            fromQueue
            ? AVQueuePlayer(title: "", audioServer: Rig.nowhere) : AVPlayer(title: "", audioServer: Rig.nowhere)
        let item = AVPlayerItem(url: try TestMedia.url("counter.mp4"))
        other.replaceCurrentItem(with: item)
        let next = AVPlayerItem(url: try TestMedia.url("counter.mp4"))
        if let queue = other as? AVQueuePlayer { queue.insert(next) }
        rig.player.replaceCurrentItem(with: item)
        // An item is in one player at a time.
        #expect(item.player === rig.player && other.currentItem === (fromQueue ? next : nil))
        // A change of this action updates the items of the player.
        other.actionAtItemEnd = .none
        other.replaceCurrentItem(with: nil)
        #expect(item.player === rig.player && other.currentItem == nil)
        try await rig.ready()
        #expect(await rig.seek(2))
        #expect(item.currentTime() == rig.player.currentTime() && item.currentTime().seconds > 1.9)
        rig.player.replaceCurrentItem(with: nil)
        #expect(item.player == nil)
    }

    @Test("a display refresh late by less than half a frame misses none")
    func lateDisplay() async throws {
        // A late decoder also causes missing frames, so one attempt with a missing frame proves nothing. A defect would
        // cause missing frames in every attempt.
        var proofs = 0
        var mismatches: [String] = []
        for _ in 1...10 where proofs < 5 {
            let rig = try Rig("counter-video.mp4")
            rig.stopDisplay()
            // Two successive refreshes of each twelve are skipped, so a gap is 45 ms, while a frame lasts 33 ms.
            let display = PullingDisplay(rig.player.videoFrameSource, interval: 15_000_000) { $0 % 12 > 9 }
            defer { display.stop() }
            rig.player.play()
            #expect(await rig.wait { display.pictures.count > 60 })
            rig.player.pause()
            let shown = display.pictures
            var proven = 0
            mismatches = []
            for n in 2..<shown.count {
                let (late, before) = (shown[n].since, shown[n - 1].since)
                // Skip refreshes that the machine delayed even more, and two late ones in a row: they prove nothing.
                guard late < 0.048, late < 0.02 || before < 0.02 else { continue }
                if late > 0.04 { proven += 1 }
                if shown[n].number != shown[n - 1].number + 1 { mismatches.append("\(shown[n - 2...n])") }
            }
            if mismatches.isEmpty { proofs += proven }
        }
        #expect(proofs > 0, "\(mismatches)")
    }

    @Test("a display shows black between items only if no frame follows")
    func betweenItems() async throws {
        let rig = try Rig("counter.mp4")
        rig.stopDisplay()
        let source = rig.player.videoFrameSource
        try await rig.ready()
        #expect(!source.isChanging)
        // A display shows black only if there is no frame and none is expected. `isChanging` is read first: a frame
        // that arrives between the two calls is then pulled.
        func isBlack() -> Bool { !source.isChanging && source.pull(forHostTime: .now()) == nil }
        for name in ["counter-video.mp4", "sine-large.mp4", "counter-hevc.mp4", "counter.mp4"] {
            let item = AVPlayerItem(url: try TestMedia.url(name))
            let before = source.pull(forHostTime: .now())?.sequence ?? 0
            rig.player.replaceCurrentItem(with: item)
            // The change is reported at once, because the previous frame may disappear at any time from now on.
            let isTold = source.isChanging
            #expect(isTold || source.pull(forHostTime: .now())?.sequence ?? 0 > before, "\(name)")
            var wasBlack = false
            #expect(
                await rig.wait {
                    wasBlack = wasBlack || isBlack()
                    return item.status == .readyToPlay && rig.picture() != nil && !source.isChanging
                })
            #expect(!wasBlack, "\(name)")
        }
        // An audio-only item and no item show black.
        rig.player.replaceCurrentItem(with: AVPlayerItem(url: try TestMedia.url("audio.flac")))
        #expect(await rig.wait { isBlack() })
        rig.player.replaceCurrentItem(with: AVPlayerItem(url: try TestMedia.url("counter.mp4")))
        #expect(await rig.wait { rig.picture() != nil })
        rig.player.replaceCurrentItem(with: AVPlayerItem(url: URL(fileURLWithPath: "/nonexistent/film.mp4")))
        #expect(await rig.wait { isBlack() })
        rig.player.removeAllItems()
        #expect(await rig.wait { isBlack() })
    }

    @Test("a video without audio plays to its end after one with audio")
    func silentLastItem() async throws {
        let rig = Rig()
        rig.player.actionAtItemEnd = .advance
        let source = try TestMedia.url("counter.mp4").path
        let items = [
            AVPlayerItem(url: try AssetTestMedia.make("counter-1s.mp4", "-i \(source) -t 1 -c copy")),
            AVPlayerItem(url: try AssetTestMedia.make("counter-2s-video.mp4", "-i \(source) -t 2 -an -c copy")),
        ]
        for item in items { rig.player.insert(item) }
        try await rig.ready()
        let began = HostClock.now()
        rig.player.play()
        #expect(await rig.wait { rig.player.items().isEmpty })
        // A busy machine can only take longer.
        let elapsed = Double(HostClock.now() - began) / 1e9
        #expect(elapsed > items.reduce(0) { $0 + $1.duration.seconds } - 0.4)
    }

    @Test("periodic and boundary observers run at their times until removed")
    func timeObservers() async throws {
        let rig = try Rig("counter.mp4")
        let periodic = Seen<Double>()
        let boundary = Seen<Int>()
        let removed = Seen<Double>()
        let a = rig.player.addPeriodicTimeObserver(forInterval: CMTime(value: 1, timescale: 4)) { time in
            MainActor.assumeIsolated { periodic.add(time.seconds) }
        }
        let b = rig.player.addBoundaryTimeObserver(forTimes: [
            CMTime(value: 3, timescale: 10), CMTime(value: 12, timescale: 10),
        ]) { MainActor.assumeIsolated { boundary.add(1) } }
        let c = rig.player.addPeriodicTimeObserver(forInterval: CMTime(value: 1, timescale: 10)) { time in
            MainActor.assumeIsolated { removed.add(time.seconds) }
        }
        rig.player.removeTimeObserver(c)
        let before = removed.all.count
        rig.player.play()
        #expect(await rig.wait { rig.player.currentTime().seconds > 1.6 })
        rig.player.pause()
        // On a busy machine a call may be late and so skip a period. There is at most one call per period, in order.
        // The calls for the start and for the pause are recognized by their times.
        #expect(zip(periodic.all, periodic.all.dropFirst()).allSatisfy { $0 <= $1 }, "\(periodic.all)")
        #expect(periodic.all.filter { $0 > 0.25 }.count >= 1, "\(periodic.all)")
        #expect(await rig.wait { boundary.all.count >= 2 })
        await rig.drainMainQueue()
        #expect(boundary.all.count == 2)
        #expect(removed.all.count == before)
        rig.player.removeTimeObserver(a)
        rig.player.removeTimeObserver(b)
    }

    @Test("state is observable by key path, as a sequence and with Observation")
    func observation() async throws {
        let rig = try Rig("counter.mp4")
        let item = try #require(rig.player.currentItem)
        let changes = Seen<[AVPlayer.TimeControlStatus?]>()
        let observation = rig.player.observe(\.timeControlStatus, options: [.old, .new]) { _, change in
            changes.add([change.oldValue, change.newValue])
        }
        let values = item.values(of: \.status)
        let tracked = Seen<Int>()
        withObservationTracking {
            _ = rig.player.timeControlStatus
        } onChange: {
            MainActor.assumeIsolated { tracked.add(1) }
        }
        rig.player.play()
        var statuses: [AVPlayerItem.Status] = []
        for await status in values {
            statuses.append(status)
            if status == .readyToPlay { break }
        }
        #expect(statuses == [.unknown, .readyToPlay])
        #expect(await rig.wait { rig.player.timeControlStatus == .playing })
        rig.player.pause()
        // On a busy machine the player may wait again in between.
        #expect(
            changes.all.first == [.paused, .waitingToPlayAtSpecifiedRate] && changes.all.last == [.playing, .paused])
        #expect(changes.all.contains([.waitingToPlayAtSpecifiedRate, .playing]))
        #expect(
            zip(changes.all, changes.all.dropFirst()).allSatisfy { $0[1] == $1[0] && $0[0] != $0[1] }, "\(changes.all)")
        #expect(tracked.all == [1])
        observation.invalidate()
    }

    @Test("playback starts only after the item is known to be ready")
    func waitsForStatus() async throws {
        let rig = try Rig("counter.mp4")
        let item = try #require(rig.player.currentItem)
        // Block the main actor until the first frame is available, so that the report of the opened item cannot run
        // yet.
        try #require(blockUntil("a first picture", seen: { rig.state }) { rig.picture() != nil })
        rig.player.play()
        #expect(item.status == .unknown)
        #expect(rig.player.timeControlStatus == .waitingToPlayAtSpecifiedRate)
        #expect(rig.player.reasonForWaitingToPlay == .evaluatingBufferingRate)
        #expect(await rig.wait { rig.player.timeControlStatus == .playing })
        #expect(item.status == .readyToPlay)
    }

    @Test("a waiting player reports its reason")
    func waiting() async throws {
        let empty = Rig()
        empty.player.play()
        #expect(empty.player.timeControlStatus == .waitingToPlayAtSpecifiedRate)
        #expect(empty.player.reasonForWaitingToPlay == .noItemToPlay)
        let rig = try Rig("counter.mp4")
        rig.player.play()
        #expect(rig.player.timeControlStatus == .waitingToPlayAtSpecifiedRate)
        #expect(rig.player.reasonForWaitingToPlay == .evaluatingBufferingRate)
        #expect(await rig.wait { rig.player.timeControlStatus == .playing && rig.player.reasonForWaitingToPlay == nil })
    }

    @Test("an item reports its duration, size and time ranges")
    func itemFacts() async throws {
        let rig = try Rig("counter.mp4")
        try await rig.ready()
        let item = try #require(rig.player.currentItem)
        #expect(abs(item.duration.seconds - 20) < 0.05)
        #expect(item.presentationSize == CGSize(width: 320, height: 64))
        #expect(item.loadedTimeRanges.count == 1 && item.seekableTimeRanges.count == 1)
        #expect(item.seekableTimeRanges.first?.timeRangeValue.end == item.duration)
    }

    @Test("a boundary observer isn't called for a time that passed before")
    func passedBoundary() async throws {
        let rig = try Rig("counter.mp4")
        let calls = Seen<Int>()
        rig.player.play()
        #expect(await rig.wait { rig.player.currentTime().seconds > 2 })
        let observer = rig.player.addBoundaryTimeObserver(forTimes: [CMTime(value: 1, timescale: 1)]) { calls.add(1) }
        await rig.settle()
        rig.player.pause()
        await rig.settle()
        #expect(calls.all.isEmpty)
        rig.player.removeTimeObserver(observer)
    }

    @Test("converting a future host time doesn't move playback")
    func futureOutput() async throws {
        let rig = try Rig("counter-video.mp4")
        let output = AVPlayerItemVideoOutput()
        rig.player.currentItem?.add(output)
        rig.player.play()
        #expect(await rig.wait { rig.player.currentTime().seconds > 0.5 })
        var now: Double { Double(HostClock.now()) / 1e9 }
        var (before, time, later) = (0.0, 0.0, CMTime.invalid)
        // On a busy machine the player may wait again in between. Then a conversion proves nothing.
        #expect(
            await rig.wait {
                // Measured in this order, the time can't advance by more than the host clock does.
                before = now
                time = rig.player.currentTime().seconds
                let isRunning = rig.player.pipeline.isRunning
                later = output.itemTime(forHostTime: now + 3)
                return isRunning && rig.player.pipeline.isRunning
            })
        #expect(later.seconds >= min(time + 2.95, 9.9), "\(later.seconds) after \(time)")
        #expect(output.frame(forHostTime: now + 3) != nil && output.copyPixelBuffer(forItemTime: later) != nil)
        let moved = rig.player.currentTime().seconds - time
        #expect(moved < now - before + 0.05, "moved by \(moved) s")
        rig.player.close()
    }

    @Test("a video output returns the current frame and reports new ones")
    func videoOutput() async throws {
        let rig = try Rig("counter.mp4")
        let output = AVPlayerItemVideoOutput()
        rig.player.currentItem?.add(output)
        try await rig.ready()
        rig.stopDisplay()
        rig.player.play()
        #expect(await rig.wait { rig.player.currentTime().seconds > 0.5 })
        // Pause, so that successive reads refer to the same moment, and wait until the decoder has caught up.
        rig.player.pause()
        #expect(await rig.wait { Double(rig.number() ?? -1) / 30 > rig.player.currentTime().seconds - 0.1 })
        let host = Double(HostClock.now()) / 1e9
        let time = output.itemTime(forHostTime: host)
        #expect(output.hasNewPixelBuffer(forItemTime: time))
        var shownAt = CMTime.invalid
        let frame: CVPixelBuffer = try #require(
            output.copyPixelBuffer(forItemTime: time, itemTimeForDisplay: &shownAt))
        #expect(CVPixelBufferGetWidth(frame) == frame.width && CVPixelBufferGetHeight(frame) == frame.height)
        #expect(!output.hasNewPixelBuffer(forItemTime: time))
        #expect(abs(Double(Rig.number(frame)) / 30 - shownAt.seconds) < 0.001)
        #expect(shownAt.seconds <= time.seconds + 0.001 && shownAt.seconds > time.seconds - 0.2)
    }

    @Test("an output of a queued item returns nothing until its item plays")
    func queuedOutput() async throws {
        let rig = try Rig("counter.mp4")
        let (output, queuedOutput) = (AVPlayerItemVideoOutput(), AVPlayerItemVideoOutput())
        rig.player.currentItem?.add(output)
        let queued = AVPlayerItem(url: try TestMedia.url("counter.mp4"))
        queued.add(queuedOutput)
        rig.player.insert(queued)
        try await rig.ready()
        var now: Double { Double(HostClock.now()) / 1e9 }
        let start = CMTime(seconds: 0, preferredTimescale: 600)
        #expect(output.itemTime(forHostTime: now).isValid)
        #expect(output.hasNewPixelBuffer(forItemTime: start) && output.frame(forHostTime: now) != nil)
        #expect(!queuedOutput.itemTime(forHostTime: now).isValid && queuedOutput.frame(forHostTime: now) == nil)
        #expect(!queuedOutput.hasNewPixelBuffer(forItemTime: start))
        #expect(queuedOutput.copyPixelBuffer(forItemTime: start) == nil)
        rig.player.advanceToNextItem()
        #expect(await rig.wait { queuedOutput.frame(forHostTime: now) != nil })
        #expect(queuedOutput.itemTime(forHostTime: now).isValid && output.frame(forHostTime: now) == nil)
    }

    @Test("an item attaches an output once and ignores other items' outputs")
    func outputMembership() async throws {
        let rig = try Rig("counter.mp4")
        let item = try #require(rig.player.currentItem)
        let output = AVPlayerItemVideoOutput()
        item.add(output)
        item.add(output)
        #expect(item.outputs.count == 1)
        try await rig.ready()
        let now = CMTime(seconds: 0, preferredTimescale: 600)
        AVPlayerItem(url: try TestMedia.url("counter.mp4")).remove(output)
        #expect(output.copyPixelBuffer(forItemTime: now) != nil)
        item.remove(output)
        #expect(item.outputs.isEmpty && output.copyPixelBuffer(forItemTime: now) == nil)
    }

    @Test("a deallocated player releases its pipeline")
    func release() async throws {
        weak var pipeline: PlaybackPipeline?
        do {
            let rig = try Rig("counter.mp4")
            rig.player.play()
            #expect(await rig.wait { rig.player.timeControlStatus == .playing })
            pipeline = rig.player.pipeline
            rig.stopDisplay()
        }
        #expect(await eventually("no pipeline") { pipeline == nil })
    }
}

@Suite("Playback failures")
@MainActor
struct FailureTests {
    private func error(_ url: URL) async -> AVError? {
        let rig = Rig()
        let item = AVPlayerItem(url: url)
        rig.player.insert(item)
        rig.player.play()
        #expect(await rig.wait { item.status == .failed })
        #expect(rig.player.timeControlStatus != .playing)
        return item.error as? AVError
    }

    @Test("missing, empty and text files and folders fail with an error")
    func plain() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zt-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        expectEqual(await error(folder.appendingPathComponent("none.mp4"))?.code, .fileNotFound)
        expectEqual(await error(folder)?.code, .notAFile)
        let empty = folder.appendingPathComponent("empty.mp4")
        try Data().write(to: empty)
        expectEqual(await error(empty)?.code, .fileEmpty)
        let text = folder.appendingPathComponent("text.mp4")
        try Data(String(repeating: "no media here\n", count: 500).utf8).write(to: text)
        let said = await error(text)
        #expect(said != nil)
        #expect(said?.description.contains(text.path) == true)
    }

    @Test(
        "a truncated file plays to its cut or fails with an error",
        arguments: ["counter-video.mp4", "sine-flac.mkv", "counter.ts", "audio.mp3", "quad-vp9.webm"])
    func truncated(name: String) async throws {
        let whole = try Data(contentsOf: TestMedia.url(name))
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-\(UUID().uuidString.prefix(8))-\(name)")
        defer { try? FileManager.default.removeItem(at: file) }
        for step in 1..<16 {
            try whole.prefix(whole.count * step / 16 + step).write(to: file)
            let rig = Rig()
            let item = AVPlayerItem(url: file)
            rig.player.insert(item)
            rig.player.rate = 16
            let ended = await rig.wait { item.status == .failed || rig.player.isAtEnd }
            #expect(ended, "\(name) cut at \(step)/16 neither failed nor ended")
            if item.status == .failed { #expect(item.error is AVError) }
        }
    }

    @Test("a queue skips items that cannot be played")
    func queueGoesOn() async throws {
        let rig = Rig()
        rig.player.actionAtItemEnd = .advance
        let bad = AVPlayerItem(url: URL(fileURLWithPath: "/nonexistent/x.mp4"))
        let good = AVPlayerItem(url: try TestMedia.url("loop-flac.mkv"))
        let badLater = AVPlayerItem(url: URL(fileURLWithPath: "/nonexistent/y.mp4"))
        let last = AVPlayerItem(url: try TestMedia.url("loop-pcm.mov"))
        for item in [bad, good, badLater, last] { rig.player.insert(item) }
        rig.player.play()
        #expect(await rig.wait { rig.player.items().isEmpty })
        #expect(bad.status == .failed && badLater.status == .failed)
        #expect(good.status == .readyToPlay && last.status == .readyToPlay)
    }
}

@MainActor
final class Seen<T> {
    private(set) var all: [T] = []
    func add(_ x: T) { all.append(x) }
}

@MainActor
private final class Posted {
    private(set) var count = 0
    private var token: (any NSObjectProtocol)?
    init(_ name: Notification.Name, _ object: AnyObject) {
        token = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) { [weak self] _ in
            MainActor.assumeIsolated { self?.count += 1 }
        }
    }
}
