import CGTK
import Foundation
import TestSupport
import Testing

@testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

/// Tests of the visual language (`docs/design.md`), on the screen and in the sources.
@Suite("Visual language", .serialized)
struct VisualLanguageTests {
    @Test("GTK's controls and ours have the same accent color", arguments: [false, true])
    func accent(isDark: Bool) async throws {
        let probe = try await ControlProbe(["accent"] + (isDark ? ["--dark"] : []))
        let isBlue = try await probe.comes {
            let ours = try probe.color("ours", 0.5)
            return ours[2] > ours[0] + 60
        }
        let ours = try probe.color("ours", 0.5)
        #expect(isBlue, "\(ours)")
        for (name, x) in [("slider", 0.4), ("switch", 0.2), ("bar", 0.5), ("default", 0.15)] {
            let isSame = try await probe.shows(ours, name, x, within: 2)
            let seen = try probe.color(name, x)
            #expect(isSame, "\(name): \(seen), not \(ours)")
        }
        #expect(probe.complaints.isEmpty, "\(probe.complaints)")
    }

    @Test("an accent without contrast is adjusted and keeps its hue")
    @MainActor func legibleAccent() {
        // The accent of GTK's dark theme, on the window color of the dark theme.
        let dark = Color.Components(red: 0x15 / 255, green: 0x53 / 255, blue: 0x9e / 255, opacity: 1)
        let window = Paint.windowColor.resolved(dark: true, accent: nil)
        let shown = Accent.legible(dark, on: window)
        #expect(dark.contrast(with: window) < 2 && shown.contrast(with: window) >= 3)
        #expect(abs(shown.hsl.hue - dark.hsl.hue) < 0.01)
        // An accent with enough contrast is not changed.
        let light = Color.Components(red: 0x35 / 255, green: 0x84 / 255, blue: 0xe4 / 255, opacity: 1)
        #expect(Accent.legible(light, on: Paint.windowColor.resolved(dark: false, accent: nil)) == light)
        // The search ends for every color, even for gray, or for white on white.
        for grey in [0.0, 0.5, 1] {
            let color = Color.Components(red: grey, green: grey, blue: grey, opacity: 1)
            for isDark in [false, true] {
                let ground = Paint.windowColor.resolved(dark: isDark, accent: nil)
                #expect(Accent.legible(color, on: ground).contrast(with: ground) >= 3)
            }
        }
    }

    @Test("edges of controls stand out from the window, light and dark", arguments: [false, true])
    @MainActor func edges(isDark: Bool) {
        let window = Paint.windowColor.resolved(dark: isDark, accent: nil)
        let edge = ControlMark.edge(on: window)
        #expect((3...3.4).contains(edge.contrast(with: window)))
        for level in [0, 0.1, 0.5, 1] {
            let ground = Color.Components(red: level, green: level, blue: level, opacity: 1)
            #expect(ControlMark.edge(on: ground).contrast(with: ground) >= 3)
        }
    }

    @Test("slider and switch knobs stand out from their surroundings", arguments: [false, true])
    func knobs(isDark: Bool) async throws {
        let probe = try await ControlProbe(["accent"] + (isDark ? ["--dark"] : []))
        let window = try probe.display.screenshot().color(2, 2)
        // Both knobs are at the right end: the slider's on the window color, the switch's on its filled track.
        for (name, ground) in [("slider", window), ("switch", try probe.color("switch", 0.2))] {
            let frame = try probe.frame(name)
            let isSeen = try await probe.comes {
                let shot = try probe.display.screenshot()
                let y = frame.y + frame.height / 2
                let all = (frame.x + frame.width * 3 / 4..<frame.x + frame.width + 1).map { shot.color($0, y) }
                // A gray pixel is part of the knob, not of the accent-colored track.
                return all.contains { color in
                    (color.max() ?? 0) - (color.min() ?? 0) < 12 && contrast(color, ground) >= 3
                }
            }
            #expect(isSeen, "\(name)")
        }
    }
    private func contrast(_ a: [Int], _ b: [Int]) -> Double {
        func color(_ c: [Int]) -> Color.Components? {
            c.count == 3
                ? Color.Components(
                    red: Double(c[0]) / 255, green: Double(c[1]) / 255, blue: Double(c[2]) / 255, opacity: 1) : nil
        }
        guard let a = color(a), let b = color(b) else { return 1 }
        return a.contrast(with: b)
    }

    @Test("a focus ring follows corners and stands out on the accent")
    func ring() async throws {
        let probe = try await ControlProbe(["ring"])
        let chosen = try probe.frame("chosen")
        var accent: [Int] = []
        #expect(
            try await probe.comes("the accent color") {
                accent = try probe.color("chosen", 0.1)
                return accent[2] > accent[0] + 60
            })
        let plain = try probe.frame("plain")
        // GTK shows a focus ring only for three seconds after a key. On a slow machine that may be too short, so the
        // keys are repeated. The ring moves to the other button in between, so one screenshot proves all.
        var window: [Int] = []
        #expect(
            try await probe.comes {
                try probe.key("Tab", "shift+Tab")
                let screen = try probe.display.screenshot()
                window = screen.color(2, 2)
                // The ring's corner radius is 12: the corner itself is empty, and the line is on the arc.
                return screen.isNear(plain.x + plain.width / 2, plain.y + 1, accent)
                    && screen.isNear(plain.x + 1, plain.y + 1, window)
                    && screen.isNear(plain.x + 4, plain.y + 4, accent, within: 60)
            })
        try probe.key("Tab")
        #expect(
            try await probe.comes {
                try probe.key("shift+Tab", "Tab")
                return try near(probe, chosen.x + chosen.width / 2, chosen.y + 2, window, 60)
            })
        #expect(try probe.display.screenshot().isNear(chosen.x + chosen.width / 2, chosen.y + 6, accent))
    }

    private func near(_ probe: ControlProbe, _ x: Int, _ y: Int, _ color: [Int], _ within: Int = 12) throws -> Bool {
        try probe.display.screenshot().isNear(x, y, color, within: within)
    }

    @Test("a list row reacts to pointer hover, clicks and keys")
    func rows() async throws {
        let probe = try await ControlProbe(["rows"])
        let two = try probe.frame("two")
        let far = two.x + two.width - 20
        let before = try probe.display.screenshot().color(far, two.y + two.height / 2)
        try probe.move("two")
        #expect(
            try await probe.comes {
                let now = try probe.display.screenshot().color(far, two.y + two.height / 2)
                return zip(now, before).contains { abs($0 - $1) >= 6 }
            })
        try probe.click("two")
        try await probe.expect("chosen=two")
        try probe.key("Up")
        try await probe.expect("chosen=one")
    }

    @Test("a ring marks the selected row only while keys select")
    func rowRing() async throws {
        let probe = try await ControlProbe(["rows"])
        let one = try probe.frame("one")
        let (two, three) = (try probe.frame("two"), try probe.frame("three"))
        let (far, middle) = (one.x + one.width - 20, one.y + one.height / 2)
        // The colors from the middle of the text upwards: the row, its upper edge, and the pixels above it.
        func column() throws -> [[Int]] {
            let screen = try probe.display.screenshot()
            return (0..<30).map { screen.color(far, middle - $0) }
        }
        func isRinged(_ now: [[Int]], _ plain: [[Int]]) -> Bool {
            zip(now, plain).contains { zip($0, $1).contains { abs($0 - $1) > 40 } }
        }
        func choose(_ names: String...) async throws {
            for name in names {
                try probe.click(name)
                try await probe.expect("chosen=\(name)")
            }
            try probe.display.xdotool(["mousemove", "1270", "790"])
            // The first row is on the screen as the only selected one, without hover.
            #expect(
                try await probe.comes("a selected first row") {
                    let screen = try probe.display.screenshot()
                    let others = [two, three].map { screen.color(far, $0.y + $0.height / 2) }
                    return others[0] == others[1] && screen.color(far, middle) != others[0]
                })
        }
        try await choose("two", "one")
        var plain: [[Int]] = []
        #expect(
            try await probe.comes {
                let now = try column()
                defer { plain = now }
                return now == plain
            })
        #expect(
            try await probe.comes {
                try probe.key("Home")
                return isRinged(try column(), plain)
            })
        let pointed = plain
        // The ring also disappears when the keyboard focus leaves.
        try probe.key("Tab")
        #expect(try await probe.comes { !isRinged(try column(), pointed) })
        #expect(
            try await probe.comes {
                try probe.key("shift+Tab")
                try probe.key("Home")
                return isRinged(try column(), pointed)
            })
        try await choose("three", "one")
        #expect(try await probe.comes { !isRinged(try column(), pointed) })
        #expect(probe.complaints.isEmpty, "\(probe.complaints)")
    }

    @Test("a dialog is undecorated, darkens its window and closes by Escape")
    func question() async throws {
        let probe = try await ControlProbe(["question"])
        let manager = try await probe.display.manageWindows()
        defer { manager.send(SIGKILL) }
        #expect(try await probe.shows([0x8E, 0x8E, 0x93], "ground", 0.95))
        let before = try probe.color("ground", 0.95)
        let known = Set(try windows(probe))
        try probe.click("ask")
        try await probe.expect("asks=true")
        #expect(try await probe.comes { try windows(probe).contains { !known.contains($0) } })
        let dialog = try #require(try windows(probe).first { !known.contains($0) })
        // The third number of Motif's hints is the decorations, and 0 means none.
        let hints = try probe.display.run("xprop", ["-id", dialog, "_MOTIF_WM_HINTS"])
        let numbers = hints.split(separator: "=").last?.split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        #expect(numbers?.count == 5 && numbers?[2] == "0x0", "\(hints)")
        #expect(try probe.display.run("xprop", ["-id", dialog, "WM_TRANSIENT_FOR"]).contains("window id"))
        #expect(try await probe.comes { try probe.color("ground", 0.95)[0] < before[0] - 20 })
        try probe.display.xdotool(["windowfocus", "--sync", dialog])
        try probe.key("Escape")
        try await probe.expect("answer=cancelled")
        #expect(try await probe.shows(before, "ground", 0.95, within: 3))
        #expect(probe.complaints.isEmpty, "\(probe.complaints)")
    }

    private func windows(_ probe: ControlProbe) throws -> [String] {
        try probe.display.xdotool(["search", "--onlyvisible", "--class", ".*"]).split(separator: "\n").map(
            String.init)
    }

    @Test("reduced motion ends a ten-minute animation at once", arguments: [true, false])
    func motion(isReduced: Bool) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zt-\(UUID().uuidString)")
        let own = folder.appendingPathComponent("gtk-4.0")
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try "[Settings]\ngtk-enable-animations=\(isReduced ? 0 : 1)\n".write(
            to: own.appendingPathComponent("settings.ini"), atomically: true, encoding: .utf8)
        let probe = try await ControlProbe(["motion"], environment: ["XDG_CONFIG_HOME": folder.path])
        var red: [Int] = []
        #expect(
            try await eventually("a red field", seen: { "\(red)" }) {
                red = try probe.color("way", 0.02)
                return red[0] > 200 && red[1] < 100
            })
        try probe.click("move")
        try await probe.expect("over=true")
        if isReduced {
            #expect(try await probe.shows(red, "way", 0.98))
        } else {
            #expect(try probe.lacks(red, "way", 0.98, looks: 10))
        }
    }

    @Test("a slider reports every value during a drag")
    func drag() async throws {
        let probe = try await ControlProbe(["slider"])
        let frame = try probe.frame("plain")
        let y = "\(frame.y + frame.height / 2)"
        try probe.display.xdotool(["mousemove", "\(frame.x + frame.width / 2)", y, "mousedown", "1"])
        try await probe.expect("editing=true")
        let start = probe.said.count
        for share in [0.6, 0.7, 0.8] {
            try probe.display.xdotool(["mousemove", "\(frame.x + Int(Double(frame.width) * share))", y])
            #expect(
                try await probe.comes {
                    probe.said.dropFirst(start).contains {
                        $0.hasPrefix("plain=") && abs((Double($0.dropFirst(6)) ?? 0) - share) < 0.05
                    }
                })
        }
        #expect(!probe.said.contains("editing=false"))
        try probe.display.xdotool(["mouseup", "1"])
        try await probe.expect("editing=false")
    }

    @Test("an icon-only button has its name as tooltip, unless it has help")
    @MainActor func tooltips() {
        func words<V: View>(@ViewBuilder _ content: @escaping () -> V) -> String? {
            let stage = Stage { content() }
            return (stage.elements.first { $0 is ButtonElement } as? ButtonElement)?.tooltipText
        }
        #expect(words { Button("Add", systemImage: "plus") {}.labelStyle(.iconOnly) } == "Add")
        #expect(
            words {
                Button {
                } label: {
                    Image(systemName: "plus")
                }.accessibilityLabel("One more")
            } == "One more")
        #expect(words { Button("Add", systemImage: "plus") {} } == nil)
        #expect(words { Button("Add", systemImage: "plus") {}.labelStyle(.iconOnly).help("Adds one (A)") } == nil)
    }

    @Test("stacks keep related text close and controls apart")
    @MainActor func spacing() {
        let stage = Stage(300, 300) {
            VStack(alignment: .leading) {
                Text("title").mark("title")
                Text("byline").mark("byline")
                Color.red.frame(height: 10).mark("box")
                HStack {
                    Image(systemName: "star").mark("symbol")
                    Text("words").mark("words")
                    Color.red.frame(width: 10, height: 10).mark("side")
                }
            }
        }
        func gap(_ a: String, _ b: String, _ edge: (CGRect, CGRect) -> CGFloat) -> CGFloat? {
            guard let a = stage.frame(of: a), let b = stage.frame(of: b) else { return nil }
            return edge(a, b)
        }
        #expect(gap("title", "byline") { $1.minY - $0.maxY } == Space.tight)
        #expect(gap("byline", "box") { $1.minY - $0.maxY } == Space.regular)
        #expect(gap("symbol", "words") { $1.minX - $0.maxX } == Space.snug)
        #expect(gap("words", "side") { $1.minX - $0.maxX } == Space.regular)
    }

    @Test("controls, dialogs and players use no literal sizes or colors")
    func strayNumbers() throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources")
        let folders = ["DeclarativeUI/Controls", "DeclarativeUI/Modals", "DeclarativeUI/Containers", "PlayerViews"]
        // The patterns allow 0, which needs no step of the scale.
        let patterns = [
            #"\.padding\((\.[a-z]+, )?-?[1-9]"#, #"[^a-zA-Z]spacing: [1-9]"#, #"cornerRadius: [1-9]"#,
            #"system\(size: [0-9]"#, #"Color\.(black|white|gray|primary)\.opacity\(0?\.[0-9]"#,
            #"(duration|Duration): [0-9]"#, #"Color\(red:"#, #"lineWidth: [2-9]"#,
        ].map { try? NSRegularExpression(pattern: $0) }
        var seen = 0
        for folder in folders {
            let root = sources.appendingPathComponent(folder)
            let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
            for case let file as URL in files where file.pathExtension == "swift" {
                seen += 1
                for (number, line) in try String(contentsOf: file, encoding: .utf8).split(
                    separator: "\n", omittingEmptySubsequences: false
                ).enumerated() where !line.contains("///") {
                    let text = String(line)
                    for pattern in patterns {
                        let pattern = try #require(pattern)
                        let range = NSRange(text.startIndex..., in: text)
                        #expect(
                            pattern.firstMatch(in: text, range: range) == nil,
                            "\(file.lastPathComponent):\(number + 1): \(text.trimmingCharacters(in: .whitespaces))")
                    }
                }
            }
        }
        #expect(seen > 60)
    }
}
