import Foundation
import MediaCore
import Testing

@testable import PlayerApp

@Suite("What is kept between runs")
@MainActor
struct KeptFileTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "zt-kept-\(UUID().uuidString.prefix(8))")
    private var file: URL { folder.appendingPathComponent("deep/player.json") }
    private final class Notes { var all: [String] = [] }
    private func open(_ notes: Notes = Notes()) -> KeptFile<AppState> {
        KeptFile(file, empty: AppState()) { notes.all.append($0) }
    }
    private func film(_ name: String) -> URL { URL(fileURLWithPath: "/films/\(name).mp4") }

    @Test("what was changed is there for the next who opens it, in a file that only its user reads")
    func keeps() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = open()
        first.change {
            $0.windowSize = CGSize(width: 900.4, height: 500)
            $0.keep(61.23, in: film("a"))
        }
        let second = open().value
        #expect(second == first.value && second.windowSize == CGSize(width: 900, height: 500))
        #expect(second.place(in: film("a")) == 61.2 && second.place(in: film("b")) == nil)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path).count == 1)
    }

    @Test("of places the oldest are forgotten, none twice; no name and no password is kept")
    func bounded() {
        var state = AppState()
        for number in 0..<(AppState.mostPlaces + 5) { state.keep(10, in: film("\(number)")) }
        state.keep(20, in: film("100"))
        #expect(state.places.count == AppState.mostPlaces)
        #expect(state.place(in: film("4")) == nil && state.place(in: film("5")) == 10)
        #expect(state.place(in: film("100")) == 20 && state.places.last?.seconds == 20)
        for worthless in [nil, .nan, .infinity, -3, 0] as [Double?] {
            state.keep(worthless, in: film("100"))
            #expect(state.place(in: film("100")) == nil)
        }
        state.keep(7, in: URL(string: "https://name:secret@example.com/a.mp4") ?? film("x"))
        #expect(!state.places.contains { $0.film.contains("secret") })
        #expect(state.place(in: URL(string: "https://example.com/a.mp4") ?? film("x")) == 7)
        #expect(AppState.isWorthKeeping(30, of: 60) && !AppState.isWorthKeeping(3, of: 60))
        #expect(!AppState.isWorthKeeping(58, of: 60) && !AppState.isWorthKeeping(.nan, of: 60))
    }

    @Test("a broken one is set aside and told of, once; one that is absurd in its numbers is made proper")
    func broken() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        for text in ["", "[]", "{\"places\": 3}", "{\"size\":{\"width\":1", String(repeating: "x", count: 5 << 20)] {
            try Data(text.utf8).write(to: file)
            let notes = Notes()
            #expect(open(notes).value == AppState() && notes.all.count == 1, "\(text.prefix(40))")
            #expect(!FileManager.default.fileExists(atPath: file.path))
            #expect(try Data(contentsOf: file.appendingPathExtension("broken")) == Data(text.utf8))
        }
        try Data("{\"size\":{\"width\":1e300,\"height\":-5},\"places\":[{\"film\":\"file:///a\",\"seconds\":-1}]}".utf8)
            .write(to: file)
        let absurd = open().value
        #expect(absurd.windowSize == CGSize(width: 16_384, height: 180))
        #expect(absurd.place(in: URL(fileURLWithPath: "/a")) == nil)
        let preferences = try JSONDecoder().decode(
            AppPreferences.self, from: Data("{\"scheme\":\"sepia\",\"resumes\":true}".utf8))
        #expect(preferences.scheme == .desktop && preferences.resumes)
    }

    @Test("where it cannot be written that is told, once, and what was set holds until the end")
    func unwritable() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data().write(to: file.deletingLastPathComponent())
        let notes = Notes()
        let kept = open(notes)
        kept.change { $0.isMaximized = true }
        kept.change { $0.showsList = true }
        #expect(notes.all.count == 1 && kept.value.isMaximized && kept.value.showsList)
    }

    @Test("addresses are told from words: URLs, paths, several a line each; nothing else")
    func addresses() {
        let all = FilmDesk.addresses([
            "file:///a%20b.mp4\r\n# a comment\nhttps://example.com/x y.m3u8", "/films/c d.mp4", "just words",
            "mailto:x",
            "http://", "javascript:/alert",
        ])
        #expect(
            all.map(\.absoluteString) == [
                "file:///a%20b.mp4", "https://example.com/x%20y.m3u8", "file:///films/c%20d.mp4",
            ])
    }
}
