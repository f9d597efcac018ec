import MediaCore

/// An object that notifies its readers when it changes.
@MainActor
package protocol DependencySource: AnyObject {
    /// Adds a reader. Returns false if the reader was already added.
    func addReader(_ reader: any DependencyReader) -> Bool
    func removeReader(_ reader: any DependencyReader)
}

/// An object that evaluates a view's closure, and evaluates it again when a value that the closure read has changed.
@MainActor
package protocol DependencyReader: AnyObject {
    /// Records that the closure has read a value of `source`.
    /// - Parameter isUnchanged: Returns whether the value is still the same, for a source that also reports changes of
    ///   other values. Nil if the source reports only changes of this value.
    func didRead(_ source: any DependencySource, isUnchanged: (@MainActor () -> Bool)?)
    /// Notifies the reader that a value it read has changed.
    func invalidate()
    /// Notifies the reader that a value it read may have changed or is about to change.
    func mayHaveChanged()
}

extension DependencyReader {
    func mayHaveChanged() { invalidate() }
}

/// The current reader, to which reads are attributed.
@MainActor
package enum Dependencies {
    private static var current: (any DependencyReader)?

    static func tracking<T>(_ reader: any DependencyReader, _ body: () -> T) -> T {
        let outer = current
        current = reader
        defer { current = outer }
        return body()
    }

    static func read(_ source: any DependencySource) { current?.didRead(source, isUnchanged: nil) }

    /// Reads `value`, which depends on sources that also report changes of other values.
    static func read<T>(_ sources: () -> [any DependencySource], _ value: @escaping @MainActor () -> T) -> T {
        let readValue = value()
        // No view is evaluated on another thread.
        guard MainActorQueue.isCurrent, let reader = current else { return readValue }
        // The contents of an object may have changed although the reference is the same.
        let isUnchanged: @MainActor () -> Bool = {
            !(T.self is AnyClass) && untracked { StateLocation.areEqual(readValue, value()) }
        }
        for source in sources() { reader.didRead(source, isUnchanged: isUnchanged) }
        return readValue
    }

    /// Runs `body` without recording its reads as dependencies.
    package static func untracked<T>(_ body: () -> T) -> T {
        let outer = current
        current = nil
        defer { current = outer }
        return body()
    }
}
