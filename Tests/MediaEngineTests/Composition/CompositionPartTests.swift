import CFFmpeg
import MediaCore
import Testing

@testable import MediaEngine

@Suite("Placement of samples")
struct SamplePlacementTests {
    private func time(_ frame: Int64) -> MediaTime { MediaTime(samples: frame, rate: 48_000) }

    @Test("samples before and after the piece are not played")
    func edges() {
        var placement = SamplePlacement(from: 1_000, to: 2_000, rate: 48_000, isFromStart: false)
        let first = placement.place(1_000, at: time(400), hasExactTimes: true)
        #expect(first == .init(skipped: 600, count: 400) && placement.wanted == 1_400 && !placement.isComplete)
        let second = placement.place(1_000, at: nil, hasExactTimes: true)
        #expect(second == .init(count: 600) && placement.isComplete)
        let third = placement.place(1_000, at: nil, hasExactTimes: true)
        #expect(third == .init())
    }

    @Test("a gap becomes silence, a rounded time does not")
    func gap() {
        var placement = SamplePlacement(from: 0, to: 10_000, rate: 48_000, isFromStart: true)
        _ = placement.place(1_000, at: 0, hasExactTimes: true)
        let rounded = placement.place(1_000, at: time(1_500), hasExactTimes: true)
        #expect(rounded == .init(count: 1_000))
        let late = placement.place(1_000, at: time(8_000), hasExactTimes: true)
        #expect(late == .init(silence: 6_000, count: 1_000))
    }

    @Test("silence ends with the piece")
    func end() {
        var placement = SamplePlacement(from: 0, to: 1_000, rate: 48_000, isFromStart: true)
        let part = placement.place(1_000, at: time(5_000), hasExactTimes: true)
        #expect(part == .init(silence: 1_000) && placement.isComplete)
    }

    @Test("samples that begin too late are ignored until an earlier seek")
    func late() {
        var placement = SamplePlacement(from: 1_000, to: 2_000, rate: 48_000, isFromStart: false)
        for stated in [time(1_200), nil] {
            let part = placement.place(100, at: stated, hasExactTimes: true)
            #expect(part == .init() && placement.isTooLate)
        }
        placement.didSeekEarlier()
        let part = placement.place(500, at: time(800), hasExactTimes: true)
        #expect(part == .init(skipped: 200, count: 300) && !placement.isTooLate)
    }

    @Test("at the start of a file, a gap is not too late")
    func start() {
        var placement = SamplePlacement(from: 1_000, to: 2_000, rate: 48_000, isFromStart: false)
        placement.didReturnToStart()
        let part = placement.place(100, at: time(1_200), hasExactTimes: true)
        #expect(part == .init(silence: 200, count: 100) && !placement.isTooLate)
    }

    @Test("a rounded time at the start of a file counts as zero", arguments: [true, false])
    func rounding(isExact: Bool) {
        var placement = SamplePlacement(from: 0, to: 2_000, rate: 48_000, isFromStart: true)
        let part = placement.place(100, at: time(48), hasExactTimes: isExact)
        #expect(part == .init(silence: isExact ? 48 : 0, count: 100))
    }
}

@Suite("Queue of samples")
struct SampleQueueTests {
    private let format = AudioFormat(sampleRate: 48_000, channelMask: AudioFormat.stereo)

    private func append(_ values: [Float], to queue: inout SampleQueue) {
        values.withUnsafeBufferPointer { if let base = $0.baseAddress { queue.append(base, values.count / 2) } }
    }
    private func read(_ limit: Int, from queue: inout SampleQueue) -> [Float] {
        var all: [Float] = []
        let frames = queue.read(limit) { all += UnsafeBufferPointer(start: $0, count: $1 * 2) }
        #expect(frames == all.count / 2)
        return all
    }

    @Test("samples are read in parts, in order")
    func order() {
        var queue = SampleQueue(format)
        append([1, 2, 3, 4, 5, 6], to: &queue)
        let parts = (0..<3).map { _ in read(2, from: &queue) }
        #expect(parts == [[1, 2, 3, 4], [5, 6], []])
        append([7, 8], to: &queue)
        let last = read(2, from: &queue)
        #expect(last == [7, 8])
    }

    @Test("a gap's silence is made in parts, before the samples")
    func silence() {
        var queue = SampleQueue(format)
        append([1, 1], to: &queue)
        queue.appendSilence(5_000)
        append([2, 2], to: &queue)
        var parts = [read(.max, from: &queue)]
        while queue.passWaiting() { parts.append(read(.max, from: &queue)) }
        #expect(parts.map(\.count) == [2, 8_192, 1_808, 2])
        #expect(parts[1...2].joined().allSatisfy { $0 == 0 } && parts.last == [2, 2])
    }

    @Test("samples are stretched to the speed, the last ones at the end")
    func stretched() {
        var queue = SampleQueue(format, speed: 2)
        append([Float](repeating: 0.5, count: 96_000), to: &queue)
        let before = read(.max, from: &queue).count / 2
        queue.finish()
        let after = read(.max, from: &queue).count / 2
        #expect(after > 0 && abs(before + after - 24_000) < 2_400, "\(before) + \(after)")
    }
}

@Suite("Search for the first frame of a piece")
struct FirstFrameSearchTests {
    private func packet(_ time: MediaTime?) throws -> MediaPacket {
        guard let owner = Owned<AVPacket>(av_packet_alloc()) else { throw CancellationError() }
        return MediaPacket(taking: owner, pts: time, end: time)
    }
    private func taken(from search: inout FirstFrameSearch) -> [MediaTime] {
        var all: [MediaTime] = []
        while let packet = search.take() { all.append(packet.pts ?? .max) }
        return all
    }

    @Test("packets with reliable durations are taken at once")
    func reliable() throws {
        var search = FirstFrameSearch()
        search.hold(try packet(40), decoded: 0, limit: 100)
        let times = taken(from: &search)
        #expect(times == [40] && search.isEmpty && search.leading == nil)
    }

    @Test("the last frame before the piece and later packets are held")
    func held() throws {
        var search = FirstFrameSearch(isNeeded: true)
        search.hold(try packet(40), decoded: 0, limit: 100)
        let first = taken(from: &search)
        #expect(first.isEmpty && search.isSearching && search.leading == 40)
        search.hold(try packet(120), decoded: 40, limit: 100)
        search.hold(try packet(80), decoded: 80, limit: 100)
        // Only the packets before the frame can be taken.
        let second = taken(from: &search)
        #expect(second == [40, 120] && search.isSearching && search.leading == 80)
        search.hold(try packet(160), decoded: 120, limit: 100)
        let last = taken(from: &search)
        #expect(last == [80, 160] && !search.isSearching && search.leading == 80 && search.isEmpty)
    }

    @Test("without decode times, the search ends after the longest reordering")
    func limit() throws {
        var search = FirstFrameSearch(isNeeded: true)
        search.hold(try packet(40), decoded: nil, limit: 100)
        for _ in 0..<31 { search.hold(try packet(200), decoded: nil, limit: 100) }
        #expect(search.isSearching)
        search.hold(try packet(200), decoded: nil, limit: 100)
        let times = taken(from: &search)
        #expect(!search.isSearching && times.count == 33)
    }

    @Test("a packet without a time, or the end, stops the search", arguments: [true, false])
    func ends(withPacket: Bool) throws {
        var search = FirstFrameSearch(isNeeded: true)
        search.hold(try packet(40), decoded: 0, limit: 100)
        if withPacket { search.hold(try packet(nil), decoded: nil, limit: 100) } else { search.end() }
        let times = taken(from: &search)
        #expect(!search.isSearching && times == (withPacket ? [40, .max] : [40]) && search.isEmpty)
    }
}

@Suite("Black frames of a composition")
struct BlackFramesTests {
    @Test("a range is divided into frames of at most a second")
    func division() throws {
        var frames = BlackFrames()
        _ = try frames.enter(0..<2_500_000_000, at: 1_200_000_000, like: nil, .upright)
        #expect(frames.time == 1_000_000_000)
        var times: [MediaTime?] = []
        while let packet = try frames.next(before: 2_500_000_000) { times += [packet.pts, packet.end] }
        #expect(times == [1_000_000_000, 2_000_000_000, 2_000_000_000, 2_500_000_000])
    }

    @Test("the frame is kept while its shape stays the same")
    func reuse() throws {
        var frames = BlackFrames()
        let range: Range<MediaTime> = 0..<1_000_000_000
        let first = try frames.enter(range, at: 0, like: nil, .upright)
        let second = try frames.enter(range, at: 0, like: nil, .upright)
        let rotated = try frames.enter(range, at: 0, like: nil, PictureOrientation(rotation: 90))
        #expect(second.parameters === first.parameters && rotated.parameters !== first.parameters)
    }
}

@Suite("File of a piece", .serialized)
struct PieceFileTests {
    private func open() throws -> (PieceFile, CompositionPiece) {
        let composition = AVMutableComposition()
        try CompositionRig.add(
            [CompositionRig.frames(0, 90)], of: CompositionRig.track("counter-video.mp4"), to: composition)
        let piece = try #require(CompositionPlan(composition.content.state).video.first)
        return (try PieceFile(try #require(piece.source), interrupt: InterruptToken()), piece)
    }

    @Test("reading begins at a keyframe at or before the position", arguments: [2_500_000_000, 0, 1_000_000_000])
    func landing(nanoseconds: Int64) throws {
        var (file, _) = try open()
        let time = MediaTime(nanoseconds: nanoseconds)
        for _ in 0..<2 {
            let landed = try file.land(at: time)
            let packet = try #require(landed)
            #expect(packet.isKey && packet.pts ?? .max <= time)
        }
    }

    @Test("pieces with the same orientation and speed share a decoder")
    func descriptions() throws {
        var (file, piece) = try open()
        let first = file.describe(piece)
        let second = file.describe(piece)
        piece.orientation = PictureOrientation(rotation: 90)
        let rotated = file.describe(piece)
        #expect(first.parameters === second.parameters && first.parameters !== rotated.parameters)
        #expect(rotated.orientation == piece.orientation && rotated.isCut)
    }
}
