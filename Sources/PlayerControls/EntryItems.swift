import MediaCore
import MediaEngine

/// The items of the entries of a queue. One of them may be open before its list plays. Main actor.
@MainActor
final class EntryItems<Entry: Equatable & Sendable> {
    private let make: @MainActor (Entry) -> AVPlayerItem?
    /// The item that `problem(of:canOpen:)` has opened. It is used when its entry plays, so that its source is opened
    /// only once.
    private var opened: (entry: Entry, item: AVPlayerItem)?
    private static var mostTried: Int { 16 }

    init(_ make: @escaping @MainActor (Entry) -> AVPlayerItem?) { self.make = make }

    /// Creates the item of an entry, or returns the opened one; nil if the entry is missing.
    func item(of entry: Entry) -> AVPlayerItem? {
        guard let opened, opened.entry == entry else { return make(entry) }
        self.opened = nil
        return opened.item
    }

    /// Releases the opened item if no entry can use it, because it holds its file or connection open.
    func release(unlessIn entries: [Entry]) { if let opened, !entries.contains(opened.entry) { self.opened = nil } }

    /// Opens entries until one of them can be played; see `PlayQueue.problem(of:canOpen:)`.
    func problem(of entries: [Entry], canOpen: (Entry) -> Bool) async -> AVError? {
        var first: AVError?
        opened = nil
        for entry in entries.prefix(Self.mostTried) {
            guard canOpen(entry), let item = make(entry) else { return nil }
            do throws(AVError) {
                try await item.openAhead()
                if !Task.isCancelled { opened = (entry, item) }
                return nil
            } catch {
                if first == nil { first = error }
            }
            if Task.isCancelled { break }
        }
        return first
    }
}
