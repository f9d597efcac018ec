import Foundation
import MediaCore

/// The choice of the variant to play, and of its redundant playlists.
struct VariantPlan {
    /// The time for which variants are avoided because this machine is too slow, in nanoseconds. Other work may have
    /// ended by then.
    static let avoidance: Int64 = 60_000_000_000

    /// The stream's own URL. A stream that is a single media playlist has no other variant.
    private let url: URL
    private var variants: [HLSPresentation.VariantSource] = []
    private(set) var choice: AdaptiveChoice?
    private var limits = AdaptationLimits()
    /// The variants that this machine could not decode in time; they are avoided for a while.
    private var tooSlow: Set<Int> = []
    /// The variants whose video has no decoder on this machine, as their segments have shown.
    private var undecodable: Set<Int> = []
    /// The variants whose audio is of another kind than that of the playing ones: separate, or inside the variant.
    private var apart: Set<Int> = []
    /// The index of the redundant playlist in use, by variant.
    private var redundantPlaylistIndex: [Int: Int] = [:]
    var current: Int?
    /// The decision for the segment that begins at `position`, stored so that further checks of that segment choose the
    /// same variant. nil requires a new decision.
    private var decided: (position: Int64, variant: Int)?
    /// The reason for the newest decision.
    private(set) var reason = "startup"

    init(url: URL) { self.url = url }

    // MARK: variants

    mutating func offer(_ variants: [HLSPresentation.VariantSource]) { self.variants = variants }

    var count: Int { variants.count }
    subscript(variant: Int) -> HLSPresentation.VariantSource? {
        variants.indices.contains(variant) ? variants[variant] : nil
    }

    func playlist(of variant: Int) -> URL { copies(of: variant).first?.url ?? url }

    /// Returns the redundant copies of a variant. The first one is in use.
    func copies(of variant: Int) -> [HLSPresentation.VariantSource.Copy] {
        guard let all = self[variant]?.copies, !all.isEmpty else { return [] }
        let used = min(redundantPlaylistIndex[variant] ?? 0, all.count - 1)
        return Array(all[used...] + all[..<used])
    }

    /// Creates the adaptive choice, and keeps the variants that failed recently.
    /// - Parameter segmentDuration: The duration of a segment in nanoseconds, or 0 if it is unknown.
    mutating func makeChoice(segmentDuration: Int64, rememberedBitRate: Double?, at now: HostTime) {
        let failed = choice.map { choice in variants.indices.filter { choice.failures.avoids($0, at: now) } } ?? []
        choice = AdaptiveChoice(
            variants: variants.map(\.attributes), segmentDuration: segmentDuration, limits: limits,
            rememberedBitRate: rememberedBitRate)
        limitChoice()
        for variant in failed { choice?.failed(variant: variant, at: now) }
    }

    // MARK: limits

    mutating func limit(to new: AdaptationLimits) {
        limits = new
        limitChoice()
    }

    /// Updates the limits of the choice: those of the player, without the variants that this machine cannot decode and
    /// those that are kept apart.
    mutating func limitChoice() {
        var all = limits
        let avoided = tooSlow.union(unusable)
        all.excluded.formUnion(avoided.count < variants.count ? avoided : unusable)
        choice?.limits = all
        decided = nil
    }

    /// The variants that are never chosen.
    private var unusable: Set<Int> { undecodable.union(apart) }

    /// Keeps variants out of the adaptation, because their audio is of another kind. If no other variant can be
    /// decoded, nothing changes.
    mutating func keepApart(_ new: Set<Int>) {
        guard new != apart, undecodable.union(new).count < variants.count else { return }
        apart = new
        if let current, apart.contains(current) { self.current = nil }
        limitChoice()
    }

    /// Avoids the current variant, which cannot be decoded in time, and all variants with at least as many pixels per
    /// second. This happens only if there is a smaller one.
    /// - Returns: The variants that are avoided now, or nil if nothing has changed.
    mutating func excludeCurrentSize() -> Set<Int>? {
        guard let variant = current, variants.indices.contains(variant) else { return nil }
        func demand(_ index: Int) -> Double {
            let own = variants[index].attributes
            return Double(own.resolution.map { $0.width * $0.height } ?? 0) * (own.frameRate ?? 30)
        }
        let heavy = Set(variants.indices.filter { demand($0) >= demand(variant) })
        guard heavy.union(unusable).count < variants.count, !heavy.isSubset(of: tooSlow) else { return nil }
        tooSlow.formUnion(heavy)
        limitChoice()
        return heavy
    }

    /// Avoids a variant permanently, because its video cannot be decoded.
    /// - Returns: Whether there is another variant.
    mutating func excludeUndecodable(_ variant: Int) -> Bool {
        guard variants.indices.contains(where: { $0 != variant && !unusable.contains($0) }) else { return false }
        undecodable.insert(variant)
        limitChoice()
        return true
    }

    mutating func allowAgain(_ variants: Set<Int>) {
        tooSlow.subtract(variants)
        limitChoice()
    }

    // MARK: decisions

    /// The input of a decision. Durations are nanoseconds of media.
    struct Question {
        var now: HostTime
        var buffer: Int64
        var bufferTarget: Int64
        var isStartup: Bool
        var isLive: Bool
        var remaining: Int64?
    }

    /// Returns the variant to begin with, before anything has been loaded.
    mutating func first(_ question: Question) -> Int { decide(question, current: nil) }

    /// Returns the variant that has been decided for the segment at `position`, or nil if there is no decision.
    func decision(at position: Int64) -> Int? { decided?.position == position ? decided?.variant : nil }

    mutating func decide(at position: Int64, _ question: Question) -> Int {
        let variant = decide(question, current: current)
        decided = (position, variant)
        return variant
    }

    private mutating func decide(_ question: Question, current: Int?) -> Int {
        guard variants.count > 1, let choice else { return 0 }
        let decision = choice.nextVariant(
            now: question.now, buffer: question.buffer, bufferTarget: question.bufferTarget, current: current,
            isStartup: question.isStartup, isLive: question.isLive, remaining: question.remaining)
        reason = decision.reason.rawValue
        return min(max(0, decision.variant), variants.count - 1)
    }

    /// Sets the variant for the segment at `position`, regardless of the adaptive choice.
    mutating func overrideDecision(with variant: Int, at position: Int64) { decided = (position, variant) }
    mutating func reconsider() { decided = nil }

    /// Returns the variant from which to load the running segment instead, or nil to continue.
    func abandonment(
        of progress: LoadProgress, duration: Int64, variant: Int, buffer: Int64, isStartup: Bool, at now: HostTime
    ) -> Int? {
        guard let choice, variants.count > 1 else { return nil }
        return choice.abandonment(
            now: now, startedAt: progress.began, bytesSoFar: Int(clamping: progress.bytes),
            bytesTotal: progress.total.map { Int(clamping: $0) }, segmentDuration: duration, variant: variant,
            buffer: max(0, buffer), isStartup: isStartup)
    }

    // MARK: results

    mutating func received(_ progress: LoadProgress, until now: HostTime) {
        choice?.received(
            bytes: Int(clamping: progress.bytes), from: progress.began, firstByte: progress.firstByte, to: now)
    }

    mutating func received(_ part: HTTPMetrics) {
        choice?.received(
            bytes: Int(clamping: part.bytes), from: part.started, firstByte: part.firstByte, to: part.ended)
    }

    mutating func succeeded(_ variant: Int) { choice?.succeeded(variant: variant) }

    mutating func abandoned(for variant: Int, at position: Int64) {
        reason = "abandoned"
        overrideDecision(with: variant, at: position)
    }

    /// Returns an alternative to a failing variant: its next redundant playlist, or else another variant that has not
    /// failed recently. Returns nil if there is none. The playlist in use then stays in use.
    /// - Parameter failed: The variant's playlist that failed, or nil for the one in use. If a later one is in use, it
    ///   is the alternative.
    mutating func substitute(for variant: Int, leaving failed: URL? = nil, after error: AVError, at now: HostTime)
        -> Int?
    {
        guard variants.indices.contains(variant) else { return nil }
        let isOutOfReach = error.code == .cannotConnectToHost || error.code == .cannotFindHost
        let failedURL = failed ?? playlist(of: variant)
        func helps(_ url: URL) -> Bool { !isOutOfReach || url.host() != failedURL.host() || url.port != failedURL.port }
        let used = redundantPlaylistIndex[variant] ?? 0
        let all = variants[variant].playlists
        let failedIndex = all.firstIndex(of: failedURL) ?? used
        if used > failedIndex { return variant }
        if let next = all.indices.dropFirst(failedIndex + 1).first(where: { helps(all[$0]) }) {
            redundantPlaylistIndex[variant] = next
            return variant
        }
        guard variants.count > 1, var choice else { return nil }
        let open = choice.openLadder(now).filter { $0 != variant && helps(playlist(of: $0)) }
        guard !isOutOfReach || !open.isEmpty else { return nil }
        choice.failed(variant: variant, at: now)
        self.choice = choice
        // If all variants have failed recently, there is no alternative until time has passed.
        let fresh = open.filter { !choice.failures.avoids($0, at: now) }
        guard let other = fresh.last(where: { $0 < variant }) ?? fresh.first else { return nil }
        // When the variant is tried again, its redundant playlists are tried from the first one on.
        redundantPlaylistIndex[variant] = nil
        return other
    }

    /// Tries the redundant playlists of all variants from the first one on, because opening has failed.
    mutating func useFirstCopies() { redundantPlaylistIndex = [:] }
}
