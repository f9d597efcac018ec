import DeclarativeUI
import Foundation

extension UIProbe {
    /// A page with two columns of controls. The controls of the first column come first in the focus order, at any
    /// height.
    struct OrderPage: View {
        @FocusState private var focus: String?
        var body: some View {
            HStack(alignment: .top, spacing: 40) {
                VStack(spacing: 30) {
                    one("A")
                    one("B").located("second")
                }
                VStack(spacing: 8) {
                    one("C")
                    one("D")
                    one("E")
                }
                // Drawn above everything, but still last in the focus order.
                ZStack {
                    one("F").zIndex(1)
                    one("G").offset(y: -60)
                }
            }
            .saying("focus", focus ?? "none")
        }
        private func one(_ name: String) -> some View {
            Button(name) { say("pressed", name) }.focused($focus, equals: name)
        }
    }

    /// A page with a focus scope that does not contain the first button of the window.
    struct FocusScopePage: View {
        @Namespace private var scope
        @Environment(\.resetFocus) private var resetFocus
        @FocusState private var focus: String?
        @State private var preferred = "C"
        var body: some View {
            VStack(spacing: 12) {
                one("A").located("outer")
                HStack(spacing: 12) {
                    one("B")
                    one("C")
                    one("D")
                }
                .focusScope(scope)
                Button("Prefer D") { prefer("D") }.located("reset-D")
                Button("Prefer none") { prefer("none") }.located("reset-none")
            }
            .saying("focus", focus ?? "none")
        }
        private func one(_ name: String) -> some View {
            Button(name) {}.focused($focus, equals: name).prefersDefaultFocus(preferred == name, in: scope)
        }
        private func prefer(_ name: String) {
            resetFocus(in: scope)
            preferred = name
        }
    }

    /// A page with buttons of every style, enabled and disabled. Their labels are block characters, whose contrast the
    /// tests measure in screenshots.
    struct ContrastPage: View {
        private let tints: [(String, Color)] = [
            ("yellow", .yellow), ("green", .green), ("orange", .orange), ("indigo", .indigo), ("gray", .gray),
            ("white", .white), ("black", .black),
        ]
        var body: some View {
            HStack(alignment: .top, spacing: 20) {
                column("on").disabled(false)
                column("off").disabled(true)
            }
        }
        private func column(_ state: String) -> some View {
            HStack(alignment: .top) {
                VStack {
                    ink(state, "bordered").buttonStyle(.bordered)
                    ink(state, "prominent").buttonStyle(.borderedProminent)
                    ink(state, "borderless").buttonStyle(.borderless)
                    ink(state, "plain").buttonStyle(.plain)
                    ink(state, "destructive", .destructive).buttonStyle(.bordered)
                    ink(state, "destructive-prominent", .destructive).buttonStyle(.borderedProminent)
                    Menu("██") { Button("One") {} }.located("\(state)-menu")
                    Toggle("██", isOn: .constant(true)).toggleStyle(.button).located("\(state)-toggle")
                }
                VStack {
                    ForEach(tints, id: \.0) { name, color in
                        HStack {
                            ink(state, "prominent-\(name)").buttonStyle(.borderedProminent).tint(color)
                            Toggle("██", isOn: .constant(true)).toggleStyle(.button).tint(color).located(
                                "\(state)-toggle-\(name)")
                        }
                    }
                    Picker("", selection: .constant(1)) { Text("██").tag(1) }.pickerStyle(.segmented).labelsHidden()
                        .tint(
                            .yellow
                        ).located("\(state)-segment-yellow")
                    Picker("", selection: .constant(1)) { Text("██").tag(1) }.pickerStyle(.segmented).labelsHidden()
                        .tint(
                            .indigo
                        ).located("\(state)-segment-indigo")
                }
            }
        }
        private func ink(_ state: String, _ name: String, _ role: ButtonRole? = nil) -> some View {
            Button("██", role: role) {}.located("\(state)-\(name)")
        }
    }

    /// A page with one view that is drawn beyond its frame, in a different way for each state. A square in the corner
    /// shows the state.
    struct ResiduePage: View {
        @State private var state = 0
        static let count = 11
        private let ink = Color(red: 1, green: 0.4, blue: 0)
        var body: some View {
            ZStack(alignment: .topLeading) {
                Color.clear
                HStack(spacing: 0) {
                    Color(white: Double(state) / 20).frame(width: 20, height: 20).located("state")
                    Button("") { state = (state + 1) % Self.count }.keyboardShortcut("n", modifiers: []).frame(
                        width: 30)
                    Button("") { state = (state + Self.count - 1) % Self.count }.keyboardShortcut("p", modifiers: [])
                        .frame(
                            width: 30)
                }
                Group {
                    switch state {
                    case 0: Color.clear
                    case 9: Text("Shadow").font(.largeTitle).shadow(color: .black, radius: 8, x: -30, y: 30)
                    case 10: ink.frame(width: 90, height: 60).blur(radius: 6).shadow(radius: 10).opacity(0.5)
                    default: shape
                    }
                }
                .frame(width: 240, height: 140)
                .padding(.leading, 120)
                .located("area")
            }
            .onAppear { say("shown", "residue") }
        }

        @ViewBuilder private var shape: some View {
            ink.frame(width: 160, height: 100)
                .mask {
                    switch state {
                    case 1: RoundedRectangle(cornerRadius: 30)
                    case 2: Circle()
                    case 3: RoundedRectangle(cornerRadius: 5).padding(20)
                    case 4: Text("Mask").font(.largeTitle)
                    case 5: Ellipse().rotation(.degrees(20))
                    default: Rectangle()
                    }
                }
                .shadow(color: .black, radius: state == 6 ? 2 : 14, x: state == 7 ? 20 : 0, y: state == 7 ? 12 : 0)
                .rotationEffect(.degrees(state == 8 ? 40 : 0))
                .scaleEffect(state == 8 ? 0.6 : 1)
        }
    }

    /// A page with a button whose removal takes ten minutes.
    struct LeavingPage: View {
        @State private var isShown = true
        var body: some View {
            HStack(spacing: 20) {
                // Not animated, so that it shows at once that the removal has begun.
                Color(red: isShown ? 0 : 1, green: 0, blue: 0).frame(width: 30, height: 30).transaction {
                    $0.animation = nil
                }.located("mark")
                Button("go") { withAnimation(.linear(duration: 600)) { isShown = false } }.located("go")
                ZStack {
                    if isShown {
                        Button("       ") { say("pressed", "leaving") }.buttonStyle(.borderedProminent).tint(
                            Color(red: 0, green: 1, blue: 0)
                        )
                        .frame(width: 120, height: 40).located("leaving")
                    }
                }
                .frame(width: 120, height: 40)
            }
            .saying("isShown", isShown)
        }
    }

    /// A page that is dark until the key N is pressed, and then follows the desktop.
    struct AppearancePage: View {
        @State private var scheme: ColorScheme? = .dark
        @Environment(\.colorScheme) private var shown
        var body: some View {
            Button("free") { scheme = nil }
                .keyboardShortcut("n", modifiers: [])
                .preferredColorScheme(scheme)
                .onChange(of: shown, initial: true) { say("scheme", shown) }
        }
    }

    /// A page with invalid numbers, as apps compute them by mistake.
    struct NumbersPage: View {
        private let bad: [CGFloat] = [.nan, .infinity, -.infinity, -5, 1e300, .greatestFiniteMagnitude, .signalingNaN]
        @State private var number: CGFloat = 1
        var body: some View {
            VStack {
                Button("next") {
                    number =
                        bad[
                            (bad.firstIndex { $0 == number || ($0.isNaN && number.isNaN) }.map { $0 + 1 } ?? 0)
                                % bad.count]
                    say("number", number)
                }
                .keyboardShortcut("n", modifiers: [])
                .located("next")
                ZStack {
                    Group {
                        Button("1") {}.frame(width: number, height: number)
                        Button("2") {}.frame(
                            minWidth: number, idealWidth: number, maxWidth: number, minHeight: number,
                            idealHeight: number,
                            maxHeight: number)
                        Button("3") {}.offset(x: number, y: number)
                        Button("4") {}.position(x: number, y: number)
                        Button("5") {}.scaleEffect(number)
                        Button("6") {}.rotationEffect(.degrees(number))
                        Button("7") {}.padding(number)
                        Button("8") {}.aspectRatio(number, contentMode: .fit)
                        Button("9") {}.alignmentGuide(HorizontalAlignment.center) { _ in number }
                    }
                    Group {
                        Text("a").font(.system(size: number)).kerning(number)
                        Text("b").blur(radius: number)
                        Text("c").shadow(radius: number, x: number, y: number)
                        Text("d").opacity(number).zIndex(number)
                        HStack(spacing: number) {
                            Text("e")
                            Text("f").layoutPriority(number)
                        }
                        ScrollView { Text("g").frame(height: number) }
                        Slider(value: .constant(number), in: 0...1)
                        ProgressView(value: number)
                        Path {
                            $0.move(to: .zero)
                            $0.addLine(to: CGPoint(x: number, y: number))
                            $0.addRect(CGRect(x: number, y: 0, width: number, height: 5))
                        }.stroke(Color.red, lineWidth: number)
                        RoundedRectangle(cornerRadius: number).strokeBorder(Color.red, lineWidth: number)
                    }
                    Image(systemName: "star").resizable().frame(width: number, height: number)
                }
            }
        }
    }

    /// A small root view with a toolbar.
    struct ToolbarRootPage: View {
        var body: some View {
            Text("Small").located("content")
                .toolbar {
                    ToolbarItem(placement: .navigation) { Button("Back") {}.located("leading") }
                    ToolbarItem { Button("Save") {}.located("trailing") }
                    ToolbarItem(placement: .bottomBar) { Button("Below") {}.located("bottom") }
                }
        }
    }
}
