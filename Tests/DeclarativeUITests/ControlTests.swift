import CGTK
import Foundation
import TestSupport
import Testing

@_spi(Graph) @testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

/// Tests of sizes, bindings and menus without a display.
@Suite("Controls in process", .serialized) @MainActor
struct ControlTests {
    final class Box<T> {
        var value: T
        init(_ value: T) { self.value = value }
        @MainActor var binding: Binding<T> { Binding(get: { self.value }, set: { self.value = $0 }) }
    }

    private func element<E: Element>(_ stage: Stage, _ type: E.Type) throws -> E {
        try #require(stage.elements.first { $0 is E } as? E)
    }

    @Test("sliders, fields and bars fill the width; other controls fit their content")
    func sizes() throws {
        let stage = Stage(400, 600) {
            VStack(spacing: 0) {
                Slider(value: .constant(0.5)).mark("slider")
                TextField("Name", text: .constant("")).mark("field")
                ProgressView(value: 0.5).mark("bar")
                Toggle("On", isOn: .constant(true)).mark("toggle")
                Picker("P", selection: .constant(1)) { Text("One").tag(1) }.labelsHidden().mark("picker")
                Stepper("S", value: .constant(1)).labelsHidden().mark("stepper")
                ProgressView().mark("spinner")
            }
        }
        for name in ["slider", "field", "bar"] { #expect(stage.frame(of: name)?.width == 400, "\(name)") }
        for name in ["toggle", "picker", "stepper", "spinner"] {
            #expect((stage.frame(of: name)?.width ?? 400) < 120, "\(name)")
        }
        #expect(stage.frame(of: "slider")?.height == 34)
        #expect(stage.frame(of: "spinner")?.size == CGSize(width: 22, height: 22))
    }

    @Test("a tint in use keeps its rules after many other tints")
    func tints() {
        var tints = ControlTints(limit: 4)
        let isNew = tints.use("kept") { "kept;" }
        let isNewAgain = tints.use("kept") { "other;" }
        #expect(isNew && !isNewAgain)
        func pass(_ numbers: Range<Int>) {
            for number in numbers {
                _ = tints.use("frame\(number)") { "frame\(number);" }
                tints.release("frame\(number)")
            }
        }
        pass(0..<20)
        #expect(tints.rules == "kept;frame17;frame18;frame19;")
        // One of two users remains.
        tints.release("kept")
        pass(20..<40)
        #expect(tints.rules.hasPrefix("kept;"))
        tints.release("kept")
        pass(40..<60)
        #expect(tints.rules == "frame56;frame57;frame58;frame59;")
    }

    @Test("assistive technology reads the current tooltip, unless the app sets a hint")
    func tooltips() throws {
        final class Handle { var outer, inner: Binding<String>? }
        struct Root: View {
            let handle: Handle
            @State private var outer = "Play"
            @State private var inner = ""
            var body: some View {
                let _ = (handle.outer, handle.inner) = ($outer, $inner)
                VStack {
                    Button("A") {}.help(inner)
                    Button("B") {}
                }
                .help(outer)
                Button("C") {}.accessibilityHint("Hint").help(outer)
            }
        }
        let handle = Handle()
        let stage = Stage { Root(handle: handle) }
        func hints() -> [String] {
            stage.layOut()
            return stage.elements.compactMap { ($0 as? WidgetElement)?.spokenTexts.hint }
        }
        #expect(hints() == ["Play", "Hint"])
        handle.outer?.wrappedValue = "Pause"
        #expect(hints() == ["Pause", "Hint"])
        handle.inner?.wrappedValue = "Inner"
        #expect(hints() == ["Inner", "Hint"])
        handle.inner?.wrappedValue = ""
        #expect(hints() == ["Pause", "Hint"])
        handle.outer?.wrappedValue = ""
        #expect(hints() == ["Hint"])
    }

    @Test("a divider lies across its stack")
    func dividers() {
        let stage = Stage(200, 100) {
            VStack {
                Divider().mark("lying")
                HStack { Divider().mark("standing") }
            }
        }
        #expect(stage.frame(of: "lying")?.size == CGSize(width: 200, height: 1))
        #expect(stage.frame(of: "standing")?.width == 1)
    }

    @Test("a slider's scale clamps values, snaps to steps and rejects invalid ranges")
    func scale() {
        let scale = SliderScale(1, 10, step: 4)
        #expect(scale.clamped(.nan) == 1 && scale.clamped(-5) == 1 && scale.clamped(99) == 10)
        #expect(scale.snapped(4) == 5 && scale.snapped(9) == 9 && scale.snapped(10) == 9)
        for broken in [SliderScale(0, 0), SliderScale(0, .infinity), SliderScale(.nan, 1), SliderScale(3, 1)] {
            #expect(!broken.isUsable)
        }
    }

    @Test("a slider's value is spoken as percent, number or time")
    func spokenValues() {
        #expect(SliderScale(0, 1).spoken(0.456) == "46 percent")
        #expect(SliderScale(0, 100).spoken(42.4) == "42")
        #expect(SliderScale(0, 10, step: 0.5).spoken(2.5) == "2.5" && SliderScale(0, 10, step: 0.5).spoken(2) == "2")
        #expect(SliderScale(-1, 1).spoken(-0.004) == "0" && SliderScale(-1, 1).spoken(0.25) == "0.25")
        for odd in [
            SliderScale(0, .leastNonzeroMagnitude), SliderScale(-1e308, 1e300), SliderScale(0, .infinity),
            SliderScale(.nan, 1),
        ] { #expect(!odd.spoken(odd.clamped(.nan)).isEmpty) }
        #expect(SpokenTime.text(65, of: 180) == "1 minute 5 seconds of 3 minutes")
        #expect(
            SpokenTime.text(0) == "0 seconds" && SpokenTime.text(3661.9) == "1 hour 1 minute 1 second"
                && SpokenTime.text(-3, of: 0) == "0 seconds")
        #expect(
            SpokenTime.text(.nan) == "unknown" && SpokenTime.text(2, of: .infinity) == "2 seconds"
                && !SpokenTime.text(1e300).isEmpty)
    }

    @Test("the dots of a page view are named after their pages")
    func pageDots() {
        let stage = Stage {
            TabView {
                Text("one")
                Text("two")
                Text("three")
            }.tabViewStyle(.page)
        }
        #expect(
            stage.elements.compactMap { ($0 as? ButtonElement)?.accessibility.label } == [
                "Page 1 of 3", "Page 2 of 3", "Page 3 of 3",
            ])
    }

    @Test("a label is spoken as its text, otherwise as its image")
    func spokenText() {
        func words<V: View>(@ViewBuilder _ label: @escaping () -> V) -> String {
            Stage {
                Button {
                } label: {
                    label()
                }
            }.elements.first { $0 is ButtonElement }?.spokenText ?? ""
        }
        #expect(words { Label("Like it", systemImage: "heart.fill") } == "Like it")
        #expect(words { Label("Like it", systemImage: "heart.fill").labelStyle(.iconOnly) } == "Like it")
        #expect(words { Label("Like it", systemImage: "heart.fill").labelStyle(.titleOnly) } == "Like it")
        #expect(
            words {
                HStack {
                    Image(systemName: "heart.fill")
                    Text("12")
                }
            } == "12")
        #expect(words { Image(systemName: "xmark") } == "Close")
        #expect(words { Image(systemName: "xmark").accessibilityLabel("Leave") } == "Leave")
        #expect(words { Color.red.accessibilityLabel("Red") } == "Red")
        #expect(
            words {
                VStack {
                    Text("One")
                    Text("Two").accessibilityHidden(true)
                }
            } == "One")
    }

    @Test("a slider writes its binding, reports editing and shows the kept value")
    func slider() throws {
        let box = Box(0.5)
        var said: [Bool] = []
        let stage = Stage {
            Slider(value: Binding(get: { box.value }, set: { box.value = min($0, 0.7) })) { said.append($0) }
        }
        let slider = try element(stage, SliderElement.self)
        slider.choose(0.9)
        #expect(box.value == 0.7 && slider.shown == 0.7 && said == [true, false])
    }

    @Test("a slider with an empty range takes no input")
    func emptyRange() throws {
        let box = Box(0.0)
        let stage = Stage { Slider(value: box.binding, in: 0...0) }
        let slider = try element(stage, SliderElement.self)
        slider.choose(1)
        #expect(!slider.isEnabled && box.value == 0)
    }

    @Test("a toggle does not show a change that its binding refuses")
    func toggle() throws {
        let stage = Stage { Toggle("On", isOn: Binding(get: { false }, set: { _ in })) }
        let toggle = try element(stage, SwitchElement.self)
        toggle.choose(true)
        #expect(!toggle.isOn && toggle.name == "On")
    }

    @Test("a disabled control takes no input")
    func disabled() throws {
        let box = Box(false)
        let stage = Stage { Toggle("On", isOn: box.binding).disabled(true) }
        let toggle = try element(stage, SwitchElement.self)
        toggle.choose(true)
        #expect(!toggle.isEnabled && !box.value)
    }

    @Test("options are identified by tags, optional tags, or ForEach identity")
    func tags() throws {
        let box = Box<Int?>(2)
        let stage = Stage {
            Picker("P", selection: box.binding) {
                Text("None").tag(Int?.none)
                Text("One").tag(1)
                ForEach([2, 3], id: \.self) { Text("N\($0)") }
                Text("No option").tag("other")
                Text("Nor this")
            }
        }
        let picker = try element(stage, DropDownElement.self)
        #expect(picker.options.map(\.title) == ["None", "One", "N2", "N3"])
        picker.choose(0)
        #expect(box.value == nil && picker.selected == 0)
        picker.choose(1)
        #expect(box.value == 1)
    }

    @Test("segments have equal widths and show the options' views")
    func segments() throws {
        let stage = Stage {
            Picker("P", selection: .constant(1)) {
                Text("A").tag(1)
                Text("Longer").tag(2)
            }
            .pickerStyle(.segmented).labelsHidden()
        }
        let picker = try element(stage, ButtonsPickerElement.self)
        let first = try #require(stage.frame("A"))
        let second = try #require(stage.frame("Longer"))
        #expect(abs((second.midX - first.midX) - picker.frame.width / 2) < 1)
    }

    @Test("a menu's entries come from its views, with sections and submenus")
    func menu() throws {
        let loops = Box(false)
        var chosen = ""
        let stage = Stage {
            Menu("More") {
                Button("First") { chosen = "first" }
                Divider()
                Toggle("Loop", isOn: loops.binding)
                Menu("Deeper") { Button("Inside") { chosen = "inside" } }
                Text("Only words")
            }
        }
        let entries = try element(stage, MenuElement.self).entries
        #expect(entries.map(\.title) == ["First", "", "Loop", "Deeper", "Only words"])
        if case .action(let action) = entries[0].kind { action() }
        #expect(chosen == "first")
        if case .check(let isOn, let flip) = entries[2].kind {
            #expect(!isOn)
            flip()
        }
        #expect(loops.value)
        if case .submenu(let below) = entries[3].kind {
            #expect(below.map(\.title) == ["Inside"])
        } else {
            Issue.record("no submenu")
        }
        #expect(!entries[4].isEnabled)
    }

    @Test("a share menu opens items, writes emails, and names their previews")
    func share() throws {
        var opened: [String] = []
        func menu<V: View>(_ view: V) throws -> [MenuEntry] {
            let stage = Stage {
                view.environment(
                    \.openURL,
                    OpenURLAction {
                        opened.append($0.absoluteString)
                        return .handled
                    })
            }
            let entries = try element(stage, MenuElement.self).entries
            for entry in entries where entry.title != "Copy" { entry.action?() }
            // The entries do not keep their views.
            return withExtendedLifetime(stage) { entries }
        }
        let url = try #require(URL(string: "https://example.com/a?b=c&d"))
        let link = ShareLink(item: url, subject: Text("On & air"), message: Text("Listen:\nnow"))
        #expect(try menu(link).map(\.title) == ["Copy", "Open", "Email"])
        #expect(
            opened == [
                url.absoluteString,
                "mailto:?subject=On%20%26%20air&body=Listen%3A%0D%0Anow%0D%0A%0D%0Ahttps%3A%2F%2Fexample.com%2Fa%3Fb%3Dc%26d",
            ])
        opened = []
        let texts = ShareLink("Quote", items: ["a", "b"], preview: { SharePreview("Line \($0)") })
        #expect(try menu(texts).map(\.title) == ["Line a", "Line b", "", "Copy", "Email"])
        #expect(opened == ["mailto:?subject=Line%20a&body=a%0D%0Ab"])
        opened = []
        #expect(try menu(ShareLink(item: URL(fileURLWithPath: "/tmp/a.mp4"))).map(\.title) == ["Copy", "Open"])
        #expect(opened == ["file:///tmp/a.mp4"])
    }

    @Test("a share link shows its title, its label, or “Share…”")
    func shareLabels() throws {
        let named = Stage { ShareLink("Send", item: "a") }
        #expect(named.texts == ["Send"] && named.elements.contains { $0 is ImageElement })
        #expect(Stage { ShareLink(item: "a") }.texts == ["Share…"])
        #expect(Stage { ShareLink(item: "a") { Text(verbatim: "own") } }.texts == ["own"])
        let previewed = ShareLink(item: "a", preview: SharePreview("title", image: "image", icon: "icon"))
        #expect(Stage { previewed }.texts == ["Share…"])
    }

    @Test("a color picker sets its binding, and shows the color that remains")
    func colorPicker() throws {
        let half = Color.Components(red: 0, green: 1, blue: 0, opacity: 0.5)
        let color = Box(Color.red)
        let free = try element(Stage { ColorPicker("C", selection: color.binding) }, ColorPickerElement.self)
        free.choose(half)
        #expect(color.value == Color(red: 0, green: 1, blue: 0, opacity: 0.5) && free.color == half)
        let stage = Stage { ColorPicker("C", selection: color.binding, supportsOpacity: false) }
        let opaque = try element(stage, ColorPickerElement.self)
        #expect(opaque.color.opacity == 1)
        opaque.choose(half)
        #expect(color.value == Color(red: 0, green: 1, blue: 0))
        let fixed = try element(Stage { ColorPicker("C", selection: .constant(Color.white)) }, ColorPickerElement.self)
        fixed.choose(half)
        #expect(fixed.color == Color.Components(red: 1, green: 1, blue: 1, opacity: 1))
        let graphics = Box(UIColor(red: 0, green: 0, blue: 1, alpha: 1).cgColor)
        let older = try element(Stage { ColorPicker("C", selection: graphics.binding) }, ColorPickerElement.self)
        #expect(older.color == Color.Components(red: 0, green: 0, blue: 1, opacity: 1))
        older.choose(half)
        #expect(Color(cgColor: graphics.value) == Color(red: 0, green: 1, blue: 0, opacity: 0.5))
    }

    @Test("a field, unlike a search field, has the view's font and color")
    func fieldLook() throws {
        func look<V: View>(_ view: V) throws -> String {
            try element(Stage { view.font(.system(size: 20)).foregroundColor(.red) }, EntryElement.self).declarations
        }
        for text in [
            try look(TextField("N", text: .constant(""))), try look(SecureField("N", text: .constant(""))),
            try look(TextField("N", text: .constant("")).textFieldStyle(.plain)),
        ] {
            #expect(text.contains("font-size: 20.0px;") && text.contains("color: rgba("), "\(text)")
        }
        // Without a frame, the app's own background is behind the text.
        let white = TextField("N", text: .constant("")).foregroundColor(.white)
        #expect(try look(white.textFieldStyle(.plain)).contains("color: rgba(255,255,255,1.000);"))
        #expect(try !look(white).contains("rgba(255,255,255"))
        #expect(try look(Color.clear.searchable(text: .constant(""))).isEmpty)
        #expect(try element(Stage { TextField("N", text: .constant("")) }, EntryElement.self).declarations.isEmpty)
    }

    @Test("a field shows the text that its binding kept")
    func field() throws {
        let box = Box("")
        var submitted = 0
        let stage = Stage {
            TextField("N", text: Binding(get: { box.value }, set: { box.value = $0.filter(\.isNumber) })).onSubmit {
                submitted += 1
            }
        }
        let field = try element(stage, EntryElement.self)
        field.type("1a2")
        field.committed()
        #expect(box.value == "12" && field.text == "12" && submitted == 1)
    }

    @Test("a step beyond the range stops at its end")
    func stepper() throws {
        let box = Box(2)
        let stage = Stage { Stepper("S", value: box.binding, in: 0...3, step: 2) }
        let stepper = try element(stage, StepperElement.self)
        stepper.step(true)
        #expect(box.value == 3)
    }

    @Test("a step beyond an integer type's range stops at its end")
    func stepperOfSmallTypes() {
        func check<V: FixedWidthInteger>(
            _ values: (down: V, start: V, up: V), _ bounds: ClosedRange<V>, _ step: V.Stride
        ) {
            let box = Box(values.start)
            for stepper in [
                Stepper("S", value: box.binding, in: bounds, step: step), Stepper("S", value: box.binding, step: step),
            ] {
                for (action, expected) in [(stepper.increment, values.up), (stepper.decrement, values.down)] {
                    box.value = values.start
                    action?()
                    #expect(box.value == expected)
                }
            }
        }
        check((0, 5, 15), 0...UInt.max, 10)
        check((UInt.max - 15, UInt.max - 5, .max), 0...UInt.max, 10)
        check((240, 250, UInt8.max), 0...255, 10)
        check((Int8.min, -100, 127), -128...127, 250)
        check((Int.min, -5, Int.max - 5), Int.min...Int.max, Int.max)
        let box = Box(UInt(5))
        Stepper("S", value: box.binding, in: 2...100, step: 10).decrement?()
        #expect(box.value == 2)
    }

    @Test("progress is a fraction of the total, clamped")
    func progress() throws {
        for (value, total, fraction) in [(5.0, 10.0, 0.5), (20, 10, 1), (-1, 10, 0), (1, 0, 0), (.nan, 1, 0)] {
            #expect(ProgressView(value: value, total: total).fraction == fraction)
        }
    }
}

/// Tests of the real widgets in a real window, by pointer and keys.
@Suite("Controls in a window", .serialized)
struct ControlWindowTests {
    @Test("a slider follows pointer and keys and never shows refused values")
    func slider() async throws {
        let probe = try await ControlProbe(["slider"])
        try probe.move("plain")
        try probe.display.xdotool(["mousedown", "1"])
        try await probe.expect("editing=true")
        try probe.move("plain", 0.9)
        try await probe.expect("plain=0.92")
        try probe.display.xdotool(["mouseup", "1"])
        try await probe.expect("editing=false")
        try probe.key("Left")
        try await probe.expect("editing=true")
        try await probe.expect("editing=false")
        try await probe.expect("plain=0.91")
        try probe.click("stepped", 0.56)
        try await probe.expect("stepped=6.0")
        #expect(try await probe.shows([0xFF, 0x3B, 0x30], "stepped", 0.3))
        try probe.click("stubborn", 0.9)
        try await probe.expect("refused=true")
        // The track past the middle stays empty.
        #expect(try await probe.shows([0x35, 0x84, 0xE4], "stubborn", 0.3))
        #expect(try probe.lacks([0x35, 0x84, 0xE4], "stubborn", 0.7, looks: 3))
        #expect(probe.complaints.isEmpty, "\(probe.complaints)")
    }

    @Test("pointer and Space change toggles; a refusing toggle stays off")
    func toggles() async throws {
        let probe = try await ControlProbe(["toggle"])
        try probe.click("off", 0.8)
        try probe.click("a", 0.8)
        try await probe.expect("a=true")
        #expect(try await probe.shows([0x34, 0xC7, 0x59], "a", 0.62))
        try probe.key("space")
        try await probe.expect("a=false")
        try probe.click("b", 0.8)
        try await probe.expect("b=true")
        try probe.click("c")
        try await probe.expect("c=true")
        try probe.click("locked")
        try await probe.expect("refused=true")
        try probe.click("locked")
        try await probe.expect("refused=true")
        #expect(!probe.said.contains("refused=false"))
        #expect(probe.complaints.isEmpty, "\(probe.complaints)")
    }

    @Test("keys select from a drop-down, the pointer from segments and radio buttons")
    func pickers() async throws {
        let probe = try await ControlProbe(["picker"])
        try probe.click("segment", 0.83)
        try await probe.expect("segment=fast")
        #expect(try await probe.shows([0xFF, 0x95, 0], "segment", 0.69, 0.3))
        try probe.click("inline", 0.5, 0.85)
        try await probe.expect("inline=2")
        try probe.click("inline", 0.5, 0.15)
        try await probe.expect("inline=0")
        let before = try probe.display.screenshot()
        try probe.click("menu")
        #expect(
            try await probe.comes {
                try probe.display.screenshot().differences(from: before, x: 0..<480, y: 0..<240) >= 2000
            })
        // Where Down moves to first depends on the version of GTK.
        try probe.key("End", "Return")
        try await probe.expect("menu=fast")
        #expect(probe.complaints.isEmpty, "\(probe.complaints)")
    }

    @Test("keys select entries of an open menu")
    func menu() async throws {
        let probe = try await ControlProbe(["menu"])
        let closed = try probe.display.screenshot()
        func isOpen() throws -> Bool {
            try probe.display.screenshot().differences(from: closed, x: 0..<480, y: 0..<600) >= 4000
        }
        func open() async throws {
            // A menu that is still closing would take the click.
            #expect(try await probe.comes { try !isOpen() })
            try probe.click("more")
            #expect(try await probe.comes { try isOpen() })
        }
        try await open()
        try probe.key("Down", "Return")
        try await probe.expect("chose=second")
        try await open()
        try probe.key("Down", "Down", "Return")
        try await probe.expect("loops=true")
        #expect(probe.complaints.isEmpty, "\(probe.complaints)")
    }

    @Test("text is typed, filtered, submitted by Return and cleared by Escape")
    func text() async throws {
        let probe = try await ControlProbe(["text"])
        try probe.click("plain")
        try probe.type("abc")
        try await probe.expect("plain=abc")
        try probe.key("Return")
        try await probe.expect("submitted=abc")
        try probe.click("digits", 0.1)
        try probe.type("1x2")
        try await probe.expect("digits=12")
        try probe.click("secret", 0.3)
        try probe.type("s")
        try await probe.expect("secret=s")
        try probe.key("shift+Tab", "shift+Tab", "shift+Tab")
        try probe.type("q")
        try await probe.expect("search=q")
        try probe.key("Escape")
        try await probe.expect("search=")
        #expect(probe.complaints.isEmpty, "\(probe.complaints)")
    }

    @Test("in a growing field, Return submits and Shift+Return breaks the line")
    func growing() async throws {
        let probe = try await ControlProbe(["growing"])
        try probe.click("framed")
        try probe.type("ab")
        try await probe.expect("framed=ab")
        try probe.key("Return")
        try await probe.expect("submitted=ab")
        try probe.key("shift+Return")
        try await probe.expect("framed=ab|")
        try probe.type("c")
        try await probe.expect("framed=ab|c")
        #expect(probe.complaints.isEmpty, "\(probe.complaints)")
    }

    @Test("a growing field in the plain style shows the app's background")
    func plainGrowing() async throws {
        let probe = try await ControlProbe(["growing"])
        let (framed, plain) = (try probe.frame("framed"), try probe.frame("plain"))
        // Near the trailing edge, where no text is.
        func color(_ frame: (x: Int, y: Int, width: Int, height: Int)) throws -> [Int] {
            try probe.display.screenshot().color(frame.x + frame.width - 12, frame.y + frame.height / 2)
        }
        var seen: [[Int]] = []
        try await eventually("red behind the plain field only", seen: { "\(seen)" }) {
            seen = [try color(plain), try color(framed)]
            return seen[0] == [255, 0, 0] && seen[1] != [255, 0, 0]
        }
        #expect(probe.complaints.isEmpty, "\(probe.complaints)")
    }

    @Test("input methods get the purpose and hints of all text widgets")
    func inputs() async throws {
        let probe = try await ControlProbe(["inputs"])
        let (digits, pin) = (GTK_INPUT_PURPOSE_DIGITS.rawValue, GTK_INPUT_PURPOSE_PIN.rawValue)
        let plain = GTK_INPUT_HINT_NO_SPELLCHECK.rawValue
        let secret = plain | GTK_INPUT_HINT_PRIVATE.rawValue
        let widgets = ["\(digits)/\(plain)", "\(digits)/\(plain)", "\(digits)/\(plain)", "\(pin)/\(secret)"]
        try await probe.expect("inputs=\(widgets.sorted().joined(separator: " "))")
        #expect(probe.complaints.isEmpty, "\(probe.complaints)")
    }

    @Test("a share menu copies a URL, which can be pasted")
    func shareCopy() async throws {
        let probe = try await ControlProbe(["share"])
        // The window has been painted.
        #expect(try await probe.shows([255, 255, 255], "field", 0.5))
        let closed = try probe.display.screenshot()
        func isOpen() throws -> Bool {
            try probe.display.screenshot().differences(from: closed, x: 0..<480, y: 0..<600) >= 3000
        }
        try probe.click("share")
        #expect(try await probe.comes { try isOpen() })
        try probe.key("Return")
        #expect(try await probe.comes { try !isOpen() })
        try probe.click("field")
        try probe.key("ctrl+v")
        try await probe.expect("pasted=https://example.com/live")
        #expect(probe.complaints.isEmpty, "\(probe.complaints)")
    }

    @Test("a color picker shows its color, and its dialog sets another one")
    func colorDialog() async throws {
        let probe = try await ControlProbe(["color"])
        let red = [0xFF, 0x3B, 0x30]
        #expect(try await probe.shows(red, "picker", 0.5))
        try probe.click("picker")
        #expect(try await probe.comes { try probe.display.window("Key color") != nil })
        let dialog = try #require(try probe.display.window("Key color"))
        func click(_ x: Int, _ y: Int) throws {
            try probe.display.xdotool(["mousemove", "--window", dialog, "\(x)", "\(y)", "click", "1"])
        }
        // A color of the palette, and then the button at the bottom right. Clicks that are handled late could close the
        // dialog between the next two, so those come long after.
        #expect(
            try await probe.comes {
                if probe.said.contains("chosen=true") { return true }
                let words = try probe.display.xdotool(["getwindowgeometry", "--shell", dialog]).split(separator: "\n")
                func number(_ name: String) -> Int? {
                    words.first { $0.hasPrefix(name) }.flatMap { Int($0.dropFirst(name.count)) }
                }
                guard let width = number("WIDTH="), let height = number("HEIGHT=") else { return false }
                try click(85, 60)
                try click(width - 40, height - 17)
                return Deadline(seconds: 10).poll { probe.said.contains("chosen=true") ? true : nil } == true
            })
    }

    @Test(
        "an editor and fields show text in the view's font and color",
        arguments: [("editor", "editor", 30), ("fields", "plain", 30), ("fields", "secret", 8)])
    func editor(_ page: String, _ name: String, _ height: Int) async throws {
        let probe = try await ControlProbe([page])
        // A window focuses its first field, whose text is then selected. A click ends the selection.
        try probe.click(name)
        let frame = try probe.frame(name)
        var rows = 0
        try await eventually("red text at least \(height) points high", seen: { "\(rows) rows" }) {
            let screen = try probe.display.screenshot()
            rows = (frame.y..<(frame.y + frame.height)).count { y in
                stride(from: frame.x, to: frame.x + frame.width, by: 2).contains { x in
                    let color = screen.color(x, y)
                    return color[0] > 200 && color[1] < 100 && color[2] < 100
                }
            }
            return rows >= height
        }
        #expect(probe.complaints.isEmpty, "\(probe.complaints)")
    }

    @Test("a progress bar grows with its value in the tint color")
    func progress() async throws {
        let probe = try await ControlProbe(["progress"])
        let red = [0xFF, 0x3B, 0x30]
        #expect(try await probe.shows(red, "bar", 0.2))
        #expect(try probe.lacks(red, "bar", 0.4, looks: 3))
        #expect(try await probe.shows([0xFF, 0x2D, 0x55], "further", 0.05))
        try probe.click("further")
        try await probe.expect("done=0.5")
        #expect(try await probe.shows(red, "bar", 0.4))
        #expect(probe.complaints.isEmpty, "\(probe.complaints)")
    }

    @Test("a stepper's buttons stop at the end of the range")
    func stepper() async throws {
        let probe = try await ControlProbe(["stepper"])
        try probe.click("count", 0.75)
        try await probe.expect("count=2")
        try probe.click("count", 0.75)
        try await probe.expect("count=3")
        try probe.click("count", 0.75)
        try probe.click("count", 0.25)
        try await probe.expect("count=2")
        #expect(probe.complaints.isEmpty, "\(probe.complaints)")
    }

    @Test("images load from files; an unreadable file is an error")
    func images() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-picture-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let png = folder.appendingPathComponent("red.png")
        let text = folder.appendingPathComponent("words.png")
        try ChildProcess("convert", ["-size", "8x8", "xc:red", png.path]).wait()
        try Data("no picture".utf8).write(to: text)
        let good = try await ControlProbe(["image", png.absoluteString])
        try await good.expect("image=there")
        let bad = try await ControlProbe(["image", text.absoluteString])
        #expect(try await bad.comes { bad.said.contains { $0.hasPrefix("image=") } })
        #expect(bad.said.contains { $0.contains("is not a readable image") }, "\(bad.said)")
    }
}
