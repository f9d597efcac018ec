import Foundation
import MediaCore
import MediaEngine
import Observation
import PlayerControls

/// The playlist of one window: the rows that the panel shows, and the items that the player gets. Main actor.
///
/// `PlayQueue` gives the player the current item and the next ones, so that there is no gap, even if the list changes.
@MainActor @Observable
final class FilmList {
    struct Row: Identifiable, Equatable {
        let id: Int
        let entry: MediaList.Entry
        /// The reason why the row could not be played when it was last tried.
        var problem: AVError?
        /// The playlists from which the row came, and its own URL once that has been read as a playlist. None of them
        /// is read again for this row, because a playlist may contain itself.
        fileprivate(set) var expanded: Set<URL> = []
        var title: String { entry.displayTitle }
    }
    private(set) var rows: [Row] = []
    /// The row that plays, or that has played last.
    private(set) var current: Row.ID?
    /// The reason why the current row can't be played; nil if it can, and without a current row.
    private(set) var failure: AVError?

    @ObservationIgnored let player: AVQueuePlayer
    /// Called when one of the properties above has changed.
    @ObservationIgnored var onChange: (@MainActor () -> Void)?
    /// Called with a position in a video to store, in seconds; nil if the video was watched to its end.
    ///
    /// It is called at intervals during playback, after a pause, and when another video starts or the list ends.
    @ObservationIgnored var onLeft: (@MainActor (_ film: URL, _ seconds: Double?, _ duration: Double) -> Void)?
    /// Called when a video can be played.
    @ObservationIgnored var onOpened: (@MainActor (MediaList.Entry) -> Void)?
    /// Returns the position at which a requested video starts, in seconds. Not called for a video that follows another
    /// by itself, because a seek would make a gap.
    @ObservationIgnored var startPosition: @MainActor (URL) -> Double? = { _ in nil }

    /// The queue, which gives the player its items. Keys and menus use it too.
    @ObservationIgnored let queue: MediaQueue
    /// The observations of an item in the player's queue.
    private struct ObservedItem {
        let item: AVPlayerItem
        let status: NSKeyValueObservation
        let end: any NSObjectProtocol
    }
    @ObservationIgnored private var observedItems: [ObservedItem] = []
    /// The current item and its video. They are kept until the next item is current, because the row may be removed
    /// earlier.
    @ObservationIgnored private var shown: (item: AVPlayerItem, film: URL)?
    @ObservationIgnored private var lastID = 0
    /// Called for a row whose URL looked like that of a stream, if the server returned a playlist instead.
    @ObservationIgnored var onList: ((Row) -> Void)?
    /// The row that was current when its URL turned out to be that of a playlist. Reset to nil when a row is played.
    @ObservationIgnored private var awaited: Row.ID?

    init(_ player: AVQueuePlayer) {
        self.player = player
        queue = MediaQueue(player: player) { entry in
            let options: [String: any Sendable] =
                entry.headers.isEmpty ? [:] : [AVURLAssetHTTPHeaderFieldsKey: entry.headers]
            return AVPlayerItem(asset: AVURLAsset(url: entry.url, options: options))
        }
        queue.keepsLastFrame = true
        queue.onItem = { [weak self] item, index in self?.observe(item, index) }
        queue.onMove = { [weak self] in self?.moved() }
        queue.onEnd = { [weak self] in self?.changed() }
    }

    var currentRow: Row? { rows.first { $0.id == current } }
    private func index(_ id: Row.ID?) -> Int? { id.flatMap { id in rows.firstIndex { $0.id == id } } }

    // MARK: changing the list

    /// Adds entries.
    /// - Parameters:
    ///   - before: The row before which they are added; nil for the end of the list.
    ///   - expanded: The playlists from which the entries come.
    /// - Returns: The first new row; nil if there is none.
    @discardableResult
    func add(_ entries: [MediaList.Entry], before: Row.ID? = nil, expanded: Set<URL> = []) -> Row.ID? {
        player.followPipeline()
        let fresh = entries.map { entry in
            lastID += 1
            return Row(id: lastID, entry: entry, expanded: expanded)
        }
        rows.insert(contentsOf: fresh, at: index(before) ?? rows.count)
        arranged()
        return fresh.first?.id
    }

    /// Moves a row. The current video continues.
    /// - Parameter before: The row before which it is moved; nil for the end of the list.
    func move(_ id: Row.ID, before: Row.ID?) {
        player.followPipeline()
        guard id != before, let from = index(id) else { return }
        let row = rows.remove(at: from)
        rows.insert(row, at: index(before) ?? rows.count)
        arranged()
    }

    /// Removes a row. If it is the current one, the next row replaces it, or the previous one at the end of the list.
    /// The replacement plays only if the removed row was playing.
    func remove(_ id: Row.ID) {
        player.followPipeline()
        guard let at = index(id) else { return }
        let successor = at + 1 < rows.count ? rows[at + 1].id : at > 0 ? rows[at - 1].id : nil
        rows.remove(at: at)
        guard id == current else { return arranged() }
        let wasPlaying = player.rate > 0
        guard let successor, let next = index(successor) else { return stop() }
        queue.replace(with: rows.map(\.entry), at: next)
        if !wasPlaying { player.pause() }
    }

    func removeAll() { stop() }

    /// Plays a row.
    /// - Parameters:
    ///   - seconds: The position in seconds; nil for the stored position, or else the start.
    ///   - plays: Whether playback starts. If not, the player pauses at the first frame.
    func play(_ id: Row.ID, from seconds: Double? = nil, plays: Bool = true) {
        guard let at = index(id) else { return }
        queue.jump(to: at)
        if let seconds { seek(to: seconds) }
        if plays { player.play() } else { player.pause() }
        changed()
    }

    /// Plays the current row again after it has failed, from the position at which it failed. If the row is a playlist,
    /// the playlist is read again.
    func retry() {
        guard let current, let at = index(current) else { return }
        rows[at].expanded.remove(rows[at].entry.url)
        if !player.retryCurrentItem({ _ in play(current) }) { play(current) }
    }

    var hasNext: Bool { index(current).map { $0 + 1 < rows.count } ?? false }
    var hasPrevious: Bool { index(current).map { $0 > 0 } ?? false }
    func next() { if let at = index(current), at + 1 < rows.count { play(rows[at + 1].id) } }
    func previous() { if let at = index(current), at > 0 { play(rows[at - 1].id) } }

    /// Ends the list, because the window has closed.
    func close() {
        reportPosition()
        onChange = nil
        onList = nil
        onOpened = nil
        queue.onMove = nil
        queue.onEnd = nil
        queue.onItem = nil
        player.removeAllItems()
        for observed in observedItems { NotificationCenter.default.removeObserver(observed.end) }
        observedItems = []
    }

    private func stop() {
        reportPosition()
        rows = []
        (current, shown) = (nil, nil)
        queue.replace(with: [])
        player.pause()
        changed()
    }

    private func arranged() {
        queue.rearrange(rows.map(\.entry), index: index(current) ?? 0)
        changed()
    }

    // MARK: following the player

    private func observe(_ item: AVPlayerItem, _ index: Int) {
        guard rows.indices.contains(index) else { return }
        let (id, entry) = (rows[index].id, rows[index].entry)
        let playerItems = withoutObservationTracking { player.items() }
        for removed in observedItems where !playerItems.contains(where: { $0 === removed.item }) {
            NotificationCenter.default.removeObserver(removed.end)
        }
        observedItems.removeAll { observed in !playerItems.contains { $0 === observed.item } }
        let status = item.observe(\.status) { [weak self] item, _ in
            switch item.status {
            case .failed: self?.failed(id, item)
            case .readyToPlay: self?.opened(id, entry)
            case .unknown: break
            }
        }
        let end = NotificationCenter.default.addObserver(
            forName: AVPlayerItem.didPlayToEndTimeNotification, object: item, queue: nil
        ) { [weak self, weak item] _ in
            MainActor.assumeIsolated { if item?.isAtLoopBoundary == false { self?.onLeft?(entry.url, nil, 0) } }
        }
        observedItems.append(ObservedItem(item: item, status: status, end: end))
    }

    /// Follows the queue to its current entry. The position in the previous video is reported. If the user requested
    /// the entry, it starts at its stored position.
    private func moved() {
        guard rows.indices.contains(queue.index) else { return }
        if let shown, let time = shown.item.leftTime { report(time, in: shown.item, of: shown.film) }
        let entry = rows[queue.index].entry
        shown = queue.current.map { ($0, entry.url) }
        current = rows[queue.index].id
        if queue.isRequested {
            awaited = nil
            rows[queue.index].problem = nil
            if let seconds = startPosition(entry.url) { seek(to: seconds) }
        }
        changed()
    }

    private func seek(to seconds: Double) {
        if seconds > 0 { player.seek(to: CMTime(seconds: seconds, preferredTimescale: 1000)) }
    }

    /// Replaces a row whose URL is that of a playlist with the entries of the playlist. If the row was current, or if
    /// nothing plays, the first entry plays. Otherwise, the current video continues.
    func replace(_ id: Row.ID, by entries: [MediaList.Entry]) {
        guard let row = rows.first(where: { $0.id == id }),
            let first = add(entries, before: id, expanded: row.expanded.union([row.entry.url]))
        else { return }
        let isIdle = player.currentItem.map { $0.status == .failed } ?? true || player.isAtEnd
        if isIdle || [current, awaited].contains(id) { play(first) }
        remove(id)
    }

    private func opened(_ id: Row.ID, _ entry: MediaList.Entry) {
        if let at = index(id), rows[at].problem != nil {
            rows[at].problem = nil
            changed()
        }
        onOpened?(entry)
    }

    private func failed(_ id: Row.ID, _ item: AVPlayerItem) {
        guard let at = index(id) else { return }
        let error =
            item.error as? AVError
            ?? AVError(
                .unknown, at: rows[at].entry.url.location,
                reason: item.error.map { "\($0)" } ?? "the reason is unknown")
        if error.isListOfMedia, id == current { awaited = id }
        if error.isListOfMedia, let onList, rows[at].expanded.insert(rows[at].entry.url).inserted { onList(rows[at]) }
        rows[at].problem = error
        // The player may be about to continue with the next item.
        DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.changed() } }
    }

    /// Updates `failure` and reports the change.
    private func changed() {
        let item = player.currentItem
        let new = item == nil || item?.status == .failed ? currentRow?.problem : nil
        if new != failure { failure = new }
        onChange?()
    }

    // MARK: positions

    /// Reports the position in the current video. Nothing is reported if the position is not known.
    func reportPosition() {
        guard let shown, shown.item === player.currentItem, !player.isAtEnd else { return }
        report(shown.item.currentTime(), in: shown.item, of: shown.film)
    }

    private func report(_ time: CMTime, in item: AVPlayerItem, of film: URL) {
        guard item.status == .readyToPlay, item.duration.isNumeric, time.seconds.isFinite else { return }
        onLeft?(film, time.seconds, item.duration.seconds)
    }
}
