import Foundation
import MediaCore

/// Which rung is played, and by which of its redundant playlists.
struct RungPlan {
    /// How long rungs that a machine is too slow for are avoided: what else it had to do may be over then.
    static let avoidance: Int64 = 60_000_000_000

    /// The stream's own address: of one media playlist there is nothing else to choose.
    private let url: URL
    private var sources: [HLSPresentation.Source] = []
    private(set) var choice: AdaptiveChoice?
    private var limits = AdaptationLimits()
    /// Rungs that this machine could not decode in time, for now.
    private var tooSlow: Set<Int> = []
    /// Rungs whose video has no decoder here, as their segments have shown.
    private var undecodable: Set<Int> = []
    /// Which of a rung's redundant playlists is played.
    private var standIn: [Int: Int] = [:]
    var current: Int?
    /// What was decided for the segment that begins there: asked again it is the same.
    private var decided: (position: Int64, rung: Int)?
    /// Why the newest rung was taken.
    private(set) var reason = "startup"

    init(url: URL) { self.url = url }

    // MARK: what there is

    mutating func offer(_ sources: [HLSPresentation.Source]) { self.sources = sources }

    var count: Int { sources.count }
    subscript(rung: Int) -> HLSPresentation.Source? { sources.indices.contains(rung) ? sources[rung] : nil }

    func playlist(of rung: Int) -> URL {
        guard let all = self[rung]?.playlists, !all.isEmpty else { return url }
        return all[min(standIn[rung] ?? 0, all.count - 1)]
    }

    /// - Parameter segmentDuration: nanoseconds; 0: not known yet.
    mutating func makeChoice(segmentDuration: Int64, rememberedBitRate: Double?, at now: HostTime) {
        let failed = choice.map { choice in sources.indices.filter { choice.failures.avoids($0, at: now) } } ?? []
        choice = AdaptiveChoice(
            rungs: sources.map(\.rung), segmentDuration: segmentDuration, limits: limits,
            rememberedBitRate: rememberedBitRate)
        limitChoice()
        for rung in failed { choice?.failed(rung: rung, at: now) }
    }

    // MARK: limits

    mutating func limit(to new: AdaptationLimits) {
        limits = new
        limitChoice()
    }

    /// The choice's limits: what the player asks, without what the machine cannot.
    mutating func limitChoice() {
        var all = limits
        let avoided = tooSlow.union(undecodable)
        all.excluded.formUnion(avoided.count < sources.count ? avoided : undecodable)
        choice?.limits = all
        decided = nil
    }

    /// The present rung cannot be decoded in time: it and all that have as many pixels a second are avoided, as long as
    /// there is a smaller one.
    /// - Returns: those that are avoided now; nil: nothing is different.
    mutating func avoidPresentSize() -> Set<Int>? {
        guard let rung = current, sources.indices.contains(rung) else { return nil }
        func demand(_ index: Int) -> Double {
            let own = sources[index].rung
            return Double(own.resolution.map { $0.width * $0.height } ?? 0) * (own.frameRate ?? 30)
        }
        let heavy = Set(sources.indices.filter { demand($0) >= demand(rung) })
        guard heavy.count < sources.count, !heavy.isSubset(of: tooSlow) else { return nil }
        tooSlow.formUnion(heavy)
        limitChoice()
        return heavy
    }

    /// Avoids for good a rung whose video cannot be decoded.
    /// - Returns: false: there is no other rung.
    mutating func avoidUndecodable(_ rung: Int) -> Bool {
        guard sources.indices.contains(where: { $0 != rung && !undecodable.contains($0) }) else { return false }
        undecodable.insert(rung)
        limitChoice()
        return true
    }

    mutating func readmit(_ rungs: Set<Int>) {
        tooSlow.subtract(rungs)
        limitChoice()
    }

    // MARK: deciding

    /// What a decision rests on; nanoseconds of media.
    struct Question {
        var now: HostTime
        var buffer: Int64
        var bufferTarget: Int64
        var isStartup: Bool
        var isLive: Bool
        var remaining: Int64?
    }

    /// The rung before anything has been loaded.
    mutating func first(_ question: Question) -> Int { decide(question, current: nil) }

    /// What has been decided for the segment that begins at `position`.
    func decision(at position: Int64) -> Int? { decided?.position == position ? decided?.rung : nil }

    mutating func decide(at position: Int64, _ question: Question) -> Int {
        let rung = decide(question, current: current)
        decided = (position, rung)
        return rung
    }

    private mutating func decide(_ question: Question, current: Int?) -> Int {
        guard sources.count > 1, let choice else { return 0 }
        let decision = choice.nextRung(
            now: question.now, buffer: question.buffer, bufferTarget: question.bufferTarget, current: current,
            isStartup: question.isStartup, isLive: question.isLive, remaining: question.remaining)
        reason = decision.reason.rawValue
        return min(max(0, decision.rung), sources.count - 1)
    }

    /// Whatever the adaptive choice would say.
    mutating func insist(on rung: Int, at position: Int64) { decided = (position, rung) }
    mutating func reconsider() { decided = nil }

    /// The rung to load the segment from instead; nil: go on.
    func abandonment(
        of progress: LoadProgress, duration: Int64, rung: Int, buffer: Int64, isStartup: Bool, at now: HostTime
    ) -> Int? {
        guard let choice, sources.count > 1 else { return nil }
        return choice.abandonment(
            now: now, startedAt: progress.began, bytesSoFar: Int(clamping: progress.bytes),
            bytesTotal: progress.total.map { Int(clamping: $0) }, segmentDuration: duration, rung: rung,
            buffer: max(0, buffer), isStartup: isStartup)
    }

    // MARK: what became of it

    mutating func received(_ progress: LoadProgress, until now: HostTime) {
        choice?.received(
            bytes: Int(clamping: progress.bytes), from: progress.began, firstByte: progress.firstByte, to: now)
    }

    mutating func received(_ part: HTTPMetrics) {
        choice?.received(
            bytes: Int(clamping: part.bytes), from: part.started, firstByte: part.firstByte, to: part.ended)
    }

    mutating func succeeded(_ rung: Int) { choice?.succeeded(rung: rung) }

    mutating func abandoned(for rung: Int, at position: Int64) {
        reason = "abandoned"
        insist(on: rung, at: position)
    }

    /// Another way to a rung that fails: its next redundant playlist, else another rung that has not failed lately.
    mutating func substitute(for rung: Int, after error: AVError, at now: HostTime) -> Int? {
        guard sources.indices.contains(rung) else { return nil }
        let isOutOfReach = error.code == .cannotConnectToHost || error.code == .cannotFindHost
        let here = playlist(of: rung)
        func helps(_ url: URL) -> Bool { !isOutOfReach || url.host() != here.host() || url.port != here.port }
        let used = standIn[rung] ?? 0
        let all = sources[rung].playlists
        if let next = all.indices.dropFirst(used + 1).first(where: { helps(all[$0]) }) {
            standIn[rung] = next
            return rung
        }
        guard sources.count > 1, var choice else { return nil }
        let open = choice.openLadder(now).filter { $0 != rung && helps(playlist(of: $0)) }
        guard !isOutOfReach || !open.isEmpty else { return nil }
        // Its copies are tried from the first on when its time has come again.
        standIn[rung] = nil
        choice.failed(rung: rung, at: now)
        self.choice = choice
        // If all have failed nothing is left to try but time.
        let fresh = open.filter { !choice.failures.avoids($0, at: now) }
        return fresh.last { $0 < rung } ?? fresh.first
    }
}
