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
    let itemTime: Int64
    /// In the export's timeline, nanoseconds.
    let start: Int64
    let duration: Int64
}

/// What is known once the source is open.
struct ExportTracks: Sendable {
    let location: String
    let video: OfflineReader.Video
    let sound: Sound
    /// Of the export, nanoseconds; nil when nobody knows before the end.
    let duration: Int64?
    let details: Details

    enum Sound: Sendable {
        case none
        case copied(OfflineReader.Sound)
        case encoded(AudioFormat)
    }

    /// What the source says about itself.
    struct Details: Sendable {
        var metadata: [(key: String, value: String)] = []
        var soundLanguage: String?
        /// In the export's timeline, nanoseconds.
        var chapters: [(title: String, start: Int64, end: Int64)] = []
    }
}

/// The stretch of the source that is written, media time in nanoseconds.
struct ExportRange: Sendable, Equatable {
    var start: Int64 = 0
    /// `.max`: where the source ends.
    var end: Int64 = .max
    var isWhole: Bool { start <= 0 && end == .max }
}
