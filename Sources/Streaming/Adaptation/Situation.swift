/// The input of one decision of `AdaptiveChoice`, in seconds of media. It computes the effect of each variant on the
/// buffer.
struct Situation {
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
    private let rungs: [Rung]
    private let settings: AdaptationSettings
    /// The size of the next segment in each variant, in bytes, where it is known.
    private let sizes: [Int?]
    private let raw: Double
    private let hopeful: Double
    /// The level of the buffer between the floor (0) and the level for switching up (1).
    private let wealth: Double

    init(
        choice: AdaptiveChoice, buffer: Int64, target: Int64, isLive: Bool, rate: Double, remaining: Int64?,
        sizes: [Int?]
    ) {
        let speed = rate.isFinite && rate > 0 ? min(max(rate, 0.05), 64) : 1
        settings = choice.settings
        rungs = choice.rungs
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
        hopeful = choice.throughput.hopefulBitRate / speed * share
        let need = choice.ladder.first.map { choice.rungs[$0].sustainedBitRate } ?? 0
        let base = min(settings.floorSeconds, self.target * settings.floorShare)
        let scarcity = min(1, need / carried)
        floor = min(base + settings.reserveShare * self.target * scarcity * scarcity, self.target * 0.6)
        band = max(0, min(settings.climbShare * self.target - base, self.target * 0.9 - floor))
        wealth = min(1, max(0, (self.buffer - floor) / max(1, band)))
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
        ladder.last { rungs[$0].sustainedBitRate <= raw * settings.startupShare } ?? ladder.first
    }

    /// Returns the highest variant of `ladder` above `place` that keeps the required buffer level, or nil.
    func climb(_ ladder: [Int], above place: Int) -> Int? {
        let far = max(settings.climbHorizon * target, 2 * segment)
        // Near the end of the stream, there is no reason to keep the buffer for later.
        let level = floor + band * min(1, remaining / far)
        let hoped = expected(settings.hope.climb * wealth)
        return ladder[(place + 1)...].last { rung in
            let isSure = rungs[rung].sustainedBitRate <= raw * settings.sureShare
            return after(min(far, remaining), on: rung, at: hoped) >= (isSure ? floor : level) && comesInTime(rung)
        }
    }

    /// Returns whether the current variant can be kept.
    func canStay(_ rung: Int) -> Bool {
        let hoped = expected(settings.hope.stay * wealth)
        let near = min(max(settings.stayHorizon * target, 2 * segment), remaining)
        return after(near, on: rung, at: hoped) >= min(floor, remaining) && comesInTime(rung)
    }

    /// Returns the highest variant of `ladder` that keeps the buffer above the floor, or else the lowest one.
    func hold(_ ladder: [Int]) -> Int? {
        let far = max(settings.climbHorizon * target, 2 * segment)
        let hoped = expected(settings.hope.hold)
        return ladder.last { after(min(far, remaining), on: $0, at: hoped) >= min(floor, remaining) && comesInTime($0) }
            ?? ladder.first
    }

    /// Returns the expected throughput in bits per second: a value between the lower and the higher mean, selected by
    /// `hope` in 0…1.
    private func expected(_ hope: Double) -> Double {
        carried + (hopeful - carried) * hope
    }

    /// Returns the buffer after loading `horizon` seconds of media from a variant at `bitRate`.
    private func after(_ horizon: Double, on rung: Int, at bitRate: Double) -> Double {
        buffer + horizon * (1 - rungs[rung].sustainedBitRate / bitRate - latency / segment)
    }

    /// Returns whether the next segment arrives well before the buffer is empty.
    private func comesInTime(_ rung: Int) -> Bool {
        let bits = sizes[rung].map { Double(max(0, $0)) * 8 } ?? rungs[rung].sustainedBitRate * segment
        return latency + bits / carried <= buffer * 0.75
    }
}
