/// Something whose readers are to be told when it changes.
@MainActor
package protocol DependencySource: AnyObject {
    /// False when `reader` is one already.
    func addReader(_ reader: any DependencyReader) -> Bool
    func removeReader(_ reader: any DependencyReader)
}

/// What evaluates a closure of a view and must do so again when something it read has changed.
@MainActor
package protocol DependencyReader: AnyObject {
    /// - Parameter isAsRead: for a source that also tells of changes to what was not read: whether that is still as it
    ///   was.
    func didRead(_ source: any DependencySource, isAsRead: (@MainActor () -> Bool)?)
    /// What was read has changed.
    func invalidate()
    /// It may have changed, or be just about to.
    func doubt()
}

extension DependencyReader {
    func doubt() { invalidate() }
}

/// Who evaluates right now. Main actor.
@MainActor
package enum Dependencies {
    private static var current: (any DependencyReader)?

    static func tracking<T>(_ reader: any DependencyReader, _ body: () -> T) -> T {
        let outer = current
        current = reader
        defer { current = outer }
        return body()
    }

    static func read(_ source: any DependencySource) { current?.didRead(source, isAsRead: nil) }

    /// Reads `value` of sources that tell of more changes than that one's.
    static func read<T>(_ sources: () -> [any DependencySource], _ value: @escaping @MainActor () -> T) -> T {
        let seen = value()
        guard let reader = current else { return seen }
        // What an object holds may have changed though it is the same one.
        let isAsRead: @MainActor () -> Bool = {
            !(T.self is AnyClass) && untracked { StateLocation.areEqual(seen, value()) }
        }
        for source in sources() { reader.didRead(source, isAsRead: isAsRead) }
        return seen
    }

    /// Runs `body` on behalf of nobody: what it reads is no dependency.
    package static func untracked<T>(_ body: () -> T) -> T {
        let outer = current
        current = nil
        defer { current = outer }
        return body()
    }
}
