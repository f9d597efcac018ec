import Testing

@testable import GTK

/// Tests of reading a compositor's interfaces from the bytes of its answer.
@Suite("Interfaces of a Wayland compositor") struct WaylandGlobalsTests {
    private static func bytes(_ words: [UInt32]) -> [UInt8] {
        words.flatMap { word in withUnsafeBytes(of: word) { Array($0) } }
    }

    /// Returns the bytes of a `wl_registry.global` event.
    private static func global(_ number: UInt32, _ name: String) -> [UInt8] {
        let text = Array(name.utf8) + [UInt8](repeating: 0, count: 4 - name.utf8.count % 4)
        let size = UInt32(8 + 8 + text.count + 4)
        return bytes([2, size << 16, number, UInt32(name.utf8.count + 1)]) + text + bytes([1])
    }
    private static let done = bytes([3, 12 << 16, 7])

    @Test("names are read from complete and partial messages", arguments: [1, 3, 8, 1000])
    func names(step: Int) {
        let answer =
            Self.global(1, "wl_compositor") + Self.global(2, "wl_shm") + Self.global(3, "xdg_wm_base")
            + Self.bytes([1, 12 << 16 | 1, 5]) + Self.done
        var globals = WaylandGlobals()
        for start in stride(from: 0, to: answer.count, by: step) {
            #expect(!globals.isComplete)
            globals.take(answer[start..<min(answer.count, start + step)])
        }
        #expect(globals.isComplete && globals.names == ["wl_compositor", "wl_shm", "xdg_wm_base"])
        #expect(globals.missing.isEmpty)
    }

    @Test("a compositor without a shell is found")
    func missing() {
        var globals = WaylandGlobals()
        globals.take(Self.global(1, "wl_compositor") + Self.global(2, "wl_shm") + Self.done)
        #expect(globals.missing == ["xdg_wm_base"])
        globals.take(Self.global(3, "zxdg_shell_v6"))
        #expect(globals.missing.isEmpty)
    }

    @Test(
        "wrong lengths are skipped and end the reading",
        arguments: [
            bytes([2, 20 << 16, 1, 0, 0]), bytes([2, 20 << 16, 1, 1000, 0]), bytes([2, 12 << 16, 1]),
            bytes([2, 4 << 16, 1]), bytes([0, 0]),
        ])
    func wrong(message: [UInt8]) {
        var globals = WaylandGlobals()
        globals.take(message + Self.done)
        #expect(globals.isComplete && globals.names.isEmpty)
    }
}

/// Tests of the check for GTK versions that are too old.
@Suite("Versions of GTK") struct GTKVersionTests {
    @Test("GTK before 4.8 is refused with both versions", arguments: [UInt32(0), 6, 7, 8, 18])
    func old(minor: UInt32) {
        let problem = GTKVersion.problem(minor: minor)
        #expect((problem == nil) == (minor >= 8))
        if let problem {
            #expect(problem.description.hasPrefix("GTK 4.\(minor) is installed, but windows require GTK 4.8 or later."))
        }
    }
}
