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
    private let segment: Double
    private let rate: Double
    private let remaining: Double
    private let rungs: [Rung]
    private let settings: AdaptationSettings
    /// Bytes of the next segment by rung, where known.
    private let sizes: [Int?]
    private let raw: Double

    init(
        choice: AdaptiveChoice, buffer: Int64, target: Int64, isLive: Bool, rate: Double, remaining: Int64?, sizes: [Int?]
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
        floor = min(settings.floorSeconds, self.target * settings.floorShare)
        raw = choice.throughput.bitRate / speed
        carried = raw * (isLive ? settings.liveSafety : settings.safety)
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
        let horizon = min(max(settings.climbHorizon * target, 2 * segment), remaining)
        // With little left to fetch there is no reason to keep a high level for later.
        let level = floor + (max(floor, settings.climbShare * target) - floor) * min(1, remaining / max(segment, settings.climbHorizon * target))
        return ladder[(place + 1)...].last { after(horizon, on: $0) >= level && comesInTime($0) }
    }

    /// Whether the present rung may go on.
    func canStay(_ rung: Int) -> Bool {
        after(min(max(settings.stayHorizon, 2 * segment), remaining), on: rung) >= min(floor, remaining) && comesInTime(rung)
    }

    /// The highest of `ladder` that neither empties the buffer nor leaves it below the floor for long.
    func hold(_ ladder: [Int]) -> Int? {
        ladder.last { after(max(settings.climbHorizon * target, 2 * segment), on: $0) >= floor && comesInTime($0) } ?? ladder.first
    }

    /// The buffer after fetching `horizon` seconds of media from a rung.
    private func after(_ horizon: Double, on rung: Int) -> Double {
        let perSecond = rungs[rung].sustainedBitRate / carried + latency / segment
        return buffer + horizon * (1 - perSecond)
    }

    /// Whether the next segment is there well before the buffer is empty.
    private func comesInTime(_ rung: Int) -> Bool {
        let bits = sizes[rung].map { Double(max(0, $0)) * 8 } ?? rungs[rung].sustainedBitRate * segment
        return latency + bits / carried <= buffer * 0.75
    }
}
