/// Closures of the displays that show a composition, by token.
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
    /// A copy: a handler may add and remove handlers while it is called.
    var all: Dictionary<Int, @MainActor () -> Void>.Values { handlers.values }
}
