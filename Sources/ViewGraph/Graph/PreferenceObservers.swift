/// An observer of the preferences of the views inside it.
@MainActor
package protocol PreferenceObserver: AnyObject {
    /// The position in the order of notifications. Higher values, which belong to deeper observers, come first.
    var order: Int { get }
    func check()
}

/// The observers of preferences. Each is notified once after an update in which preferences may have changed.
struct PreferenceObservers {
    private var all: [ObjectIdentifier: any PreferenceObserver] = [:]
    private var areDue = true

    mutating func add(_ observer: any PreferenceObserver) {
        all[ObjectIdentifier(observer)] = observer
        areDue = true
    }
    mutating func remove(_ observer: any PreferenceObserver) { all[ObjectIdentifier(observer)] = nil }

    /// Marks the preferences as possibly changed.
    mutating func invalidate() { areDue = true }

    /// Returns the observers to notify now, deeper ones first. Returns none if no preference may have changed since the
    /// last call.
    @MainActor mutating func takeDue() -> [any PreferenceObserver] {
        guard areDue else { return [] }
        areDue = false
        return all.values.sorted { $0.order > $1.order }
    }
}
