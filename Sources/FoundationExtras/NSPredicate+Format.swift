import Foundation
import Logging
import Synchronization

extension NSPredicate {
    /// Creates a predicate from a format, as on Apple's platforms.
    ///
    /// ```swift
    /// let isShort = NSPredicate(format: "title CONTAINS[cd] %@ AND duration < %d", "zoetrope", 60)
    /// let short = (videos as NSArray).filtered(using: isShort)
    /// ```
    ///
    /// The format can contain comparisons (also `BETWEEN`, `IN`, `BEGINSWITH`, `ENDSWITH`, `CONTAINS`, `LIKE` and
    /// `MATCHES`, with the options `[c]` and `[d]`), `AND`, `OR`, `NOT`, `ANY`, `ALL`, `NONE`, `SELF`, key paths,
    /// literals, lists in braces, and variables. Functions, arithmetic and `SUBQUERY` are not supported.
    ///
    /// A key reads a value of a dictionary or of `UserDefaults`, or a stored property of a Swift structure or class.
    /// `length` reads the length of a string, and `@count`, `@sum`, `@avg`, `@min` and `@max` summarize collections.
    /// For a computed property, add its value to the `customMirror` of the type.
    ///
    /// On Apple's platforms, a format with a mistake raises an exception. Here, the mistake is logged with its
    /// position, and the predicate matches nothing. An object that can't be compared doesn't match either. The first
    /// such object of a predicate is logged.
    ///
    /// - Parameters:
    ///   - predicateFormat: The format. Its length is at most 1 MiB. The predicate's property `predicateFormat` returns
    ///     another text.
    ///   - arguments: The values for `%@`, `%K` and numbers such as `%d` and `%f`, in order. They can have any type.
    public convenience init(format predicateFormat: String, _ arguments: Any...) {
        self.init(format: predicateFormat, argumentArray: arguments)
    }

    /// Creates a predicate from a format and an array of arguments. See ``init(format:_:)``.
    /// - Parameters:
    ///   - predicateFormat: The format.
    ///   - arguments: The values for `%@`, `%K` and numbers such as `%d` and `%f`, in order; nil for none.
    public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
        do throws(PredicateFormatError) {
            let node = try PredicateParser.parse(predicateFormat, arguments ?? [])
            let report = PredicateReport(predicateFormat)
            self.init { object, variables in
                do throws(PredicateEvaluationError) {
                    return try node.isTrue(PredicateSubject(object: object, variables: variables ?? [:]))
                } catch {
                    report.add(error)
                    return false
                }
            }
        } catch {
            PredicateReport(predicateFormat).add(error)
            self.init(value: false)
        }
    }
}

/// Writes the mistakes of one predicate to the log.
private final class PredicateReport: Sendable {
    private static let logger = Logger(label: "zoetrope.foundation")
    private let format: String
    private let hasReported = Atomic(false)

    init(_ format: String) { self.format = format.count > 200 ? format.prefix(200) + "…" : format }

    func add(_ error: PredicateFormatError) {
        Self.logger.error(
            "Can't read the predicate format “\(format)”: at character \(error.offset + 1), \(error.problem). Correct the format. Until then, the predicate matches nothing."
        )
    }
    /// Logs only the first error of the predicate.
    func add(_ error: PredicateEvaluationError) {
        guard !hasReported.exchange(true, ordering: .relaxed) else { return }
        Self.logger.error(
            "Can't apply the predicate “\(format)”: \(error.problem). Correct the format or the objects. Such objects don't match."
        )
    }
}
