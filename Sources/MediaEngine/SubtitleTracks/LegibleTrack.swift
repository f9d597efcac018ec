import CFFmpeg
import MediaCore

/// A subtitle track of a container, as choosing among them needs it.
struct LegibleTrack: Sendable, Hashable {
    var streamIndex: Int
    /// BCP 47 or ISO 639, as the container has it.
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

/// Which subtitles of an item are to be read.
enum LegibleChoice: Sendable, Hashable {
    /// Those marked as default, of several those that match the tags best; else the ones without which the programme
    /// cannot be understood (forced), in the language of the sound.
    case automatic(ranked: [String] = [])
    /// The best match of these tags, in order of preference; none: as `automatic()`.
    case languages([String])
    /// One stream of the container.
    case stream(Int)
    /// Those in the picture's own data.
    case captions
    case none

    enum Answer: Hashable {
        case stream(Int)
        case captions
    }

    func answer(_ tracks: [LegibleTrack], audioLanguage: String?) -> Answer? {
        switch self {
        case .none: return nil
        case .captions: return .captions
        case .stream(let index): return tracks.contains { $0.streamIndex == index } ? .stream(index) : nil
        case .languages(let wanted):
            // Whoever asks for subtitles gets captions where there is nothing else.
            if tracks.isEmpty { return .captions }
            let whole = tracks.filter { !$0.isForced }
            if let best = LanguageTag.bestMatch(for: wanted, among: whole.map(\.language)) {
                return .stream(whole[best].streamIndex)
            }
            return LegibleChoice.automatic(ranked: wanted).answer(tracks, audioLanguage: audioLanguage)
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
