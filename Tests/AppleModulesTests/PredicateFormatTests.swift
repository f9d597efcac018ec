import Foundation
import Testing

@Suite("Predicates from formats")
struct PredicateFormatTests {
    private enum Genre: String { case comedy, drama }
    private struct Person {
        var name: String
        var born: Int?
    }
    private class Film {
        var title: String
        var duration = 90.5
        var year = 1999
        var isNew = false
        var genre = Genre.drama
        var director: Person?
        var cast: [Person] = []
        var tags: Set<String> = []
        var released = Date(timeIntervalSince1970: 1000)
        init(_ title: String) { self.title = title }
    }
    private final class Episode: Film { var number = 7 }

    private let film: Film = {
        let film = Episode("Amélie's Café")
        film.director = Person(name: "Jeunet", born: 1953)
        film.cast = [Person(name: "Tautou", born: 1976), Person(name: "Kassovitz", born: nil)]
        film.tags = ["paris", "love"]
        return film
    }()

    private func matches(_ format: String, _ arguments: [Any] = []) -> Bool {
        NSPredicate(format: format, argumentArray: arguments).evaluate(with: film)
    }

    @Test(
        "comparisons of stored properties match",
        arguments: [
            "year == 1999", "year = 1999.0", "1999 == year", "year != 2000", "year <> 2000", "year > 1998",
            "year >= 1999", "year => 1999", "year < 2e3", "year <= 1999", "year =< 0x7CF", "year > -5",
            "duration == 90.5", "duration > .5", "isNew == NO", "isNew == false", "isNew != TRUE", "isNew = 0",
            "year BETWEEN {1990, 1999}", "year between {1999, 2000}", "year IN {1, 1999}", "number == 7",
            "director.name == 'Jeunet'", "director.born < 1960", "SELF.year == self.year", "(year) == (1999)",
            "genre == 'drama'", "genre != 'comedy'", "title.length == 13", "director != nil",
        ])
    func comparisons(_ format: String) { #expect(matches(format)) }

    @Test(
        "comparisons that are false don't match",
        arguments: [
            "year == 1998", "year < 1999", "year == '1999'", "director == nil", "year BETWEEN {2000, 2010}",
            "year IN {}", "title IN {'a', 'b'}", "director.born > 1960", "isNew == YES",
        ])
    func falseComparisons(_ format: String) { #expect(!matches(format)) }

    @Test(
        "operators for strings match",
        arguments: [
            "title BEGINSWITH 'Am'", "title BEGINSWITH[c] 'AM'", "title beginswith[cd] 'AMEL'", "title ENDSWITH 'Café'",
            "title ENDSWITH[cd] 'CAFE'", "title CONTAINS 'ie'", "title CONTAINS[cd] 'cafe'",
            "title CONTAINS[ cd ] \"cafe\"", "title LIKE 'Am*Caf?'", "title LIKE[cd] '*CAFE'", "title LIKE '*'",
            "title MATCHES 'Am.*é'", "title MATCHES[c] 'AM[^x]+'", "title MATCHES[cd] 'amelie.s caf(e|f)'",
            "title ==[cd] \"amelie's cafe\"", "title ==[c] 'AMÉLIE\\'S CAFÉ'", "'Café' IN title",
            "director.name IN[c] {'JEUNET'}", "title > 'A'", "title <[l] 'B'", "genre BEGINSWITH 'dra'",
        ])
    func strings(_ format: String) { #expect(matches(format)) }

    @Test(
        "operators for strings compare the whole pattern, case and accents",
        arguments: [
            "title BEGINSWITH 'am'", "title CONTAINS 'Cafe'", "title LIKE 'Am'", "title LIKE '?'",
            "title MATCHES 'Am'", "title MATCHES 'Am|Amé'", "title ENDSWITH[c] 'CAFE'", "title CONTAINS ''",
        ])
    func falseStrings(_ format: String) { #expect(!matches(format)) }

    @Test(
        "AND precedes OR, and NOT precedes both",
        arguments: [
            "TRUEPREDICATE", "NOT FALSEPREDICATE", "!FALSEPREDICATE", "not not truepredicate",
            "TRUEPREDICATE OR TRUEPREDICATE AND FALSEPREDICATE", "TRUEPREDICATE || FALSEPREDICATE && FALSEPREDICATE",
            "NOT FALSEPREDICATE OR FALSEPREDICATE", "NOT (year == 1 OR year == 2)", "((year == 1999))",
            "!(year == 1) && (year == 1999 || title == 'x')", "NOT year IN {1, 2} AND NOT (title LIKE 'x')",
        ])
    func compounds(_ format: String) { #expect(matches(format)) }

    @Test("AND is false if one part is false", arguments: ["(TRUEPREDICATE OR TRUEPREDICATE) AND FALSEPREDICATE"])
    func falseCompounds(_ format: String) { #expect(!matches(format)) }

    @Test(
        "ANY, ALL and NONE compare the elements of a collection",
        arguments: [
            "ANY cast.name == 'Tautou'", "SOME cast.name BEGINSWITH 'K'", "ALL cast.name CONTAINS 't'",
            "NONE cast.name == 'x'", "ANY tags == 'love'", "NONE tags IN {'a', 'b'}", "ANY tags IN {'love'}",
            "tags CONTAINS 'paris'", "'paris' IN tags", "cast.@count == 2", "cast.@sum.born == 1976",
            "cast.@max.born == 1976", "NOT ALL cast.born > 1970", "cast.@avg.born > 5", "tags.@min.self == 'love'",
        ])
    func collections(_ format: String) { #expect(matches(format)) }

    @Test("arguments are values, key paths and numbers of any type")
    func arguments() {
        let (name, count, ratio) = ("Jeunet", Int32(1999), Float(90.5))
        #expect(NSPredicate(format: "%K == %@", "director.name", name).evaluate(with: film))
        #expect(NSPredicate(format: "year == %d AND duration == %f", count, ratio).evaluate(with: film))
        #expect(NSPredicate(format: "year == %ld && year <= %llu", 1999, UInt64.max).evaluate(with: film))
        #expect(NSPredicate(format: "year IN %@", [1, 1999]).evaluate(with: film))
        #expect(NSPredicate(format: "year IN %@", Set([1, 1999])).evaluate(with: film))
        #expect(NSPredicate(format: "year IN %@", NSArray(array: [1, 1999])).evaluate(with: film))
        #expect(NSPredicate(format: "year IN %@", ["a": 1999]).evaluate(with: film))
        #expect(NSPredicate(format: "year BETWEEN %@", [1990, 2000]).evaluate(with: film))
        #expect(NSPredicate(format: "year IN {%d, %@}", 1, NSNumber(value: 1999)).evaluate(with: film))
        #expect(NSPredicate(format: "released < %@", Date()).evaluate(with: film))
        #expect(NSPredicate(format: "released == %@", NSDate(timeIntervalSince1970: 1000)).evaluate(with: film))
        #expect(NSPredicate(format: "title == '%@' OR genre == %@", Genre.drama).evaluate(with: film))
        #expect(NSPredicate(format: "director == %@", NSNull()).evaluate(with: Film("x")))
        #expect(NSPredicate(format: "director.%K == 1953", "born").evaluate(with: film) == false)
    }

    @Test("an array of structures, dictionaries or values is filtered")
    func filtering() {
        let people = [Person(name: "a", born: 1), Person(name: "b", born: nil), Person(name: "c", born: 3)]
        let born = NSPredicate(format: "born != nil AND name != %@", "a")
        #expect(((people as NSArray).filtered(using: born) as? [Person])?.map(\.name) == ["c"])
        let dictionaries: [[String: Any]] = [["name": "a", "n": 1], ["name": "b"], ["n": NSNull()]]
        let named = NSPredicate(format: "name == 'a' OR n == nil")
        #expect((dictionaries as NSArray).filtered(using: named).count == 3)
        let short = NSPredicate(format: "SELF.length < 3 AND SELF BEGINSWITH 'a'")
        #expect((["ab", "abc", "b"] as NSArray).filtered(using: short) as? [String] == ["ab"])
        let large = NSMutableArray(array: [1, 2.5, 3])
        large.filter(using: NSPredicate(format: "self > 2"))
        #expect(large.count == 2)
        #expect(NSSet(array: ["a", "b"]).filtered(using: NSPredicate(format: "SELF IN {'a'}")) == ["a"])
        #expect(NSDictionary(dictionary: ["a": ["b": 1]]).matches("a.b == 1"))
    }

    @Test("predicates from formats and blocks are combined")
    func combining() {
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [
            NSPredicate(format: "SELF > 1"), NSPredicate { value, _ in (value as? Int ?? 0) < 3 },
        ])
        #expect(([1, 2, 3] as NSArray).filtered(using: both) as? [Int] == [2])
    }

    @Test("variables get the values that are passed to the evaluation")
    func variables() {
        let predicate = NSPredicate(format: "year == $year AND director.name == $person.name")
        let person = Person(name: "Jeunet")
        #expect(predicate.evaluate(with: film, substitutionVariables: ["year": 1999, "person": person]))
        #expect(!predicate.evaluate(with: film, substitutionVariables: ["year": 1, "person": person]))
        #expect(!predicate.evaluate(with: film))
    }

    @Test("wrapped properties and children of custom mirrors have values")
    func storage() {
        final class Model: ObservableObject, CustomReflectable {
            @Published var title = "first"
            var shout: String { title.uppercased() }
            var customMirror: Mirror { Mirror(self, children: ["_title": _title, "shout": shout] as KeyValuePairs) }
        }
        final class Plain: ObservableObject { @Published var title = "first" }
        let plain = Plain()
        #expect(NSPredicate(format: "title == 'first'").evaluate(with: plain))
        plain.title = "second"
        #expect(NSPredicate(format: "title == 'second'").evaluate(with: plain))
        #expect(NSPredicate(format: "shout == 'FIRST' AND title == 'first'").evaluate(with: Model()))
        #expect(NSPredicate(format: "title == 'observed'").evaluate(with: ObservedFilm()))
    }

    @Test("defaults store and return values by key")
    func defaults() throws {
        let name = "zt-predicates-\(UUID().uuidString)"
        let defaults = try #require(UserDefaults(suiteName: name))
        defer { defaults.removePersistentDomain(forName: name) }
        defaults.set(5, forKey: "a")
        #expect(NSPredicate(format: "a == 5 AND b == nil").evaluate(with: defaults))
    }

    @Test("large and fractional numbers are compared exactly")
    func numbers() {
        let values: [String: Any] = ["big": Int64.max, "unsigned": UInt64.max, "half": 0.5, "nan": Double.nan]
        for format in [
            "big == 9223372036854775807", "big < 9223372036854775808.0", "unsigned > big", "big > half", "half < 1",
            "half > 0", "nan != nan", "NOT nan < 1", "half BETWEEN {0, 1}", "half == 5e-1",
        ] {
            #expect(NSPredicate(format: format).evaluate(with: values), "\(format)")
        }
        #expect(NSPredicate(format: "SELF == %@", true).evaluate(with: NSNumber(value: 1)))
    }
}

@Observable private final class ObservedFilm { var title = "observed" }

extension NSDictionary {
    fileprivate func matches(_ format: String) -> Bool { NSPredicate(format: format).evaluate(with: self) }
}
