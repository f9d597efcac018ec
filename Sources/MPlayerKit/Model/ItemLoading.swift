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
    /// The stored position at which the item of the newest load starts. Nil if there is none, or if the item has opened.
    var start: CMTime?
    /// The item of the newest load, or the item that was adopted last. Nil if the item had not opened when its load was
    /// canceled.
    private weak var item: AVPlayerItem?

    /// Begins a load of `item`, cancels the earlier loads, and returns the number of the new load.
    func begin(_ item: AVPlayerItem) -> Int {
        number += 1
        start = nil
        (asset, self.item) = (item.asset, item)
        opening?.finish()
        selections = nil
        artwork?.cancel()
        artwork = nil
        return number
    }

    func isCurrent(_ number: Int) -> Bool { number == self.number }

    /// Adopts an item of the newest load's asset that no load waits for: a retry has replaced the item of the load, or
    /// the load was canceled. Returns the number of the load; nil for any other item, and for an item that is already
    /// adopted.
    func adopt(_ candidate: AVPlayerItem) -> Int? {
        guard candidate !== item, candidate.asset === asset else { return nil }
        item = candidate
        return number
    }

    func loadArtwork(_ body: @escaping @MainActor () async -> Void) { artwork = Task { await body() } }

    /// Waits until the item has opened or failed, or until the task is canceled. Returns false if another load has begun
    /// meanwhile.
    func open(_ item: AVPlayerItem, _ number: Int) async -> Bool {
        guard isCurrent(number) else { return false }
        let opening = Opening(item)
        self.opening = opening
        await opening.wait()
        guard isCurrent(number) else { return false }
        if item.status == .unknown { self.item = nil }
        return true
    }

    func observeSelections(of item: AVPlayerItem, changed: @escaping @MainActor () -> Void) {
        selections = item.observe(\.currentMediaSelection) { _, _ in changed() }
    }
}
