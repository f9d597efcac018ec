import Foundation
import Testing

/// The active fault rules. Tests change them while connections read them.
final class FaultRules: @unchecked Sendable {
    // The lock guards all properties.
    private struct Entry {
        let id: FaultRule.ID
        let rule: FaultRule
        let location: SourceLocation
        var matches = 0
        /// Whether nothing is left to report: a request got the faults, the rule is optional, or the report was made.
        var isSettled: Bool
        let frozen = FrozenResponses()
    }
    private let lock = NSLock()
    private var entries: [Entry] = []
    private var lastID = 0

    /// A required rule whose faults no request got.
    struct Unused {
        let rule: FaultRule
        let matches: Int
        let location: SourceLocation

        /// Records an issue at the line that injected the rule. Call it on the test's task; an issue from another
        /// thread fails the run, but names no test.
        func report(_ log: String) {
            let first = rule.nth.map { ", but the faults begin at number \($0.lowerBound)" } ?? ""
            Issue.record(
                """
                The test ran without its faults on \(rule.pattern): matching requests: \(matches)\(first). If the \
                test may pass without the faults, inject them with isOptional: true. The server saw \(log)
                """, sourceLocation: location)
        }
    }

    func add(_ rule: FaultRule, at location: SourceLocation) -> FaultRule.ID {
        lock.withLock {
            lastID += 1
            entries.append(Entry(id: lastID, rule: rule, location: location, isSettled: rule.isOptional))
            return lastID
        }
    }

    /// Removes a rule, or all rules if `id` is nil.
    /// - Returns: The removed rules whose faults no request got.
    func remove(_ id: FaultRule.ID? = nil) -> [Unused] {
        lock.withLock {
            let unused = settle { id == nil || $0.id == id }
            entries.removeAll { id == nil || $0.id == id }
            return unused
        }
    }

    /// Returns the rules whose faults no request got. Each rule is returned once.
    func takeUnused() -> [Unused] { lock.withLock { settle { _ in true } } }

    private func settle(_ isMeant: (Entry) -> Bool) -> [Unused] {
        var unused: [Unused] = []
        for index in entries.indices where !entries[index].isSettled && isMeant(entries[index]) {
            let entry = entries[index]
            unused.append(Unused(rule: entry.rule, matches: entry.matches, location: entry.location))
            entries[index].isSettled = true
        }
        return unused
    }

    func contains(_ id: FaultRule.ID) -> Bool { lock.withLock { entries.contains { $0.id == id } } }

    /// Returns the number of requests that the rule has matched, including those without a fault; nil if the rule was
    /// removed.
    func matches(_ id: FaultRule.ID) -> Int? { lock.withLock { entries.first { $0.id == id }?.matches } }

    /// Counts the request, and returns the combined effect of all rules on its answer. Later rules override earlier
    /// ones.
    func plan(for request: ServerRequest) -> ResponsePlan {
        lock.withLock {
            var plan = ResponsePlan()
            for index in entries.indices {
                let rule = entries[index].rule
                guard fnmatch(rule.pattern, request.path, 0) == 0, rule.condition?(request) ?? true else { continue }
                entries[index].matches += 1
                guard rule.nth?.contains(entries[index].matches) ?? true else { continue }
                entries[index].isSettled = true
                for fault in rule.faults {
                    plan.apply(fault, rule: entries[index].id, request: request, frozen: entries[index].frozen)
                }
            }
            return plan
        }
    }
}
