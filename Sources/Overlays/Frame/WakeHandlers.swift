/// The closures of the displays that show a composition, by token.
@MainActor
struct WakeHandlers {
    private var handlers: [Int: @MainActor () -> Void] = [:]
    private var lastToken = 0

    mutating func add(_ wake: @escaping @MainActor () -> Void) -> Int {
        lastToken += 1
        handlers[lastToken] = wake
        return lastToken
    }

    mutating func remove(_ token: Int) { handlers[token] = nil }
    mutating func removeAll() { handlers = [:] }
    /// All closures, as a copy: a closure may add and remove closures while it runs.
    var all: Dictionary<Int, @MainActor () -> Void>.Values { handlers.values }
}
