/// The limits on the variants that may be chosen, independent of the network.
///
/// If no variant meets the limits, the least demanding one is allowed, because playing something is better than playing
/// nothing. Only variants in `excluded` are never allowed. If all are excluded, no variant is allowed.
package struct AdaptationLimits: Sendable, Hashable {
    /// The highest peak bit rate in bits per second (`AVPlayerItem.preferredPeakBitRate`). There is no limit if the
    /// value is nil, not positive or not a number.
    package var peakBitRate: Double?
    /// The largest size in pixels (`AVPlayerItem.preferredMaximumResolution`). Both sides are compared, regardless of
    /// orientation. There is no limit if the value is nil or not positive.
    package var maximumResolution: AdaptationVariant.Resolution?
    /// The size in pixels that the video covers on the screen. Variants larger than the smallest one that covers it are
    /// not allowed. There is no limit if the value is nil or not positive.
    package var displaySize: AdaptationVariant.Resolution?
    /// The indices of variants that this machine cannot decode, or cannot decode in time.
    package var excluded: Set<Int> = []

    package init(
        peakBitRate: Double? = nil, maximumResolution: AdaptationVariant.Resolution? = nil,
        displaySize: AdaptationVariant.Resolution? = nil,
        excluded: Set<Int> = []
    ) {
        self.peakBitRate = peakBitRate
        self.maximumResolution = maximumResolution
        self.displaySize = displaySize
        self.excluded = excluded
    }

    /// Returns the indices of the allowed variants, the least demanding first. The result is empty only if all are
    /// excluded.
    package func allowed(of variants: [AdaptationVariant]) -> [Int] {
        let decodable = variants.indices.filter { !excluded.contains($0) }.sorted { lesser(variants, $0, $1) }
        let within = decodable.filter { isWithinPeak(variants[$0]) && isWithinMaximum(variants[$0]) }
        guard !within.isEmpty else {
            // No variant meets the limits. Use the least demanding one within the maximum size, or else the one with
            // the fewest pixels.
            let small = decodable.filter { isWithinMaximum(variants[$0]) }
            let least = small.first ?? decodable.min { (area(variants[$0]) ?? 0, $0) < (area(variants[$1]) ?? 0, $1) }
            return least.map { [$0] } ?? []
        }
        return withinDisplay(within, variants)
    }

    /// Returns whether variant `a` is less demanding than `b`: by bit rate, then by the order in the playlist.
    private func lesser(_ variants: [AdaptationVariant], _ a: Int, _ b: Int) -> Bool {
        let left = variants[a]
        let right = variants[b]
        return left.sustainedBitRate != right.sustainedBitRate
            ? left.sustainedBitRate < right.sustainedBitRate
            : left.peakBitRate != right.peakBitRate ? left.peakBitRate < right.peakBitRate : a < b
    }

    private func isWithinPeak(_ variant: AdaptationVariant) -> Bool {
        guard let peakBitRate, peakBitRate > 0 else { return true }
        return Double(variant.peakBitRate) <= peakBitRate
    }

    private func isWithinMaximum(_ variant: AdaptationVariant) -> Bool {
        guard let maximum = maximumResolution, maximum.width > 0, maximum.height > 0, let own = variant.resolution
        else {
            return true
        }
        return max(own.width, own.height) <= max(maximum.width, maximum.height)
            && min(own.width, own.height) <= min(maximum.width, maximum.height)
    }

    private func withinDisplay(_ indices: [Int], _ variants: [AdaptationVariant]) -> [Int] {
        guard let display = displaySize, display.width > 0, display.height > 0 else { return indices }
        // A video with another aspect ratio fits inside the window, so one side as long as the window's is enough.
        let covering = indices.filter { index in
            guard let own = variants[index].resolution else { return false }
            return own.width >= display.width || own.height >= display.height
        }
        guard let enough = covering.compactMap({ area(variants[$0]) }).min() else { return indices }
        return indices.filter { (area(variants[$0]) ?? 0) <= enough }
    }

    private func area(_ variant: AdaptationVariant) -> Int? {
        guard let own = variant.resolution else { return nil }
        let (product, overflow) = max(0, own.width).multipliedReportingOverflow(by: max(0, own.height))
        return overflow ? .max : product
    }
}
