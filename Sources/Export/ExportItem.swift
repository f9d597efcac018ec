import CFFmpeg
import MediaCore
import MediaEngine

/// An item that the reading thread passes to the composing thread, and the composing thread to the writing thread.
enum ExportItem: Sendable {
    /// The tracks of the source. Always the first item.
    case tracks(ExportTracks)
    case frame(ExportFrame)
    /// Interleaved samples. The first chunk begins at the start of the export, or of the part that is written. Each
    /// chunk follows the previous chunk without a gap.
    case audio([Float])
    /// A packet of copied audio.
    case packet(OfflineReader.Packet)

    /// The share of a queue's limit that the item uses. Frames use most of the memory.
    var weight: Int { if case .frame = self { 16 } else { 1 } }
}

struct ExportFrame: Sendable {
    var frame: VideoFrame
    /// The start of the frame in the source's timeline.
    let itemTime: MediaTime
    /// The start of the frame in the export's timeline.
    let start: MediaTime
    let duration: MediaTime
    /// Whether a part of a divided export begins with this frame, so that the encoder restarts.
    var opensGroup = false
    var use = Use.written

    enum Use: Sendable {
        case written
        /// The frame is before the part that is written. It is composed only for filters that use earlier frames.
        case leadIn
        /// The first frame of the whole export, before the frames of a later part. It is not written or passed to the
        /// composer. All frames have its size, so that the frames of all parts have one size.
        case size
        /// The part has no frames. This frame is composed only to find the size of the exported frames.
        case shape
    }
}

/// The properties of the source that are known once it is open.
struct ExportTracks: Sendable {
    let location: String
    let video: OfflineReader.Video
    let audio: Audio
    /// The start of the written part in the export's timeline. Zero for the whole export.
    var begin: MediaTime = 0
    /// The duration of the part or the whole export. Nil if it is unknown before the end.
    let duration: MediaTime?
    let details: Details
    /// Whether the export is divided. If true, every machine must encode with the same settings.
    var isDivided = false
    /// The record of the part that is written. Nil for the whole export.
    var part: PartRecord?

    enum Audio: Sendable {
        case none
        case copied(OfflineReader.Sound)
        case encoded(AudioFormat)
    }

    /// The metadata and chapters to write.
    struct Details: Sendable {
        var metadata: [(key: String, value: String)] = []
        var audioLanguage: String?
        /// The chapters, with times in the export's timeline.
        var chapters: [(title: String, start: MediaTime, end: MediaTime)] = []
    }
}

/// The range of the source to export, in media time.
struct ExportRange: Sendable, Equatable {
    var start: MediaTime = 0
    /// The end of the range. `.max` means the end of the source.
    var end: MediaTime = .max
    var isWhole: Bool { start <= 0 && end == .max }
}
