import Foundation
import MediaCore
import Testing

@testable import PlayerApp

@Suite("Files kept between runs")
@MainActor
struct StoredValueTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "zt-kept-\(UUID().uuidString.prefix(8))")
    private var file: URL { folder.appendingPathComponent("deep/player.json") }
    private final class Notes { var all: [String] = [] }
    private func open(_ notes: Notes = Notes()) -> StoredValue<AppState> {
        StoredValue(file, empty: AppState()) { notes.all.append($0) }
    }
    private func film(_ name: String) -> URL { URL(fileURLWithPath: "/films/\(name).mp4") }

    @Test("changes are saved to a file that only its user can read")
    func keeps() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = open()
        first.change {
            $0.windowSize = CGSize(width: 900.4, height: 500)
        }
        let second = open().value
        #expect(second == first.value && second.windowSize == CGSize(width: 900, height: 500))
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path).count == 1)
    }

    @Test("a damaged file is set aside and reported once; values are clamped")
    func broken() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        for text in ["", "[]", "{\"size\": 3}", "{\"size\":{\"width\":1", String(repeating: "x", count: 5 << 20)] {
            try Data(text.utf8).write(to: file)
            let notes = Notes()
            #expect(open(notes).value == AppState() && notes.all.count == 1, "\(text.prefix(40))")
            #expect(!FileManager.default.fileExists(atPath: file.path))
            #expect(try Data(contentsOf: file.appendingPathExtension("broken")) == Data(text.utf8))
        }
        try Data("{\"size\":{\"width\":1e300,\"height\":-5}}".utf8)
            .write(to: file)
        let absurd = open().value
        #expect(absurd.windowSize == CGSize(width: 16_384, height: 180))
        let preferences = try JSONDecoder().decode(
            AppPreferences.self, from: Data("{\"scheme\":\"sepia\",\"resumes\":true}".utf8))
        #expect(preferences.scheme == .desktop && preferences.resumes)
    }

    @Test("a file that can't be opened is set aside and reported once")
    func unopenable() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let manager = FileManager.default
        try manager.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        // A link to itself can't be opened, not even by the superuser.
        try manager.createSymbolicLink(atPath: file.path, withDestinationPath: file.path)
        let notes = Notes()
        let kept = open(notes)
        #expect(kept.value == AppState() && notes.all.count == 1)
        let aside = file.appendingPathExtension("broken").path
        #expect(try manager.destinationOfSymbolicLink(atPath: aside) == file.path)
        kept.change { $0.isMaximized = true }
        #expect(notes.all.count == 1 && open().value.isMaximized)
        #expect(try manager.destinationOfSymbolicLink(atPath: aside) == file.path)
    }

    @Test("a failed write is reported once, and the values remain in memory")
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

    @Test("URLs and paths are recognized in text; other text is ignored")
    func addresses() {
        let all = WindowState.urls(in: [
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
