import Foundation

/// A BCP 47 language tag, parsed as far as is needed to compare languages: language, script and region.
///
/// ```swift
/// if let tag = LanguageTag("pt_br") {
///     print(tag)  // pt-BR
///     print(tag.threeLetterCode)  // por
/// }
/// ```
/// The parser accepts codes that occur in containers: ISO 639-2 codes of both kinds (`ger`, `deu`), old codes (`iw`),
/// any case, and underscores. Codes for unknown languages (`und`, `zxx`, `mul`, empty) are not valid.
public struct LanguageTag: Sendable, Hashable, CustomStringConvertible {
    /// The language in lower case: two letters if ISO 639-1 has a code, else three.
    public let language: String
    /// The script as four letters, such as `Hant`, or nil if the tag has none.
    public let script: String?
    /// The region as two letters or three digits, such as `GB`, or nil if the tag has none.
    public let region: String?
    /// The script of the tag, or else the usual script of the language in this region.
    let likelyScript: String?
    let likelyRegion: String?

    /// Creates a tag. Returns nil if `text` does not name a language.
    public init?(_ text: String) {
        let parts = text.replacingOccurrences(of: "_", with: "-").split(separator: "-").map(String.init)
        guard let first = parts.first?.lowercased(), (2...8).contains(first.count), first.allSatisfy(\.isLetter),
            !["und", "zxx", "mul", "mis", "unk"].contains(first)
        else { return nil }
        language = LanguageTag.shortest(first)
        var script: String?
        var region: String?
        for part in parts.dropFirst() {
            if part.count == 1 { break }  // An extension or private use follows.
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

    /// The tag in canonical form, such as `de`, `en-US` or `zh-Hant-TW`.
    public var description: String {
        ([language, script, region] as [String?]).compactMap { $0 }.joined(separator: "-")
    }

    /// The ISO 639-2/T code with three letters, as in `AVAssetTrack.languageCode`, or the language itself if it has
    /// none.
    public var threeLetterCode: String {
        Locale.LanguageCode(language).identifier(.alpha3) ?? language
    }

    /// Returns how well `offered` matches this requested tag. 0 means no match, and a higher number is better.
    package func score(of offered: LanguageTag) -> Int {
        guard language == offered.language else { return 0 }
        var score = 1
        // The script is most important, because people may not be able to read another one. The region matters less.
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

    /// Returns the index of the best match in `offered`. The first preference that matches any tag decides, and the
    /// first of equal matches is returned. Tags that are nil or do not name a language never match.
    package static func bestMatch(for preferences: [String], among offered: [String?]) -> Int? {
        ranking(for: preferences, among: offered).first
    }

    /// Returns the indices of all matches in `offered`, the best first.
    package static func ranking(for preferences: [String], among offered: [String?]) -> [Int] {
        let tags = offered.map { $0.flatMap(LanguageTag.init) }
        var order: [Int] = []
        for preference in preferences {
            guard let requested = LanguageTag(preference) else { continue }
            let scored = tags.enumerated().compactMap { index, tag -> (index: Int, score: Int)? in
                guard let tag, !order.contains(index) else { return nil }
                let score = requested.score(of: tag)
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

    /// The replacements for ISO 639-2/B codes, which `Locale` does not know, and for codes that were withdrawn or
    /// belong to another language.
    private static let replaced: [String: String] = [
        "alb": "sq", "arm": "hy", "baq": "eu", "bur": "my", "chi": "zh", "cze": "cs", "dut": "nl", "fre": "fr",
        "geo": "ka", "ger": "de", "gre": "el", "ice": "is", "mac": "mk", "mao": "mi", "may": "ms", "per": "fa",
        "rum": "ro", "slo": "sk", "tib": "bo", "wel": "cy", "scr": "hr", "scc": "sr",
        "iw": "he", "in": "id", "ji": "yi", "mo": "ro", "cmn": "zh", "no": "nb", "nor": "nb",
    ]
}
