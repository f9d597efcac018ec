import Foundation
import Testing

@testable import FoundationExtras

@Suite("Mistakes in predicate formats")
struct PredicateMistakeTests {
    private func error(_ format: String, _ arguments: [Any] = []) -> PredicateFormatError? {
        do throws(PredicateFormatError) {
            _ = try PredicateParser.parse(format, arguments)
            return nil
        } catch { return error }
    }

    @Test(
        "a mistake is reported with its position",
        arguments: [
            ("", 0, "a value"), ("name", 4, "operator"), ("a == 1 OR b AND c == 2", 12, "operator"),
            ("NOT a", 5, "operator"), ("name ==", 7, "a value"), ("name == 'a", 8, "quotation"),
            ("(a == 1", 7, "“)”"), ("a == 1)", 6, "AND, OR"), ("a == 1 b", 7, "AND, OR"), ("a == 1 AND", 10, "a value"),
            ("a ~ 1", 2, "“~”"), ("a == %q", 5, "specifier"), ("a == %@", 5, "argument 1"), ("a IN {1, 2", 10, "“}”"),
            ("a ==[x] 1", 5, "“c”"), ("sum(a) == 1", 3, "functions"), ("a[0] == 1", 1, "functions"),
            ("ANY (a == 1)", 12, "key path"), ("ANY a", 5, "operator"), ("a == (b == 1)", 13, "not a predicate"),
            ("a MATCHES '('", 10, "regular expression"), ("a MATCHES 'x)(?:y'", 10, "regular expression"),
            ("a == 1x", 5, "letters"), ("a.", 2, "a key"), ("a == 0xZ", 5, "base 16"), ("in == 1", 0, "“#in”"),
            ("a = 1 and b ) ", 12, "operator"),
            ("a == and", 5, "“#and”"), ("a == 'x'.b", 10, "key path"), ("a == @", 5, "“@”"), ("a == -", 5, "“-”"),
            ("a == 1 NOT", 7, "AND, OR"), ("%", 0, "specifier"), ("$", 0, "“$”"), ("'", 0, "quotation"),
        ])
    func mistakes(_ format: String, _ offset: Int, _ words: String) {
        let error = error(format)
        #expect(error?.offset == offset && error?.problem.contains(words) == true, "\(String(describing: error))")
    }

    @Test("arguments of the wrong kind are reported as mistakes")
    func arguments() {
        #expect(error("a == %d", ["x"])?.problem.contains("not a number") == true)
        #expect(error("%K == 1", [5])?.problem.contains("key path") == true)
        #expect(error("%K == 1", ["a..b"])?.problem.contains("a..b") == true)
        #expect(error("a == %@ AND b == %@", [1])?.offset == 17)
        #expect(error("a == %@", [1, 2]) == nil)
    }

    @Test("a predicate with a mistake matches nothing", arguments: ["", "name ==", "NOT (", "TRUEPREDICATE x"])
    func nothing(_ format: String) {
        #expect(!NSPredicate(format: format).evaluate(with: ["name": "a"]))
        #expect((["a"] as NSArray).filtered(using: NSPredicate(format: format)).isEmpty)
    }

    @Test(
        "an object that can't be compared doesn't match, not even with NOT",
        arguments: [
            "missing == 1", "NOT missing == 1", "count < 'a'", "NOT count < 'a'", "count CONTAINS 'a'",
            "ANY count == 1", "count BETWEEN {1}", "count.@sum == 1", "count == $missing", "name MATCHES count",
        ])
    func incomparable(_ format: String) {
        struct Item {
            var name = "("
            var count = 1
        }
        #expect(!NSPredicate(format: format).evaluate(with: Item()))
    }

    @Test("keys with the names of keywords are marked")
    func escapes() {
        let values: [String: Any] = ["in": 1, "any": 2, "größe": 3, "_x1": 4]
        #expect(NSPredicate(format: "#in == 1 AND #any == 2 AND größe == 3 AND _x1 == 4").evaluate(with: values))
        #expect(NSPredicate(format: "SELF == 'a\\'b\\\\\\n'").evaluate(with: "a'b\\\n"))
        #expect(NSPredicate(format: "SELF LIKE 'a\\\\*'").evaluate(with: "a*"))
        #expect(!NSPredicate(format: "SELF LIKE 'a\\\\*'").evaluate(with: "ab"))
    }

    @Test(
        "formats that are too deep or too long are refused",
        arguments: [
            ("(", 100_000, "a == 1", "nested"), ("(", 101, "a == 1", "nested"), ("a IN {{", 1, "", "a value"),
            ("{", 100_000, "", "nested"), ("a", 2_000_000, "", "longer"), ("'", 1, "a", "quotation"),
        ])
    func depth(_ start: String, _ count: Int, _ end: String, _ words: String) {
        let problem = error(String(repeating: start, count: count) + end)?.problem
        #expect(problem?.contains(words) == true, "\(problem ?? "")")
    }

    @Test("long formats within the limits are evaluated")
    func lengths() {
        let values = ["a": 1]
        for format in [
            String(repeating: "!", count: 20_000) + "(a == 1)",
            "a == 1" + String(repeating: " OR a == 2", count: 10_000),
            "a == 1" + String(repeating: " AND a == 1", count: 10_000),
            "a IN {1" + String(repeating: ", 2", count: 20_000) + "}",
            String(repeating: "(", count: 100) + "a == 1" + String(repeating: ")", count: 100),
            "a" + String(repeating: ".self", count: 20_000) + " == 1",
        ] {
            #expect(NSPredicate(format: format).evaluate(with: values), "\(format.prefix(20))")
        }
    }

    @Test("a slow regular expression is stopped")
    func slow() {
        let text = String(repeating: "a", count: 60) + "b"
        let start = ContinuousClock.now
        #expect(!NSPredicate(format: "SELF MATCHES '(a+)+$'").evaluate(with: text))
        #expect(!NSPredicate(format: "SELF LIKE %@", String(repeating: "*a", count: 30) + "c").evaluate(with: text))
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    @Test("lists inside lists are read to a limited depth")
    func nested() {
        var list: [Any] = [1]
        for _ in 0..<2000 { list = [list, 2] }
        // A failed expectation would describe the list.
        let results = ["SELF CONTAINS 2", "SELF CONTAINS 1", "a.b == 2", "@count == 2"].map {
            NSPredicate(format: $0).evaluate(with: list)
        }
        #expect(results == [true, false, false, true])
    }
}
