import Foundation
import PlayerControls
import Synchronization
import TestSupport
import Testing

@Suite("Stored playback positions")
struct ResumeStoreTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "zt-positions-\(UUID().uuidString.prefix(8))")
    private var file: URL { folder.appendingPathComponent("deep/positions.sqlite") }
    private func remove() { try? FileManager.default.removeItem(at: folder) }
    private func film(_ name: String) -> URL { URL(fileURLWithPath: "/films/\(name).mp4") }
    private func store(_ store: ResumeStore, _ seconds: Double?, of url: URL, duration: Double = 100) async {
        await withCheckedContinuation { done in store.store(seconds, duration: duration, of: url) { done.resume() } }
    }

    @Test("a position is stored for its user alone, and removed again")
    func stores() async throws {
        defer { remove() }
        let positions = ResumeStore.shared(at: file)
        await store(positions, 61.25, of: film("a"))
        expectEqual(await positions.position(of: film("a")), 61.25)
        expectEqual(await positions.position(of: film("b")), nil)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        await positions.remove(film("a"))
        expectEqual(await positions.position(of: film("a")), nil)
    }

    @Test("files whose names are not UTF-8 have their own positions")
    func otherBytes() async throws {
        defer { remove() }
        let positions = ResumeStore.shared(at: file)
        let films = try ["%E9", "%E8"].map { try #require(URL(string: "file:///films/\($0).mp4")) }
        await store(positions, 50, of: films[0])
        expectEqual(await positions.position(of: films[0]), 50)
        expectEqual(await positions.position(of: films[1]), nil)
    }

    @Test(
        "positions near the start and the end are not kept",
        arguments: [nil, .nan, .infinity, -3, 4.9, 95.5] as [Double?])
    func worthless(_ seconds: Double?) async {
        defer { remove() }
        let positions = ResumeStore.shared(at: file)
        await store(positions, 50, of: film("a"))
        await store(positions, seconds, of: film("a"))
        expectEqual(await positions.position(of: film("a")), nil)
    }

    @Test("names and passwords of URLs are not stored")
    func credentials() async throws {
        defer { remove() }
        let positions = ResumeStore.shared(at: file)
        let url = try #require(URL(string: "https://name:secret@example.com/a.mp4"))
        await store(positions, 50, of: url)
        expectEqual(await positions.position(of: try #require(URL(string: "https://example.com/a.mp4"))), 50)
        for part in try FileManager.default.contentsOfDirectory(
            at: file.deletingLastPathComponent(), includingPropertiesForKeys: nil)
        {
            #expect(try Data(contentsOf: part).range(of: Data("secret".utf8)) == nil, "\(part.lastPathComponent)")
        }
    }

    @Test("removed positions leave no name in the files", arguments: [false, true])
    func removes(all: Bool) async throws {
        defer { remove() }
        let positions = ResumeStore.shared(at: file)
        for number in 0..<50 { await store(positions, 50, of: film("secret\(number)")) }
        if all {
            await positions.removeAll()
        } else {
            for number in 0..<50 { await positions.remove(film("secret\(number)")) }
        }
        expectEqual(await positions.position(of: film("secret7")), nil)
        for part in try FileManager.default.contentsOfDirectory(
            at: file.deletingLastPathComponent(), includingPropertiesForKeys: nil)
        {
            #expect(try Data(contentsOf: part).range(of: Data("secret".utf8)) == nil, "\(part.lastPathComponent)")
        }
    }

    @Test("a file that is not a database is set aside and reported")
    func broken() async throws {
        defer { remove() }
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(String(repeating: "no database ", count: 500).utf8).write(to: file)
        let reports = Mutex<[String]>([])
        let positions = ResumeStore.shared(at: file) { text in reports.withLock { $0.append(text) } }
        #expect(reports.withLock { $0 }.count == 1)
        #expect(FileManager.default.fileExists(atPath: file.path + ".broken"))
        await store(positions, 50, of: film("a"))
        expectEqual(await positions.position(of: film("a")), 50)
    }

    @Test("a broken file that can't be renamed is kept and reported")
    func immovable() async throws {
        defer { remove() }
        // With “.broken”, the name is one byte longer than file systems allow.
        let file = folder.appendingPathComponent(String(repeating: "p", count: 242) + ".sqlite")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(String(repeating: "no database ", count: 500).utf8).write(to: file)
        let reports = Mutex<[String]>([])
        let positions = ResumeStore.shared(at: file) { text in reports.withLock { $0.append(text) } }
        #expect(FileManager.default.fileExists(atPath: file.path))
        #expect(reports.withLock { $0 }.count == 1)
        #expect(reports.withLock { $0 }.allSatisfy { $0.contains("can't be renamed") })
        await store(positions, 50, of: film("a"))
        expectEqual(await positions.position(of: film("a")), nil)
    }

    @Test("without a writable place nothing is stored, and every call returns")
    func unwritable() async {
        let reports = Mutex<[String]>([])
        let nowhere = URL(fileURLWithPath: "/proc/zoetrope/positions.sqlite")
        let positions = ResumeStore.shared(at: nowhere) { text in reports.withLock { $0.append(text) } }
        await store(positions, 50, of: film("a"))
        await positions.removeAll()
        expectEqual(await positions.position(of: film("a")), nil)
        #expect(reports.withLock { $0 }.count == 1)
    }
}
