/// Watches the preferences below it.
@MainActor
package protocol PreferenceObserver: AnyObject {
    /// Deeper ones first.
    var order: Int { get }
    func check()
}

/// Those who watch preferences, each told once after an update in which preferences may have changed.
struct PreferenceObservers {
    private var all: [ObjectIdentifier: any PreferenceObserver] = [:]
    private var areDue = true

    mutating func add(_ observer: any PreferenceObserver) {
        all[ObjectIdentifier(observer)] = observer
        areDue = true
    }
    mutating func remove(_ observer: any PreferenceObserver) { all[ObjectIdentifier(observer)] = nil }

    /// Preferences may have changed.
    mutating func invalidate() { areDue = true }

    /// Those to tell now, deeper ones first; none if nothing may have changed since the last time.
    @MainActor mutating func takeDue() -> [any PreferenceObserver] {
        guard areDue else { return [] }
        areDue = false
        return all.values.sorted { $0.order > $1.order }
    }
}
