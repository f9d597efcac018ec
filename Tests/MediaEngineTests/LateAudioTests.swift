import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Audio of an item that is opened late")
struct LateAudioTests {
    private let folder: SineFile.Folder
    init() throws { folder = try SineFile.Folder() }

    private static func packets(_ reader: ItemReader) throws -> [MediaPacket] {
        var packets: [MediaPacket] = []
        while true {
            switch reader.next() {
            case .audio(let packet): packets.append(packet)
            case .failed(let error): throw error
            case .end: return packets
            default: continue
            }
        }
    }

    /// The first item has no audio and ends at 1 s. The next one has 2 s of audio, and is opened at 2.5 s.
    @Test("an item that is opened late skips the audio that is over")
    func lateItem() async throws {
        let second: Int64 = 1_000_000_000
        let url = try SineFile(frequency: 440, seconds: 2).write("late.wav", to: folder.url)
        let reader = try ItemReader(url: url, selection: TrackSelection(), interrupt: InterruptToken())
        let packets = try Self.packets(reader)
        let time = Boxed(HostTime(nanoseconds: second))
        let context = PipelineContext(title: "", audioServer: Tone.nowhere, host: { time.value }) {}
        let thread = WorkerThread(name: "test-audio") { AudioWorker(context).run() }
        defer {
            context.state.withLock { _ = $0.close() }
            thread.join()
            context.close()
        }
        let silent = context.state.withLock { state in
            let silent = state.begin(
                .init(
                    entry: PlaybackEntry(id: 1, url: url), mediaStart: 0, start: .now, description: ItemDescription()))
            state.firstFrameReady()
            state.setRate(1)
            return silent
        }
        try #require(await eventually { context.state.withLock { $0.clock.isRunning } })
        time.change { $0 = $0 + second * 5 / 2 }
        let entry = PlaybackEntry(id: 2, url: url)
        context.state.withLock { state in
            #expect(state.now == TimelineTime(nanoseconds: second * 5 / 2))
            state.endReading(silent, videoEnd: MediaTime(nanoseconds: second), audioEnd: nil)
            let late = state.begin(
                .init(
                    entry: entry, mediaStart: 0, start: .endOfBefore, description: reader.description,
                    startOffset: reader.startOffset))
            for packet in packets { state.appendAudio(packet) }
            state.endReading(late, videoEnd: nil, audioEnd: reader.audioEnd)
            _ = state.endFeed(after: nil)
        }
        #expect(await eventually { context.state.withLock { $0.run.audioEnded } })
        // The item is on the timeline from 1 to 3 s, so half a second of its audio remains.
        let (written, end) = context.state.withLock { ($0.output?.writtenFrames ?? 0, $0.timeline.last?.end) }
        #expect((23_900...24_100).contains(written), "\(written)")
        #expect(end == TimelineTime(nanoseconds: second * 3))
        #expect(entry.hasDecodedAudio)
    }
}
