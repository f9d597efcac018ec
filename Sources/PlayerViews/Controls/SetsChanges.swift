import MediaCore

/// A model that sets a property only if the value differs, so that no view is updated without need. Main actor.
@MainActor
protocol SetsChanges: AnyObject {}

extension SetsChanges {
    func set<Value: Equatable>(_ path: ReferenceWritableKeyPath<Self, Value>, _ value: Value) {
        if ObservationScope.untracked({ self[keyPath: path] }) != value { self[keyPath: path] = value }
    }
}
