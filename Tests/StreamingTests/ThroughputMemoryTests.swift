import Foundation
import Testing

@testable import Streaming

@Suite("Remembered throughput")
struct ThroughputMemoryTests {
    @Test("only the hosts measured longest ago are forgotten")
    func oldest() throws {
        let memory = ThroughputMemory()
        let urls = try (0...ThroughputMemory.mostHosts).map { try #require(URL(string: "http://host\($0)/a.m3u8")) }
        for (rate, url) in urls.dropLast().enumerated() { memory.remember(Double(rate), for: url) }
        // A new measurement makes the first host the newest.
        memory.remember(1000, for: urls[0])
        memory.remember(2000, for: urls[ThroughputMemory.mostHosts])
        #expect(memory.bitRate(for: urls[0]) == 1000 && memory.bitRate(for: urls[1]) == nil)
        #expect(memory.bitRate(for: urls[ThroughputMemory.mostHosts]) == 2000)
        for index in 2..<ThroughputMemory.mostHosts { #expect(memory.bitRate(for: urls[index]) == Double(index)) }
    }
}
