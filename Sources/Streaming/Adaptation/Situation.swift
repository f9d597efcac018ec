/// One question put to `AdaptiveChoice`, in seconds of media: what each rung would do to the buffer.
struct Situation {
    /// Bit/s that may be counted on, per second of media.
    let carried: Double
    /// Media ahead, seconds.
    let buffer: Double
    /// Seconds to wait for an answer, in media played meanwhile.
    let latency: Double
    private let target: Double
    private let floor: Double
    /// From the floor up to the climbing level, seconds.
    private let band: Double
    private let segment: Double
    private let rate: Double
    private let remaining: Double
    private let rungs: [Rung]
    private let settings: AdaptationSettings
    /// Bytes of the next segment by rung, where known.
    private let sizes: [Int?]
    private let raw: Double
    private let hopeful: Double
    /// How rich the buffer is: 0 at the floor, 1 at the climbing level.
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

    /// Nanoseconds until the buffer is down to its target.
    var delay: Int64 {
        buffer > target ? Int64(min(3600, (buffer - target) / rate) * 1e9) : 0
    }

    /// Less than what keeps playing through one more bad segment.
    var isLow: Bool { buffer < max(segment, floor / 2) }

    /// The first rung of all: the highest that asks for little enough of what is there.
    func start(_ ladder: [Int]) -> Int? {
        ladder.last { rungs[$0].sustainedBitRate <= raw * settings.startupShare } ?? ladder.first
    }

    /// The highest of `ladder` above `place` that holds for the climbing horizon.
    func climb(_ ladder: [Int], above place: Int) -> Int? {
        let far = max(settings.climbHorizon * target, 2 * segment)
        // With little left to fetch there is no reason to keep a high level for later.
        let level = floor + band * min(1, remaining / far)
        let hoped = expected(settings.hope.climb * wealth)
        return ladder[(place + 1)...].last { rung in
            let isSure = rungs[rung].sustainedBitRate <= raw * settings.sureShare
            return after(min(far, remaining), on: rung, at: hoped) >= (isSure ? floor : level) && comesInTime(rung)
        }
    }

    /// Whether the present rung may go on.
    func canStay(_ rung: Int) -> Bool {
        let hoped = expected(settings.hope.stay * wealth)
        let near = min(max(settings.stayHorizon * target, 2 * segment), remaining)
        return after(near, on: rung, at: hoped) >= min(floor, remaining) && comesInTime(rung)
    }

    /// The highest of `ladder` that neither empties the buffer nor leaves it below the floor for long.
    func hold(_ ladder: [Int]) -> Int? {
        let far = max(settings.climbHorizon * target, 2 * segment)
        let hoped = expected(settings.hope.hold)
        return ladder.last { after(min(far, remaining), on: $0, at: hoped) >= min(floor, remaining) && comesInTime($0) }
            ?? ladder.first
    }

    /// What the network is expected to carry over the next while, bit/s: between the lesser and the greater mean by
    /// `hope`, 0…1.
    private func expected(_ hope: Double) -> Double {
        carried + (hopeful - carried) * hope
    }

    /// The buffer after fetching `horizon` seconds of media from a rung at `bitRate`.
    private func after(_ horizon: Double, on rung: Int, at bitRate: Double) -> Double {
        buffer + horizon * (1 - rungs[rung].sustainedBitRate / bitRate - latency / segment)
    }

    /// Whether the next segment is there well before the buffer is empty.
    private func comesInTime(_ rung: Int) -> Bool {
        let bits = sizes[rung].map { Double(max(0, $0)) * 8 } ?? rungs[rung].sustainedBitRate * segment
        return latency + bits / carried <= buffer * 0.75
    }
}
