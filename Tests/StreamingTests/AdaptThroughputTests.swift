import Streaming
import Testing

@Suite("Throughput estimate")
struct AdaptThroughputTests {
    private func filled(_ bitRate: Double) -> ThroughputEstimate {
        var estimate = ThroughputEstimate()
        for index in 0..<30 {
            estimate.add(bytes: Int(bitRate / 4), from: at(Double(index) * 2), to: at(Double(index) * 2 + 2))
        }
        return estimate
    }

    @Test("a steady network is measured exactly")
    func steady() {
        #expect(abs(filled(3_000_000).bitRate - 3_000_000) < 1000)
    }

    @Test("the estimate falls faster than it rises")
    func downAndUp() {
        var falling = filled(8_000_000)
        var rising = filled(1_000_000)
        for index in 0..<3 {
            let from = 100 + Double(index) * 2
            falling.add(bytes: 250_000, from: at(from), to: at(from + 2))
            rising.add(bytes: 2_000_000, from: at(from), to: at(from + 2))
        }
        // The share of the step that each estimate has covered, on a linear scale.
        let down = (8_000_000 - falling.bitRate) / 7_000_000
        let up = (rising.bitRate - 1_000_000) / 7_000_000
        #expect(down > 2 * up)
        #expect(up > 0)
    }

    @Test("before any sample, a remembered value or the default applies")
    func before() {
        #expect(ThroughputEstimate(remembered: 7_000_000).bitRate == 7_000_000)
        #expect(ThroughputEstimate(remembered: 7_000_000).isKnown)
        #expect(ThroughputEstimate().bitRate == 1_000_000)
        #expect(!ThroughputEstimate().isKnown)
        for nonsense in [0, -5, Double.nan, .infinity] { #expect(!ThroughputEstimate(remembered: nonsense).isKnown) }
        var estimate = ThroughputEstimate(remembered: 7_000_000)
        estimate.add(bytes: 250_000, from: at(0), to: at(1))
        #expect(abs(estimate.bitRate - 2_000_000) < 1)
    }

    @Test("tiny and instantaneous transfers do not change the estimate")
    func tiny() {
        var estimate = filled(5_000_000)
        let before = estimate
        estimate.add(bytes: 300, from: at(100), to: at(101))
        estimate.add(bytes: 0, from: at(101), to: at(110))
        estimate.add(bytes: 1_000_000, from: at(110), to: at(110))
        estimate.add(bytes: 1_000_000, from: at(111), to: at(110))
        #expect(estimate == before)
    }

    @Test("waiting counts as latency; a burst does not count as speed")
    func latency() {
        var estimate = ThroughputEstimate()
        for index in 0..<10 {
            let from = Double(index)
            estimate.add(bytes: 250_000, from: at(from), firstByte: at(from + 0.5), to: at(from + 1))
        }
        #expect(abs(estimate.bitRate - 4_000_000) < 1000)
        #expect(abs(estimate.latency - 0.5) < 0.001)
        var buffered = ThroughputEstimate()
        buffered.add(bytes: 250_000, from: at(0), firstByte: at(0.999), to: at(1))
        #expect(buffered.bitRate < 2_100_000)
    }

    @Test("parallel transfers share the measured time")
    func parallel() {
        var estimate = ThroughputEstimate()
        for index in 0..<10 {
            let from = at(Double(index) * 4)
            let to = at(Double(index) * 4 + 4)
            estimate.add(bytes: 1_000_000, from: from, to: to)
            estimate.add(bytes: 500_000, from: from, to: to)
        }
        #expect(abs(estimate.bitRate - 3_000_000) < 100_000)
    }
}
