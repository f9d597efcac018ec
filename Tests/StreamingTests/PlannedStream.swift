import Foundation
import MediaCore
import TestSupport
import Testing

@testable import Streaming

/// A stream with everything that loads it, without network and threads, and with a simulated clock. It performs the
/// effects of a `StreamPlan` literally and records a complaint about each effect that is invalid.
final class PlannedStream: StreamConditions {
    struct Shape: CustomTestStringConvertible {
        var name: String
        var isLive = false
        var hasAudio = false
        /// Whether the redundant playlist has a group of its own for the audio, on its own host.
        var hasAudioCopy = false
        /// The audio group of each variant, if the groups differ. They contain options with different names, as FFmpeg
        /// writes them. nil means that the variant has no group.
        var audioGroups: [String?]?
        /// Whether every variant has a redundant playlist, not only the middle one.
        var hasCopies = false
        /// Whether the stream is a low-latency stream, whose newest segment arrives in parts.
        var hasParts = false
        /// Whether every seventh segment is a gap.
        var hasGaps = false
        var loadsOnDemand = false
        var testDescription: String { name }
    }

    /// A running load.
    struct Load {
        var order: SegmentOrder
        var progress: LoadProgress
        var isOpen: Bool
        /// The number of requested parts that have not arrived.
        var left: Int
        /// Whether an attempt has failed and the plan has not reacted yet.
        var awaitsAnswer = false
        var retriesAt: HostTime?
    }

    /// The media that a reader has received since its last jump.
    struct Stretch {
        /// The start of the next expected media, in nanoseconds.
        var from: Int64
        var loaded: Set<SegmentCache.Key> = []
        /// The event after the last media: the end, a failure or a jump.
        var told: Told?
        enum Told {
            case end, failure
            case jump(Int64)
        }
    }

    static let second: Int64 = 1_000_000_000
    static let segment = 4 * second

    let shape: Shape
    let url: URL
    var plan: StreamPlan
    var numbers: SeededNumbers
    var now = HostTime(nanoseconds: 1_000 * second)
    var shownTime: Int64?
    var forwardDuration: Int64 = 30 * second
    var rememberedBitRate: Double?
    var random: Double { 0.5 }

    // The server's state: the numbers of the available segments, and the number of parts of the next one.
    var window = 0..<14
    var parts = 0
    var isOver = false

    // The requested resources.
    var wantsPresentation = false
    var known: [URL: KnownPlaylist] = [:]
    var requested: Set<URL> = []
    var loads: [StreamRole: Load] = [:]
    var stretches: [StreamRole: Stretch] = [:]
    var wakes: [StreamRole: HostTime] = [:]
    var soon: [StreamEvent] = []
    var later: [(time: HostTime, event: StreamEvent)] = []
    var kept: [SegmentCache.Key: Int64] = [:]
    var awaited: Set<StreamRole> = []
    var isCacheFull = false
    var isPaused = false
    var opened: Result<HLSSession.Opened, AVError>?
    var isClosed = false

    /// The number of occurrences of each event, to verify that a test covers it.
    var met: [String: Int] = [:]
    /// The invalid effects so far.
    var complaints: [String] = []
    var isBeginningAnew = false
    private var untold: [StreamEvent] = []
    /// The position at which the reader continues, if it differs from the target of the last seek.
    private var place: Int64?
    private var isTelling = false

    init(_ shape: Shape, seed: UInt64) {
        self.shape = shape
        numbers = SeededNumbers(seed: seed)
        url = URL(fileURLWithPath: "/stream/main.m3u8")
        var settings = HLSSession.Settings()
        settings.loadsOnDemand = shape.loadsOnDemand
        plan = StreamPlan(url: url, settings: settings)
    }

    // MARK: conditions for the plan

    func playlist(_ url: URL) -> KnownPlaylist { known[url] ?? KnownPlaylist() }
    func isAwaited(_ role: StreamRole) -> Bool { awaited.contains(role) }
    var readerWaits: Bool { !awaited.isEmpty }
    func progress(_ role: StreamRole) -> LoadProgress? { loads[role]?.progress }
    func cacheIsFull(from playhead: Int64, to position: Int64) -> Bool { isCacheFull }

    // MARK: events for the plan

    func send(_ event: StreamEvent) {
        untold.append(event)
        if !isTelling { carryOut([]) }
    }

    func reject(_ order: SegmentOrder) {
        let error = AVError(.decodeFailed, at: order.playlist.absoluteString, reason: "is no media")
        kept[order.key] = nil
        let (verdict, effects) = plan.reject(
            from: order.playlist.absoluteString, variant: order.variant, mediaSequence: order.mediaSequence,
            range: order.start..<order.end, error, in: self)
        // The reader continues at the same time, with another segment.
        place = order.start
        carryOut(effects)
        place = nil
        if verdict == nil { count("rejected") }
    }

    func count(_ what: String) { met[what, default: 0] += 1 }
    func complain(_ what: String) { complaints.append(what) }

    // MARK: effects of the plan

    private func carryOut(_ effects: [StreamEffect]) {
        isTelling = true
        for effect in effects { carryOut(effect) }
        while !untold.isEmpty {
            let event = untold.removeFirst()
            for effect in plan.handle(event, in: self) { carryOut(effect) }
            if case .close = event { isClosed = true }
        }
        isTelling = false
        if case .failure = opened { giveUp() }
        check()
    }

    /// Behaves like a reader that failed to open the stream.
    private func giveUp() {
        for effect in plan.handle(.suspend, in: self) { carryOut(effect) }
        loseReloads()
    }

    /// Stops the loading of playlists, as a suspension does. Live ones are outdated from then on.
    func loseReloads() {
        requested = []
        for url in known.keys {
            let isLive = known[url]?.timed?.playlist.isLive == true
            known[url]?.isActive = false
            known[url]?.isOutdated = isLive
        }
    }

    private func carryOut(_ effect: StreamEffect) {
        if isClosed { complain("asks for \(effect) after the close") }
        switch effect {
        case .loadPresentation: wantsPresentation = true
        case .need(let url):
            if playlist(url).isMissing, playlist(url).failure == nil { requested.insert(url) }
        case .forgetFailure(let url):
            known[url]?.failure = nil
            known[url]?.reloadFailure = nil
        case .play(let url, let others):
            for other in known.keys {
                let isWanted = other == url || others.contains(other) && isActive(other)
                known[other]?.isActive = isWanted
                if isWanted { known[other]?.isOutdated = false }
            }
        case .forgetStream(let url, let generation):
            known = known.filter { $0.key == url }
            requested = requested.filter { $0 == url }
            known[url]?.timed?.generation = generation
        case .load(let order): begin(order)
        case .extend(let role, let pieces, let isLast): extend(role, pieces.count, isLast)
        case .retry(let role, let delay):
            guard loads[role]?.awaitsAnswer == true else {
                return complain("retries what has not failed")
            }
            if delay < 0 { complain("retries in the past") }
            loads[role]?.awaitsAnswer = false
            loads[role]?.retriesAt = now + delay
            count("retried")
        case .drop(let role, let state):
            guard let load = loads.removeValue(forKey: role) else { return complain("drops what is not loading") }
            if state == .replaced { count("replaced") } else { skip(load.order) }
        case .feed(let role, .reset): stretches[role] = Stretch(from: place ?? plan.target.time)
        case .feed(let role, .end): told(role, .end, "ended")
        case .feed(let role, .fail): told(role, .failure, "failed")
        case .feed(let role, .jump(let time)): told(role, .jump(time), "jumped")
        case .wake(let role, let time): wakes[role] = time
        case .checkAgain(let role): soon.append(.checkAgain(role))
        case .abandonSoon(let role, let load, let variant):
            soon.append(.abandon(role, load: load, variant: variant))
        case .allowAgain(let variants, let time): later.append((time, .allowAgain(variants)))
        case .opened(let result):
            // The variant of the first segment may be another one, whose playlist is reloaded when it is played.
            if case .success = result, let variant = plan.variants.current,
                playlist(plan.variants.playlist(of: variant)).isOutdated
            {
                complain("opens with an outdated playlist")
            }
            opened = result
        case .abandoned: count("abandoned")
        case .access: count("changed variant")
        case .account, .remember, .present, .chooseSubtitles, .moveSubtitles, .loadSubtitles,
            .changed, .progressed:
            break
        }
    }

    private func isActive(_ url: URL) -> Bool { known[url]?.isActive == true }

    private func told(_ role: StreamRole, _ what: Stretch.Told, _ name: String) {
        if stretches[role]?.told != nil { complain("\(name) behind what has been told already") }
        stretches[role]?.told = what
        count(name)
    }

    private func begin(_ order: SegmentOrder) {
        let role = order.role
        if loads[role] != nil { complain("loads two segments of \(role) at once") }
        guard let stretch = stretches[role] else { return complain("loads before it has begun") }
        if stretch.told != nil { complain("loads behind an end or a failure") }
        if stretch.loaded.contains(order.key) { complain("loads \(order.mediaSequence) twice") }
        if let timed = playlist(order.playlist).timed, !follows(order, stretch.from, timed) {
            complain("loads from \(order.start) where \(stretch.from) is next")
        }
        let most = plan.playhead(self) + plan.bufferTarget(self) + TimedPlaylist.longestTolerance
        // After a gap, or after a window that moved on and then ended, the first available segment is next.
        let isFirst =
            plan[role]?.loaded == 0 || plan[role]?.skippedInRow ?? 0 > 0
            || order.start == playlist(order.playlist).timed?.epoch
        if !awaited.contains(role), order.start > most, !isFirst {
            complain(
                "loads \(order.start), farther ahead than \(most): \(situation), starting \(plan.target.isStarting), target \(plan.target.time)"
            )
        }
        var load = Load(order: order, progress: LoadProgress(began: now), isOpen: false, left: 1)
        if case .parts(let pieces) = order.content {
            load.isOpen = true
            load.left = pieces.count
            load.progress.isWaitingForParts = pieces.isEmpty
            count("loaded in parts")
        } else {
            load.progress.total = [150_000, 500_000, 1_500_000][min(2, order.variant ?? 0)]
        }
        loads[role] = load
        guard kept[order.key] == order.start else { return }
        loads[role] = nil
        arrive(order)
        count("kept")
        send(.wasCached(role, load: order.load))
    }

    /// Whether the segment contains `from` or begins there, or all segments in between are gaps.
    private func follows(_ order: SegmentOrder, _ from: Int64, _ timed: TimedPlaylist) -> Bool {
        guard order.end > from - TimedPlaylist.longestTolerance else { return false }
        if order.start <= from + TimedPlaylist.longestTolerance { return true }
        return timed.playlist.segments.indices.allSatisfy { index in
            let middle = timed.start(of: index) + PlannedStream.second / 2
            return middle < from || middle >= order.start || timed.playlist.segments[index].isGap
        }
    }

    private func extend(_ role: StreamRole, _ count: Int, _ isLast: Bool) {
        guard var load = loads[role], load.isOpen else {
            return complain("adds parts to what is whole")
        }
        load.left += count
        load.isOpen = !isLast
        load.progress.isWaitingForParts = load.isOpen && load.left == 0
        loads[role] = load
        if isLast, load.left == 0 { finish(role) }
    }

    /// Completes the running load.
    func finish(_ role: StreamRole) {
        guard let load = loads.removeValue(forKey: role) else { return }
        kept[load.order.key] = load.order.start
        arrive(load.order)
        count("came")
        send(.didLoad(role, load: load.order.load, load.progress))
    }

    /// Simulates a reader that gets an error for the segment and continues after it.
    func skip(_ order: SegmentOrder) {
        arrive(order)
        stretches[order.role]?.loaded.remove(order.key)
        count("passed over")
    }

    private func arrive(_ order: SegmentOrder) {
        let timed = playlist(order.playlist).timed
        let end = timed?.playlist.index(ofMediaSequence: order.mediaSequence).flatMap {
            timed?.start(of: $0 + 1)
        }
        stretches[order.role]?.from = end ?? order.end
        stretches[order.role]?.loaded.insert(order.key)
    }

    /// A short description of the state, for the message of a failed test.
    var situation: String {
        let all = StreamRole.allCases.compactMap { role in
            plan[role].map { rendition in
                "\(role) at \(rendition.position ?? -1), full \(rendition.isFull), told \(stretches[role]?.told as Any), "
                    + "from \(stretches[role]?.from ?? -1), loading \(loads[role]?.order.start ?? -1), "
                    + "wakes \(wakes[role] as Any)"
            }
        }
        return "\(all), now \(now), shown \(shownTime ?? -1), requested \(requested), opened \(opened as Any)"
    }

    // MARK: rules

    var roles: [StreamRole] { StreamRole.allCases.filter { plan[$0]?.position != nil } }

    private func check() {
        // A restart is reported at once, so the rules apply only afterwards.
        if isBeginningAnew { return }
        for role in StreamRole.allCases {
            if loads[role]?.awaitsAnswer == true { complain("does not answer a failure") }
            guard let rendition = plan[role] else { continue }
            if rendition.load?.order.load != loads[role]?.order.load {
                complain("does not know what is loading")
            }
            if rendition.wakesAt != wakes[role] { complain("does not know when it wakes") }
            guard rendition.position != nil else { continue }
            let isTold = stretches[role]?.told != nil
            if (rendition.isEnded || rendition.hasFailed) != isTold {
                complain("ends without a word, or goes on behind it")
            }
            let looksSoon = soon.contains { if case .checkAgain(role) = $0 { true } else { false } }
            let goesOn = loads[role] != nil || wakes[role] != nil || looksSoon || isTold || !requested.isEmpty
            if !goesOn { complain("\(role) waits for nothing") }
        }
    }
}
