/// What may be chosen at all, whatever the network carries.
///
/// A limit that nothing meets leaves the least demanding rung, since playing something beats playing nothing; only
/// `excluded` is never chosen (and the choice has no answer if everything is excluded).
package struct AdaptationLimits: Sendable, Hashable {
    /// Bit/s (`AVPlayerItem.preferredPeakBitRate`); nil, 0, negative or not a number: none.
    package var peakBitRate: Double?
    /// Pixels (`AVPlayerItem.preferredMaximumResolution`); nil or not positive: none. Compared by both sides, either
    /// way up.
    package var maximumResolution: Rung.Resolution?
    /// The pixels the video covers on the screen: the smallest rung that covers them is the highest allowed.
    /// nil or not positive: unknown, no limit.
    package var displaySize: Rung.Resolution?
    /// Indices of rungs that this machine cannot decode (or not in time).
    package var excluded: Set<Int> = []

    package init(
        peakBitRate: Double? = nil, maximumResolution: Rung.Resolution? = nil, displaySize: Rung.Resolution? = nil,
        excluded: Set<Int> = []
    ) {
        self.peakBitRate = peakBitRate
        self.maximumResolution = maximumResolution
        self.displaySize = displaySize
        self.excluded = excluded
    }

    /// The indices that may be chosen, least demanding first. Empty only if all are excluded.
    package func allowed(of rungs: [Rung]) -> [Int] {
        let decodable = rungs.indices.filter { !excluded.contains($0) }.sorted { lesser(rungs, $0, $1) }
        let within = decodable.filter { isWithinPeak(rungs[$0]) && isWithinMaximum(rungs[$0]) }
        guard !within.isEmpty else {
            // Nothing meets the limits: among what misses least, resolution counts before bit rate.
            let small = decodable.filter { isWithinMaximum(rungs[$0]) }
            let least = small.first ?? decodable.min { (area(rungs[$0]) ?? 0, $0) < (area(rungs[$1]) ?? 0, $1) }
            return least.map { [$0] } ?? []
        }
        return withinDisplay(within, rungs)
    }

    /// Order of demand: by bit rate, then as in the playlist.
    private func lesser(_ rungs: [Rung], _ a: Int, _ b: Int) -> Bool {
        let left = rungs[a]
        let right = rungs[b]
        return left.sustainedBitRate != right.sustainedBitRate
            ? left.sustainedBitRate < right.sustainedBitRate
            : left.peakBitRate != right.peakBitRate ? left.peakBitRate < right.peakBitRate : a < b
    }

    private func isWithinPeak(_ rung: Rung) -> Bool {
        guard let peakBitRate, peakBitRate > 0 else { return true }
        return Double(rung.peakBitRate) <= peakBitRate
    }

    private func isWithinMaximum(_ rung: Rung) -> Bool {
        guard let maximum = maximumResolution, maximum.width > 0, maximum.height > 0, let own = rung.resolution else {
            return true
        }
        return max(own.width, own.height) <= max(maximum.width, maximum.height)
            && min(own.width, own.height) <= min(maximum.width, maximum.height)
    }

    private func withinDisplay(_ indices: [Int], _ rungs: [Rung]) -> [Int] {
        guard let display = displaySize, display.width > 0, display.height > 0 else { return indices }
        // A film wider or narrower than the window fits inside it, so one side that reaches the window's covers it.
        let covering = indices.filter { index in
            guard let own = rungs[index].resolution else { return false }
            return own.width >= display.width || own.height >= display.height
        }
        guard let enough = covering.compactMap({ area(rungs[$0]) }).min() else { return indices }
        return indices.filter { (area(rungs[$0]) ?? 0) <= enough }
    }

    private func area(_ rung: Rung) -> Int? {
        guard let own = rung.resolution else { return nil }
        let (product, overflow) = max(0, own.width).multipliedReportingOverflow(by: max(0, own.height))
        return overflow ? .max : product
    }
}
