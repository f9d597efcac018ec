import Foundation
import MediaEngine

/// The items that are preloaded before they play, and are not in the player's queue. Main actor.
@MainActor
final class PreloadedItems {
    /// The maximum number of preloaded items, however many are requested.
    static let maximum = 10
    /// Called when the system is short of memory.
    var onShortage: () -> Void = {}
    private(set) var items: [AVPlayerItem] = []
    private var memoryWatch: MemoryWatch?

    /// Preloads sources, and releases the others.
    /// - Parameters:
    ///   - urls: The URLs of the sources.
    ///   - next: The item in the player's queue, which is preloaded there if its source is among `urls`.
    ///   - make: Returns a new item for a source.
    func update(_ urls: [URL], next: AVPlayerItem?, make: (URL) -> AVPlayerItem) {
        for item in items where !isOf(item, urls) { item.cancelPreload() }
        items.removeAll { !isOf($0, urls) }
        for url in urls {
            if let next, next.asset.url == url {
                next.preload()
            } else if !items.contains(where: { $0.asset.url == url }) {
                let item = make(url)
                items.append(item)
                item.preload()
            }
        }
        if !urls.isEmpty, memoryWatch == nil { memoryWatch = MemoryWatch { [weak self] in self?.onShortage() } }
    }

    private func isOf(_ item: AVPlayerItem, _ urls: [URL]) -> Bool {
        item.status != .failed && urls.contains(item.asset.url)
    }

    /// Keeps an item that was removed from the player's queue.
    func keep(_ item: AVPlayerItem) { items.append(item) }

    /// Removes and returns the item of a source; nil if there is none that can be played.
    func take(_ url: URL) -> AVPlayerItem? {
        guard let index = items.firstIndex(where: { $0.asset.url == url }) else { return nil }
        let item = items.remove(at: index)
        return item.status == .failed ? nil : item
    }

    /// Releases all items. They are preloaded again with the next update.
    func removeAll() {
        for item in items { item.cancelPreload() }
        items = []
    }

    func close() {
        removeAll()
        memoryWatch = nil
    }
}
