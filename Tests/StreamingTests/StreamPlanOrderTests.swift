import Foundation
import MediaCore
import TestSupport
import Testing

@testable import Streaming

@Suite("Random events in a stream plan")
struct StreamPlanOrderTests {
    typealias Shape = PlannedStream.Shape

    static let shapes = [
        Shape(name: "film"),
        Shape(name: "film with sound apart", hasAudio: true, hasGaps: true),
        Shape(name: "film with sound on each host", hasAudio: true, hasAudioCopy: true),
        Shape(name: "film with a group for each sound", hasAudio: true, audioGroups: ["a", "b", "b"]),
        Shape(name: "film with one variant without a group", hasAudio: true, audioGroups: ["a", nil, "a"]),
        Shape(name: "live", isLive: true),
        Shape(name: "live with sound apart", isLive: true, hasAudio: true, hasGaps: true),
        Shape(name: "live with low latency", isLive: true, hasParts: true),
        Shape(name: "pictures of a film", loadsOnDemand: true),
    ]

    // The plan runs one load of each kind at a time, and omits or repeats no segment. Every wait has a reason, and a
    // closed plan has no effects.
    @Test("random events keep every rule of the stream plan", arguments: shapes)
    func order(_ shape: Shape) throws {
        var met: [String: Int] = [:]
        for seed in 0..<500 {
            let stream = PlannedStream(shape, seed: UInt64(seed))
            let steps = 40 + stream.numbers.below(120)
            for step in 0..<steps {
                stream.step()
                try #require(stream.complaints.isEmpty, "seed \(seed), step \(step): \(stream.complaints)")
            }
            if seed % 2 == 0 {
                #expect(stream.calm(), "seed \(seed): never over, \(stream.situation)")
                try #require(stream.complaints.isEmpty, "seed \(seed), at the end: \(stream.complaints)")
            }
            stream.close()
            try #require(stream.complaints.isEmpty, "seed \(seed), closed: \(stream.complaints)")
            met.merge(stream.met, uniquingKeysWith: +)
        }
        var wanted = [
            "came", "kept", "replaced", "retried", "sought", "rejected", "changed variant",
            "failed",
        ]
        if shape.isLive { wanted += ["began anew", "jumped"] }
        // A segment in parts arrives as fast as it is encoded, so it is never abandoned.
        if shape.hasParts { wanted.append("loaded in parts") }
        // Beside one variant without a group, there may be too few variants to change to.
        if !shape.hasParts, shape.audioGroups?.contains(nil) != true { wanted.append("abandoned") }
        wanted.append("ended")
        for what in wanted { #expect(met[what, default: 0] > 0, "nothing was ever \(what): \(met)") }
    }

    @Test("the same seed gives the same events")
    func repeats() {
        for shape in Self.shapes {
            let pair = [PlannedStream(shape, seed: 7), PlannedStream(shape, seed: 7)]
            for stream in pair { for _ in 0..<100 { stream.step() } }
            #expect(pair[0].met == pair[1].met && pair[0].now == pair[1].now)
        }
    }
}

extension PlannedStream {
    /// Closes the stream and checks that later events cause no request.
    func close() {
        let late = loads.mapValues { $0 }
        send(.close)
        if !loads.isEmpty { complain("goes on loading after the close") }
        for (role, load) in late {
            send(.progressed(role, load: load.order.load))
            send(.didLoad(role, load: load.order.load, load.progress))
            send(
                .tryFailed(
                    role, load: load.order.load, HTTPError(.connectionLost, url: url, reason: "a test's"),
                    load.progress))
            send(.timerFired(role))
            send(.checkAgain(role))
        }
        send(.open(StreamSelection(), start: nil))
        send(.seek(0))
        send(.check)
        for url in known.keys { send(.playlistChanged(url)) }
        reject(
            SegmentOrder(
                load: 0, role: .main, playlist: url, base: url, variant: 0, generation: 0, mediaSequence: 0,
                start: 0,
                duration: 1, discontinuity: 0, map: nil, content: .parts([])))
        pass(100 * PlannedStream.second)
    }
}
