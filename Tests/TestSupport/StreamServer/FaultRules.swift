import Foundation

/// The active fault rules. Tests change them while connections read them.
final class FaultRules: @unchecked Sendable {
    // The lock guards all properties.
    private struct Entry {
        let id: FaultRule.ID
        let rule: FaultRule
        var matches = 0
        let frozen = FrozenResponses()
    }
    private let lock = NSLock()
    private var entries: [Entry] = []
    private var lastID = 0

    func add(_ rule: FaultRule) -> FaultRule.ID {
        lock.withLock {
            lastID += 1
            entries.append(Entry(id: lastID, rule: rule))
            return lastID
        }
    }

    func remove(_ id: FaultRule.ID) { lock.withLock { entries.removeAll { $0.id == id } } }
    func removeAll() { lock.withLock { entries = [] } }
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
                for fault in rule.faults {
                    plan.apply(fault, rule: entries[index].id, request: request, frozen: entries[index].frozen)
                }
            }
            return plan
        }
    }
}
