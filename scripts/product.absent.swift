import _StringProcessing

// What the product leaves out of Swift's libraries, as product.absent.c: patterns that are texts at run time. FoundationEssentials makes one
// where it is asked to search by `.regularExpression`, which nothing here does (NSRegularExpression is ICU's). It throws, as for a pattern
// that is none.
struct PatternsAreLeftOut: Error {}

/// `Regex<AnyRegexOutput>.init(_: String) throws`.
@_silgen_name("zoetrope_absent_pattern")
func absentPattern(_ pattern: String) throws -> Regex<AnyRegexOutput> { throw PatternsAreLeftOut() }
