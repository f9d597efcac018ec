import CGTK
import Foundation
import TestSupport
import Testing

@testable import DeclarativeUI

@Suite("Key symbols") @MainActor
struct KeySymbolTests {
    @Test("key symbols and keys convert both ways; modifiers are no keys")
    func symbols() {
        for key: KeyEquivalent in [
            "a", "ä", "5", "?", .space, .escape, .tab, .return, .leftArrow, .upArrow, .home, .pageDown, .delete,
            .deleteForward, KeyEquivalent("\u{F704}"),
        ] {
            #expect(KeyEquivalent(symbol: key.symbol) == key, "\(key)")
        }
        #expect(KeyEquivalent(symbol: guint(GDK_KEY_A)) == "a" && KeyEquivalent(symbol: guint(GDK_KEY_KP_7)) == "7")
        #expect(
            KeyEquivalent(symbol: guint(GDK_KEY_KP_Left)) == .leftArrow
                && KeyEquivalent(symbol: guint(GDK_KEY_KP_Enter)) == .return)
        #expect(KeyEquivalent(symbol: guint(GDK_KEY_ISO_Left_Tab)) == .tab)
        // Modifier keys have no key equivalent.
        for symbol in [GDK_KEY_Shift_L, GDK_KEY_Control_R, GDK_KEY_Caps_Lock, GDK_KEY_VoidSymbol] {
            #expect(KeyEquivalent(symbol: guint(bitPattern: symbol)) == nil)
        }
    }

    @Test("a shortcut includes the keys of the number pad with its function")
    func numberPad() {
        for (key, pad) in [
            (KeyEquivalent.return, [GDK_KEY_ISO_Enter, GDK_KEY_KP_Enter]), (.upArrow, [GDK_KEY_KP_Up]),
            (.downArrow, [GDK_KEY_KP_Down]), (.leftArrow, [GDK_KEY_KP_Left]), (.rightArrow, [GDK_KEY_KP_Right]),
            (.home, [GDK_KEY_KP_Home]), (.end, [GDK_KEY_KP_End]), (.pageUp, [GDK_KEY_KP_Page_Up]),
            (.pageDown, [GDK_KEY_KP_Page_Down]), (.deleteForward, [GDK_KEY_KP_Delete]), ("7", [GDK_KEY_KP_7]),
            ("+", [GDK_KEY_KP_Add]), (.escape, []), ("a", []), (KeyEquivalent("\u{F704}"), []),
        ] {
            #expect(KeyEquivalent.symbols(like: key.symbol) == [key.symbol] + pad.map { guint($0) }, "\(key)")
        }
        // A key without a `KeyEquivalent`.
        #expect(KeyEquivalent.symbols(like: guint(GDK_KEY_Menu)) == [guint(GDK_KEY_Menu)])
    }

    @Test("Ctrl also counts as Command, and Alt as Option")
    func modifiers() {
        #expect(EventModifiers(GDK_CONTROL_MASK) == [.control, .command])
        #expect(EventModifiers(GdkModifierType(GDK_SHIFT_MASK.rawValue | GDK_ALT_MASK.rawValue)) == [.shift, .option])
        #expect(EventModifiers(GDK_BUTTON1_MASK) == [])
    }
}

@Suite("Keys, the pointer and wheels in a window", .serialized)
struct KeyAndPointerTests {
    private func start() async throws -> (PrivateDisplay, AppProcess, String) {
        let display = try await PrivateDisplay.launch()
        let app = try AppProcess("Input", ["habits"], display: display)
        try await app.wait(for: "ready")
        _ = try await display.settled { $0.isNear(20, 20, [255, 59, 48]) }
        let window = try #require(try display.window("Input"))
        try display.xdotool(["windowfocus", "--sync", window])
        return (display, app, window)
    }
    private func click(_ display: PrivateDisplay, _ x: Int, _ y: Int) throws {
        try display.xdotool(["mousemove", "\(x)", "\(y)", "click", "1"])
    }

    @Test("a clicked view receives key events; the innermost view comes first")
    func keys() async throws {
        let (display, app, _) = try await start()
        defer { display.close() }
        try click(display, 20, 20)
        try await app.wait(for: "focused true")
        try display.xdotool(["key", "a"])
        try await app.wait(for: "outer a down a 0")
        try await app.wait(for: "outer a up a 0")
        try display.xdotool(["key", "shift+b"])
        try await app.wait(for: "outer b down B 2")
        try display.xdotool(["key", "Left"])
        try await app.wait(for: "outer left down")
        // The inner view ignores keys that it has not requested.
        try click(display, 75, 50)
        try await app.wait(for: "focused false")
        try display.xdotool(["key", "a"])
        try await app.wait(for: "inner a")
        try display.xdotool(["key", "b"])
        try await app.wait(for: "outer b down b 0")
        #expect(app.lines.filter { $0 == "outer a down a 0" }.count == 1)
    }

    @Test("focus follows the program, clicks and Tab as each view allows")
    func focus() async throws {
        let (display, app, _) = try await start()
        defer { display.close() }
        try display.xdotool(["key", "ctrl+j"])
        try await app.wait(for: "focused true")
        try click(display, 375, 50)
        try await app.wait(for: "focused false")
        try display.xdotool(["key", "7"])
        try await app.wait(for: "digit 7")
        // A click on the yellow view does not move the focus.
        try click(display, 525, 50)
        try display.xdotool(["key", "8"])
        try await app.wait(for: "digit 8")
        try display.xdotool(["key", "Tab"])
        try display.xdotool(["key", "space"])
        try await app.wait(for: "space")
        try display.xdotool(["key", "ctrl+o"])
        try await app.wait(for: "on false")
        try display.xdotool(["key", "ctrl+j"])
        try await app.wait(for: "focused true")
        try click(display, 375, 50)
        try display.xdotool(["key", "9", "key", "a"])
        try await app.wait(for: "outer a down")
        #expect(!app.lines.contains("digit 9"))
    }

    /// Also: a removed button gives its focus to the surrounding view, and shortcuts work while a view has the focus.
    @Test("text fields and buttons receive their keys before the surrounding view")
    func controls() async throws {
        let (display, app, _) = try await start()
        defer { display.close() }
        try click(display, 265, 50)
        try display.xdotool(["type", "xyz"])
        try display.xdotool(["key", "Escape"])
        try await app.wait(for: "row escape")
        #expect(!app.lines.contains("row x"))
        try click(display, 195, 50)
        try await app.wait(for: "go")
        try display.xdotool(["key", "q"])
        try await app.wait(for: "row q")
        // A shortcut of a letter without Ctrl works, because the focused view does not take text.
        try display.xdotool(["key", "h"])
        try await app.wait(for: "hidden false")
        #expect(!app.lines.contains("row h"))
    }

    /// Two such views side by side act as one area.
    @Test("the pointer hides only over views that hide it")
    func pointer() async throws {
        let (display, app, _) = try await start()
        defer { display.close() }
        func becomes(_ isVisible: Bool) async throws {
            let isSo = try await until("a pointer whose visibility is \(isVisible)") {
                try display.isPointerVisible() == isVisible ? true : nil
            }
            #expect(isSo == true)
        }
        try display.xdotool(["mousemove", "500", "50"])
        try await becomes(true)
        try display.xdotool(["mousemove", "75", "150"])
        try await becomes(false)
        try display.xdotool(["mousemove", "225", "150"])
        try display.xdotool(["key", "h"])
        try await app.wait(for: "hidden false")
        try await becomes(false)
        try display.xdotool(["mousemove", "75", "150"])
        try await becomes(true)
        try display.xdotool(["key", "h"])
        try await becomes(false)
        try display.xdotool(["mousemove", "75", "350"])
        try await becomes(true)
    }

    @Test("a wheel reports position and direction; a scrolling page keeps its axis")
    func wheel() async throws {
        let (display, app, _) = try await start()
        defer { display.close() }
        try display.xdotool(["mousemove", "310", "110"])
        // The first event of a wheel only sets its starting position, so that click is repeated.
        try await app.wait(for: "wheel 0 1 none at 10 10") { try display.xdotool(["click", "4"]) }
        try await app.wait(for: "wheel 0 -1 none at 10 10") { try display.xdotool(["click", "5"]) }
        try await app.wait(for: "wheel -1 0 none") { try display.xdotool(["click", "7"]) }
        try await app.wait(for: "wheel 1 0 none") { try display.xdotool(["click", "6"]) }
        try display.xdotool(["mousemove", "500", "150", "click", "5", "click", "5", "click", "5"])
        try await app.wait(for: "paged -1 0") { try display.xdotool(["click", "7"]) }
        #expect(!app.lines.contains { $0.hasPrefix("paged 0") })
    }

    @Test("a view with an open menu stays hovered until the menu closes")
    func menu() async throws {
        let (display, app, _) = try await start()
        defer { display.close() }
        try display.xdotool(["mousemove", "50", "250"])
        try await app.wait(for: "over true")
        let closed = try display.screenshot()
        try await eventually("the menu") {
            try display.xdotool(["click", "1"])
            // A click while the menu opens would close it.
            return try Deadline(seconds: 20).poll {
                try display.screenshot().differences(from: closed, x: 0..<200, y: 275..<330) >= 200 ? true : nil
            } == true
        }
        try display.xdotool(["mousemove", "700", "600"])
        try display.xdotool(["key", "Escape"])
        try await app.wait(for: "over false")
        // Hover ended only once: it lasted while the menu was open.
        #expect(app.lines.filter { $0.hasPrefix("over") } == ["over true", "over false"])
    }
}
