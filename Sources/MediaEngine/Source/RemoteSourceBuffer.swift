import CFFmpeg
import MediaCore
import Streaming

/// A remote file's buffer as the pipeline asks it: bytes told as times, by the container's index where it has one.
///
/// Any thread: the file guards itself, the index never changes.
final class RemoteSourceBuffer: SourceBuffer {
    private struct Entry {
        var position: Int64
        var time: Int64
    }

    private let file: RemoteFile
    /// Nanoseconds; nil: unknown, then nothing can be said in times.
    private let duration: Int64?
    /// Ascending in both; empty: bytes and times are taken as proportional.
    private let index: [Entry]
    /// Bytes a second; 0 if unknown.
    private let rate: Double

    /// - Parameters:
    ///   - stream: the one whose index tells.
    ///   - startOffset: nanoseconds between the container's zero and media time zero.
    init(_ file: RemoteFile, duration: Int64?, stream: UnsafeMutablePointer<AVStream>?, startOffset: Int64) {
        self.file = file
        self.duration = duration
        var entries: [Entry] = []
        if let stream {
            let count = avformat_index_get_entries_count(stream)
            let nanoseconds = AVRational(num: 1, den: 1_000_000_000)
            entries.reserveCapacity(Int(max(0, count)))
            for n in 0..<max(0, count) {
                guard let entry = avformat_index_get_entry(stream, n), entry.pointee.timestamp != zt_nopts() else { continue }
                let time = av_rescale_q(entry.pointee.timestamp, stream.pointee.time_base, nanoseconds) - startOffset
                if let last = entries.last, entry.pointee.pos <= last.position || time <= last.time { continue }
                entries.append(Entry(position: entry.pointee.pos, time: time))
            }
        }
        // A few entries (a search left them) say nothing about the rest.
        let covers = duration.map { length in entries.count > 4 && (entries.last?.time ?? 0) > length / 2 } ?? false
        index = covers ? entries : []
        rate = duration.flatMap { length in file.length.map { Double($0) / max(0.001, Double(length) / 1e9) } } ?? 0
    }

    private func time(of position: Int64, length: Int64, duration: Int64, roundsUp: Bool) -> Int64 {
        if position >= length { return duration }
        guard !index.isEmpty else { return Int64(Double(duration) * Double(position) / Double(max(1, length))) }
        var low = 0, high = index.count
        while low < high {
            let middle = (low + high) / 2
            if index[middle].position < position { low = middle + 1 } else { high = middle }
        }
        if roundsUp { return low < index.count ? index[low].time : duration }
        return low > 0 ? index[low - 1].time : 0
    }

    func status(playhead: Int64) -> BufferStatus {
        var status = BufferStatus()
        let bytes = file.bufferedRanges()
        if let length = file.length, length > 0, let duration {
            for range in bytes {
                let start = range.lowerBound == 0 ? 0 : time(of: range.lowerBound, length: length, duration: duration, roundsUp: true)
                let end = time(of: range.upperBound, length: length, duration: duration, roundsUp: false)
                if end > start { status.loaded.append(start..<end) }
            }
            let near = status.loaded.first { $0.lowerBound - 100_000_000 <= playhead && playhead < $0.upperBound }
            status.ahead = near.map { $0.upperBound - playhead } ?? 0
            status.isComplete = playhead + status.ahead >= duration - 50_000_000
            status.seekable = 0..<duration
        } else {
            // A stream without an end: what lies ahead of the reader is all that is known.
            status.ahead = rate > 0 ? Int64(Double(file.bytesAhead) / rate * 1e9) : file.bytesAhead > 256 << 10 ? 1_000_000_000 : 0
            status.isComplete = file.isAtEnd
        }
        let log = file.transferLog
        if rate > 0, log.observedBitRate > 0 { status.surplus = log.observedBitRate / (rate * 8) }
        status.isFull = file.isResting
        return status
    }

    var isWaitedFor: Bool { file.isWaiting }
    func setOnChange(_ call: (@Sendable () -> Void)?) { file.setOnChange(call) }
    func setPlayhead(_ call: (@Sendable () -> Int64?)?) {}

    func setForwardDuration(_ ahead: Int64) {
        let wanted = ahead > 0 ? ahead : 60_000_000_000
        file.forwardBytes = rate > 0 ? max(1 << 20, Int64(min(rate * Double(wanted) / 1e9, 1e15))) : 8 << 20
    }
}
