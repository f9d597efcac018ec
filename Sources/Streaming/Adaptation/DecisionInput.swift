/// The input of one decision of `AdaptiveChoice`, in seconds of media. It computes the effect of each variant on the
/// buffer.
struct DecisionInput {
    /// The throughput that is assumed to be available, in bits per second of media.
    let carried: Double
    /// The media buffered ahead of the playhead, in seconds.
    let buffer: Double
    /// The latency of a request, in seconds of media that play meanwhile.
    let latency: Double
    private let target: Double
    private let floor: Double
    /// The distance from the floor to the level for switching up, in seconds.
    private let band: Double
    private let segment: Double
    private let rate: Double
    private let remaining: Double
    private let variants: [AdaptationVariant]
    private let settings: AdaptationSettings
    /// The size of the next segment in each variant, in bytes, where it is known.
    private let sizes: [Int?]
    private let raw: Double
    private let optimistic: Double
    /// The level of the buffer between the floor (0) and the level for switching up (1).
    private let bufferFullness: Double

    init(
        choice: AdaptiveChoice, buffer: Int64, target: Int64, isLive: Bool, rate: Double, remaining: Int64?,
        sizes: [Int?]
    ) {
        let speed = rate.isFinite && rate > 0 ? min(max(rate, 0.05), 64) : 1
        settings = choice.settings
        variants = choice.variants
        let segment = choice.segmentSeconds
        self.segment = segment
        self.rate = speed
        self.sizes = sizes
        self.buffer = max(0, Double(buffer) / 1e9)
        self.target = max(segment, Double(target) / 1e9)
        self.remaining = remaining.map { max(segment, Double($0) / 1e9) } ?? .infinity
        raw = choice.throughput.bitRate / speed
        let share = isLive ? settings.liveSafety : settings.safety
        carried = raw * share
        optimistic = choice.throughput.optimisticBitRate / speed * share
        let need = choice.ladder.first.map { choice.variants[$0].sustainedBitRate } ?? 0
        let base = min(settings.floorSeconds, self.target * settings.floorShare)
        let scarcity = min(1, need / carried)
        floor = min(base + settings.reserveShare * self.target * scarcity * scarcity, self.target * 0.6)
        band = max(0, min(settings.climbShare * self.target - base, self.target * 0.9 - floor))
        bufferFullness = min(1, max(0, (self.buffer - floor) / max(1, band)))
        latency = choice.throughput.latency * speed
    }

    /// The time until the buffer has fallen to its target, in nanoseconds.
    var delay: Int64 {
        buffer > target ? Int64(min(3600, (buffer - target) / rate) * 1e9) : 0
    }

    /// Whether the buffer could not survive another slow segment.
    var isLow: Bool { buffer < max(segment, floor / 2) }

    /// Returns the first variant of a session: the highest one that requires only a small share of the throughput.
    func start(_ ladder: [Int]) -> Int? {
        ladder.last { variants[$0].sustainedBitRate <= raw * settings.startupShare } ?? ladder.first
    }

    /// Returns the highest variant of `ladder` above `index` that keeps the required buffer level, or nil.
    func climb(_ ladder: [Int], above index: Int) -> Int? {
        let far = max(settings.climbHorizon * target, 2 * segment)
        // Near the end of the stream, there is no reason to keep the buffer for later.
        let level = floor + band * min(1, remaining / far)
        let bitRate = expected(settings.optimism.climb * bufferFullness)
        return ladder[(index + 1)...].last { variant in
            let isSure = variants[variant].sustainedBitRate <= raw * settings.sureShare
            return after(min(far, remaining), on: variant, at: bitRate) >= (isSure ? floor : level)
                && arrivesInTime(variant)
        }
    }

    /// Returns whether the current variant can be kept.
    func canStay(_ variant: Int) -> Bool {
        let bitRate = expected(settings.optimism.stay * bufferFullness)
        let near = min(max(settings.stayHorizon * target, 2 * segment), remaining)
        return after(near, on: variant, at: bitRate) >= min(floor, remaining) && arrivesInTime(variant)
    }

    /// Returns the highest variant of `ladder` that keeps the buffer above the floor, or else the lowest one.
    func hold(_ ladder: [Int]) -> Int? {
        let far = max(settings.climbHorizon * target, 2 * segment)
        let bitRate = expected(settings.optimism.hold)
        return ladder.last {
            after(min(far, remaining), on: $0, at: bitRate) >= min(floor, remaining) && arrivesInTime($0)
        }
            ?? ladder.first
    }

    /// Returns the expected throughput in bits per second: a value between the lower and the higher mean, selected by
    /// `optimism` in 0…1.
    private func expected(_ optimism: Double) -> Double {
        carried + (optimistic - carried) * optimism
    }

    /// Returns the buffer after loading `horizon` seconds of media from a variant at `bitRate`.
    private func after(_ horizon: Double, on variant: Int, at bitRate: Double) -> Double {
        buffer + horizon * (1 - variants[variant].sustainedBitRate / bitRate - latency / segment)
    }

    /// Returns whether the next segment arrives well before the buffer is empty.
    private func arrivesInTime(_ variant: Int) -> Bool {
        let bits = sizes[variant].map { Double(max(0, $0)) * 8 } ?? variants[variant].sustainedBitRate * segment
        return latency + bits / carried <= buffer * 0.75
    }
}
