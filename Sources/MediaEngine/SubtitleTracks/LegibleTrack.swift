import CFFmpeg
import MediaCore

/// A subtitle track of a container, with the properties by which it is selected.
struct LegibleTrack: Sendable, Hashable {
    var streamIndex: Int
    /// The language as in the container, a BCP 47 or ISO 639 code.
    var language: String?
    var isDefault = false
    var isForced = false
}

extension LegibleTrack {
    init(_ stream: UnsafeMutablePointer<AVStream>) {
        let disposition = stream.pointee.disposition
        self.init(
            streamIndex: Int(stream.pointee.index), language: LegibleTrack.language(stream),
            isDefault: disposition & AV_DISPOSITION_DEFAULT != 0, isForced: disposition & AV_DISPOSITION_FORCED != 0)
    }

    static func language(_ stream: UnsafeMutablePointer<AVStream>) -> String? {
        av_dict_get(stream.pointee.metadata, "language", nil, 0).map { String(cString: $0.pointee.value) }
    }
}

/// The selection of an item's subtitles.
enum LegibleChoice: Sendable, Hashable {
    /// The default track that best matches the tags, or else a forced track in the language of the audio
    /// (`SubtitleCandidate`).
    case automatic(ranked: [String] = [])
    /// The track that best matches these tags in order of preference; otherwise as `automatic(ranked:)`.
    case languages([String])
    /// The stream with this index in the container.
    case stream(Int)
    /// The captions in the data of the frames.
    case captions
    case none

    enum ResolvedTrack: Hashable {
        case stream(Int)
        case captions
    }

    func resolve(_ tracks: [LegibleTrack], audioLanguage: String?) -> ResolvedTrack? {
        switch self {
        case .none: return nil
        case .captions: return .captions
        case .stream(let index): return tracks.contains { $0.streamIndex == index } ? .stream(index) : nil
        case .languages(let tags):
            // If subtitles are requested and there is no track, captions are used.
            if tracks.isEmpty { return .captions }
            return automatic(tracks, languages: tags, audioLanguage: audioLanguage)
        case .automatic(let ranked): return automatic(tracks, ranked: ranked, audioLanguage: audioLanguage)
        }
    }

    private func automatic(
        _ tracks: [LegibleTrack], languages: [String] = [], ranked: [String] = [], audioLanguage: String?
    ) -> ResolvedTrack? {
        let candidates = tracks.map {
            SubtitleCandidate(language: $0.language, isDefault: $0.isDefault, isForced: $0.isForced)
        }
        return SubtitleCandidate.automatic(
            among: candidates, languages: languages, ranked: ranked, audioLanguage: audioLanguage
        ).map { .stream(tracks[$0].streamIndex) }
    }
}
