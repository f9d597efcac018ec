import Foundation
import MediaCore
import MediaEngine

/// The items that a session plays, and their errors.
@MainActor
final class PlayedItems {
    /// Called when an item has failed.
    var onFailure: (_ item: AVPlayerItem, _ index: Int) -> Void = { _, _ in }
    /// Called once when a file on a server was cut off and has played to that point.
    var onCutOff: (_ message: String, _ index: Int) -> Void = { _, _ in }
    /// Called when an item can be played.
    var onReady: (_ index: Int) -> Void = { _ in }
    /// The last items, at most 100.
    private(set) var items: [AVPlayerItem] = []
    /// Whether an item that is no longer in `items` was played.
    private(set) var hasPlayedBefore = false
    /// The number of times that an item was played to its end.
    private(set) var endCount = 0
    /// Messages about missing content, such as cut-off files and tracks that can't be decoded, in the order in which
    /// they occurred.
    private(set) var shortfalls: [String] = []
    private var watched: [ObjectIdentifier: Watched] = [:]
    private var trackErrors: Set<String> = []

    private struct Watched {
        var status: NSKeyValueObservation?
        var tokens: [any NSObjectProtocol] = []
        var endedEarly = false
        let index: Int
    }

    /// Observes an item. Only the last 100 items are observed.
    func watch(_ item: AVPlayerItem, at index: Int) {
        items.append(item)
        while items.count > 100 { forget(items.removeFirst()) }
        var observers = Watched(index: index)
        // A loop repeats a file that is cut off. Such a file counts as played to its end.
        observers.tokens = [
            listen(AVPlayerItem.newErrorLogEntryNotification, of: item) { $0.noteTrackErrors($1) },
            listen(AVPlayerItem.failedToPlayToEndTimeNotification, of: item) { $0.ended($1) },
            listen(AVPlayerItem.didPlayToEndTimeNotification, of: item) {
                $0.endCount += 1
                $0.ended($1)
            },
        ]
        watched[ObjectIdentifier(item)] = observers
        let status = item.observe(\.status, options: [.initial]) { [weak self] item, _ in
            switch item.status {
            case .failed: self?.onFailure(item, index)
            case .readyToPlay: self?.onReady(index)
            case .unknown: break
            }
        }
        watched[ObjectIdentifier(item)]?.status = status
    }

    private func listen(
        _ name: Notification.Name, of item: AVPlayerItem,
        _ handler: @escaping @MainActor (PlayedItems, AVPlayerItem) -> Void
    ) -> any NSObjectProtocol {
        NotificationCenter.default.addObserver(forName: name, object: item, queue: nil) { [weak self, weak item] _ in
            MainActor.assumeIsolated { if let self, let item { handler(self, item) } }
        }
    }

    private func forget(_ item: AVPlayerItem) {
        hasPlayedBefore = hasPlayedBefore || item.status == .readyToPlay
        for token in watched.removeValue(forKey: ObjectIdentifier(item))?.tokens ?? [] {
            NotificationCenter.default.removeObserver(token)
        }
    }

    /// Reports once that a file is cut off, when the file has played to its end. A local file is incomplete and has been
    /// played completely. The transfer of a file on a server has failed.
    private func ended(_ item: AVPlayerItem) {
        let key = ObjectIdentifier(item)
        guard item.status != .failed, let shortfall = item.shortfall, let known = watched[key], !known.endedEarly
        else { return }
        watched[key]?.endedEarly = true
        if ["http", "https"].contains(item.asset.url.scheme?.lowercased()) {
            return onCutOff("\(shortfall)", known.index)
        }
        Console.note("\(shortfall)")
        shortfalls.append("\(shortfall)")
    }

    /// Prints once that a track can't be decoded while others play. This is not a failure of the item.
    private func noteTrackErrors(_ item: AVPlayerItem) {
        for error in item.trackErrors where trackErrors.insert("\(error)").inserted {
            Console.note("\(error)")
            shortfalls.append("\(error)")
        }
    }

    /// Prints once that the audio is inaudible. The JSON report omits this error, because the item plays.
    func noteAudio(of player: AVPlayer) {
        guard let error = player.audioError, trackErrors.insert("\(error)").inserted else { return }
        Console.note("\(error)")
    }

    /// Prints errors in the content of streams that did not prevent playback.
    func noteWarnings() {
        for item in items where item.status != .failed {
            let events =
                item.errorLog()?.events.filter { $0.errorDomain == AVPlayerItemErrorLogEvent.contentDomain } ?? []
            let known = (item.trackErrors + [item.shortfall].compactMap { $0 }).map { Optional($0.reason) }
            for event in events.prefix(20) where !known.contains(event.errorComment) {
                Console.note("\(event.uri ?? item.asset.url.location): \(event.errorComment ?? "")")
            }
        }
    }
}
