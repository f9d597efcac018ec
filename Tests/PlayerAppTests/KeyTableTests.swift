import Foundation
import MediaCore
import PlayerControls
import TestSupport
import Testing

@testable import PlayerApp
@testable import Presentation

@Suite("Key table")
struct KeyTableTests {
    private static let shift: UInt32 = 1, control: UInt32 = 4, alt: UInt32 = 8
    private func command(_ character: Character, _ state: UInt32 = 0) -> PlayerCommand? {
        KeyTable.command(character.asciiValue.map(UInt32.init) ?? 0, state: state)
    }

    @Test("each key occurs once, and each line has a text")
    func once() {
        let keys = KeyTable.keys.bindings.flatMap(\.keys)
        #expect(Set(keys).count == keys.count)
        #expect(KeyTable.keys.bindings.allSatisfy { !$0.keys.isEmpty })
        #expect(KeyTable.sections.allSatisfy { $0.bindings.first?.title.isEmpty == false })
    }

    @Test("keys have the meanings that mpv users expect, however typed")
    func meaning() {
        #expect(command("j") == .subtitles(1) && command("J", Self.shift) == .subtitles(-1))
        #expect(
            command("#") == .audio(1) && command("#", Self.shift) == .audio(1) && command("v") == .subtitleVisibility)
        #expect(command(">", Self.shift) == .entry(1) && command("<") == .entry(-1))
        #expect(command("9") == .action(.volume(-0.05)) && command("0") == .action(.volume(0.05)))
        #expect(
            command("?", Self.shift) == .help && command("i") == .information
                && command("s") == .screenshot(withSubtitles: true))
        #expect(
            command("{", Self.shift) == .action(.multiplySpeed(0.5)) && command("l") == .action(.toggleLoop)
                && command("q") == .action(.close))
        // Arrow keys have other actions with Shift and with Ctrl. The keypad's Enter works like Enter. Keys with Alt
        // belong to the desktop.
        #expect(KeyTable.command(0xff51, state: 0) == .action(.seek(-5)))
        #expect(KeyTable.command(0xff51, state: Self.shift) == .action(.seek(-1)))
        #expect(KeyTable.command(0xff51, state: Self.control) == .action(.seek(-60)))
        #expect(KeyTable.command(0xff8d, state: 0) == .entry(1) && KeyTable.command(0xff0d, state: 0) == .entry(1))
        #expect(
            KeyTable.command(0x77, state: Self.control) == .action(.close) && KeyTable.command(0x77, state: 0) == nil)
        #expect(KeyTable.command(0xff51, state: Self.alt) == nil)
        // Caps Lock does not change Ctrl+W.
        #expect(KeyTable.command(0x57, state: Self.control | 2) == .action(.close))
    }

    @Test("held keys repeat seeks, frame steps, volume and subtitle delay only")
    func repeats() {
        let repeated = Set(KeyTable.keys.bindings.filter(\.command.repeats).flatMap(\.keys).map(\.name))
        #expect(repeated.isSuperset(of: ["←", "Shift+→", "Ctrl+←", ",", ".", "↑", "9", "z", "Z", "x"]))
        #expect(repeated.isDisjoint(with: ["Space", "p", "f", "m", "s", "Enter", ">", "<", "v", "l", "Esc", "q"]))
    }

    @Test("menus and tables show a capital letter as Shift and the letter")
    func accelerators() {
        func accelerator(_ command: PlayerCommand) -> String? {
            KeyTable.keys.keys(for: command).first?.accelerator
        }
        #expect(
            accelerator(.screenshot(withSubtitles: true)) == "s"
                && accelerator(.screenshot(withSubtitles: false)) == "<Shift>s")
        #expect(
            accelerator(.aspect) == "<Shift>a" && accelerator(.open) == "<Control>o"
                && accelerator(.audio(1)) == "numbersign")
        #expect(accelerator(.action(.seek(-1))) == "<Shift>Left")
    }

    @Test("key names are translated")
    func names() throws {
        func keys(_ command: PlayerCommand) throws -> String {
            let section = try #require(KeyTable.sections.first { $0.bindings.contains { $0.command == command } })
            let text = try #require(section.bindings.first { $0.command == command }?.title)
            let lines = KeyTable.lines(of: section) { PlayerWords.localized($0, languages: ["de"]) }
            return try #require(lines.first { $0.text == PlayerWords.localized(text, languages: ["de"]) }).keys
        }
        #expect(try keys(.action(.playPause)) == "Leertaste, p")
        #expect(try keys(.action(.seek(-1))) == "Umschalt+← / Umschalt+→")
        #expect(try keys(.action(.volume(0.05))) == "↑, 0, * / ↓, 9, /")
        #expect(try keys(.action(.jump(0.1))) == "1 … 8")
    }

    @Test("docs/keys.md contains the key table")
    func page() throws {
        let text = try String(
            contentsOfFile: Repository.root.appendingPathComponent("docs/keys.md").path, encoding: .utf8)
        #expect(text.contains(KeyTable.markdown), "docs/keys.md should have:\n\(KeyTable.markdown)")
    }
}

@Suite("Saved image files")
struct ScreenshotFileTests {
    @Test("a name has the video's name and position, without invalid characters")
    func names() {
        #expect(ScreenshotFile.name("film", at: 83.4567) == "film 0.01.23.457")
        #expect(ScreenshotFile.name("a/b\nc", at: .nan) == "a-b-c 0.00.00.000")
        #expect(
            ScreenshotFile.name("..", at: -5) == "Zoetrope 0.00.00.000"
                && ScreenshotFile.name("", at: 4000) == "Zoetrope 1.06.40.000")
        #expect(ScreenshotFile.name(String(repeating: "ü", count: 500), at: 1e12).utf8.count < 255)
    }

    @Test(
        "a screenshot is named without a file's extension, after the whole title",
        arguments: [
            ("file:///films/film.mkv", nil, "film"), ("https://example.com/a/Ep.%20IV.mp4?b.c", nil, "Ep. IV"),
            ("file:///films/Vol.%202", nil, "Vol. 2"), ("file:///films/film.mkv", "Vol. 2", "Vol. 2"),
            ("file:///films/film.mkv", "Ep. IV", "Ep. IV"), ("https://example.com/", nil, "https:--example.com-"),
        ])
    func withoutExtension(url: String, title: String?, name: String) throws {
        let entry = MediaList.Entry(try #require(URL(string: url)), title: title)
        #expect(ScreenshotFile.name(entry.titleWithoutExtension, at: 0) == "\(name) 0.00.00.000")
    }

    @Test("a screenshot's name has the whole title of the metadata", arguments: ["Vol. 2", "Ep. IV"])
    func titles(title: String) {
        #expect(ScreenshotFile.name(title, at: 0) == "\(title) 0.00.00.000")
    }

    @Test("a file is never overwritten, and an unwritable folder is skipped")
    func written() throws {
        let folder = try MediaListTests.Folder()
        let path = try #require(FilePath(bytes: folder.path.utf8))
        let first = try ScreenshotFile.write([1], name: "film", in: [path])
        let second = try ScreenshotFile.write([2], name: "film", in: [path])
        #expect(first.description == folder.path + "/film.png" && second.description == folder.path + "/film 2.png")
        #expect(try Data(contentsOf: first.url) == Data([1]) && Data(contentsOf: second.url) == Data([2]))
        let nowhere = try #require(FilePath(bytes: "/proc/none".utf8))
        #expect(
            try ScreenshotFile.write([3], name: "film", in: [nowhere, path]).description == folder.path + "/film 3.png")
        do throws(AVError) {
            _ = try ScreenshotFile.write([4], name: "film", in: [nowhere])
            Issue.record("a file was written to a missing folder")
        } catch { #expect(error.code == .writeFailed) }
    }
}
