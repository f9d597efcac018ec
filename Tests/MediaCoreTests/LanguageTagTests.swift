import Testing

@testable import MediaCore

@Suite("Language tags")
struct LanguageTagTests {
    @Test(
        "codes of every kind have one canonical form",
        arguments: [
            ("ger", "de"), ("deu", "de"), ("DE", "de"), ("eng", "en"), ("en_us", "en-US"), ("fre", "fr"), ("chi", "zh"),
            ("zho", "zh"), ("zh-hant-tw", "zh-Hant-TW"), ("iw", "he"), ("haw", "haw"), ("es-419", "es-419"),
            ("nor", "nb"), ("cze", "cs"),
        ])
    func canonical(raw: String, expected: String) {
        #expect(LanguageTag(raw)?.description == expected)
    }

    @Test(
        "text without a language is not a tag",
        arguments: ["und", "", "zxx", "mul", "x", "12", "UND", "english language"])
    func unknown(raw: String) {
        #expect(LanguageTag(raw) == nil)
    }

    @Test(
        "the best match is the one a speaker would choose",
        arguments: [
            (["en"], ["de", "en-US"], 1), (["en-GB"], ["en-US", "en", "en-GB"], 2), (["en-GB"], ["en-US", "en"], 1),
            (["en-GB"], ["fr", "en-AU"], 1), (["en"], ["en-GB", "en-US"], 1), (["en"], ["en-GB", "eng"], 1),
            (["zh-TW"], ["zh-Hans", "zh-Hant"], 1), (["zh-TW"], ["zh-CN", "zh-HK"], 1),
            (["zh-Hant"], ["zh", "zh-TW"], 1),
            (["zh"], ["zh-TW", "zh-CN"], 1), (["zh-TW"], ["zh-Hans"], 0), (["fr", "de"], ["en", "ger"], 1),
            (["de", "en"], ["en", "de"], 1), (["sr-Latn"], ["sr", "sr-Latn"], 1), (["pt-BR"], ["pt-PT", "pt"], 1),
        ] as [([String], [String], Int)])
    func best(preferences: [String], offered: [String], expected: Int) {
        #expect(LanguageTag.bestMatch(for: preferences, among: offered) == expected)
    }

    @Test("an unknown language never matches")
    func none() {
        #expect(LanguageTag.bestMatch(for: ["en"], among: ["und", nil, "de"]) == nil)
        #expect(LanguageTag.bestMatch(for: [], among: ["en"]) == nil)
        #expect(LanguageTag.bestMatch(for: ["und"], among: ["und"]) == nil)
        #expect(LanguageTag.bestMatch(for: ["en"], among: [nil, "en", "en"]) == 1)
    }

    @Test("ISO 639-2/T codes are returned")
    func threeLetters() {
        #expect(LanguageTag("ger")?.threeLetterCode == "deu" && LanguageTag("en-US")?.threeLetterCode == "eng")
    }
}
