import Foundation
import MediaCore

/// One step of reading.
enum ReadStep {
    case video(MediaPacket)
    case audio(MediaPacket)
    /// From the next packet on a track is coded otherwise: another rung, another part of the programme.
    case track(ReadTrack)
    /// From here on a track cannot be decoded, while the rest plays.
    case problem(TrackProblem)
    /// A packet of nobody; read on.
    case other
    /// What came next is gone (a live window moved on without us): playing goes on at this media time.
    case jump(MediaTime)
    case end
    /// Reading broke off; what was read before still counts.
    case failed(AVError)
}

enum ReadTrack {
    case video(VideoTrackDescription)
    case audio(AudioTrackDescription)
}

/// What the feeder reads an item from: a container (`ItemReader`) or an HLS stream (`HLSReader`).
///
/// Hands out packets in media time, seeks to keyframes.
protocol PacketReader: AnyObject {
    /// The tracks as the next packet has them.
    var description: ItemDescription { get }
    /// From the packets' own zero to media time zero.
    var startOffset: MediaTime { get }
    /// Where the video and audio of this pass end, by their packets; nil before the first.
    var videoEnd: MediaTime? { get }
    var audioEnd: MediaTime? { get }
    /// Why the end read up to is not the end it should be: the file is cut off. Nil before it was reached, and when it
    /// is whole.
    var shortfall: AVError? { get }
    /// How much is at hand; nil where everything always is.
    var buffer: (any SourceBuffer)? { get }

    /// Where playing begins, media time: a live stream's is near its end.
    var startTime: MediaTime { get }
    /// Where a seek to `target` can go.
    func clamped(_ target: MediaTime) -> MediaTime

    func next() -> ReadStep
    /// Whether no keyframe lies between `reach` and `target`, as far as can be told.
    func isSameGroup(_ target: MediaTime, as reach: MediaTime) -> Bool
    /// Back to the first packet, for the next pass of a loop.
    func rewind(keepingPackets: Bool) -> AVError?
    /// Called before anything is read: packets may be kept for later passes.
    func startRecording()
    /// Moves to a place from which a frame at `target` can be decoded.
    func seek(to target: MediaTime) -> AVError?
    /// Where the last seek, or the opening, went instead: what was asked for is gone. Nil: where it was to go.
    var movedTo: MediaTime? { get }

    /// A picture out of an index of single pictures, for scrubbing: the nearest to `time` that begins within `allowed`,
    /// at its own time. Whatever was being read is void; `seek` goes on. Nil where there is none.
    /// - Throws: `.cancelled` when interrupted.
    func keyPicture(
        nearest time: MediaTime, in allowed: ClosedRange<MediaTime>, isInterrupted: @escaping @Sendable () -> Bool
    ) throws(AVError) -> VideoFrame?
}

extension PacketReader {
    var shortfall: AVError? { nil }
    var buffer: (any SourceBuffer)? { nil }
    var startTime: MediaTime { 0 }
    func clamped(_ target: MediaTime) -> MediaTime { target }
    func startRecording() {}
    var movedTo: MediaTime? { nil }
    func keyPicture(
        nearest time: MediaTime, in allowed: ClosedRange<MediaTime>, isInterrupted: @escaping @Sendable () -> Bool
    ) throws(AVError) -> VideoFrame? { nil }
}

/// What of a remote source has come and how fast more comes. Any thread.
protocol SourceBuffer: AnyObject, Sendable {
    /// - Parameter playhead: media time being shown.
    func status(playhead: MediaTime) -> BufferStatus
    /// Called on any thread when the status has changed; a few times a second at most, and at once when something
    /// begins or ends. Nil ends the calls.
    func setOnChange(_ call: (@Sendable () -> Void)?)
    /// Gives the source a way to ask for the media time being shown; nil: none yet. Called on any thread.
    func setPlayhead(_ call: (@Sendable () -> MediaTime?)?)
    /// Somebody reads and waits for what has not come yet.
    var isWaitedFor: Bool { get }
    /// How far ahead to load; 0: as the source thinks best.
    func setForwardDuration(_ ahead: MediaTime)
    /// Pictures come out of the decoder too late, again and again: smaller ones would do better, where there are any.
    func decodingIsTooSlow()
}

extension SourceBuffer {
    func decodingIsTooSlow() {}
}

struct BufferStatus: Sendable, Equatable {
    /// Media times that play without the network.
    var loaded: [Range<MediaTime>] = []
    /// Where one may seek to; nil: from nothing to the duration.
    var seekable: Range<MediaTime>?
    /// Pixels of the largest pictures that may come, if that is known before any has; zero: not.
    var expectedSize = CGSize.zero
    /// From the playhead on, without a hole.
    var ahead: MediaTime = 0
    /// How much media is at hand behind the last packet that was read, where `ahead` cannot tell: added to what has been
    /// read and not played.
    var unread: MediaTime = 0
    /// What comes per second over what is used per second; nil while unknown.
    var surplus: Double?
    /// Everything to the end has come.
    var isComplete = false
    /// As much has come as is wanted for now.
    var isFull = false
    /// What comes next is gone or has failed: nothing more comes before the feeder has met that.
    var breaksOff = false

    /// Playing on from here will probably not stop for want of data. The more surely more comes, the less is asked.
    var isLikelyToKeepUp: Bool {
        // Waiting for more than comes would be for ever: the feeder rests while its queues are full, and gets on only
        // by playing.
        if isComplete || breaksOff { return true }
        // A source that is full brings nothing more; the feeder's queues hold a second by then, whatever it says.
        if isFull { return ahead >= 200_000_000 }
        guard let surplus else { return ahead >= 4_000_000_000 }
        if surplus >= 2 { return ahead >= 300_000_000 }
        if surplus >= 1.2 { return ahead >= 1_000_000_000 }
        return ahead >= (surplus >= 0.9 ? 4_000_000_000 : 8_000_000_000)
    }
}
