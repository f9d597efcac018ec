import Zoetrope

/// The loads of a model. Only the newest load has an effect. Main actor.
@MainActor
final class ItemLoading {
    /// The task that loads the artwork of the newest load. A load does not wait for it.
    private(set) var artwork: Task<Void, Never>?
    private var number = 0
    private var opening: Opening?
    private var selections: NSKeyValueObservation?

    /// Begins a load, cancels the earlier loads, and returns the number of the new load.
    func begin() -> Int {
        number += 1
        opening?.finish()
        selections = nil
        artwork?.cancel()
        artwork = nil
        return number
    }

    func isCurrent(_ number: Int) -> Bool { number == self.number }

    func loadArtwork(_ body: @escaping @MainActor () async -> Void) { artwork = Task { await body() } }

    /// Waits until the item has opened or failed. Returns false if another load has begun meanwhile.
    func open(_ item: AVPlayerItem, _ number: Int) async -> Bool {
        guard isCurrent(number) else { return false }
        let opening = Opening(item)
        self.opening = opening
        await opening.wait()
        return isCurrent(number)
    }

    func observeSelections(of item: AVPlayerItem, changed: @escaping @MainActor () -> Void) {
        selections = item.observe(\.currentMediaSelection) { _, _ in changed() }
    }
}
