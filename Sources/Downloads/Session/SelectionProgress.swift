import Foundation
import MediaCore

/// The time ranges of a media selection in which the video, its audio and its subtitles are all on the disk.
struct SelectionProgress: Sendable, Equatable {
    var loaded: [Range<Double>] = []
    /// The duration of the entire media, in seconds, or 0 if unknown.
    var duration: Double = 0

    init() {}

    /// Computes the progress of a selection.
    ///
    /// - Parameters:
    ///   - choice: The selection, or nil for all renditions.
    ///   - all: The progress of each rendition.
    init(_ choice: MediaChoice?, _ all: [DownloadEngine.RenditionProgress]) {
        let selected = all.filter { rendition in
            switch rendition.kind {
            case .video: true
            // A file has no time ranges, and a selection is complete without its I-frames.
            case .file, .iFrames: false
            case .audio: choice.map { SelectionProgress.includes($0.sound, rendition, all) } ?? true
            case .subtitles: choice.map { SelectionProgress.includes($0.text, rendition, all) } ?? true
            }
        }
        duration = selected.map(\.duration).max() ?? 0
        guard let first = selected.first else { return }
        loaded = selected.dropFirst().reduce(first.loaded) {
            SelectionProgress.both($0, $1.loaded, $1.duration, duration)
        }
    }

    private static func includes(
        _ choice: MediaChoice.Choice, _ rendition: DownloadEngine.RenditionProgress,
        _ all: [DownloadEngine.RenditionProgress]
    ) -> Bool {
        switch choice {
        case .none: return false
        case .named(let name): return rendition.name == name
        case .automatic:
            if rendition.isDefault { return true }
            let alike = all.filter { $0.kind == rendition.kind }
            // Subtitles are selected only if the playlist marks them as default. Without a default audio track, the
            // first one is selected.
            return rendition.kind == .audio && !alike.contains(where: \.isDefault)
                && alike.first?.name == rendition.name
        }
    }

    /// Returns the intersection of two lists of ranges. From `end` on, where the rendition of `b` ends, the ranges of
    /// `a` are returned.
    static func both(_ a: [Range<Double>], _ b: [Range<Double>], _ end: Double, _ whole: Double) -> [Range<Double>] {
        var b = b
        if end < whole {
            if let last = b.last, last.upperBound >= end - 0.001 {
                b[b.count - 1] = last.lowerBound..<whole
            } else {
                b.append(end..<whole)
            }
        }
        var result: [Range<Double>] = []
        var i = 0
        var j = 0
        while i < a.count, j < b.count {
            let low = max(a[i].lowerBound, b[j].lowerBound)
            let high = min(a[i].upperBound, b[j].upperBound)
            if low < high { result.append(low..<high) }
            if a[i].upperBound < b[j].upperBound { i += 1 } else { j += 1 }
        }
        return result
    }

    /// Returns the ranges that `self` contains and `before` does not, in order.
    func news(since before: SelectionProgress) -> [Range<Double>] {
        var result: [Range<Double>] = []
        for range in loaded {
            var low = range.lowerBound
            for known in before.loaded where known.upperBound > range.lowerBound && known.lowerBound < range.upperBound
            {
                if known.lowerBound > low + 0.000_5 { result.append(low..<known.lowerBound) }
                low = max(low, known.upperBound)
            }
            if range.upperBound > low + 0.000_5 { result.append(low..<range.upperBound) }
        }
        return result
    }

    /// Adds a range, and merges it with the ranges that it touches.
    mutating func add(_ newRange: Range<Double>) {
        var (low, high) = (newRange.lowerBound, newRange.upperBound)
        var result: [Range<Double>] = []
        var after: [Range<Double>] = []
        for range in loaded {
            if range.upperBound < low - 0.000_5 {
                result.append(range)
            } else if range.lowerBound > high + 0.000_5 {
                after.append(range)
            } else {
                (low, high) = (min(low, range.lowerBound), max(high, range.upperBound))
            }
        }
        loaded = result + [low..<high] + after
    }

    var isComplete: Bool {
        duration > 0 && loaded.count == 1 && loaded[0].lowerBound <= 0.000_5
            && loaded[0].upperBound >= duration - 0.000_5
    }

    var values: [NSValue] { loaded.map { NSValue(timeRange: SelectionProgress.timeRange($0)) } }
    var whole: CMTimeRange { SelectionProgress.timeRange(0..<max(0, duration)) }

    /// Converts a range in seconds. A timescale of 90,000 represents the milliseconds of playlists exactly.
    static func timeRange(_ range: Range<Double>) -> CMTimeRange {
        let start = CMTime(seconds: range.lowerBound, preferredTimescale: 90_000)
        let end = CMTime(seconds: range.upperBound, preferredTimescale: 90_000)
        return CMTimeRange(start: start, end: end)
    }
}
