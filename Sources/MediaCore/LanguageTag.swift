import Foundation

/// A BCP 47 language tag taken apart far enough to compare languages: language, script, region.
///
/// Takes what containers really hold: ISO 639-2 codes of both kinds (`ger`, `deu`), old codes (`iw`),
/// any case, underscores. Unknown languages (`und`, `zxx`, `mul`, empty) make no tag.
public struct LanguageTag: Sendable, Hashable, CustomStringConvertible {
    /// Two letters where ISO 639-1 has a code, else three; lower case.
    public let language: String
    /// Four letters, such as `Hant`; nil when the tag does not say.
    public let script: String?
    /// Two letters or three digits, such as `GB`; nil when the tag does not say.
    public let region: String?
    /// What the tag says, or what this language (in this region) is usually written in.
    let likelyScript: String?
    let likelyRegion: String?

    /// Nil when `text` names no language.
    public init?(_ text: String) {
        let parts = text.replacingOccurrences(of: "_", with: "-").split(separator: "-").map(String.init)
        guard let first = parts.first?.lowercased(), (2...8).contains(first.count), first.allSatisfy(\.isLetter),
            !["und", "zxx", "mul", "mis", "unk"].contains(first)
        else { return nil }
        language = LanguageTag.shortest(first)
        var script: String?
        var region: String?
        for part in parts.dropFirst() {
            if part.count == 1 { break }  // an extension or private use follows
            if part.count == 4, script == nil, region == nil, part.allSatisfy(\.isLetter) {
                script = part.prefix(1).uppercased() + part.dropFirst().lowercased()
            } else if region == nil,
                part.count == 2 && part.allSatisfy(\.isLetter) || part.count == 3 && part.allSatisfy(\.isNumber)
            {
                region = part.uppercased()
            }
        }
        self.script = script
        self.region = region
        let plain = ([language, script, region] as [String?]).compactMap { $0 }.joined(separator: "-")
        let full = Locale.Language(identifier: Locale.Language(identifier: plain).maximalIdentifier)
        likelyScript = script ?? full.script?.identifier
        likelyRegion = region ?? full.region?.identifier
    }

    /// The tag in canonical form: `de`, `en-US`, `zh-Hant-TW`.
    public var description: String {
        ([language, script, region] as [String?]).compactMap { $0 }.joined(separator: "-")
    }

    /// ISO 639-2/T, three letters, as `AVAssetTrack.languageCode`; the language itself when it has none.
    public var threeLetterCode: String {
        Locale.LanguageCode(language).identifier(.alpha3) ?? language
    }

    /// How well `offered` serves someone who asked for this tag: 0 not at all; higher is better.
    package func score(of offered: LanguageTag) -> Int {
        guard language == offered.language else { return 0 }
        var score = 1
        // A reader of one script may not read the other; a foreign accent is a smaller matter.
        if likelyScript == offered.likelyScript { score += 100 }
        if region == offered.region {
            score += 50
        } else if offered.region == nil {
            score += 30
        } else if region == nil, offered.region == likelyRegion {
            score += 20
        }
        if script == offered.script { score += 5 }
        return score
    }

    /// The index in `offered` that serves best. The first preference that any tag answers decides;
    /// between equals the earlier one. Tags that are nil or name no language answer no request.
    package static func bestMatch(for preferences: [String], among offered: [String?]) -> Int? {
        ranking(for: preferences, among: offered).first
    }

    /// The indices in `offered` that answer any preference, best first.
    package static func ranking(for preferences: [String], among offered: [String?]) -> [Int] {
        let tags = offered.map { $0.flatMap(LanguageTag.init) }
        var order: [Int] = []
        for preference in preferences {
            guard let wanted = LanguageTag(preference) else { continue }
            let scored = tags.enumerated().compactMap { index, tag -> (index: Int, score: Int)? in
                guard let tag, !order.contains(index) else { return nil }
                let score = wanted.score(of: tag)
                return score > 0 ? (index, score) : nil
            }
            order += scored.sorted { ($1.score, $0.index) < ($0.score, $1.index) }.map(\.index)
        }
        return order
    }

    private static func shortest(_ code: String) -> String {
        let known = replaced[code] ?? code
        guard known.count == 3 else { return known }
        let short = Locale.LanguageCode(known).identifier(.alpha2) ?? known
        return replaced[short] ?? short
    }

    /// ISO 639-2/B codes, which Locale does not know, and codes that were withdrawn or are a part of another.
    private static let replaced: [String: String] = [
        "alb": "sq", "arm": "hy", "baq": "eu", "bur": "my", "chi": "zh", "cze": "cs", "dut": "nl", "fre": "fr",
        "geo": "ka", "ger": "de", "gre": "el", "ice": "is", "mac": "mk", "mao": "mi", "may": "ms", "per": "fa",
        "rum": "ro", "slo": "sk", "tib": "bo", "wel": "cy", "scr": "hr", "scc": "sr",
        "iw": "he", "in": "id", "ji": "yi", "mo": "ro", "cmn": "zh", "no": "nb", "nor": "nb",
    ]
}
