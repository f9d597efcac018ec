import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import Streaming

/// Remote files over servers that are closures. The clock advances only in them, so a minute of retries takes no time.
@Suite("A remote file from servers of any kind")
struct RemoteOddServerTests {
    private static let film = RemoteFileTests.film(300_000)

    private var settings: RemoteFile.Settings {
        var settings = RemoteFile.Settings()
        settings.forwardBytes = 64 << 10
        settings.skipLimit = 16 << 10
        settings.random = { 1 }
        return settings
    }

    /// Reads on another thread while the network runs on this one.
    private func read(
        _ network: VirtualNetwork, _ file: RemoteFile, _ places: [Range<Int64>]
    ) async throws -> [Result<Data, HTTPError>] {
        let isDone = Mutex(false)
        async let results = offPool {
            defer { isDone.withLock { $0 = true } }
            return places.map { place -> Result<Data, HTTPError> in
                do {
                    var data = Data()
                    while Int64(data.count) < Int64(place.count) {
                        var piece = [UInt8](repeating: 0, count: place.count - data.count)
                        let at = place.lowerBound + Int64(data.count)
                        let count = try piece.withUnsafeMutableBytes { try file.read(at: at, into: $0) }
                        if count == 0 { break }
                        data.append(contentsOf: piece[..<count])
                    }
                    return .success(data)
                } catch {
                    let failure = error as? HTTPError
                    return .failure(failure ?? HTTPError(.other, url: file.url, reason: "\(error)"))
                }
            }
        }
        while !isDone.withLock({ $0 }) {
            network.run(until: { isDone.withLock { $0 } })
            await Task.yield()
        }
        return try await results
    }

    private func file(_ respond: @escaping @Sendable (HTTPRequest, Int) -> VirtualAnswer) throws -> (
        VirtualNetwork, RemoteFile
    ) {
        let network = VirtualNetwork(respond)
        let url = try #require(URL(string: "http://virtual.example/film"))
        return (network, RemoteFile(url: url, settings: settings, loop: network))
    }

    @Test("Every unusual server is read at any position", arguments: OddServer.allCases)
    func places(server: OddServer) async throws {
        let film = Self.film
        let (network, file) = try file { server.answer($0, $1, film) }
        defer { file.close() }
        let places: [Range<Int64>] = [0..<5000, 290_000..<300_000, 150_000..<160_000, 0..<300_000, 299_999..<301_000]
        let results = try await read(network, file, places)
        for (place, result) in zip(places, results) {
            let wanted = film[Int(place.lowerBound)..<min(Int(place.upperBound), film.count)]
            switch result {
            case .success(let data): #expect(data == wanted, "\(place)")
            case .failure(let error): Issue.record("\(place): \(error)")
            }
        }
        #expect(network.requests.count <= 16, "\(network.requests.count)")
        if [.weakTags, .dates, .wrongTotals].contains(server) { #expect(file.transferLog.note != nil) }
    }

    @Test("A body shorter than announced is read, then fails as truncated", arguments: [true, false])
    func longLength(isMeasured: Bool) async throws {
        let film = Self.film
        let (network, file) = try file { _, _ in
            var answer = VirtualAnswer(200, body: film, announced: isMeasured ? Int64(film.count) + 5000 : nil)
            if !isMeasured { answer.failure = .truncated }
            return answer
        }
        defer { file.close() }
        let results = try await read(network, file, [0..<300_000, 300_000..<300_100, 0..<300_000])
        #expect(try results[0].get() == film && results[2].get() == film)
        guard case .failure(let error) = results[1] else {
            Issue.record("bytes beyond the body were read")
            return
        }
        #expect(error.kind == .truncated && error.reason.contains("ended early"), "\(error)")
        #expect(network.requests.count == EarlyEnds.most)
    }

    @Test("Two versions with different strong tags are not mixed", arguments: [true, false])
    func replaced(isHonoured: Bool) async throws {
        let film = Self.film
        let other = Data(film.map { $0 ^ 0x55 })
        let (network, file) = try file { request, number in
            if isHonoured, number > 0 { return .whole(other, ["etag": "\"2\"", "accept-ranges": "bytes"]) }
            return .ranged(request, number == 0 ? film : other, ["etag": number == 0 ? "\"1\"" : "\"2\""])
        }
        defer { file.close() }
        let results = try await read(network, file, [0..<5000, 290_000..<300_000])
        #expect(try results[0].get() == film.prefix(5000))
        guard case .failure(let error) = results[1] else {
            Issue.record("two versions are mixed")
            return
        }
        #expect(error.kind == .changed && network.requests.count == (isHonoured ? 2 : 3))
    }

    @Test("A replaced file with another length is an error")
    func anotherLength() async throws {
        let film = Self.film
        let (network, file) = try file { request, number in
            .ranged(request, number == 0 ? film : film + film, ["etag": number == 0 ? "\"1\"" : "\"2\""])
        }
        defer { file.close() }
        let results = try await read(network, file, [0..<5000, 290_000..<300_000])
        guard case .failure(let error) = results[1] else {
            Issue.record("two versions are mixed")
            return
        }
        #expect(error.kind == .changed)
    }

    @Test("A replaced file without tags is detected by length and bytes", arguments: [true, false])
    func otherBytes(isMeasured: Bool) async throws {
        let film = Self.film
        let other = Data((film + film).map { $0 ^ 0x55 })
        let (network, file) = try file { request, number in
            var answer = VirtualAnswer.ranged(request, number == 0 ? film : other)
            if !isMeasured, answer.status == 200 { answer.announced = nil }
            return answer
        }
        defer { file.close() }
        let results = try await read(network, file, [0..<5000, 290_000..<300_000])
        guard case .failure(let error) = results[1] else {
            Issue.record("two versions are mixed")
            return
        }
        #expect(error.kind == .changed && error.reason.contains("replaced") && network.requests.count == 3)
        #expect(file.transferLog.errors == 1 && file.transferLog.lastError == error)
    }

    @Test("A growing file without tags is read to its new length")
    func grown() async throws {
        let film = Self.film
        let (network, file) = try file { request, number in
            .ranged(request, number == 0 ? film : film + film)
        }
        defer { file.close() }
        let results = try await read(network, file, [0..<5000, 290_000..<310_000])
        #expect(try results[1].get() == film.suffix(10_000) + film.prefix(10_000))
        #expect(file.length == 600_000 && file.transferLog.note?.reason.contains("600000") == true)
    }

    @Test("A server without ranges that makes no progress is given up")
    func noProgress() async throws {
        let film = Self.film
        let (network, file) = try file { _, number in
            var answer = VirtualAnswer(200, body: film.prefix(200_000 - number), announced: Int64(film.count))
            answer.failure = .connectionLost
            return answer
        }
        defer { file.close() }
        let began = network.time
        let results = try await read(network, file, [0..<300_000])
        guard case .failure(let error) = results[0] else {
            Issue.record("bytes that were not received were read")
            return
        }
        #expect(error.kind == .connectionLost)
        #expect(network.time - began < 90_000_000_000 && network.requests.count < 40)
    }
}
