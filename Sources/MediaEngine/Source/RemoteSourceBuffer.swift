import CFFmpeg
import MediaCore
import Streaming
import Synchronization

/// The buffer of a container that is read as a sequence of bytes.
protocol ByteBuffer: SourceBuffer {
    /// Records that the container has been read up to byte `position`, where media time is `time`. Called on the
    /// reading thread.
    func read(to position: Int64, _ time: MediaTime)
}

/// The buffer of a remote file. Byte ranges are converted to times with the container's index, if it has one.
///
/// Thread-safe: the file has its own lock, and the times never change.
final class RemoteSourceBuffer: ByteBuffer {
    private let file: RemoteFile
    /// The duration; `nil` if unknown.
    private let duration: MediaTime?
    private let times: ByteTimes
    private let measured = ReadRate()

    /// Creates the buffer.
    ///
    /// - Parameters:
    ///   - stream: The stream whose index is used.
    ///   - startOffset: The offset from the container's zero to media time zero.
    init(_ file: RemoteFile, duration: MediaTime?, stream: UnsafeMutablePointer<AVStream>?, startOffset: MediaTime) {
        self.file = file
        self.duration = duration
        var entries: [ByteTimes.Entry] = []
        if let stream {
            let count = avformat_index_get_entries_count(stream)
            entries.reserveCapacity(Int(max(0, count)))
            for n in 0..<max(0, count) {
                guard let entry = avformat_index_get_entry(stream, n),
                    let timestamp = MediaTime(stamp: entry.pointee.timestamp, base: stream.pointee.time_base)
                else { continue }
                entries.append(.init(position: entry.pointee.pos, time: timestamp - startOffset))
            }
        }
        times = ByteTimes(entries, duration: duration)
    }

    func read(to position: Int64, _ time: MediaTime) { measured.note(position, time) }

    /// The number of bytes per second of media; 0 while unknown.
    private var rate: Double {
        if let duration, let length = file.length { return Double(length) / max(0.001, duration.seconds) }
        return measured.bytesPerSecond ?? 0
    }

    func status(playhead: MediaTime) -> BufferStatus {
        var status = BufferStatus()
        let rate = rate
        if let length = file.length, length > 0, let duration {
            for range in file.bufferedRanges() {
                let start = times.time(of: range.lowerBound, length: length)
                let end = times.time(of: range.upperBound, length: length)
                if end > start { status.loaded.append(start..<end) }
            }
            status.seekable = 0..<duration
            if !times.isProportional {
                let near = status.loaded.first { $0.lowerBound - 100_000_000 <= playhead && playhead < $0.upperBound }
                status.ahead = near.map { $0.upperBound - playhead } ?? 0
                status.isComplete = playhead + status.ahead >= duration - 50_000_000
            }
        }
        if times.isProportional {
            // The times of bytes are too imprecise to determine what is loaded after the playhead. The amount after the
            // reader is known.
            status.unread =
                rate > 0
                ? MediaTime(seconds: Double(file.bytesAhead) / rate) : file.bytesAhead > 256 << 10 ? 1_000_000_000 : 0
            status.isComplete = file.isAtEnd
        }
        let log = file.transferLog
        if rate > 0, log.observedBitRate > 0 { status.surplus = log.observedBitRate / (rate * 8) }
        status.isFull = file.isResting
        status.willFail = file.willFail
        return status
    }

    var isWaitedFor: Bool { file.isWaiting }
    func setOnChange(_ call: (@Sendable () -> Void)?) { file.setOnChange(call) }
    func setPlayhead(_ call: (@Sendable () -> MediaTime?)?) {}

    func setForwardDuration(_ ahead: MediaTime) {
        let requestedDuration: MediaTime = ahead > 0 ? ahead : 60_000_000_000
        let rate = rate
        file.forwardBytes =
            rate > 0 ? max(1 << 20, Int64(saturating: min(rate * requestedDuration.seconds, 1e15))) : 8 << 20
    }
}

/// A mapping from byte positions of a file to media times: the container's index, with linear interpolation between its
/// entries.
///
/// An index of keyframes only (Matroska, WebM) has no entries for the bytes between two keyframes. The loaded data
/// usually ends between two keyframes, so the mapping interpolates.
struct ByteTimes {
    struct Entry {
        var position: Int64
        var time: MediaTime
    }
    /// The entries, ascending in position and time.
    private let entries: [Entry]
    private let duration: MediaTime

    /// Creates a mapping.
    ///
    /// - Parameters:
    ///   - entries: The entries in the container's order. Entries that do not ascend are ignored.
    ///   - duration: The duration of the file. If it is `nil`, every time is zero.
    init(_ entries: [Entry], duration: MediaTime?) {
        self.duration = duration ?? 0
        var kept: [Entry] = []
        for entry in entries {
            if let last = kept.last, entry.position <= last.position || entry.time <= last.time { continue }
            if entry.position >= 0, entry.time <= self.duration { kept.append(entry) }
        }
        // After a seek, a file without an index has a few entries, which do not cover the rest of the file.
        let covers = kept.count > 4 && (kept.last?.time ?? 0) > self.duration / 2
        self.entries = covers ? kept : []
    }

    /// Whether there is no index, so that times are taken as proportional to bytes.
    var isProportional: Bool { entries.isEmpty }

    /// Returns the media time of a byte position.
    ///
    /// - Parameter length: The size of the file in bytes.
    func time(of position: Int64, length: Int64) -> MediaTime {
        if position <= 0 { return 0 }
        if position >= length { return duration }
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].position <= position { low = middle + 1 } else { high = middle }
        }
        let before = low > 0 ? entries[low - 1] : Entry(position: 0, time: min(0, entries.first?.time ?? 0))
        let after = low < entries.count ? entries[low] : Entry(position: length, time: max(duration, before.time))
        guard after.position > before.position else { return before.time }
        let part = Double(position - before.position) / Double(after.position - before.position)
        return before.time + MediaTime(seconds: (after.time - before.time).seconds * part)
    }
}

/// The number of bytes per second of media, measured while a container is read. Thread-safe.
final class ReadRate: Sendable {
    private struct Read {
        var bytes: Int64 = 0
        var time: MediaTime = 0
        var position: Int64?
        var newest: MediaTime = 0
    }
    private let read = Mutex(Read())

    /// Records that the container has been read up to byte `position` and media time `time`. Jumps in either are
    /// ignored.
    func note(_ position: Int64, _ time: MediaTime) {
        read.withLock { read in
            if let last = read.position, position >= last, position - last < 8 << 20, time > read.newest,
                time - read.newest < 2_000_000_000
            {
                read.bytes += position - last
                read.time += time - read.newest
                (read.position, read.newest) = (position, time)
            } else if read.position.map({ position < $0 || position - $0 >= 8 << 20 }) ?? true
                || (time - read.newest).magnitude >= 2_000_000_000
            {
                (read.position, read.newest) = (position, time)
            }
        }
    }

    /// The measured rate; `nil` until a second of media has been read.
    var bytesPerSecond: Double? {
        read.withLock { $0.time > 1_000_000_000 && $0.bytes > 0 ? Double($0.bytes) / $0.time.seconds : nil }
    }
}
