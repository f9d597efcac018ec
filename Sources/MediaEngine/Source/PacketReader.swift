import Foundation
import MediaCore

/// The result of one read.
enum ReadStep {
    case video(MediaPacket)
    case audio(MediaPacket)
    /// The coding of a track changes with the next packet: another variant, or another part of the content.
    case track(ReadTrack)
    /// A track cannot be decoded from here on, while the others play.
    case problem(TrackProblem)
    /// A packet that is not needed; call `next()` again.
    case other
    /// The media that follows is no longer available, because the live window has moved on. Playback continues at this
    /// media time.
    case jump(MediaTime)
    case end
    /// Reading failed. The packets that were read before remain valid.
    case failed(AVError)
}

/// A track with a new coding.
enum ReadTrack {
    case video(VideoTrackDescription)
    case audio(AudioTrackDescription)
}

/// A source of packets for the feeder: a container (`ItemReader`) or an HLS stream (`HLSReader`).
///
/// A reader returns packets in media time and seeks to keyframes. It is used by one thread.
protocol PacketReader: AnyObject {
    /// The tracks that apply to the next packet.
    var description: ItemDescription { get }
    /// The offset from the packets' own zero to media time zero.
    var startOffset: MediaTime { get }
    /// The end of the video in this pass, according to its packets; `nil` before the first packet.
    var videoEnd: MediaTime? { get }
    /// The end of the audio in this pass, according to its packets; `nil` before the first packet.
    var audioEnd: MediaTime? { get }
    /// The error for a truncated file, once its end has been reached; `nil` before that and for a complete file.
    var shortfall: AVError? { get }
    /// The buffer of a remote source; `nil` if all data is always available.
    var buffer: (any SourceBuffer)? { get }

    /// The media time at which playback begins, near the end for a live stream.
    var startTime: MediaTime { get }
    /// Returns `target`, clamped to the range in which the source can seek.
    func clamped(_ target: MediaTime) -> MediaTime

    /// Returns the next packet or event. Blocks.
    func next() -> ReadStep
    /// Returns whether there is no keyframe between `reach` and `target`, as far as the reader knows.
    func isSameGroup(_ target: MediaTime, as reach: MediaTime) -> Bool
    /// Returns to the first packet for the next pass of a loop.
    ///
    /// - Parameter keepingPackets: Whether to keep packets for later passes.
    /// - Returns: The error, or `nil` on success.
    func rewind(keepingPackets: Bool) -> AVError?
    /// Starts to keep packets for later passes, if the reader can. Called before anything is read.
    func startRecording()
    /// Seeks to a position from which a frame at `target` can be decoded.
    ///
    /// - Returns: The error, or `nil` on success.
    func seek(to target: MediaTime) -> AVError?
    /// Whether decoding from the start can reach a target to which a seek failed. False if a seek fails only because
    /// media is missing: decoding from the start would need the same media.
    var canDecodeFromStart: Bool { get }
    /// The media time to which the last seek or the opening moved because the target was no longer available; `nil` if
    /// it did not move.
    var movedTo: MediaTime? { get }

    /// Returns a frame from an index of single frames, for scrubbing: the frame nearest to `time` that begins within
    /// `allowed`, with its own time. Afterward, `seek(to:)` is needed to continue reading.
    ///
    /// - Returns: `nil` if there is no such frame.
    /// - Throws: `.cancelled` if interrupted.
    func keyFrame(
        nearest time: MediaTime, in allowed: ClosedRange<MediaTime>, isInterrupted: @escaping @Sendable () -> Bool
    ) throws(AVError) -> VideoFrame?
}

extension PacketReader {
    var shortfall: AVError? { nil }
    var buffer: (any SourceBuffer)? { nil }
    var startTime: MediaTime { 0 }
    func clamped(_ target: MediaTime) -> MediaTime { target }
    func startRecording() {}
    var canDecodeFromStart: Bool { true }
    var movedTo: MediaTime? { nil }
    func keyFrame(
        nearest time: MediaTime, in allowed: ClosedRange<MediaTime>, isInterrupted: @escaping @Sendable () -> Bool
    ) throws(AVError) -> VideoFrame? { nil }
}

/// The buffer of a remote source: which data is loaded, and how fast more arrives. Thread-safe.
protocol SourceBuffer: AnyObject, Sendable {
    /// Returns the status of the buffer.
    ///
    /// - Parameter playhead: The media time being displayed.
    func status(playhead: MediaTime) -> BufferStatus
    /// Sets the closure that is called on any thread when the status has changed. It is called at most a few times per
    /// second, and at once when loading begins or ends. `nil` ends the calls.
    func setOnChange(_ call: (@Sendable () -> Void)?)
    /// Sets the closure with which the source gets the media time being displayed. It returns `nil` if there is none
    /// yet, and is called on any thread.
    func setPlayhead(_ call: (@Sendable () -> MediaTime?)?)
    /// Whether a reader is waiting for data that is not loaded.
    var isWaitedFor: Bool { get }
    /// Sets the duration to load ahead; 0 lets the source decide.
    func setForwardDuration(_ ahead: MediaTime)
    /// Reports that frames are repeatedly decoded too late, so that the source can choose a smaller variant.
    func decodingIsTooSlow()
}

extension SourceBuffer {
    func decodingIsTooSlow() {}
}

/// The status of a remote source's buffer.
struct BufferStatus: Sendable, Equatable {
    /// The media times that can be played without the network.
    var loaded: [Range<MediaTime>] = []
    /// The media times to which the source can seek; `nil` for 0 to the duration.
    var seekable: Range<MediaTime>?
    /// The size in pixels of the largest frames that may follow, if known before the first frame; otherwise zero.
    var expectedSize = CGSize.zero
    /// The loaded duration from the playhead on, without gaps.
    var ahead: MediaTime = 0
    /// The loaded duration after the last packet that was read, if `ahead` is unknown. It is added to the media that
    /// was read but not played.
    var unread: MediaTime = 0
    /// The download rate divided by the rate at which playback consumes data; `nil` while unknown.
    var surplus: Double?
    /// Whether everything up to the end is loaded.
    var isComplete = false
    /// Whether the requested amount is loaded, so that loading pauses.
    var isFull = false
    /// Whether the next data is unavailable or failed, so that no more arrives before the feeder handles this.
    var willFail = false

    /// Whether playback from the playhead will probably not stop for lack of data. The higher the surplus, the less
    /// data is required.
    var isLikelyToKeepUp: Bool {
        // No more data will arrive. The feeder pauses while its queues are full and continues only when playback
        // consumes packets, so waiting would never end.
        if isComplete || willFail { return true }
        // A full source loads nothing more. By then the feeder's queues hold a second, even if the source reports less.
        if isFull { return ahead >= 200_000_000 }
        guard let surplus else { return ahead >= 4_000_000_000 }
        if surplus >= 2 { return ahead >= 300_000_000 }
        if surplus >= 1.2 { return ahead >= 1_000_000_000 }
        return ahead >= (surplus >= 0.9 ? 4_000_000_000 : 8_000_000_000)
    }
}
