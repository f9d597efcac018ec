import Testing

/// Tests of the format of reference texts, and of the report of their comparison.
@Suite("Reference texts")
struct ReferenceTextTests {
    private typealias Variant = ReferenceGallery.Variant

    private static let lines = (1...8).map { "  Text \($0),0 10×10 “word \($0)”" }

    /// A page whose dark variants differ in one line, whose narrow variants lack two lines, and whose scales are equal.
    private static var page: ReferenceText {
        var page = ReferenceText()
        for variant in Variant.all {
            var lines = variant.size == ReferenceGallery.Size.all[0] ? lines : Array(lines.dropLast(2))
            if variant.isDark { lines[3] += " #FFFFFF" }
            page.variants[variant] = lines
        }
        return page
    }

    @Test("a page's file has all lines of every variant")
    func roundTrip() {
        #expect(Self.page.variants.count == 8)
        #expect(ReferenceText(Self.page.text) == Self.page)
    }

    @Test("a variant is kept as its differences from another")
    func compact() {
        let sections = Self.page.text.components(separatedBy: "\n\n").dropFirst().map {
            $0.split(separator: "\n").map(String.init)
        }
        #expect(sections.map(\.count) == [9, 2, 7, 2, 1, 1, 1, 1])
        #expect(sections.last == ["## dark-narrow@2: as dark-narrow@1"])
        #expect(
            sections.dropFirst().first == ["## dark-wide@1: as light-wide@1", "4   Text 4,0 10×10 “word 4” #FFFFFF"])
    }

    @Test("invalid lines of a reference file are skipped")
    func damaged() {
        let page = ReferenceText(
            "Text\n## light-wide@1\nText a\n## dark-wide@1: as light-wide@1\n9 Text\n0 Text\nx\n1 Text b\n## blue@1\nText"
        )
        #expect(page.variants.keys.map(\.description).sorted() == ["dark-wide@1", "light-wide@1"])
        #expect(page.variants.values.map { $0.joined() }.sorted() == ["Text a", "Text b"])
    }

    @Test("differences have the expected and the actual line")
    func differences() {
        var actual = Self.lines
        actual[2] = "  Text 3,1 10×10 “word 3”"
        actual.append("  Divider")
        #expect(
            ReferenceText.differences(expected: Self.lines, actual: actual) == """
                line 3 expected:   Text 3,0 10×10 “word 3”
                line 3 actual:     Text 3,1 10×10 “word 3”
                line 9 actual:     Divider
                """)
    }

    @Test("a page of each size and appearance has an image")
    func images() {
        #expect(Variant.all.filter(\.hasImage).map(\.description) == ["light-wide@1", "dark-narrow@1"])
    }
}
