import CFFmpeg
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

/// A packet without data.
private func packet(_ time: MediaTime?, isKey: Bool = false, size: Int32 = 0) throws -> MediaPacket {
    guard let owner = Owned<AVPacket>(av_packet_alloc()) else { throw CancellationError() }
    owner.raw.pointee.size = size
    if isKey { owner.raw.pointee.flags = AV_PKT_FLAG_KEY }
    return MediaPacket(taking: owner, pts: time, end: time.map { $0 + 40_000_000 })
}

@Suite("Parts of the pipeline's state")
struct PipelinePartTests {
    private let entry = PlaybackEntry(id: 1, url: URL(fileURLWithPath: "/none"))
    private func segment(from media: MediaTime = 0) -> Segment {
        Segment(index: 0, entry: entry, pass: 0, loopNumber: 0, mediaStart: media, description: ItemDescription())
    }

    @Test("a new serial starts a new decoding run unless decoding continues")
    func run() {
        var run = PlaybackRun()
        run.hasFirstFrame = true
        run.audioIsStale = true
        run.restart(decodesOn: true)
        #expect(run.serial == 1 && run.decodeRun == 0 && !run.hasFirstFrame && !run.audioIsStale)
        run.restart(decodesOn: false)
        #expect(run.serial == 2 && run.decodeRun == 1)
    }

    @Test("a segment is fed to both decoders")
    func feed() throws {
        var feed = Feed()
        let segment = segment()
        #expect(feed.isDone && !feed.hasSpace(for: segment))
        feed.begin(segment)
        #expect(!feed.isDone)
        feed.appendVideo(try packet(0))
        feed.appendAudio(try packet(1_000))
        guard case .start(let video)? = feed.takeVideo(), case .start(let audio)? = feed.takeAudio() else {
            Issue.record("a decoder does not begin with the segment")
            return
        }
        #expect(video === segment && audio === segment)
        _ = feed.takeAudio()
        #expect(feed.packets.reach(of: entry) == nil, "the entry has no tracks")
    }

    @Test("a seek that continues decoding feeds the audio at its start again")
    func audioAgain() throws {
        var feed = Feed()
        guard let owner = Owned<AVCodecParameters>(avcodec_parameters_alloc()),
            let parameters = CodecParameters(copying: owner.raw)
        else { throw CancellationError() }
        var description = ItemDescription()
        description.video = VideoTrackDescription(
            streamIndex: 0, parameters: parameters, timeBase: AVRational(num: 1, den: 1_000), orientation: nil,
            aspect: TrackAspect(1), frameDuration: 40_000_000, hasReliableDurations: true)
        let segment = { (start: MediaTime) in
            Segment(index: 0, entry: entry, pass: 0, loopNumber: 0, mediaStart: start, description: description)
        }
        feed.begin(segment(0))
        for number in 0..<50 as Range<Int64> {
            feed.appendAudio(try packet(MediaTime(nanoseconds: number * 40_000_000)))
        }
        func take(_ count: Int) -> [MediaTime] {
            (0..<count).compactMap { _ in if case .packet(let packet) = feed.takeAudio() { packet.pts } else { nil } }
        }
        // The first unit is the start of the segment.
        #expect(take(31).count == 30 && feed.audioStart == nil)
        feed.videoStart = 600_000_000
        // Decoding may begin 250 ms before the displayed frame, so packets that end by 350 ms are dropped.
        #expect(take(1) == [1_200_000_000] && feed.audioStart == 320_000_000)
        feed.assign(to: segment(800_000_000))
        // The packets from 550 ms on follow again, and then those that were still waiting.
        #expect(take(1).isEmpty)
        #expect(take(20).map(\.nanoseconds) == (13..<33).map { $0 * 40_000_000 })
        #expect(feed.audioStart == 320_000_000)
        feed.appendAudio(try packet(nil))
        #expect(take(18).count == 17 && feed.audioStart == .max)
    }

    @Test("the rate when playing is kept over pauses")
    func settings() {
        var settings = PlaybackSettings()
        settings.setRate(1.5)
        settings.setRate(0)
        #expect(settings.rate == 0 && settings.speed == 1.5)
    }

    @Test("the next sample's time follows the frames and the speed")
    func writtenSound() {
        var written = WrittenAudio()
        written.begin(at: TimelineTime(nanoseconds: 1_000_000_000))
        written.take(24_000)
        written.ring(24_000, at: 48_000)
        #expect(written.time(at: 48_000) == 1.5e9)
        written.follow(2, at: 48_000)
        written.take(24_000)
        written.ring(12_000, at: 48_000)
        #expect(written.time(at: 48_000) == 2e9)
        written.restart()
        #expect(written.time(at: 48_000) == 1e9 && written.speed == 1)
    }

    @Test("a held chunk is written once, with the item's gain")
    func heldChunk() {
        var held = HeldChunk()
        held.hold([1, 1, 1, 1], frames: 2, channels: 2)
        var gain = ItemGain()
        gain.lead(to: 0.5, over: 0)
        held.change { gain.apply(to: $0, frames: $1, channels: 2) }
        #expect(Array(held.samples.prefix(4)) == [0.5, 0.5, 0.5, 0.5])
        #expect(held.release() == 2)
        #expect(held.release() == 0)
    }

    @Test("frames without timestamps follow each other, each once")
    func pictureTimes() throws {
        var times = FrameTimes()
        times.begin(try packet(500))
        #expect(times.time(stamp: nil) == 500)
        times.deliver(500, lasting: 40)
        #expect(times.time(stamp: nil) == 540)
        #expect(times.time(stamp: 400) == 501, "times increase")
        times.suppressDelivered()
        #expect(times.time(stamp: 500) == nil)
        #expect(times.time(stamp: 540) == 540)
    }

    @Test("packets are kept from the keyframe of the last delivered frame")
    func packetGroups() throws {
        var groups = PacketGroups()
        for time in [0, 10, 20, 30] as [MediaTime] {
            groups.append(try packet(time, isKey: time == 0 || time == 20), delivered: nil)
        }
        groups.append(try packet(40), delivered: 20)
        #expect(groups.takeAll().map(\.pts) == [20, 30, 40])
        #expect(groups.takeAll().isEmpty)
    }

    @Test("packets beyond the capacity are dropped until the next keyframe")
    func packetGroupsWithoutKeyframes() throws {
        var groups = PacketGroups(capacity: 20)
        for time in [0, 10, 20, 30] as [MediaTime] {
            groups.append(try packet(time, isKey: time == 0, size: 10), delivered: nil)
        }
        #expect(groups.isCut)
        var cut = groups
        #expect(cut.takeAll().map(\.pts) == [30])
        groups.append(try packet(40, isKey: true, size: 10), delivered: 30)
        #expect(groups.isCut)
        groups.append(try packet(50, size: 10), delivered: 40)
        #expect(!groups.isCut)
        #expect(groups.takeAll().map(\.pts) == [40, 50])
    }

    /// Returns a model that plays a film, with its first frames decoded.
    private func playing() throws -> (PipelineModel, PlaybackEntry) {
        let frame = try #require(TestPicture.quadrants(width: 16, height: 16))
        let model = PipelineModel(frame: frame)
        let entry = model.add(PipelineModel.Film())
        model.state.withLock {
            $0.setPlaylist([entry], feedsNext: true)
            $0.setRate(1)
        }
        for _ in 0..<100 {
            model.stepFeeder()
            model.stepVideo()
            model.stepAudio()
        }
        return (model, entry)
    }

    @Test("one tick returns frame and position and counts the previous frame")
    func tick() throws {
        let (model, entry) = try playing()
        let first = model.state.withLock { $0.tick(at: model.time.value, presented: nil) }
        #expect(first.isMoving && !first.isChanging)
        #expect(first.position?.entry === entry)
        let sequence = try #require(first.pulled?.sequence)
        let presented = PresentedFrame(sequence: sequence, at: model.time.value)
        let again = model.state.withLock { $0.tick(at: model.time.value, presented: presented) }
        #expect(again.pulled?.sequence == sequence)
        #expect(model.state.withLock { $0.statistics.framesShown } == 1)
    }

    @Test("a tick tells when the next frame is due, except while paused")
    func nextDue() throws {
        let (model, _) = try playing()
        func tick(at host: HostTime) -> DisplayTick {
            model.state.withLock { $0.tick(at: host, presented: nil, refreshInterval: 16_000_000) }
        }
        let now = model.time.value
        let first = tick(at: now)
        let due = try #require(first.nextDue)
        #expect(due > now)
        // A display whose frames become visible later gets the same time.
        #expect(tick(at: due - 5_000_000).nextDue.map { abs($0 - due) < 10_000 } == true)
        #expect(tick(at: now).nextDue.map { abs($0 - due) < 10_000 } == true)
        #expect(tick(at: due - 1_000_000).pulled?.sequence == first.pulled?.sequence)
        #expect(tick(at: due).pulled?.sequence != first.pulled?.sequence)
        model.state.withLock { $0.setRate(0) }
        #expect(tick(at: due).nextDue == nil)
    }

    @Test("the next deadline is the earliest one")
    func deadlines() {
        var due = Deadlines()
        #expect(due.next == .max)
        due.stream = HostTime(nanoseconds: 7)
        due.fadeEnd = HostTime(nanoseconds: 9)
        #expect(due.next == HostTime(nanoseconds: 7))
    }
}
