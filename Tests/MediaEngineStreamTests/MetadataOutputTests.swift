import EngineTestSupport
import Foundation
import MediaCore
import Streaming
import Synchronization
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Timed metadata of streams", .serialized)
@MainActor
struct MetadataOutputTests {
    /// A delegate that records the reports of an output.
    private final class Listener: AVPlayerItemMetadataOutputPushDelegate, Sendable {
        struct Report: Sendable {
            let group: AVTimedMetadataGroup
            let isMain: Bool
        }
        private let state = Mutex((reports: [Report](), flushes: 0))
        let output: AVPlayerItemMetadataOutput
        /// Marks the main queue, which runs on any thread in a test process.
        private static let mainKey = DispatchSpecificKey<Bool>()

        @MainActor
        init(_ item: AVPlayerItem, _ identifiers: [String]? = nil, queue: DispatchQueue? = nil) {
            DispatchQueue.main.setSpecific(key: Listener.mainKey, value: true)
            output = AVPlayerItemMetadataOutput(identifiers: identifiers)
            output.setDelegate(self, queue: queue)
            item.add(output)
        }

        func metadataOutput(
            _ output: AVPlayerItemMetadataOutput, didOutputTimedMetadataGroups groups: [AVTimedMetadataGroup],
            from track: AVPlayerItemTrack?
        ) {
            let isMain = DispatchQueue.getSpecific(key: Listener.mainKey) != nil
            state.withLock { $0.reports += groups.map { Report(group: $0, isMain: isMain) } }
        }

        func outputSequenceWasFlushed(_ output: any AVPlayerItemOutput) { state.withLock { $0.flushes += 1 } }

        var reports: [Report] { state.withLock { $0.reports } }
        var flushes: Int { state.withLock { $0.flushes } }
        var groups: [AVTimedMetadataGroup] { reports.map(\.group) }
        var items: [AVMetadataItem] { groups.flatMap(\.items) }
        var texts: [String] { items.compactMap(\.stringValue) }
        func forget() { state.withLock { $0.reports = [] } }
    }

    /// Returns a server of a stream with a title in the middle of each segment.
    private func songs() throws -> StreamServer {
        let folder = try SubtitledStream.folder()
        let server = try StreamServer(root: folder)
        let names = (0..<SubtitledStream.count).map { "a\($0).ts" }
        server.serve("songs.m3u8") { _ in .playlist(SubtitledStream.playlist(names)) }
        server.serve("a*") { request in
            guard let number = Int(request.path.dropFirst().prefix { $0.isNumber }),
                let data = try? Data(contentsOf: folder.appendingPathComponent("a\(number).ts"))
            else { return nil }
            // The program's clock begins at 10 s.
            let seconds = 10 + Double(number) * SubtitledStream.segment + 1
            return ServerResponse(
                type: "video/mp2t",
                TimedID3.segment(data, with: TimedID3.title("Song \(number)"), at: Int64(seconds * 90_000)))
        }
        return server
    }

    @Test("ID3 tags are reported when playback reaches them")
    func id3() async throws {
        let server = try songs()
        defer { server.close() }
        let rig = Rig()
        let item = AVPlayerItem(url: server.url(for: "songs.m3u8"))
        let queue = DispatchQueue(label: "test.metadata")
        let listener = Listener(item, queue: queue)
        let main = Listener(item)
        let other = Listener(item, ["id3/TXXX"])
        rig.player.insert(item)
        try await rig.ready()
        await rig.settle()
        #expect(listener.texts.isEmpty)
        rig.player.play()
        #expect(await rig.wait { listener.texts.first == "Song 0" && main.texts.first == "Song 0" })
        #expect(rig.player.currentTime().seconds >= 0.99)
        let group = try #require(listener.groups.first)
        let title = try #require(group.items.first)
        #expect(abs(group.timeRange.start.seconds - 1) < 0.05 && title.time == group.timeRange.start)
        #expect(title.identifier == .id3MetadataTitleDescription && title.commonKey == .commonKeyTitle)
        #expect(title.keySpace == .id3 && title.key as? String == "TIT2")
        #expect(listener.reports.allSatisfy { !$0.isMain } && main.reports.allSatisfy { $0.isMain })
        #expect(await rig.wait { listener.texts.prefix(2) == ["Song 0", "Song 1"] })
        rig.player.pause()
        // After a jump, the title that applies there is reported again.
        listener.forget()
        let flushes = listener.flushes
        #expect(await rig.seek(1.5))
        #expect(await rig.wait { listener.texts.last == "Song 0" })
        #expect(listener.flushes > flushes && other.texts.isEmpty)
        item.remove(listener.output)
        listener.forget()
        await rig.seek(3.5)
        #expect(await rig.wait { main.texts.last == "Song 1" })
        #expect(listener.texts.isEmpty)
        rig.stopDisplay()
        rig.player.close()
    }

    @Test("an output that is removed or gets another delegate discards waiting reports")
    func discarded() {
        let item = AVPlayerItem(url: URL(fileURLWithPath: "/nonexistent/film.mp4"))
        let queue = DispatchQueue(label: "test.metadata")
        let group = AVTimedMetadataGroup(
            items: [AVMetadataItem(identifier: .icyMetadataStreamTitle, stringValue: "Title")], timeRange: .zero)
        let (first, second) = (Listener(item, queue: queue), Listener(item, queue: queue))
        queue.suspend()
        first.output.report([group])
        item.remove(first.output)
        second.output.report([group])
        second.output.setDelegate(first, queue: queue)
        second.output.report([group])
        queue.resume()
        queue.sync {}
        #expect(first.texts == ["Title"] && second.texts.isEmpty)
    }

    @Test("date ranges end where the next one of their class begins")
    func endsOnNext() {
        let date = Date(timeIntervalSince1970: 1_714_521_600)
        var buffer = StreamBuffer()
        buffer.anchor = (2_000_000_000, date)
        buffer.dateRanges = (0..<3).map { number in
            var range = DateRange(id: "\(number)")
            range.className = number == 2 ? "other" : "ads"
            range.startDate = date.addingTimeInterval(Double(number) * 3)
            range.endsOnNext = true
            return range
        }
        // Tags of one range add attributes up to a limit.
        for number in 0..<1000 {
            var range = DateRange(id: "0")
            range.attributes = [PlaylistAttribute(name: "X-\(number)", value: "1", isQuoted: true)]
            range.cue = ["PRE"]
            buffer.dateRanges.append(range)
        }
        // A hexadecimal sequence has no sign.
        var signed = DateRange(id: "1")
        signed.attributes = [PlaylistAttribute(name: "X-SIGN", value: "0x+F", isQuoted: false)]
        buffer.dateRanges.append(signed)
        var list = DateRangeMetadata.List()
        list.update(buffer)
        #expect(list.all.map(\.start.seconds) == [2, 5, 8] && list.all.map { $0.end?.seconds } == [5, nil, nil])
        #expect((200...300).contains(list.all.first?.group.items.count ?? 0))
        func text(_ name: String, of number: Int) -> String? {
            list.all[number].group.items.first { $0.identifier?.rawValue == "lsdr/" + name }?.stringValue
        }
        #expect(text("CUE", of: 0) == "PRE" && text("X-SIGN", of: 1) == "0x+F")
        buffer.anchor = (3_000_000_000, date)
        list.update(buffer)
        #expect(list.all.map(\.start.seconds) == [3, 6, 9])
        buffer.dateRanges = []
        list.update(buffer)
        #expect(list.all.isEmpty)
    }

    @Test("metadata can be reported before playback reaches it")
    func advance() async throws {
        let server = try songs()
        defer { server.close() }
        let rig = Rig()
        let item = AVPlayerItem(url: server.url(for: "songs.m3u8"))
        let listener = Listener(item)
        #expect(listener.output.advanceIntervalForDelegateInvocation == 0)
        listener.output.advanceIntervalForDelegateInvocation = 1.2
        rig.player.insert(item)
        #expect(await rig.wait { listener.texts == ["Song 0"] })
        #expect(rig.player.currentTime() == .zero)
        // A new delegate gets what applies now.
        let second = Listener(item)
        listener.output.setDelegate(second, queue: .main)
        #expect(await rig.wait { second.texts == ["Song 0"] })
        rig.stopDisplay()
        rig.player.close()
    }

    @Test("event messages of fMP4 segments are reported")
    func messages() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let folder = TestStreams.folder.appendingPathComponent("vod-fmp4/v0")
        server.serve("vod-fmp4/v0/seg*") { request in
            let name = String(request.path.split(separator: "/").last ?? "")
            guard let data = try? Data(contentsOf: folder.appendingPathComponent(name)) else { return nil }
            let message = TimedID3.message(TimedID3.title(name), at: 0.5)
            return ServerResponse(type: "video/mp4", message + data)
        }
        let rig = Rig()
        let item = AVPlayerItem(url: server.url(for: "vod-fmp4/v0/index.m3u8"))
        let listener = Listener(item)
        rig.player.insert(item)
        // Outputs report what applies from their first check on, which a delayed main thread may make late.
        #expect(await rig.player.preroll(atRate: 1))
        rig.player.play()
        #expect(await rig.wait { listener.texts.count >= 2 }, "\(listener.texts) \(rig.state)")
        #expect(listener.texts.prefix(2) == ["seg000.m4s", "seg001.m4s"])
        let starts = listener.groups.map(\.timeRange.start.seconds)
        #expect(zip(starts, [0.5, 2.5]).allSatisfy { abs($0 - $1) < 0.05 }, "\(starts)")
        rig.stopDisplay()
        rig.player.close()
    }

    @Test("ID3 frames before packed audio are reported")
    func packedAudio() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let folder = TestStreams.folder.appendingPathComponent("packed-audio")
        let text = try String(contentsOf: folder.appendingPathComponent("aac.m3u8"), encoding: .utf8)
        let first = try #require(text.split(separator: "\n").first { !$0.hasPrefix("#") }).description
        server.serve("packed-audio/" + first) { _ in
            guard let data = try? Data(contentsOf: folder.appendingPathComponent(first)), data.count > 10 else {
                return nil
            }
            // The frame is added after the one with the timestamp, and the size of the tag is changed.
            let head = Array(data.prefix(10))
            let size = head[6..<10].reduce(0) { $0 << 7 | Int($1) }
            let added = Array(TimedID3.title("Packed").dropFirst(10))
            let length = size + added.count
            let field = [21, 14, 7, 0].map { UInt8(length >> $0 & 0x7F) }
            var changed = Data(head.prefix(6) + field)
            changed += data.dropFirst(10).prefix(size)
            changed += added
            changed += data.dropFirst(10 + size)
            return ServerResponse(type: "audio/aac", changed)
        }
        let rig = Rig()
        let item = AVPlayerItem(url: server.url(for: "packed-audio/aac.m3u8"))
        let listener = Listener(item)
        rig.player.insert(item)
        rig.player.play()
        #expect(await rig.wait { !listener.items.isEmpty }, "\(rig.state)")
        // The frame with the clock of the segment is not reported.
        #expect(listener.items.map(\.identifier) == [.id3MetadataTitleDescription] && listener.texts == ["Packed"])
        #expect(listener.groups.first?.timeRange.start == .zero)
        rig.stopDisplay()
        rig.player.close()
    }

    @Test("date ranges of a playlist are reported with their attributes")
    func dateRanges() async throws {
        let server = try StreamServer(root: try SubtitledStream.folder())
        defer { server.close() }
        let names = (0..<SubtitledStream.count).map { "a\($0).ts" }
        let lines = SubtitledStream.playlist(names).split(separator: "\n", omittingEmptySubsequences: false)
        let tags = [
            "#EXT-X-PROGRAM-DATE-TIME:2024-05-01T12:00:00Z",
            "#EXT-X-DATERANGE:ID=\"ad\",CLASS=\"ads\",START-DATE=\"2024-05-01T12:00:01Z\",DURATION=2,"
                + "X-TITLE=\"An ad\",SCTE35-OUT=0x2F01",
            "#EXT-X-DATERANGE:ID=\"later\",START-DATE=\"2024-05-01T13:00:00Z\"",
            "#EXT-X-DATERANGE:ID=\"ad\",X-MORE=\"yes\"",
        ]
        let playlist = (lines.prefix(4).map(String.init) + tags + lines.dropFirst(4).map(String.init))
            .joined(separator: "\n")
        server.serve("dates.m3u8") { _ in .playlist(playlist) }
        let rig = Rig()
        let item = AVPlayerItem(url: server.url(for: "dates.m3u8"))
        let listener = Listener(item)
        let titles = Listener(item, ["lsdr/X-TITLE"])
        rig.player.insert(item)
        try await rig.ready()
        await rig.settle()
        #expect(listener.items.isEmpty)
        rig.player.play()
        #expect(await rig.wait { !listener.items.isEmpty && !titles.items.isEmpty }, "\(rig.state)")
        rig.player.pause()
        let group = try #require(listener.groups.first)
        #expect(listener.groups.count == 1 && titles.texts == ["An ad"])
        #expect(abs(group.timeRange.start.seconds - 1) < 0.001 && abs(group.timeRange.duration.seconds - 2) < 0.001)
        func value(_ name: String) -> AVMetadataItem? {
            group.items.first { $0.identifier?.rawValue == "lsdr/" + name }
        }
        #expect(value("ID")?.stringValue == "ad" && value("CLASS")?.stringValue == "ads")
        #expect(value("X-MORE")?.stringValue == "yes" && value("DURATION")?.numberValue == 2)
        #expect(value("SCTE35-OUT")?.dataValue == Data([0x2F, 1]) && value("SCTE35-OUT")?.stringValue == nil)
        #expect(value("X-TITLE")?.keySpace == .hlsDateRange)
        #expect(value("X-TITLE")?.startDate == value("START-DATE")?.dateValue)
        // Within the range, it is reported again after a jump; after its end, it is not.
        listener.forget()
        #expect(await rig.seek(2))
        #expect(await rig.wait { listener.groups.count == 1 })
        #expect(await rig.seek(5))
        await rig.settle()
        #expect(listener.groups.count == 1)
        rig.stopDisplay()
        rig.player.close()
    }

    @Test("radio titles are reported at their place in the audio")
    func radio() async throws {
        let audio = Array(try Data(contentsOf: TestMedia.url("audio.mp3")))
        let interval = 4000
        try #require(audio.count > 3 * interval)
        let server = try ScriptedServer { talk in
            guard talk.readHead() != nil else { return }
            talk.send(
                "ICY 200 OK\r\nicy-name: Radio\r\nicy-metaint: \(interval)\r\nContent-Type: audio/mpeg\r\n\r\n")
            for (index, start) in stride(from: 0, to: audio.count, by: interval).enumerated() {
                let piece = audio[start..<min(start + interval, audio.count)]
                talk.send(Data(piece))
                guard piece.count == interval else { break }
                let text = Array((index < 2 ? "StreamTitle='Title \(index)';" : "").utf8)
                let blocks = (text.count + 15) / 16
                talk.send(Data([UInt8(blocks)] + text + [UInt8](repeating: 0, count: blocks * 16 - text.count)))
            }
        }
        let rig = Rig()
        let item = AVPlayerItem(url: try server.url("/radio.mp3"))
        let listener = Listener(item)
        rig.player.insert(item)
        // Outputs report what applies from their first check on, which a delayed main thread may make late.
        #expect(await rig.player.preroll(atRate: 1))
        rig.player.play()
        #expect(await rig.wait { listener.texts == ["Title 0", "Title 1"] }, "\(listener.texts) \(rig.state)")
        let starts = listener.groups.map(\.timeRange.start.seconds)
        #expect(starts.count == 2 && starts[0] > 0 && starts[1] > starts[0], "\(starts)")
        #expect(rig.player.currentTime().seconds >= (starts.last ?? 0) - 0.01)
        #expect(listener.items.allSatisfy { $0.identifier == .icyMetadataStreamTitle })
        #expect(listener.items.allSatisfy { $0.commonKey == .commonKeyTitle })
        rig.stopDisplay()
        rig.player.close()
        server.stop()
    }
}
