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
    /// The default track that best matches the tags. If no track is marked as default, a forced track in the language
    /// of the audio is used. Forced subtitles are those that are needed to understand the content.
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
            let whole = tracks.filter { !$0.isForced }
            if let best = LanguageTag.bestMatch(for: tags, among: whole.map(\.language)) {
                return .stream(whole[best].streamIndex)
            }
            return LegibleChoice.automatic(ranked: tags).resolve(tracks, audioLanguage: audioLanguage)
        case .automatic(let ranked):
            let marked = tracks.filter { $0.isDefault && !$0.isForced }
            if let best = LanguageTag.bestMatch(for: ranked, among: marked.map(\.language)) {
                return .stream(marked[best].streamIndex)
            }
            if let first = marked.first { return .stream(first.streamIndex) }
            let forced = tracks.filter(\.isForced)
            if let audioLanguage, let best = LanguageTag.bestMatch(for: [audioLanguage], among: forced.map(\.language))
            {
                return .stream(forced[best].streamIndex)
            }
            return nil
        }
    }
}
