import Foundation
import Testing

@testable import Streaming

@Suite("Reloaded playlists")
struct PlaylistReloadTests {
    /// Reloads, and checks that the result equals that of parsing the new text alone.
    private func reload(_ playlist: inout MediaPlaylist, _ text: String) throws -> PlaylistReload {
        let reload = try playlist.reload(with: Array(text.utf8))
        switch reload.verdict {
        case .unchanged, .advanced, .missed:
            let whole = try PlaylistSamples.media(text)
            #expect(playlist == whole)
            #expect(abs(playlist.duration - whole.duration) < 1e-6)
            for index in playlist.segments.indices {
                #expect(playlist.date(ofSegmentAt: index) == whole.date(ofSegmentAt: index))
            }
        case .isOlder, .changed, .deltaUnusable: break
        }
        return reload
    }

    @Test("adding to a 10,000-segment EVENT playlist parses only two segments")
    func event() throws {
        var playlist = try PlaylistSamples.media(PlaylistSamples.live(0..<10_000, kind: "EVENT"))
        for count in 10_001...10_003 {
            let reload = try reload(&playlist, PlaylistSamples.live(0..<count, kind: "EVENT"))
            #expect(
                reload == PlaylistReload(verdict: .advanced, segmentsParsed: 2, segmentsAdded: 1, segmentsRemoved: 0))
        }
        let ended = try reload(&playlist, PlaylistSamples.live(0..<10_003, kind: "EVENT", isEnded: true))
        #expect(ended.segmentsParsed == 1 && ended.segmentsAdded == 0 && ended.verdict == .advanced && playlist.isEnded)
    }

    @Test("a moving window parses its first and its new segments")
    func window() throws {
        var playlist = try PlaylistSamples.media(PlaylistSamples.live(95..<1095))
        for begin in [98, 101, 150] {
            let before = playlist.incompleteSegment.mediaSequence
            let reload = try reload(&playlist, PlaylistSamples.live(begin..<(begin + 1000)))
            #expect(reload.segmentsParsed == 1 + begin + 1000 - before)
            #expect(reload.verdict == .advanced && reload.segmentsAdded == begin + 1000 - before)
        }
    }

    @Test("keys, maps, dates, ranges and discontinuities continue after a reload")
    func state() throws {
        func segment(_ number: Int, isFirst: Bool) -> String {
            var lines: [String] = []
            if number % 5 == 0 { lines.append("#EXT-X-DISCONTINUITY") }
            if isFirst || number % 4 == 0 { lines.append("#EXT-X-KEY:METHOD=AES-128,URI=\"key\(number / 4)\"") }
            if isFirst || number % 5 == 0 { lines.append("#EXT-X-MAP:URI=\"init\(number / 5)\"") }
            if number % 3 == 0 {
                lines.append("#EXT-X-PROGRAM-DATE-TIME:2024-01-01T00:\(10 + number / 10):\(10 + number % 10 * 4).000Z")
            }
            if number % 7 == 0 {
                lines.append("#EXT-X-DATERANGE:ID=\"r\(number)\",START-DATE=\"2024-01-01T00:00:00Z\"")
            }
            if number % 6 == 0 { lines.append("#EXT-X-MARK:\(number)") }
            if isFirst || number % 9 == 0 { lines.append("#EXT-X-BITRATE:\(number / 9 + 1)") }
            lines.append("#EXTINF:4,")
            lines.append(number % 2 == 0 || isFirst ? "#EXT-X-BYTERANGE:100@\(number * 100)" : "#EXT-X-BYTERANGE:100")
            lines.append("all-\(number / 4).mp4")
            return lines.joined(separator: "\n")
        }
        func text(_ range: Range<Int>) -> String {
            // A map is encrypted with the key before it, so a window can only begin where both are stated.
            PlaylistSamples.live(range, head: ["#EXT-X-DISCONTINUITY-SEQUENCE:\((range.lowerBound + 4) / 5)"]) {
                segment($0, isFirst: $0 == range.lowerBound)
            }
        }
        var playlist = try PlaylistSamples.media(text(0..<30))
        var parsed = 0
        for begin in [0, 0, 20, 20, 40, 40] {
            let reload = try reload(&playlist, text(begin..<(playlist.incompleteSegment.mediaSequence + 4)))
            #expect(reload.verdict == .advanced)
            parsed += reload.segmentsParsed
        }
        #expect(parsed == 6 * 5)
    }

    @Test("identical text parses nothing; equivalent text changes nothing")
    func unchanged() throws {
        let text = PlaylistSamples.live(3..<20)
        var playlist = try PlaylistSamples.media(text)
        #expect(try reload(&playlist, text) == PlaylistReload(verdict: .unchanged))
        let spaced = try reload(&playlist, text.replacingOccurrences(of: "#EXTINF:6.0", with: "\n#EXTINF:6.00"))
        #expect(spaced.verdict == .unchanged && spaced.segmentsParsed == 17)
    }

    @Test("low-latency parts are added, and later replaced by their segment")
    func parts() throws {
        func text(_ last: Int, parts: Int) -> String {
            PlaylistSamples.live(10..<(last + 1), head: ["#EXT-X-PART-INF:PART-TARGET=1"]) { number in
                let own =
                    number > last - 2
                    ? (0..<6).map { "#EXT-X-PART:DURATION=1,URI=\"\(number).\($0).mp4\"\n" }.joined() : ""
                return own + PlaylistSamples.plainSegment(number)
            } + (0..<parts).map { "#EXT-X-PART:DURATION=1,URI=\"\(last + 1).\($0).mp4\"\n" }.joined()
                + "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"\(last + 1).\(parts).mp4\"\n"
        }
        var playlist = try PlaylistSamples.media(text(40, parts: 1))
        let part = try reload(&playlist, text(40, parts: 2))
        #expect(
            part.verdict == .advanced && part.segmentsParsed == 1 && part.segmentsAdded == 0
                && playlist.trailingParts.count == 2)
        guard case .isOlder = try playlist.reload(with: Array(text(40, parts: 1).utf8)).verdict else {
            Issue.record("a copy with fewer parts is older")
            return
        }
        let segment = try reload(&playlist, text(41, parts: 0))
        #expect(
            segment.segmentsAdded == 1 && segment.segmentsParsed == 1 + 3, "the two whose parts went and the new one")
    }

    @Test("missed segments are counted")
    func missed() throws {
        var playlist = try PlaylistSamples.media(PlaylistSamples.live(0..<10))
        let reload = try reload(&playlist, PlaylistSamples.live(15..<25))
        #expect(reload.verdict == .missed(5) && reload.segmentsAdded == 10 && reload.segmentsRemoved == 10)
    }

    // Encoders round the target duration up, so it must not stand for the durations of missed segments.
    @Test("after missed segments, a playlist continues at the right time")
    func missedTime() throws {
        func text(_ first: Int) -> [UInt8] {
            let live = PlaylistSamples.live(first..<(first + 6)) { "#EXTINF:6.006,\nsegment-\($0).ts" }
            return Array(live.replacingOccurrences(of: "TARGETDURATION:6", with: "TARGETDURATION:7").utf8)
        }
        let url = try PlaylistSamples.url()
        let first = TimedPlaylist(try MediaPlaylist.parse(text(0), url: url), epoch: 0)
        var (played, returning, alone) = (first, first, first)
        for start in 1...100 { _ = try played.reload(with: text(start), url: url, importing: [:]) }
        // The numbers are the same, but the other playlist begins a second later than they say.
        var shifted = TimedPlaylist(played.playlist, epoch: played.epoch + 1_000_000_000)
        _ = try shifted.reload(with: text(101), url: url, importing: [:])
        #expect(try returning.reload(with: text(102), url: url, importing: [:], beside: shifted) == .missed(96))
        #expect(returning.epoch == shifted.start(of: 1))
        _ = try alone.reload(with: text(100), url: url, importing: [:])
        #expect(abs(alone.epoch - played.epoch) < 1_000_000)
    }

    @Test("an older playlist is not accepted", arguments: [5..<15, 10..<18, 0..<3])
    func wentBack(range: Range<Int>) throws {
        let text = PlaylistSamples.live(10..<20)
        var playlist = try PlaylistSamples.media(text)
        let reload = try reload(&playlist, PlaylistSamples.live(range))
        guard case .isOlder(let other) = reload.verdict else {
            Issue.record("\(reload.verdict)")
            return
        }
        #expect(other == (try PlaylistSamples.media(PlaylistSamples.live(range))))
        #expect(playlist == (try PlaylistSamples.media(text)))
        #expect(
            try self.reload(&playlist, PlaylistSamples.live(11..<21)).segmentsParsed == 2,
            "and ours is still compared with")
    }

    @Test("a different segment with the same number is reported; tokens are ignored")
    func changed() throws {
        var playlist = try PlaylistSamples.media(PlaylistSamples.live(10..<20))
        let other = PlaylistSamples.live(11..<21) {
            $0 == 14 ? "#EXTINF:6,\nelse.ts" : PlaylistSamples.plainSegment($0)
        }
        let reload = try reload(&playlist, other)
        #expect(reload.verdict == .changed(mediaSequence: 14, try PlaylistSamples.media(other)))
        #expect(playlist == (try PlaylistSamples.media(PlaylistSamples.live(10..<20))))
        let signed = PlaylistSamples.live(11..<21) { PlaylistSamples.plainSegment($0) + "?token=2" }
        #expect(try self.reload(&playlist, signed).verdict == .advanced)
    }

    @Test("a delta update is merged with the segments it skips")
    func delta() throws {
        func range(_ number: Int) -> String {
            "#EXT-X-DATERANGE:ID=\"r\(number)\",START-DATE=\"2024-01-01T00:00:00Z\"\n"
        }
        func segment(_ number: Int) -> String {
            (number == 100 ? "#EXT-X-MAP:URI=\"init.mp4\"\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n" : "")
                + (number % 50 == 0 ? range(number) : "") + (number % 30 == 0 ? "#EXT-X-DISCONTINUITY\n" : "")
                + PlaylistSamples.plainSegment(number)
        }
        func whole(_ range: Range<Int>) -> String { PlaylistSamples.live(range, segment: segment) }
        var playlist = try PlaylistSamples.media(whole(100..<200))
        for end in 201...220 {
            let update =
                PlaylistSamples.live(100..<101) { _ in "#EXT-X-SKIP:SKIPPED-SEGMENTS=\(end - 110)" }
                + ((end - 10)..<end).map(segment).joined(separator: "\n") + "\n"
            let reload = try playlist.reload(with: Array(update.utf8))
            #expect(
                reload == PlaylistReload(verdict: .advanced, segmentsParsed: 1, segmentsAdded: 1, segmentsRemoved: 0))
            #expect(playlist == (try PlaylistSamples.media(whole(100..<end))))
        }
        #expect(playlist.dateRanges.map(\.id) == ["r100", "r150", "r200"])
        #expect(playlist.segments.last?.keys.first?.uri == "k" && playlist.segments.last?.map?.uri == "init.mp4")

        let removing =
            PlaylistSamples.live(100..<101) { _ in
                "#EXT-X-SKIP:SKIPPED-SEGMENTS=120,RECENTLY-REMOVED-DATERANGES=\"r100\tr200\""
            } + range(201) + PlaylistSamples.plainSegment(220) + "\n"
        #expect(try playlist.reload(with: Array(removing.utf8)).segmentsAdded == 1)
        #expect(playlist.dateRanges.map(\.id) == ["r150", "r201"] && playlist.segments.count == 121)
        #expect(playlist.skippedSegments == 0)
    }

    @Test("a delta update without its base is reported as unusable")
    func deltaUnusable() throws {
        let before = try PlaylistSamples.media(PlaylistSamples.live(100..<110))
        var playlist = before
        for head in ["#EXT-X-SKIP:SKIPPED-SEGMENTS=20", "#EXT-X-MEDIA-SEQUENCE:90\n#EXT-X-SKIP:SKIPPED-SEGMENTS=5"] {
            let update = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:100\n\(head)\n#EXTINF:6,\nx.ts\n"
            #expect(try playlist.reload(with: Array(update.utf8)).verdict == .deltaUnusable)
            #expect(playlist == before)
        }
    }

    @Test("a missing discontinuity sequence continues from the known one")
    func discontinuities() throws {
        func text(_ range: Range<Int>) -> String {
            PlaylistSamples.live(range) {
                ($0 % 4 == 0 ? "#EXT-X-DISCONTINUITY\n" : "") + PlaylistSamples.plainSegment($0)
            }
        }
        var playlist = try PlaylistSamples.media(text(1..<12))
        #expect(try playlist.reload(with: Array(text(6..<17).utf8)).segmentsParsed == 6)
        #expect(playlist.segments.map(\.discontinuitySequence) == (6..<17).map { $0 / 4 })
        #expect(playlist.discontinuitySequence == 1)
    }

    @Test("an invalid reload leaves the playlist unchanged")
    func broken() throws {
        let before = try PlaylistSamples.media(PlaylistSamples.live(0..<10))
        var playlist = before
        let cut = PlaylistSamples.live(0..<11).replacingOccurrences(
            of: "#EXTINF:6.0,\nsegment-10", with: "#EXT-X-KEY:METHOD=?\n#EXTINF:6.0,\nsegment-10")
        let error = try #require(throws: PlaylistError.self) { try playlist.reload(with: Array(cut.utf8)) }
        #expect(error.line == 25 && error.reason.contains("URI"), "the line counts what was taken over: \(error)")
        #expect(throws: PlaylistError.self) { try playlist.reload(with: Array(PlaylistSamples.multivariant.utf8)) }
        #expect(playlist == before)
    }

    @Test("a truncated last line counts as changed after the next reload")
    func cutOff() throws {
        let whole = PlaylistSamples.live(0..<11)
        var playlist = try PlaylistSamples.media(String(whole.dropLast(5)))
        #expect(playlist.segments.last?.uri == "segment-1")
        let reload = try playlist.reload(with: Array(whole.utf8))
        #expect(reload.verdict == .changed(mediaSequence: 10, try PlaylistSamples.media(whole)))
    }

    @Test("other variable values change the segments of the same text")
    func variables() throws {
        let text = PlaylistSamples.live(0..<10, head: ["#EXT-X-DEFINE:IMPORT=\"host\""]) {
            "#EXTINF:6,\n{$host}/\($0).ts"
        }
        var playlist = try PlaylistSamples.media(text, importing: ["host": "//a"])
        let reload = try playlist.reload(with: Array(text.utf8), importing: ["host": "//b"])
        guard case .changed(0, let other) = reload.verdict else {
            Issue.record("\(reload.verdict)")
            return
        }
        #expect(other.segments.allSatisfy { $0.uri.hasPrefix("//b/") })
    }
}
