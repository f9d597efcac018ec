import OpenCombine

/// An `ObservableObject` that is read through bindings, and that notifies the readers of its changes.
///
/// Each object has at most one `WatchedObject`, which exists as long as the object has readers.
@MainActor
final class WatchedObject: DependencySource {
    private let object: AnyObject
    private var cancellable: AnyCancellable?
    private var readers: [ObjectIdentifier: WeakReader] = [:]

    private struct WeakReader { weak var reader: (any DependencyReader)? }
    private struct WeakObject { weak var watched: WatchedObject? }
    private static var all: [ObjectIdentifier: WeakObject] = [:]

    static func of<O: ObservableObject>(_ object: O) -> WatchedObject {
        if let known = all[ObjectIdentifier(object)]?.watched { return known }
        let fresh = WatchedObject(object)
        all[ObjectIdentifier(object)] = WeakObject(watched: fresh)
        return fresh
    }

    private init<O: ObservableObject>(_ object: O) {
        self.object = object
        cancellable = object.objectWillChange.sinkForChanges { [weak self] in self?.notifyReaders() }
    }

    isolated deinit {
        // A newer instance may already be registered for this object.
        if WatchedObject.all[ObjectIdentifier(object)]?.watched == nil {
            WatchedObject.all[ObjectIdentifier(object)] = nil
        }
    }

    private func notifyReaders() {
        for entry in Array(readers.values) { entry.reader?.mayHaveChanged() }
    }

    func addReader(_ reader: any DependencyReader) -> Bool {
        readers.updateValue(WeakReader(reader: reader), forKey: ObjectIdentifier(reader)) == nil
    }
    func removeReader(_ reader: any DependencyReader) { readers[ObjectIdentifier(reader)] = nil }

    /// Reads `value`, which depends on `objects`, and records the dependency for the current reader.
    static func read<T>(_ objects: @MainActor () -> [AnyObject], _ value: @escaping @MainActor () -> T) -> T {
        Dependencies.read({ objects().compactMap { ($0 as? any ObservableObject).map { of($0) } } }, value)
    }
}
