import Foundation
import MediaCore
import MediaEngine
import Observation
import PlayerControls

/// The films of one window, one of which plays: what the panel shows, and what the player is given. `PlayQueue`
/// gives the player what plays and what follows, so that there is no gap, whatever is done to the list. Main actor.
@MainActor @Observable
final class FilmList {
    struct Row: Identifiable, Equatable {
        let id: Int
        let entry: MediaList.Entry
        /// Why it could not be played, when it was tried last.
        var problem: AVError?
        var title: String { entry.displayTitle }
    }
    private(set) var rows: [Row] = []
    /// The one that plays, or was the last to.
    private(set) var current: Row.ID?
    /// Why nothing plays though it should.
    private(set) var failure: AVError?

    @ObservationIgnored let player: AVQueuePlayer
    /// Something of the above has changed.
    @ObservationIgnored var onChange: (@MainActor () -> Void)?
    /// A film is left: another one plays, or none; how far it was seen, `nil` to its end.
    @ObservationIgnored var onLeft: (@MainActor (_ film: URL, _ seconds: Double?, _ duration: Double) -> Void)?
    /// A film can be played.
    @ObservationIgnored var onOpened: (@MainActor (MediaList.Entry) -> Void)?
    /// Where a film that is asked for begins, seconds.
    @ObservationIgnored var beginning: @MainActor (URL) -> Double? = { _ in nil }

    /// What the player is given, and what keys and menus go through.
    @ObservationIgnored let queue: MediaQueue
    /// What is heard of the items that the player has.
    private struct Heard {
        let item: AVPlayerItem
        let id: Row.ID
        let status: NSKeyValueObservation
        let end: any NSObjectProtocol
    }
    @ObservationIgnored private var heard: [Heard] = []
    @ObservationIgnored private var lastID = 0
    /// A row is a list of media on a server though its name is a stream's.
    @ObservationIgnored var onList: ((Row) -> Void)?
    /// Each list is read once: one may name itself.
    @ObservationIgnored private var expanded: Set<URL> = []

    init(_ player: AVQueuePlayer) {
        self.player = player
        queue = MediaQueue(player: player) { entry in
            let options: [String: any Sendable] =
                entry.headers.isEmpty ? [:] : [AVURLAssetHTTPHeaderFieldsKey: entry.headers]
            return AVPlayerItem(asset: AVURLAsset(url: entry.url, options: options))
        }
        queue.keepsLastFrame = true
        queue.onItem = { [weak self] item, index in self?.hear(item, index) }
        queue.onMove = { [weak self] in self?.moved() }
        queue.onEnd = { [weak self] in self?.changed() }
    }

    var currentRow: Row? { rows.first { $0.id == current } }
    private func index(_ id: Row.ID?) -> Int? { id.flatMap { id in rows.firstIndex { $0.id == id } } }

    // MARK: what is done to it

    /// - Parameter before: nil: at its end.
    /// - Returns: the first of them.
    @discardableResult
    func add(_ entries: [MediaList.Entry], before: Row.ID? = nil) -> Row.ID? {
        player.noticeSeam()
        let fresh = entries.map { entry in
            lastID += 1
            return Row(id: lastID, entry: entry)
        }
        rows.insert(contentsOf: fresh, at: index(before) ?? rows.count)
        arranged()
        return fresh.first?.id
    }

    /// What plays goes on. - Parameter before: nil: to its end.
    func move(_ id: Row.ID, before: Row.ID?) {
        player.noticeSeam()
        guard id != before, let from = index(id) else { return }
        let row = rows.remove(at: from)
        rows.insert(row, at: index(before) ?? rows.count)
        arranged()
    }

    /// Of the one that plays, the next plays, at the end the one before.
    func remove(_ id: Row.ID) {
        player.noticeSeam()
        guard let at = index(id) else { return }
        let successor = at + 1 < rows.count ? rows[at + 1].id : at > 0 ? rows[at - 1].id : nil
        rows.remove(at: at)
        guard id == current else { return arranged() }
        let wasPlaying = player.rate > 0
        tellPlace()
        guard let successor, let next = index(successor) else { return stop() }
        queue.replace(with: rows.map(\.entry), at: next)
        if !wasPlaying { player.pause() }
    }

    func removeAll() { stop() }

    /// - Parameters:
    ///   - seconds: nil: where it was left, else at its beginning.
    ///   - andGo: false: its first picture stands.
    func play(_ id: Row.ID, from seconds: Double? = nil, andGo: Bool = true) {
        guard let at = index(id) else { return }
        tellPlace()
        rows[at].problem = nil
        queue.jump(to: at)
        if let seconds = seconds ?? beginning(rows[at].entry.url), seconds > 0 {
            player.seek(to: CMTime(seconds: seconds, preferredTimescale: 1000))
        }
        if andGo { player.play() } else { player.pause() }
        changed()
    }

    /// Once more what could not be played, from where it broke off.
    func retry() {
        guard let current else { return }
        let seconds = player.currentTime().seconds
        play(current, from: seconds.isFinite && seconds > 0 ? seconds : nil)
    }

    var hasNext: Bool { index(current).map { $0 + 1 < rows.count } ?? false }
    var hasPrevious: Bool { index(current).map { $0 > 0 } ?? false }
    func next() { if let at = index(current), at + 1 < rows.count { play(rows[at + 1].id) } }
    func previous() { if let at = index(current), at > 0 { play(rows[at - 1].id) } }

    /// The window has gone.
    func close() {
        tellPlace()
        onChange = nil
        onList = nil
        onOpened = nil
        queue.onMove = nil
        queue.onEnd = nil
        queue.onItem = nil
        player.removeAllItems()
        for one in heard { NotificationCenter.default.removeObserver(one.end) }
        heard = []
    }

    private func stop() {
        tellPlace()
        rows = []
        current = nil
        queue.replace(with: [])
        player.removeAllItems()
        player.pause()
        changed()
    }

    private func arranged() {
        queue.rearrange(rows.map(\.entry), index: index(current) ?? 0)
        changed()
    }

    // MARK: what becomes of it

    private func hear(_ item: AVPlayerItem, _ index: Int) {
        guard rows.indices.contains(index) else { return }
        let (id, entry) = (rows[index].id, rows[index].entry)
        let had = player.items()
        for gone in heard where !had.contains(where: { $0 === gone.item }) {
            NotificationCenter.default.removeObserver(gone.end)
        }
        heard.removeAll { one in !had.contains { $0 === one.item } }
        let status = item.observe(\.status) { [weak self] item, _ in
            switch item.status {
            case .failed: self?.failed(id, item)
            case .readyToPlay: self?.onOpened?(entry)
            case .unknown: break
            }
        }
        let end = NotificationCenter.default.addObserver(
            forName: AVPlayerItem.didPlayToEndTimeNotification, object: item, queue: nil
        ) { [weak self] _ in
            MainActor.assumeIsolated { self?.onLeft?(entry.url, nil, 0) }
        }
        heard.append(Heard(item: item, id: id, status: status, end: end))
    }

    private func moved() {
        guard rows.indices.contains(queue.index) else { return }
        current = rows[queue.index].id
        changed()
    }

    /// What was found to be a list when it was played gives its place to what the list names, whose first plays.
    func replace(_ id: Row.ID, by entries: [MediaList.Entry]) {
        guard index(id) != nil, let first = add(entries, before: id) else { return }
        play(first)
        remove(id)
    }

    private func failed(_ id: Row.ID, _ item: AVPlayerItem) {
        guard let at = index(id) else { return }
        let error =
            item.error as? AVError
            ?? AVError(
                .unknown, at: rows[at].entry.url.location,
                reason: item.error.map { "\($0)" } ?? "the reason is unknown")
        if error.isListOfMedia, let onList, expanded.insert(rows[at].entry.url).inserted { onList(rows[at]) }
        rows[at].problem = error
        // The player may be about to go on to the next.
        DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.changed() } }
    }

    /// Looks whether the film that should play is one that cannot, and tells.
    private func changed() {
        let item = player.currentItem
        let new = item == nil || item?.status == .failed ? currentRow?.problem : nil
        if new != failure { failure = new }
        onChange?()
    }

    // MARK: places

    /// How far what plays has been seen: nothing where that is not known.
    func tellPlace() {
        guard let item = player.currentItem, item.status == .readyToPlay, item.duration.isNumeric,
            !player.isAtEnd,
            let id = heard.first(where: { $0.item === item })?.id,
            let row = rows.first(where: { $0.id == id })
        else { return }
        let seconds = item.currentTime().seconds
        guard seconds.isFinite else { return }
        onLeft?(row.entry.url, seconds, item.duration.seconds)
    }
}
