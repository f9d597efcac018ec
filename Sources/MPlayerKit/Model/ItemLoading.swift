import Zoetrope

/// The loads of a model. Only the newest load has an effect. Main actor.
@MainActor
final class ItemLoading {
    /// The task that loads the artwork of the newest load. A load does not wait for it.
    private(set) var artwork: Task<Void, Never>?
    private var number = 0
    private var opening: Opening?
    private var selections: NSKeyValueObservation?
    private var asset: AVURLAsset?
    /// The item of the newest load, or the item that has replaced it last.
    private weak var item: AVPlayerItem?

    /// Begins a load of `item`, cancels the earlier loads, and returns the number of the new load.
    func begin(_ item: AVPlayerItem) -> Int {
        number += 1
        (asset, self.item) = (item.asset, item)
        opening?.finish()
        selections = nil
        artwork?.cancel()
        artwork = nil
        return number
    }

    func isCurrent(_ number: Int) -> Bool { number == self.number }

    /// Adopts an item of the same asset that has replaced the item of the newest load, as a retry does. Returns the
    /// number of the load; nil for any other item, and for an item that is already adopted.
    func adopt(_ replacement: AVPlayerItem) -> Int? {
        guard replacement !== item, replacement.asset === asset else { return nil }
        item = replacement
        return number
    }

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
