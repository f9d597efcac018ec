import Foundation
import TestSupport
import Testing

/// Tests, by screenshots, of how a window treats its content: size, bars, focus order and leftovers of older frames.
@Suite("Windows of views", .serialized)
struct WindowTests {
    @Test("Tab and Shift+Tab follow the order in which views are written")
    func order() async throws {
        let probe = try await ControlProbe(["order"])
        // Begin at a known view.
        try probe.click("second")
        try await probe.expect("focus=B")
        try probe.key("shift+Tab")
        try await probe.expect("focus=A")
        for next in ["B", "C", "D", "E", "F", "G", "A"] {
            try probe.key("Tab")
            try await probe.expect("focus=\(next)")
        }
        for next in ["G", "F", "E"] {
            try probe.key("shift+Tab")
            try await probe.expect("focus=\(next)")
        }
        // The focus moved from each view to the next, without others in between. The window opened with the focus on
        // the first view, which is dropped here.
        let heard = probe.said.filter { $0.hasPrefix("focus=") && $0 != "focus=none" }.map { String($0.dropFirst(6)) }
        let way = heard.drop { $0 == "A" }.joined()
        #expect(way == "BABCDEFGAGFE")
        #expect(probe.complaints.isEmpty)
    }

    @Test("a focus scope focuses its preferred view, also when reset")
    func focusScope() async throws {
        let probe = try await ControlProbe(["focus-scope"])
        try await probe.expect("focus=C")
        try probe.click("outer")
        try await probe.expect("focus=A")
        // The preferred view has changed in the same action.
        try probe.click("reset-D")
        try await probe.expect("focus=D")
        // No view is preferred now, so the first one of the scope gets the focus.
        try probe.click("reset-none")
        try await probe.expect("focus=B")
        #expect(probe.complaints.isEmpty, "\(probe.complaints)")
    }

    @Test(
        "a window opens at its content's size, or at a default",
        arguments: [
            ("open-flexible", 960, 540), ("open-fixed", 300, 260), ("open-least", 1000, 540), ("open-ideal", 420, 310),
        ])
    func size(_ page: String, _ width: Int, _ height: Int) async throws {
        let probe = try await ControlProbe([page])
        #expect(
            try await probe.comes { try probe.windowSize() == [width, height] }, "\((try? probe.windowSize()) ?? [])")
    }

    @Test("content that is flexible in one axis keeps its other size")
    func wide() async throws {
        let probe = try await ControlProbe(["open-wide"])
        #expect(
            try await probe.comes {
                let size = try probe.windowSize()
                return size.count == 2 && size[0] == 960 && size[1] < 200
            }, "\((try? probe.windowSize()) ?? [])")
    }

    @Test("a toolbar follows the window's edges, with centered content between")
    func toolbar() async throws {
        let probe = try await ControlProbe(["toolbar"])
        var told = ""
        // The window has its new size before its content is laid out in that size, so repeat.
        let isRight = try await probe.comes {
            let (leading, trailing, bottom, content) = (
                try probe.frame("leading"), try probe.frame("trailing"), try probe.frame("bottom"),
                try probe.frame("content")
            )
            let size = try probe.windowSize()
            told = "\(leading) \(trailing) \(bottom) \(content) in \(size)"
            guard size.count == 2 else { return false }
            return leading.y < 12 && trailing.y < 12 && leading.x < 20 && trailing.x + trailing.width > size[0] - 20
                && bottom.y + bottom.height > size[1] - 12
                && abs(content.x + content.width / 2 - size[0] / 2) <= 1
                && abs(content.y + content.height / 2 - size[1] / 2) <= 1
        }
        #expect(isRight, "\(told)")
    }

    @Test(
        "text is readable on buttons of every style and theme",
        arguments: ["light", "dark", "Adwaita:dark"])
    func contrast(_ look: String) async throws {
        let probe = try await ControlProbe(
            ["contrast"] + (look == "dark" ? ["--dark"] : []),
            environment: look.contains(":") ? ["GTK_THEME": look] : [:])
        var names: Set<String> = []
        let areAll = try await probe.comes {
            names = Set(
                probe.said.compactMap { line in
                    line.hasPrefix("at-o") ? String(line.dropFirst(3).prefix { $0 != "=" }) : nil
                })
            return names.count == 48
        }
        #expect(areAll, "\(names.count)")
        // Repeat until everything is drawn.
        var faint: [String] = []
        _ = try await Deadline().isMet {
            let shot = try probe.display.screenshot()
            faint = try names.sorted().compactMap { name in
                let ratio = Contrast.ratio(shot, try probe.frame(name), inset: name.hasSuffix("-plain") ? 0 : 10)
                return ratio < 3 ? "\(name) \(String(format: "%.2f", ratio))" : nil
            }
            return faint.isEmpty
        }
        #expect(faint.isEmpty, "\(faint)")
    }

    @Test("an app has the desktop's appearance again without a preferred one")
    func appearance() async throws {
        let probe = try await ControlProbe(["appearance"])
        func becomes(_ scheme: String) async throws -> Bool {
            try await probe.comes(scheme) { probe.said.last { $0.hasPrefix("scheme=") } == "scheme=\(scheme)" }
        }
        #expect(try await becomes("dark"))
        try probe.key("n")
        #expect(try await becomes("light"))
    }

    @Test("nothing remains of drawing outside a frame after changes")
    func residue() async throws {
        let probe = try await ControlProbe(["residue"])
        let count = 11
        let area = try probe.frame("area")
        func shot(_ state: Int) async throws -> Screenshot {
            let grey = Int((Double(state) / 20 * 255).rounded())
            #expect(try await probe.shows([grey, grey, grey], "state", 0.5, within: 3))
            return try probe.display.screenshot()
        }
        // Once up and once down, so that each state follows two different ones.
        var up: [Screenshot] = [try await shot(0)]
        for state in 1..<count {
            try probe.key("n")
            up.append(try await shot(state))
        }
        for state in (0..<(count - 1)).reversed() {
            try probe.key("p")
            let down = try await shot(state)
            let x = max(0, area.x - 60)..<(area.x + area.width + 100)
            let y = max(0, area.y - 60)..<(area.y + area.height + 80)
            #expect(down.differences(from: up[state], x: x, y: y) == 0, "state \(state)")
        }
    }

    @Test("a control that is disappearing stays visible and takes no input")
    func leaving() async throws {
        let probe = try await ControlProbe(["leaving"])
        let green = [0, 255, 0]
        #expect(try await probe.shows(green, "leaving", 0.5))
        try probe.click("go")
        try await probe.expect("isShown=false")
        #expect(try await probe.shows([255, 0, 0], "mark", 0.5))
        #expect(try await probe.shows(green, "leaving", 0.5))
        try probe.click("leaving")
        try probe.click("go")
        #expect(!probe.said.contains("pressed=leaving"))
        #expect(probe.complaints.isEmpty)
    }

    @Test("a window accepts invalid numbers without GTK warnings")
    func numbers() async throws {
        let probe = try await ControlProbe(["numbers"])
        _ = try probe.frame("next")
        for number in ["nan", "inf", "-inf", "-5.0", "1e+300", "1.7976931348623157e+308"] {
            try probe.key("n")
            try await probe.expect("number=\(number)")
        }
        try probe.key("n")
        try probe.key("n")
        try await probe.expect("number=nan")
        #expect(probe.complaints.isEmpty, "\(Set(probe.complaints))")
    }
}

/// The contrast of text as defined by WCAG: 1 is no contrast, 21 is black on white.
private enum Contrast {
    /// Returns the contrast between a label of two block characters, 20 points wide, and the area beside it. The label
    /// begins `inset` points after the start of the frame.
    static func ratio(_ shot: Screenshot, _ frame: (x: Int, y: Int, width: Int, height: Int), inset: Int) -> Double {
        let start = frame.x + inset
        let middle = frame.y + frame.height / 2
        func most(_ columns: Range<Int>) -> [Int] {
            var counts: [[Int]: Int] = [:]
            for y in (middle - 3)..<(middle + 3) { for x in columns { counts[shot.color(x, y), default: 0] += 1 } }
            return counts.max { $0.value < $1.value }?.key ?? []
        }
        let (ground, ink) = (luminance(most((start - 6)..<(start - 2))), luminance(most((start + 5)..<(start + 15))))
        return (max(ground, ink) + 0.05) / (min(ground, ink) + 0.05)
    }
    private static func luminance(_ color: [Int]) -> Double {
        let linear = color.map { c -> Double in
            let v = Double(c) / 255
            return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4)
        }
        return linear.count == 3 ? 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] : 0
    }
}
