import CFFmpeg
import Foundation
import MediaCore

/// A reader of the audio track that a player would choose, by positions in sample frames. Used by one thread at a time.
///
/// Frame 0 is the first frame of the track. Usually one decoded packet waits in memory; near the end, a few wait.
final class AudioFileReader {
    let track: AudioTrackDescription
    /// The format of the samples that are read.
    let format: AudioFormat
    /// The number of frames, which is exact once the end has been read.
    private(set) var length: Int64 = 0
    private let url: URL
    private let interrupt = InterruptToken()
    private var reader: ItemReader
    private var decoder: AudioDecoder

    /// Interleaved samples that are decoded but not read, beginning at the index `first`.
    private var samples: [Float] = []
    private var first = 0
    /// The media time of `samples` when they were decoded; nil if they follow the previous ones.
    private var time: MediaTime?
    /// The media time of frame 0.
    private var origin = MediaTime.zero
    /// The position of the next frame in `samples`.
    private var position: Int64 = 0
    /// Whether moving to a position failed, so that the next samples are not those at `position`.
    private var isLost = false
    private var isDrained = false
    /// The number of frames that the container states for the track; nil if it states none, or a wrong number.
    private var stated: Int64?

    /// The maximum number of frames that an encoder adds at the end, beyond those that the container states.
    private static let padding = 4096
    /// The time that decoders need before a position, so that the samples there are complete: Opus needs 80 ms, and MP3
    /// some frames.
    private static let runIn = MediaTime(seconds: 0.25)
    /// The longest wait for a file to open, in nanoseconds.
    private static let openingLimit: Int64 = 60_000_000_000

    /// Opens a file, and decodes its first samples. Blocks.
    init(_ url: URL) throws(AVError) {
        self.url = url
        interrupt.setDeadline(HostClock.now() + AudioFileReader.openingLimit)
        let noAudio = AVError(
            .noPlayableTracks, at: url.location, reason: "the file has no audio track that can be decoded",
            suggestion: "Choose a file with audio")
        do {
            reader = try ItemReader(url: url, selection: TrackSelection(video: .none), interrupt: interrupt)
        } catch {
            throw error.code == .noPlayableTracks ? noAudio : error
        }
        guard let track = reader.description.audio else { throw noAudio }
        self.track = track
        format = AudioFormat(
            sampleRate: max(1, track.sampleRate),
            channelMask: track.channelMask.nonzeroBitCount > 8 ? AudioFormat.stereo : track.channelMask)
        decoder = try AudioFileReader.decoder(reader, track, format, url)
        while samples.isEmpty, try decode() {}
        origin = time ?? .zero
        interrupt.setDeadline(0)
        if isDrained {
            length = Int64(frameCount)
        } else if !reader.hasRoughDuration, let duration = reader.audioDuration {
            length = duration.samples(at: format.sampleRate)
            stated = length
        } else if !reader.hasRoughDuration, let duration = reader.description.duration {
            length = duration.samples(at: format.sampleRate)
        } else {
            length = try countedLength()
        }
    }

    /// Returns the number of frames according to the times of the packets. Reads the file, but decodes nothing.
    private func countedLength() throws(AVError) -> Int64 {
        let counter = try ItemReader(url: url, selection: TrackSelection(video: .none), interrupt: interrupt)
        counting: while true {
            switch counter.next() {
            case .end: break counting
            case .failed(let error): throw error
            case .video, .audio, .track, .problem, .other, .jump: continue
            }
        }
        return max(0, ((counter.audioEnd ?? origin) - origin).samples(at: format.sampleRate))
    }

    /// The number of frames that are decoded but not read.
    private var frameCount: Int { samples.count / format.channelCount - first }

    /// Decodes the next packet into `samples`, after those that are there.
    /// - Returns: False after the end.
    private func decode() throws(AVError) -> Bool {
        guard !isDrained else { return false }
        switch reader.next() {
        case .audio(let packet): decode(packet)
        case .end:
            isDrained = true
            decode(nil)
            if let error = decoder.failure(at: url.location) { throw error }
        case .failed(let error): throw error
        case .video, .track, .problem, .other, .jump: break
        }
        return true
    }
    private func decode(_ packet: MediaPacket?) {
        decoder.decode(packet) { pointer, frames, start in
            if samples.isEmpty { time = start }
            samples.append(contentsOf: UnsafeBufferPointer(start: pointer, count: frames * format.channelCount))
        }
    }
    private func drop() {
        samples.removeAll(keepingCapacity: true)
        (first, time) = (0, nil)
    }

    /// Reads frames from a position on. Blocks.
    /// - Parameters:
    ///   - start: The position of the first frame.
    ///   - count: The maximum number of frames.
    ///   - deliver: Called with interleaved samples, and with the number of frames that were delivered before.
    /// - Returns: The number of frames, less than `count` only at the end and before a part that can't be read.
    /// - Throws: The reason why no frame could be read. `.fileTruncated` at the end of a file that is cut off.
    func read(
        at start: Int64, count: Int, _ deliver: (UnsafeBufferPointer<Float>, Int) -> Void
    ) throws(AVError) -> Int {
        if start != position || isLost {
            do throws(AVError) { try move(to: start) } catch {
                isLost = true
                throw error
            }
            isLost = false
        }
        var done = 0
        while done < count {
            if frameCount == 0 {
                drop()
                do {
                    guard try decode() else { break }
                } catch {
                    guard done > 0 else { throw error }
                    return done
                }
                continue
            }
            if let stated, position >= stated, try endsHere() { break }
            let part = min(frameCount, count - done, stated.map { Int(max(1, $0 - position)) } ?? .max)
            samples.withUnsafeBufferPointer {
                deliver(
                    UnsafeBufferPointer(
                        rebasing: $0[first * format.channelCount..<(first + part) * format.channelCount]), done)
            }
            first += part
            position += Int64(part)
            done += part
        }
        length = isDrained && frameCount == 0 ? position : max(length, position)
        if done == 0, count > 0, let shortfall = reader.shortfall { throw shortfall }
        return done
    }

    /// Decides what is after the frames that the container states. Padding of the encoder is dropped.
    private func endsHere() throws(AVError) -> Bool {
        while frameCount <= AudioFileReader.padding, try decode() {}
        // With more frames than padding, the container states a wrong number.
        stated = nil
        guard frameCount <= AudioFileReader.padding else { return false }
        stated = position
        drop()
        return true
    }

    // MARK: positions

    private func move(to target: Int64) throws(AVError) {
        // Decoding a second takes less time than a seek in many formats.
        if !isLost, target > position, target - position <= Int64(format.sampleRate) { return try skip(to: target) }
        let time = origin + MediaTime(samples: target, rate: format.sampleRate) - AudioFileReader.runIn
        if time > origin {
            try seek(to: time)
            if try find(target) { return }
        }
        // Some containers can't seek to a time before the position, so all samples before it are decoded. A new reader
        // drops the frames that encoders add at the beginning, which a reader does not do after a seek.
        reader = try ItemReader(url: url, selection: TrackSelection(video: .none), interrupt: interrupt)
        decoder = try AudioFileReader.decoder(reader, track, format, url)
        drop()
        isDrained = false
        position = 0
        try skip(to: target)
    }
    private static func decoder(
        _ reader: ItemReader, _ track: AudioTrackDescription, _ format: AudioFormat, _ url: URL
    ) throws(AVError) -> AudioDecoder {
        try AudioDecoder(track: track, format: format, startOffset: reader.startOffset, location: url.location)
    }
    private func seek(to time: MediaTime) throws(AVError) {
        if let error = reader.seek(to: time) { throw error }
        decoder.flush()
        drop()
        isDrained = false
    }

    /// Decodes after a seek until `target` is reached. The times of packets determine the position.
    /// - Returns: False if the seek ended after `target`, or if the packets have no times.
    private func find(_ target: Int64) throws(AVError) -> Bool {
        var reached: Int64?
        while true {
            drop()
            guard try decode() else {
                guard let reached else { return false }
                // The target is the end, whose time can be rounded.
                position = target - reached < AudioFileReader.padding ? target : reached
                return true
            }
            guard frameCount > 0 else { continue }
            guard let start = time.map({ ($0 - origin).samples(at: format.sampleRate) }) ?? reached else {
                return false
            }
            if start > target, reached == nil { return false }
            let end = start + Int64(frameCount)
            reached = end
            guard end > target else { continue }
            // Rounded times of adjacent packets can leave a gap of some frames.
            first = max(0, Int(target - start))
            position = target
            return true
        }
    }

    /// Decodes from the current position to `target`, or to the end.
    private func skip(to target: Int64) throws(AVError) {
        while position < target {
            if frameCount == 0 {
                drop()
                guard try decode() else { return }
            }
            let part = min(Int64(frameCount), target - position)
            first += Int(part)
            position += part
        }
    }
}
