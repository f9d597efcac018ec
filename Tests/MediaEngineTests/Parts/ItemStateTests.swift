import Foundation
import MediaCore
import Testing

@testable import MediaEngine

@Suite("Parts of an item's state")
struct ItemStateTests {
    private func seconds(_ values: [NSValue]) -> [ClosedRange<Double>] {
        values.map { $0.timeRangeValue.start.seconds...$0.timeRangeValue.end.seconds }
    }
    private var status: BufferStatus {
        var status = BufferStatus()
        status.loaded = [0..<2_000_000_000, 5_000_000_000..<6_000_000_000]
        status.seekable = 0..<10_000_000_000
        status.ahead = 2_000_000_000
        status.isFull = true
        return status
    }

    // MARK: buffer

    @Test("a local file is loaded as a whole once it is open")
    func local() {
        var buffer = ItemBuffer()
        #expect(buffer.isEmpty && !buffer.isLikelyToKeepUp && buffer.loaded.isEmpty)
        buffer.open(duration: 3_000_000_000)
        #expect(seconds(buffer.loaded) == [0...3] && seconds(buffer.seekable) == [0...3])
        #expect(!buffer.isEmpty && buffer.isFull && buffer.isLikelyToKeepUp)
    }

    @Test("opening keeps the values that a stream reports", arguments: [true, false])
    func remote(opensFirst: Bool) {
        var buffer = ItemBuffer()
        if opensFirst { buffer.open(duration: 3_000_000_000) }
        buffer.load(status)
        if !opensFirst { buffer.open(duration: 3_000_000_000) }
        #expect(seconds(buffer.loaded) == [0...2, 5...6] && seconds(buffer.seekable) == [0...10])
        #expect(!buffer.isEmpty && buffer.isFull && buffer.isLikelyToKeepUp)
    }

    @Test("an item without a duration has no ranges")
    func endless() {
        var buffer = ItemBuffer()
        buffer.open(duration: nil)
        #expect(buffer.loaded.isEmpty && buffer.seekable.isEmpty && buffer.isLikelyToKeepUp)
    }

    @Test("a stall empties the buffer and is counted")
    func stall() {
        var buffer = ItemBuffer()
        buffer.load(status)
        buffer.stall()
        buffer.stall()
        #expect(buffer.isEmpty && !buffer.isLikelyToKeepUp && buffer.stallCount == 2)
        buffer.load(status)
        buffer.runDry()
        #expect(buffer.isEmpty && !buffer.isLikelyToKeepUp && buffer.stallCount == 2)
    }

    @Test("without media ahead, the buffer is empty unless loading is complete", arguments: [true, false])
    func nothingAhead(isComplete: Bool) {
        var last = BufferStatus()
        last.isComplete = isComplete
        var buffer = ItemBuffer()
        buffer.load(last)
        #expect(buffer.isEmpty == !isComplete)
    }

    // MARK: limits

    @Test("a NaN or negative limit means no limit", arguments: [(5, 5), (0, 0), (-5, 0), (Double.nan, 0)])
    func limits(_ wanted: Double, _ set: Double) {
        var limits = ItemLimits()
        limits.peakBitRate = wanted
        limits.forwardBufferDuration = wanted
        #expect(limits.peakBitRate == set && limits.forwardBufferDuration == set)
    }

    @Test("a size limits frames only when both sides are positive")
    func size() {
        var limits = ItemLimits()
        #expect(limits.largestSize == nil)
        limits.maximumResolution = CGSize(width: 1280, height: 720)
        #expect(limits.largestSize?.width == 1280 && limits.largestSize?.height == 720)
        for size in [
            CGSize(width: 1280, height: 0), CGSize(width: -1, height: 720), CGSize(width: 1e7, height: 1e7),
            CGSize(width: Double.nan, height: 720),
        ] {
            limits.maximumResolution = size
            #expect(limits.largestSize == nil, "\(size)")
        }
    }

    // MARK: problems

    @Test("one problem of each kind is kept")
    func problems() {
        var problems = ItemProblems()
        let error = AVError(.decoderNotFound, at: "a.mp4", reason: "No decoder.")
        let added = (0..<2).map { _ in problems.add(TrackProblem(kind: .video, error: error)) }
        #expect(added == [true, false])
        #expect(problems.has(.video) && !problems.has(.audio) && problems.trackErrors.count == 1)
        problems.add(shortfall: AVError(.fileTruncated, at: "a.mp4", reason: "Cut off."))
        #expect(problems.all.map(\.code) == [.decoderNotFound, .fileTruncated] && problems.trackErrors.count == 1)
    }

    @Test("a log that has not grown is not reported")
    func report() {
        var problems = ItemProblems()
        // The number falls when the file is opened again, and then grows with its new errors.
        let reported = [0, 1, 1, 3, 2, 3, 4].map { problems.report($0) }
        #expect(reported == [false, true, false, true, false, true, true])
    }

    // MARK: tracks

    @Test("tracks are read once")
    func tracks() {
        var tracks = ItemTracks()
        let begins = (0..<3).map { _ in tracks.beginReading() }
        #expect(begins == [true, false, false] && tracks.all.isEmpty)
    }

    @Test("tracks are read again after a failure, up to a limit")
    func failedTracks() {
        var tracks = ItemTracks()
        let begins = (0..<7).map { _ in
            defer { tracks.readingFailed() }
            return tracks.beginReading()
        }
        #expect(begins == [true, true, true, true, true, false, false])
    }

    // MARK: extras

    @Test("changing the thumbnail track changes the thumbnails")
    func thumbnails() {
        let asset = AVURLAsset(url: URL(fileURLWithPath: "/thumbnails.mp4"))
        var extras = ItemExtras()
        let all = [nil, nil, URL(fileURLWithPath: "/thumbnails.vtt")].map { track in
            extras.thumbnailTrack = track
            return extras.thumbnails(of: asset)
        }
        #expect(all[0] === all[1] && all[1] !== all[2])
    }
}
