import Foundation
import MediaCore
import MediaEngine
import Observation

/// The films of one window, one of which plays: what the panel shows, and what the player is given. The player has the
/// one that plays and the one after it, so that there is no gap between them, whatever is done to the list. Main actor.
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
    /// Where a film that is asked for begins, seconds.
    @ObservationIgnored var beginning: @MainActor (URL) -> Double? = { _ in nil }

    /// What the player has of a row.
    private struct Playing {
        let id: Row.ID
        let item: AVPlayerItem
        let observations: [NSKeyValueObservation]
        let end: any NSObjectProtocol
    }
    @ObservationIgnored private var playing: [Playing] = []
    @ObservationIgnored private var watch: NSKeyValueObservation?
    @ObservationIgnored private var lastID = 0
    @ObservationIgnored private var isArranging = false

    init(_ player: AVQueuePlayer) {
        self.player = player
        watch = player.observe(\.currentItem) { [weak self] _, _ in self?.currentChanged() }
    }

    var currentRow: Row? { rows.first { $0.id == current } }
    private func index(_ id: Row.ID?) -> Int? { id.flatMap { id in rows.firstIndex { $0.id == id } } }

    // MARK: what is done to it

    /// - Parameter before: nil: at its end.
    /// - Returns: the first of them.
    @discardableResult
    func add(_ entries: [MediaList.Entry], before: Row.ID? = nil) -> Row.ID? {
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
        guard id != before, let from = index(id) else { return }
        let row = rows.remove(at: from)
        rows.insert(row, at: index(before) ?? rows.count)
        arranged()
    }

    /// Of the one that plays, the next plays, at the end the one before.
    func remove(_ id: Row.ID) {
        guard let at = index(id) else { return }
        let successor = at + 1 < rows.count ? rows[at + 1].id : at > 0 ? rows[at - 1].id : nil
        rows.remove(at: at)
        guard id == current else { return arranged() }
        let wasPlaying = player.rate > 0
        if let successor {
            play(successor, andGo: wasPlaying)
        } else {
            stop()
        }
    }

    func removeAll() {
        rows = []
        stop()
    }

    /// - Parameters:
    ///   - seconds: nil: where it was left, else at its beginning.
    ///   - andGo: false: its first picture stands.
    func play(_ id: Row.ID, from seconds: Double? = nil, andGo: Bool = true) {
        guard let at = index(id) else { return }
        leave()
        rows[at].problem = nil
        failure = nil
        current = id
        isArranging = true
        player.removeAllItems()
        playing = []
        insert(rows[at])
        isArranging = false
        arrangeNext()
        if let seconds = seconds ?? beginning(rows[at].entry.url), seconds > 0 {
            player.seek(to: CMTime(seconds: seconds, preferredTimescale: 1000))
        }
        if andGo { player.play() } else { player.pause() }
        onChange?()
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
        leave()
        watch?.invalidate()
        onChange = nil
        isArranging = true
        player.removeAllItems()
        playing = []
    }

    private func stop() {
        leave()
        current = nil
        failure = nil
        isArranging = true
        player.removeAllItems()
        playing = []
        isArranging = false
        player.pause()
        onChange?()
    }

    private func arranged() {
        arrangeNext()
        onChange?()
    }

    // MARK: what the player has

    private func insert(_ row: Row) {
        let entry = row.entry
        let options: [String: Any] = entry.headers.isEmpty ? [:] : [AVURLAssetHTTPHeaderFieldsKey: entry.headers]
        let item = AVPlayerItem(asset: AVURLAsset(url: entry.url, options: options))
        let id = row.id
        let status = item.observe(\.status) { [weak self] item, _ in
            if item.status == .failed { self?.failed(id, item) }
        }
        let end = NotificationCenter.default.addObserver(
            forName: AVPlayerItem.didPlayToEndTimeNotification, object: item, queue: nil
        ) { [weak self] _ in
            MainActor.assumeIsolated { self?.onLeft?(entry.url, nil, 0) }
        }
        playing.append(Playing(id: id, item: item, observations: [status], end: end))
        player.insert(item)
    }

    /// Behind the one that plays stands the one that is to follow, and nothing else.
    private func arrangeNext() {
        guard let at = index(current), let first = player.currentItem else { return }
        // What failed is not tried again by itself.
        let next = rows[(at + 1)...].first { $0.problem == nil }
        isArranging = true
        defer { isArranging = false }
        for item in player.items() where item !== first {
            if playing.first(where: { $0.item === item })?.id == next?.id { continue }
            player.remove(item)
        }
        let kept = player.items()
        for gone in playing where !kept.contains(where: { $0 === gone.item }) {
            NotificationCenter.default.removeObserver(gone.end)
        }
        playing.removeAll { one in !kept.contains { $0 === one.item } }
        if let next, !playing.contains(where: { $0.id == next.id }) { insert(next) }
        // The last picture of the last film stays.
        player.actionAtItemEnd = next == nil ? .pause : .advance
    }

    private func currentChanged() {
        guard !isArranging else { return }
        if let item = player.currentItem, let one = playing.first(where: { $0.item === item }) {
            current = one.id
            arrangeNext()
        }
        judge()
        onChange?()
    }

    private func failed(_ id: Row.ID, _ item: AVPlayerItem) {
        guard let at = index(id) else { return }
        let error =
            item.error as? AVError
            ?? AVError(
                .unknown, at: rows[at].entry.url.location, reason: item.error.map { "\($0)" } ?? "cannot be played")
        rows[at].problem = error
        // The player may be about to go on to the next.
        DispatchQueue.main.async { [weak self] in
            MainActor.assumeIsolated {
                self?.judge()
                self?.onChange?()
            }
        }
    }

    /// Whether the film that should play is one that cannot.
    private func judge() {
        let item = player.currentItem
        failure = item == nil || item?.status == .failed ? currentRow?.problem : nil
    }

    // MARK: places

    /// How far what plays has been seen: nothing where that is not known.
    func tellPlace() {
        guard let row = currentRow, let item = player.currentItem, item.status == .readyToPlay,
            playing.first(where: { $0.item === item })?.id == row.id, item.duration.isNumeric, !player.isAtEnd
        else { return }
        let seconds = item.currentTime().seconds
        guard seconds.isFinite else { return }
        onLeft?(row.entry.url, seconds, item.duration.seconds)
    }
    private func leave() { tellPlace() }
}
