/// Something whose readers are to be told when it changes.
@MainActor
protocol DependencySource: AnyObject {
    /// False when `reader` is one already.
    func addReader(_ reader: any DependencyReader) -> Bool
    func removeReader(_ reader: any DependencyReader)
}

/// What evaluates a body and must do so again when something it read has changed.
@MainActor
protocol DependencyReader: AnyObject {
    func didRead(_ source: any DependencySource)
    func invalidate()
}

/// Who evaluates a body right now. Main actor.
@MainActor
enum Dependencies {
    private static var current: (any DependencyReader)?

    static func tracking<T>(_ reader: any DependencyReader, _ body: () -> T) -> T {
        let outer = current
        current = reader
        defer { current = outer }
        return body()
    }

    static func read(_ source: any DependencySource) { current?.didRead(source) }

    /// Runs `body` on behalf of nobody: what it reads is no dependency.
    static func untracked<T>(_ body: () -> T) -> T {
        let outer = current
        current = nil
        defer { current = outer }
        return body()
    }
}
