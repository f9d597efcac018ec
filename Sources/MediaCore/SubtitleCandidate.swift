/// Subtitles of a file or stream, with the properties by which they are chosen automatically.
package struct SubtitleCandidate {
    /// The language, a BCP 47 or ISO 639 code.
    var language: String?
    var isDefault: Bool
    /// Whether the subtitles are only those that are needed to understand the content.
    var isForced: Bool

    package init(language: String?, isDefault: Bool, isForced: Bool) {
        (self.language, self.isDefault, self.isForced) = (language, isDefault, isForced)
    }

    /// Returns the index of the subtitles that are shown if none are selected: those that best match a preferred
    /// language, else those that are marked as default, else forced ones in the language of the audio. Subtitles that
    /// are marked as both default and forced count as forced.
    ///
    /// - Parameters:
    ///   - languages: The preferred languages as BCP 47 tags, best first.
    ///   - ranked: The languages that decide only among subtitles marked as default.
    ///   - audioLanguage: The language of the audio; nil if it is unknown, or to leave out forced subtitles.
    package static func automatic(
        among candidates: [SubtitleCandidate], languages: [String] = [], ranked: [String] = [], audioLanguage: String?
    ) -> Int? {
        func best(_ tags: [String], of indices: [Int]) -> Int? {
            LanguageTag.bestMatch(for: tags, among: indices.map { candidates[$0].language }).map { indices[$0] }
        }
        let whole = candidates.indices.filter { !candidates[$0].isForced }
        let marked = whole.filter { candidates[$0].isDefault }
        if let index = best(languages, of: whole) ?? best(ranked, of: marked) ?? marked.first { return index }
        guard let audioLanguage else { return nil }
        return best([audioLanguage], of: candidates.indices.filter { candidates[$0].isForced })
    }
}
