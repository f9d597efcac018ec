import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine
@testable import Streaming

/// Streams as faulty encoders and servers produce them. The tests use the real reader and the real server.
@Suite("Faulty HLS streams")
struct HLSFaultyStreamTests {
    private static let second: Int64 = 1_000_000_000

    private func read(
        _ path: String, from start: Int64 = 0, upTo end: Int64 = .max, audio: TrackSelection.Choice = .automatic,
        _ prepare: (StreamServer) throws -> Void
    ) async throws -> (reading: StreamReading, log: StreamLog) {
        let server = try TestStreams.server()
        defer { server.close() }
        try prepare(server)
        let url = server.url(for: path)
        return try await offPool {
            var session: HLSSession?
            let reading = try StreamReading(url, from: start, audio: audio, upTo: end, at: { own, _ in session = own })
            return (reading, session?.currentLog ?? StreamLog())
        }
    }

    /// Returns the largest deviation of a frame's time from the time of its number, in nanoseconds.
    private func worst(_ reading: StreamReading) -> Int64 {
        reading.pictures.map { abs($0.time - Int64($0.number) * Self.second / 30) }.max() ?? .max
    }

    // MARK: restarting timestamps

    @Test(
        "timestamps that restart in every segment follow the playlist's times",
        arguments: ["vod-ts/v1/index.m3u8", "vod-fmp4/v1/index.m3u8", "vod-fmp4/master.m3u8"])
    func zero(path: String) async throws {
        let (reading, _) = try await read(path) { server in
            server.serve("*/seg*.ts") { request in Stamps.transportFromZero(request.path) }
            server.serve("*/seg*.m4s") { request in Stamps.fragmentsFromZero(request.path) }
        }
        #expect(reading.error == nil)
        #expect(reading.numbers == Array(0..<720))
        #expect(worst(reading) < 2_000_000, "\(worst(reading))")
        if path != "vod-fmp4/v1/index.m3u8" { #expect(reading.sound.count > 23 * 48_000) }
    }

    @Test("a segment abandoned within a frame keeps its frames and times", arguments: [false, true])
    func abandoned(restarts: Bool) async throws {
        let (reading, _) = try await read("vod-fmp4/master.m3u8") { server in
            if restarts {
                server.serve("*/seg*.m4s") { request in Stamps.fragmentsFromZero(request.path) }
            }
            // Without an earlier measurement, a slow machine may load only the first variant's first segment and then
            // the lowest variant.
            ThroughputMemory.shared.remember(30_000_000, for: server.url(for: "vod-fmp4/master.m3u8"))
            // The first segment, after that at the start, of any variant but the lowest, which replaces it. A slow
            // machine may load the lowest variant for some time.
            server.inject(.stall(after: 30_001), on: "*/seg*.m4s", nth: 1...1) { request in
                !request.path.contains("seg000") && ["v1/", "v2/", "v3/"].contains { request.path.contains($0) }
            }
        }
        #expect(reading.error == nil)
        #expect(reading.numbers == Array(0..<720))
        #expect(worst(reading) < 2_000_000, "\(worst(reading))")
    }

    @Test("a variant switch keeps the times of restarting timestamps", arguments: [1, 6, 11])
    func switches(at number: Int) async throws {
        let (reading, _) = try await read("vod-fmp4/master.m3u8") { server in
            server.serve("*/seg*.m4s") { request in Stamps.fragmentsFromZero(request.path) }
            ThroughputMemory.shared.remember(30_000_000, for: server.url(for: "vod-fmp4/master.m3u8"))
            // Only the lowest variant has the segment.
            server.inject(.status(404), on: String(format: "*/seg%03d.m4s", number), isOptional: true) { request in
                ["v1/", "v2/", "v3/"].contains { request.path.contains($0) }
            }
        }
        #expect(reading.error == nil)
        #expect(reading.numbers == Array(0..<720))
        #expect(worst(reading) < 2_000_000, "\(worst(reading))")
    }

    @Test("negative composition offsets show each frame at its time")
    func negativeOffsets() async throws {
        let (reading, _) = try await read("vod-fmp4/master.m3u8") { server in
            for variant in TestStreams.variants.indices {
                server.serve("*/v\(variant)/init.mp4") { request in Stamps.withoutEditList(request.path) }
                server.serve("*/v\(variant)/seg*.m4s") { request in Stamps.negativeOffsets(request.path) }
            }
        }
        #expect(reading.error == nil)
        #expect(reading.numbers == Array(0..<720))
        #expect(worst(reading) < 2_000_000, "\(worst(reading))")
    }

    @Test("a seek works when timestamps restart in every segment", arguments: [3.0, 11.0, 21.5])
    func seeks(seconds: Double) async throws {
        let target = Int64(seconds * 1e9)
        let (reading, _) = try await read("vod-ts/v1/index.m3u8", from: target, upTo: target + Self.second) { server in
            server.serve("*/seg*.ts") { request in Stamps.transportFromZero(request.path) }
        }
        #expect(reading.numbers.first == Int(seconds / 2) * 60)
        #expect(worst(reading) < 2_000_000, "\(worst(reading))")
    }

    @Test("segments listed twice play twice")
    func again() async throws {
        let (reading, _) = try await read("again.m3u8") { server in
            let names = [0, 1, 0, 1, 3].map { "#EXTINF:2,\nvod-ts/v1/seg00\($0).ts\n" }
            server.serve("again.m3u8") { _ in
                .playlist("#EXTM3U\n#EXT-X-TARGETDURATION:2\n" + names.joined() + "#EXT-X-ENDLIST\n")
            }
        }
        #expect(reading.error == nil)
        #expect(reading.numbers == [0..<120, 0..<120, 180..<240].flatMap { Array($0) })
        let times = reading.pictures.map(\.time)
        #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - Self.second / 30) < 60_000_000 })
    }

    @Test("rounded playlist durations do not shift continuous timestamps")
    func drift() async throws {
        let (reading, _) = try await read("drift.m3u8") { server in
            let names = (0..<12).map { String(format: "#EXTINF:3,\nvod-ts/v1/seg%03d.ts\n", $0) }
            server.serve("drift.m3u8") { _ in
                .playlist("#EXTM3U\n#EXT-X-TARGETDURATION:3\n" + names.joined() + "#EXT-X-ENDLIST\n")
            }
        }
        #expect(reading.numbers == Array(0..<720) && worst(reading) < 2_000_000)
        #expect(reading.worstBreak(frequency: 440) < 0.02)
    }

    // MARK: unavailable segments

    static let faults: [(String, Fault)] = [
        ("404", .status(404)), ("410", .status(410)), ("403", .status(403)), ("empty", .empty),
        ("noise", .garbage(30_000)), ("a page", .body(Data("<html>Sorry</html>".utf8))),
        ("a circle", .redirectCircle),
    ]

    @Test("an unavailable segment is skipped and logged once", arguments: faults.indices)
    func missing(fault: Int) async throws {
        let (reading, log) = try await read("vod-ts/v1/index.m3u8") { server in
            server.inject(Self.faults[fault].1, on: "*/seg004.ts")
        }
        #expect(reading.error == nil, "\(Self.faults[fault].0)")
        #expect(reading.numbers == Array(0..<240) + Array(300..<720))
        #expect(worst(reading) < 2_000_000)
        let told = log.failures.filter(\.isOfContent)
        #expect(told.count == 1 && told.first?.url.lastPathComponent == "seg004.ts", "\(log.failures)")
    }

    @Test("a missing first, last or audio segment is skipped")
    func places() async throws {
        let (first, _) = try await read("vod-ts/v1/index.m3u8") { $0.inject(.status(404), on: "*/seg000.ts") }
        #expect(first.error == nil && first.numbers == Array(60..<720) && worst(first) < 2_000_000)
        let (last, _) = try await read("vod-ts/v1/index.m3u8") { $0.inject(.status(404), on: "*/seg011.ts") }
        #expect(last.error == nil && last.numbers == Array(0..<660))
        let (sound, _) = try await read("vod-fmp4/master.m3u8") { $0.inject(.status(404), on: "*/audio-en/seg005.m4s") }
        #expect(sound.error == nil && sound.numbers == Array(0..<720))
        #expect((21 * 48_000..<23 * 48_000).contains(sound.sound.count), "\(sound.sound.count)")
    }

    @Test("a first segment of noise does not affect the others")
    func looksAlone() async throws {
        var noise: [UInt8] = []
        for number in 0..<400 {
            noise += [0x47, 0x1F, 0xFF, 0x10] + [UInt8](repeating: UInt8(number & 0xFF), count: 184)
        }
        let bytes = Data(noise)
        let (reading, _) = try await read("vod-ts/v1/index.m3u8") { server in
            server.serve("*/seg000.ts") { _ in ServerResponse(type: "video/mp2t", bytes) }
        }
        #expect(reading.error == nil && reading.numbers == Array(60..<720))
    }

    @Test("at most a third of the segments may be missing")
    func tooMany() async throws {
        let (third, _) = try await read("vod-ts/v1/index.m3u8") { $0.inject(.status(404), on: "*/seg00[2468].ts") }
        #expect(third.error == nil && third.numbers.count == 480)
        let (more, _) = try await read("vod-ts/v1/index.m3u8") { $0.inject(.status(404), on: "*/seg00[24689].ts") }
        #expect(more.error?.code == .badServerResponse && more.error?.httpStatus == 404, "\(more.error as Any)")
        #expect(more.error?.reason.contains("5 of the stream's 12 segments") == true, "\(more.error as Any)")
        // The media before the fifth missing segment is played.
        #expect(more.numbers.last == 479)
    }

    // MARK: other faults

    @Test("a missing audio rendition is replaced by the variant's audio")
    func ownSound() async throws {
        let (reading, log) = try await read("master.m3u8") { server in
            server.serve("master.m3u8") { _ in
                .playlist(
                    "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"en\",DEFAULT=YES,URI=\"missing.m3u8\"\n#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"en\",DEFAULT=YES,URI=\"none.m3u8\"\n#EXT-X-STREAM-INF:BANDWIDTH=500000,AUDIO=\"a\",SUBTITLES=\"s\"\nvod-ts/v1/index.m3u8\n"
                )
            }
        }
        #expect(reading.error == nil && reading.numbers == Array(0..<720))
        #expect(reading.sound.count > 23 * 48_000 && reading.worstBreak(frequency: 440) < 0.02)
        #expect(log.failures.contains { $0.isOfContent && $0.comment.contains("audio") }, "\(log.failures)")
    }

    @Test("audio that fails later is replaced by the variant's audio")
    func ownSoundLater() async throws {
        let (reading, _) = try await read("master.m3u8") { server in
            server.serve("sound.m3u8") { _ in
                .playlist(
                    "#EXTM3U\n#EXT-X-TARGETDURATION:2\n"
                        + (0..<12).map { String(format: "#EXTINF:2,\nvod-ts/v0/seg%03d.ts\n", $0) }.joined()
                        + "#EXT-X-ENDLIST\n")
            }
            server.serve("master.m3u8") { _ in
                .playlist(
                    "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"en\",DEFAULT=YES,URI=\"sound.m3u8\"\n#EXT-X-STREAM-INF:BANDWIDTH=500000,AUDIO=\"a\"\nvod-ts/v1/index.m3u8\n"
                )
            }
            server.inject(.status(404), on: "*/v0/seg00[3-9].ts")
        }
        #expect(reading.error == nil && reading.numbers == Array(0..<720))
        // Audio of the missing segments is lost until their number exceeds the limit.
        #expect(reading.sound.count > 10 * 48_000, "\(reading.sound.count)")
    }

    @Test(
        "a transport stream behind an image header is read",
        arguments: [[0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF]])
    func disguised(magic: [UInt8]) async throws {
        let (reading, _) = try await read("vod-ts/v1/index.m3u8") { server in
            server.serve("*/seg*.ts") { request in
                guard let bytes = try? Data(contentsOf: TestStreams.folder.appendingPathComponent(request.path)) else {
                    return nil
                }
                let head = magic + [0x47] + [UInt8](repeating: 0x20, count: 1234)
                return ServerResponse(type: "image/png", Data(head) + bytes)
            }
        }
        #expect(reading.error == nil && reading.numbers == Array(0..<720))
    }

    @Test("files referenced inside a segment are not opened")
    func referring() async throws {
        let local = FileManager.default.temporaryDirectory.appendingPathComponent("zt-\(UUID().uuidString).ts")
        defer { try? FileManager.default.removeItem(at: local) }
        try FileManager.default.copyItem(at: try TestStreams.url("vod-ts/v1/seg000.ts"), to: local)
        let list = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n\(local.absoluteString)\n#EXT-X-ENDLIST\n#"
        // The body has the sync bytes of a transport stream, so that it is detected as one.
        var body = Array(list.utf8)
        while body.count % 188 != 187 { body.append(0x20) }
        for _ in 0..<5 { body += [0x47] + [UInt8](repeating: 0x20, count: 187) }
        let bytes = Data(body)
        let error = await #expect(throws: AVError.self) {
            let (reading, _) = try await read("trap.m3u8") { server in
                server.serve("trap.m3u8") { _ in
                    .playlist("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\ntrap.ts\n#EXT-X-ENDLIST\n")
                }
                server.serve("trap.ts") { _ in ServerResponse(type: "video/mp2t", bytes) }
            }
            #expect(reading.pictures.isEmpty)
        }
        #expect(error != nil)
    }

    @Test("a key file may end with a line break", arguments: ["\n", "\r\n"])
    func key(end: String) async throws {
        let (reading, _) = try await read("aes128/explicit.m3u8") { server in
            server.serve("*.key") { request in
                (try? Data(contentsOf: TestStreams.folder.appendingPathComponent(request.path))).map {
                    ServerResponse(type: "application/octet-stream", $0 + Data(end.utf8))
                }
            }
        }
        #expect(reading.error == nil && reading.numbers == Array(0..<720))
    }

    @Test("a nested multivariant playlist leads to its first variant")
    func nested() async throws {
        let (reading, log) = try await read("outer.m3u8") { server in
            server.serve("outer.m3u8") { _ in .playlist("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=9\ninner.m3u8\n") }
            server.serve("inner.m3u8") { _ in
                .playlist("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=9\nvod-ts/v1/index.m3u8\n")
            }
        }
        #expect(reading.error == nil && reading.numbers == Array(0..<720))
        #expect(log.failures.contains { $0.isOfContent && $0.url.lastPathComponent == "inner.m3u8" })
        // A playlist that refers to itself ends with an error.
        await #expect(throws: AVError.self) {
            _ = try await read("round.m3u8") { server in
                server.serve("round.m3u8") { _ in .playlist("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=9\nround.m3u8\n") }
            }
        }
    }
}

/// Rewrites the timestamps of the test streams' segments.
private enum Stamps {
    private static func bytes(_ path: String) -> [UInt8]? {
        (try? Data(contentsOf: TestStreams.folder.appendingPathComponent(path))).map { Array($0) }
    }

    /// Shifts all timestamps of the segment so that its first decode timestamp becomes 90,000.
    static func transportFromZero(_ path: String) -> ServerResponse? {
        guard var bytes = bytes(path) else { return nil }
        func stamp(_ at: Int) -> Int64 {
            Int64(bytes[at] >> 1 & 7) << 30 | Int64(bytes[at + 1]) << 22 | Int64(bytes[at + 2] >> 1) << 15
                | Int64(bytes[at + 3]) << 7 | Int64(bytes[at + 4] >> 1)
        }
        // Find the offsets of all timestamps. They are in packets that begin a packet of an elementary stream (ISO/IEC
        // 13818-1 §2.4.3).
        var places: [Int] = []
        for packet in stride(from: 0, to: bytes.count - 187, by: 188) where bytes[packet + 1] & 0x40 != 0 {
            var at = packet + 4
            if bytes[packet + 3] & 0x20 != 0 { at += 1 + Int(bytes[packet + 4]) }
            guard at + 19 < packet + 188, bytes[at..<(at + 3)].elementsEqual([0, 0, 1]), bytes[at + 3] >= 0xC0 else {
                continue
            }
            if bytes[at + 7] & 0x80 != 0 { places.append(at + 9) }
            if bytes[at + 7] & 0xC0 == 0xC0 { places.append(at + 14) }
        }
        guard let first = places.map(stamp).min() else { return nil }
        for place in places {
            let new = stamp(place) - first + 90_000
            bytes[place] = bytes[place] & 0xF1 | UInt8(new >> 30 & 7) << 1
            bytes[place + 1] = UInt8(new >> 22 & 0xFF)
            bytes[place + 2] = UInt8(new >> 15 & 0x7F) << 1 | 1
            bytes[place + 3] = UInt8(new >> 7 & 0xFF)
            bytes[place + 4] = UInt8(new & 0x7F) << 1 | 1
        }
        return ServerResponse(type: "video/mp2t", Data(bytes))
    }

    /// Returns the media time at which the edit list of an initialization section begins, in the track's ticks.
    private static func editStart(_ header: [UInt8]) -> Int32 {
        guard let at = header.indices.first(where: { header[$0...].starts(with: Array("elst".utf8)) }) else { return 0 }
        return number(header, at + 16)
    }

    private static func number(_ bytes: [UInt8], _ at: Int) -> Int32 {
        Int32(bitPattern: bytes[at..<at + 4].reduce(0) { $0 << 8 | UInt32($1) })
    }

    /// Makes the edit list of an initialization section a free box.
    static func withoutEditList(_ path: String) -> ServerResponse? {
        guard var bytes = bytes(path) else { return nil }
        if let at = bytes.indices.first(where: { bytes[$0...].starts(with: Array("edts".utf8)) }) {
            bytes.replaceSubrange(at..<at + 4, with: Array("free".utf8))
        }
        return ServerResponse(type: "video/mp4", Data(bytes))
    }

    /// Subtracts the start of the edit list from all composition offsets (ISO/IEC 14496-12 §8.8.8).
    static func negativeOffsets(_ path: String) -> ServerResponse? {
        let folder = (path as NSString).deletingLastPathComponent
        guard var bytes = bytes(path), let header = Self.bytes(folder + "/init.mp4") else { return nil }
        let start = editStart(header)
        let name = Array("trun".utf8)
        for at in bytes.indices where bytes[at...].starts(with: name) {
            let flags = number(bytes, at + 4)
            guard flags & 0x800 != 0 else { continue }
            bytes[at + 4] = 1
            let fields = [0x100, 0x200, 0x400].filter { flags & $0 != 0 }.count
            var place = at + 12 + (flags & 1 != 0 ? 4 : 0) + (flags & 4 != 0 ? 4 : 0) + 4 * fields
            for _ in 0..<number(bytes, at + 8) {
                let offset = UInt32(bitPattern: number(bytes, place) - start)
                for index in 0..<4 {
                    bytes[place + index] = UInt8(truncatingIfNeeded: offset >> UInt32(24 - 8 * index))
                }
                place += 4 * (fields + 1)
            }
        }
        return ServerResponse(type: "video/iso.segment", Data(bytes))
    }

    /// Shifts the decode times of all fragments so that the first becomes 0.
    static func fragmentsFromZero(_ path: String) -> ServerResponse? {
        guard var bytes = bytes(path) else { return nil }
        let name = Array("tfdt".utf8)
        let places = bytes.indices.filter { bytes[$0...].starts(with: name) }
        func time(_ at: Int) -> UInt64 {
            let width = bytes[at + 4] == 1 ? 8 : 4
            return bytes[(at + 8)..<(at + 8 + width)].reduce(0) { $0 << 8 | UInt64($1) }
        }
        guard let first = places.first.map(time) else { return nil }
        for place in places {
            let new = time(place) - first
            let width = bytes[place + 4] == 1 ? 8 : 4
            for index in 0..<width {
                bytes[place + 8 + index] = UInt8(truncatingIfNeeded: new >> UInt64(8 * (width - 1 - index)))
            }
        }
        return ServerResponse(type: "video/iso.segment", Data(bytes))
    }
}
