import CFFmpeg
import MediaCore
import MediaEngine

/// What goes from the thread that decodes by the one that composes to the one that writes.
enum ExportItem: Sendable {
    /// First of all: what the source has.
    case tracks(ExportTracks)
    case picture(ExportPicture)
    /// Interleaved samples, each chunk following the last without a gap, from the export's begin on.
    case sound([Float])
    /// Of sound that is copied.
    case packet(OfflineReader.Packet)

    /// Towards a queue's limit: pictures are what takes memory.
    var weight: Int { if case .picture = self { 16 } else { 1 } }
}

struct ExportPicture: Sendable {
    var frame: VideoFrame
    /// In the source's timeline.
    let itemTime: MediaTime
    /// In the export's timeline.
    let start: MediaTime
    let duration: MediaTime
    /// A part of a divided export begins here: the encoder begins again.
    var opensGroup = false
    var use = Use.written

    enum Use: Sendable {
        case written
        /// It lies before the part that is written: composed for filters that look back.
        case leadIn
        /// The part has no pictures: composed to learn their size.
        case shape
    }
}

/// What is known once the source is open.
struct ExportTracks: Sendable {
    let location: String
    let video: OfflineReader.Video
    let sound: Sound
    /// Where what is written begins in the export's timeline: zero, except for a part.
    var begin: MediaTime = 0
    /// Of what is written; nil when nobody knows before the end.
    let duration: MediaTime?
    let details: Details
    /// The export is divided: whatever machine encodes it uses the same settings.
    var isDivided = false
    /// The part that is written; nil: the whole export.
    var part: PartRecord?

    enum Sound: Sendable {
        case none
        case copied(OfflineReader.Sound)
        case encoded(AudioFormat)
    }

    /// What the source says about itself.
    struct Details: Sendable {
        var metadata: [(key: String, value: String)] = []
        var soundLanguage: String?
        /// In the export's timeline.
        var chapters: [(title: String, start: MediaTime, end: MediaTime)] = []
    }
}

/// The stretch of the source that is written, media time.
struct ExportRange: Sendable, Equatable {
    var start: MediaTime = 0
    /// `.max`: where the source ends.
    var end: MediaTime = .max
    var isWhole: Bool { start <= 0 && end == .max }
}
