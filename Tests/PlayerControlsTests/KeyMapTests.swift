import PlayerControls
import Testing

@Suite("Key maps")
struct KeyMapTests {
    private static let presets: [(name: String, map: KeyMap<PlaybackAction>)] = [
        ("videoPlayer", .videoPlayer), ("container", .container), ("window", .window),
    ]

    @Test(
        "each key of a preset occurs once and sends its command",
        arguments: ["videoPlayer", "container", "window"])
    func presets(_ name: String) throws {
        let map = try #require(Self.presets.first { $0.name == name }).map
        let keys = map.bindings.flatMap(\.keys)
        #expect(Set(keys).count == keys.count && !keys.isEmpty)
        #expect(map.sections.allSatisfy { $0.bindings.first?.title.isEmpty == false })
        for binding in map.bindings {
            #expect(!binding.keys.isEmpty)
            for key in binding.keys { #expect(map[key] == binding.command, "\(key.name)") }
            #expect(map.keys(for: binding.command).first == binding.keys.first)
        }
    }

    @Test("presets agree on the keys of seeking, volume, mute and full screen")
    func agreement() {
        let shared: [(PlayerKey, PlaybackAction)] = [
            (.leftArrow, .seek(-5)), (.rightArrow, .seek(5)), (.upArrow, .volume(0.05)), (.downArrow, .volume(-0.05)),
            (PlayerKey("m"), .mute), (PlayerKey("f"), .toggleFullScreen),
        ]
        for (name, map) in Self.presets {
            for (key, action) in shared { #expect(map[key] == action, "\(name): \(key.name)") }
        }
    }

    @Test("an app can move, add and remove keys")
    func changes() {
        var map = KeyMap.videoPlayer
        map[PlayerKey("n")] = .seek(30)
        map[PlayerKey("l")] = .toggleLoop
        map[PlayerKey("m")] = nil
        map[PlayerKey("p")] = .playPause
        #expect(map[PlayerKey("n")] == .seek(30) && map.keys(for: .seek(30)) == [PlayerKey("n")])
        #expect(map[PlayerKey("l")] == .toggleLoop && map.keys(for: .seek(10)).isEmpty)
        #expect(map[PlayerKey("m")] == nil && map.keys(for: .mute).isEmpty)
        #expect(map.keys(for: .playPause) == [PlayerKey("k"), PlayerKey("p")])
        #expect(KeyMap.videoPlayer[PlayerKey("m")] == .mute)
        map.removeAll()
        #expect(map[.leftArrow] == nil && map.bindings.isEmpty)
    }

    @Test("a key in two bindings belongs only to the later one")
    func sharedKeys() {
        let map = KeyMap<PlaybackAction>([
            .init("A", [.init(.playPause, "Play / pause", .space, PlayerKey("k"), .space), .init(.end, "End", .end)]),
            .init("B", [.init(.mute, "Toggle mute", PlayerKey("m"), .space), .init(.start, "Start", .end)]),
        ])
        #expect(map[.space] == .mute && map[.end] == .start)
        #expect(map.keys(for: .playPause) == [PlayerKey("k")] && map.keys(for: .mute) == [PlayerKey("m"), .space])
        #expect(map.bindings.map(\.keys) == [[PlayerKey("k")], [], [PlayerKey("m"), .space], [.end]])
    }

    @Test("Shift belongs to characters, and is a modifier of other keys")
    func shift() {
        #expect(PlayerKey(symbol: 0x4C, shift: true) == PlayerKey("L") && PlayerKey("L") != PlayerKey("l"))
        #expect(PlayerKey(symbol: 0x3F, shift: true) == PlayerKey("?"))
        #expect(PlayerKey(.leftArrow, shift: true) != .leftArrow)
        // With Caps Lock, Ctrl+O arrives as a capital letter without Shift.
        #expect(PlayerKey(symbol: 0x4F, control: true) == PlayerKey("o", control: true))
        #expect(PlayerKey(symbol: 0x4F, shift: true, control: true) != PlayerKey("o", control: true))
        #expect(PlayerKey("x", alt: true) != PlayerKey("x"))
    }

    @Test("keypad keys count as the keys of the main keyboard")
    func keypad() {
        #expect(PlayerKey(symbol: 0xFF8D) == .enter && PlayerKey(symbol: 0xFFB5) == PlayerKey("5"))
        #expect(PlayerKey(symbol: 0xFF96, control: true) == PlayerKey(.leftArrow, control: true))
    }

    @Test("each key has a readable name")
    func names() {
        #expect(PlayerKey("o", control: true).name == "Ctrl+O" && PlayerKey("L").name == "L")
        #expect(
            PlayerKey(.leftArrow, shift: true).name == "Shift+←"
                && PlayerKey.function(10, shift: true).name == "Shift+F10")
        #expect(PlayerKey("ü").name == "ü" && PlayerKey("ж").name == "ж" && PlayerKey.space.name == "Space")
        #expect(PlayerKey.function(-4) == .function(1) && PlayerKey.function(99) == .function(35))
    }

    @Test(
        "special keys have names, not the character with their number",
        arguments: [
            (0xFFFF, "Delete"), (0xFF9F, "Delete"), (0xFF63, "Insert"), (0xFF09, "Tab"), (0xFFAB, "+"),
            (0xFF14, "Key 0xFF14"), (0x6D6, "Key 0x6D6"), (0x1008_FF14, "Key 0x1008FF14"),
        ] as [(UInt32, String)])
    func specialNames(_ symbol: UInt32, _ name: String) {
        #expect(PlayerKey(symbol: symbol).name == name)
        #expect(PlayerKey(symbol: symbol, control: true).name == "Ctrl+\(name)")
    }

    @Test("Tab is the same key with and without Shift")
    func shiftTab() {
        #expect(PlayerKey(symbol: 0xFE20, shift: true) == PlayerKey(PlayerKey(symbol: 0xFF09), shift: true))
        #expect(PlayerKey(symbol: 0xFE20, shift: true).name == "Shift+Tab")
    }
}
