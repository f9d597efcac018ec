import Foundation
import MediaEngine

/// Sources that are made ready ahead of their turn: items that wait until they are opened, outside of the player's
/// queue but for the next one.
extension ExtPlayerController {
    /// However many are asked for.
    static let mostPreloads = 10

    /// Brings what is kept ready in line with the settings and the place in the list.
    func updatePreloads() {
        guard !isClosed, let settings = carriedOut else { return dropPreloads() }
        let next = (0..<min(max(0, settings.preloadAhead), ExtPlayerController.mostPreloads)).reduce(into: [
            currentIndex
        ]) { places, _ in
            if let last = places.last, let next = index(after: last, by: 1), !places.contains(next) {
                places.append(next)
            }
        }
        let names = next.dropFirst().map { sources[$0] } + settings.preload
        var wanted: [URL] = []
        for name in names where wanted.count < ExtPlayerController.mostPreloads {
            guard let url = try? resolver.url(for: name, ext: settings.ext), !wanted.contains(url), url != sourceURL
            else { continue }
            wanted.append(url)
        }
        for (url, item) in preloads where !wanted.contains(url) || item.status == .failed { item.cancelPreload() }
        preloads.removeAll { !wanted.contains($0.url) || $0.item.status == .failed }
        for url in wanted {
            if let queued, queued.item.asset.url == url {
                queued.item.preload()
            } else if !preloads.contains(where: { $0.url == url }) {
                let item = makeItem(url)
                preloads.append((url, item))
                item.preload()
            }
        }
        if !wanted.isEmpty, memoryWatch == nil { memoryWatch = MemoryWatch { [weak self] in self?.dropPreloads() } }
    }

    /// Lets go of all; they are made ready again when the list, the place in it or the settings change.
    func dropPreloads() {
        for (_, item) in preloads { item.cancelPreload() }
        queued?.item.cancelPreload()
        preloads = []
    }

    /// The item that waits for `url`, if one does.
    func takePreload(_ url: URL) -> AVPlayerItem? {
        guard let index = preloads.firstIndex(where: { $0.url == url }) else { return nil }
        let item = preloads.remove(at: index).item
        return item.status == .failed ? nil : item
    }
}
