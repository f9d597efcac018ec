import CFFmpeg
import MediaCore
import Streaming

/// A remote file's buffer as the pipeline asks it: bytes told as times, by the container's index where it has one.
///
/// Any thread: the file guards itself, the index never changes.
final class RemoteSourceBuffer: SourceBuffer {
    private struct Entry {
        var position: Int64
        var time: MediaTime
    }

    private let file: RemoteFile
    /// Nil: unknown, then nothing can be said in times.
    private let duration: MediaTime?
    /// Ascending in both; empty: bytes and times are taken as proportional.
    private let index: [Entry]
    /// Bytes a second; 0 if unknown.
    private let rate: Double

    /// - Parameters:
    ///   - stream: the one whose index tells.
    ///   - startOffset: from the container's zero to media time zero.
    init(_ file: RemoteFile, duration: MediaTime?, stream: UnsafeMutablePointer<AVStream>?, startOffset: MediaTime) {
        self.file = file
        self.duration = duration
        var entries: [Entry] = []
        if let stream {
            let count = avformat_index_get_entries_count(stream)
            entries.reserveCapacity(Int(max(0, count)))
            for n in 0..<max(0, count) {
                guard let entry = avformat_index_get_entry(stream, n),
                    let stamp = MediaTime(stamp: entry.pointee.timestamp, base: stream.pointee.time_base)
                else { continue }
                let time = stamp - startOffset
                if let last = entries.last, entry.pointee.pos <= last.position || time <= last.time { continue }
                entries.append(Entry(position: entry.pointee.pos, time: time))
            }
        }
        // A few entries (a search left them) say nothing about the rest.
        let covers = duration.map { length in entries.count > 4 && (entries.last?.time ?? 0) > length / 2 } ?? false
        index = covers ? entries : []
        rate = duration.flatMap { length in file.length.map { Double($0) / max(0.001, length.seconds) } } ?? 0
    }

    private func time(of position: Int64, length: Int64, duration: MediaTime, roundsUp: Bool) -> MediaTime {
        if position >= length { return duration }
        guard !index.isEmpty else {
            return MediaTime(seconds: duration.seconds * Double(position) / Double(max(1, length)))
        }
        var low = 0
        var high = index.count
        while low < high {
            let middle = (low + high) / 2
            if index[middle].position < position { low = middle + 1 } else { high = middle }
        }
        if roundsUp { return low < index.count ? index[low].time : duration }
        return low > 0 ? index[low - 1].time : 0
    }

    func status(playhead: MediaTime) -> BufferStatus {
        var status = BufferStatus()
        let bytes = file.bufferedRanges()
        if let length = file.length, length > 0, let duration {
            for range in bytes {
                let start: MediaTime =
                    range.lowerBound == 0
                    ? 0 : time(of: range.lowerBound, length: length, duration: duration, roundsUp: true)
                let end = time(of: range.upperBound, length: length, duration: duration, roundsUp: false)
                if end > start { status.loaded.append(start..<end) }
            }
            let near = status.loaded.first { $0.lowerBound - 100_000_000 <= playhead && playhead < $0.upperBound }
            status.ahead = near.map { $0.upperBound - playhead } ?? 0
            status.isComplete = playhead + status.ahead >= duration - 50_000_000
            status.seekable = 0..<duration
        } else {
            // A stream without an end: what lies ahead of the reader is all that is known.
            status.ahead =
                rate > 0
                ? MediaTime(seconds: Double(file.bytesAhead) / rate) : file.bytesAhead > 256 << 10 ? 1_000_000_000 : 0
            status.isComplete = file.isAtEnd
        }
        let log = file.transferLog
        if rate > 0, log.observedBitRate > 0 { status.surplus = log.observedBitRate / (rate * 8) }
        status.isFull = file.isResting
        status.breaksOff = file.breaksOff
        return status
    }

    var isWaitedFor: Bool { file.isWaiting }
    func setOnChange(_ call: (@Sendable () -> Void)?) { file.setOnChange(call) }
    func setPlayhead(_ call: (@Sendable () -> MediaTime?)?) {}

    func setForwardDuration(_ ahead: MediaTime) {
        let wanted: MediaTime = ahead > 0 ? ahead : 60_000_000_000
        file.forwardBytes = rate > 0 ? max(1 << 20, Int64(saturating: min(rate * wanted.seconds, 1e15))) : 8 << 20
    }
}
