import CFFmpeg
import Foundation
import MediaCore

/// The description of a part, stored in the part's file: its export, its range, and the values that a join needs.
struct PartRecord: Codable, Sendable, Equatable {
    /// The digest of the source file.
    var source: String
    /// The digest of all settings that affect the frames or the audio of the export.
    var settings: String
    /// The number of the part, from 1 to `count`.
    var number: Int
    var count: Int
    /// The uniform type identifier of the joined file.
    var type: String
    /// The start of the part, in nanoseconds of the export. Each frame belongs to the part in which it begins.
    var begin: Int64
    /// The end of the part, in nanoseconds of the export. Nil for the end of the export.
    var end: Int64?
    var quality: Int
    var optimizesForNetwork: Bool
    var sound: Sound?
    /// The properties of the video stream. Nil until the encoder is open.
    var video: Video?
    var details: Details

    struct Video: Codable, Sendable, Equatable {
        var timeBase: Fraction
        var frameRate: Fraction
        /// The size of the frames, in pixels.
        var width: Int32, height: Int32
        /// The timestamp of the first frame, in ticks of `timeBase` from the start of the export.
        var first: Int64
        /// The maximum number of frames by which decoding order and presentation order differ.
        var delay: Int
        /// The start and the end of the last frame. Nil in Matroska, which writes its metadata before they are known.
        var last: Int64?
        var end: Int64?
    }

    struct Sound: Codable, Sendable, Equatable {
        /// The name of the encoder for the joined file in FFmpeg. Nil if the packets are copied from the source.
        var encoder: String?
        var rate: Int
        var channelMask: UInt64
        /// The first sample of the part, counted from the start of the export.
        var begin: Int64
        /// The sample after the last one of the part. Nil for the end of the audio.
        var end: Int64?
        /// The timestamp of the first copied packet, in samples of the export, if the file begins at zero.
        var first: Int64?
        /// The number of samples that a decoder makes from copied packets before the first audible sample.
        var padding: Int32?
    }

    struct Fraction: Codable, Sendable, Equatable {
        var numerator: Int32, denominator: Int32

        init(_ value: AVRational) { (numerator, denominator) = (value.num, value.den) }
        var value: AVRational { AVRational(num: numerator, den: denominator) }
    }

    struct Details: Codable, Sendable, Equatable {
        struct Text: Codable, Sendable, Equatable {
            var key: String, value: String
        }
        struct Chapter: Codable, Sendable, Equatable {
            var title: String, start: Int64, end: Int64
        }
        var texts: [Text]
        var language: String?
        var chapters: [Chapter]

        init(_ details: ExportTracks.Details) {
            texts = details.metadata.map { Text(key: $0.key, value: $0.value) }
            language = details.audioLanguage
            chapters = details.chapters.map {
                Chapter(title: $0.title, start: $0.start.nanoseconds, end: $0.end.nanoseconds)
            }
        }

        var tracks: ExportTracks.Details {
            ExportTracks.Details(
                metadata: texts.map { ($0.key, $0.value) }, audioLanguage: language,
                chapters: chapters.map {
                    ($0.title, MediaTime(nanoseconds: $0.start), MediaTime(nanoseconds: $0.end))
                })
        }
    }

    // MARK: Metadata of the file

    /// The key of the metadata text that holds the record.
    static let key = "zoetrope_part"
    /// The value, in milliseconds, added to the timestamps of a part in Matroska, which has no timestamps before zero.
    static let lead: Int64 = 1000

    /// Returns the record as a metadata text.
    func text(at location: String) throws(AVError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        } catch {
            throw AVError(.encodeFailed, at: location, reason: "the part can't be described: \(error)")
        }
    }

    /// Creates a record from a metadata text. Returns nil for a text that does not describe a part.
    init?(text: String) {
        guard let record = try? JSONDecoder().decode(PartRecord.self, from: Data(text.utf8)), record.isValid else {
            return nil
        }
        self = record
    }

    /// Whether the values are valid. A file may come from anywhere.
    private var isValid: Bool {
        ExportPart(number, of: count) != nil && ExportPreset.Quality(rawValue: quality) != nil
            && (video.map {
                $0.timeBase.numerator > 0 && $0.timeBase.denominator > 0 && (0...16).contains($0.delay)
                    && (-(1 << 60)...(1 << 60)).contains($0.first)
            } ?? true)
            && (sound.map {
                (1...1_000_000).contains($0.rate) && $0.channelMask != 0 && (0...(1 << 60)).contains($0.begin)
                    && (-(1 << 60)...(1 << 60)).contains($0.first ?? 0)
            } ?? true)
    }

    /// Checks that the audio begins with the part. A join fills the time before the audio with silence, so a damaged
    /// record could make it fill the disk.
    /// - Throws: `.fileFailedToParse`.
    func check(at location: String) throws(AVError) {
        guard let sound, sound.begin != MediaTime(nanoseconds: begin).samples(at: sound.rate) else { return }
        throw AVError(
            .fileFailedToParse, at: location,
            reason:
                "the description of the part is damaged: its audio begins at \(MediaTime(samples: sound.begin, rate: sound.rate)), but the part begins at \(MediaTime(nanoseconds: begin))",
            suggestion: "Copy the part again, or render it again")
    }

    init(
        source: String, settings: String, part: ExportPart, request: ExportJob.Request, begin: MediaTime,
        end: MediaTime?,
        details: ExportTracks.Details
    ) {
        self.source = source
        self.settings = settings
        number = part.number
        count = part.count
        type = request.type.rawValue
        self.begin = begin.nanoseconds
        self.end = end?.nanoseconds
        quality = request.preset.quality.rawValue
        optimizesForNetwork = request.optimizesForNetwork
        self.details = Details(details)
    }
}
