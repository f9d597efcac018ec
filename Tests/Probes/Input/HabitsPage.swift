import DeclarativeUI
import Foundation

extension InputProbe {
    /// A page for key events of views other than controls, pointer visibility and wheels (argument `habits`). Its
    /// fields have 150 × 100 points, in a window of 600 × 400.
    struct HabitsPage: View {
        @FocusState private var isFocused: Bool
        @State private var hasButton = true
        @State private var isHidden = true
        @State private var isOn = true

        var body: some View {
            VStack(spacing: 0) {
                HStack(spacing: 0) {
                    // A focusable view inside another one.
                    ZStack {
                        Color.red
                        Color.orange.frame(width: 50, height: 50).focusable().onKeyPress("a") {
                            say("inner a")
                            return .handled
                        }
                    }
                    .frame(width: 150, height: 100)
                    .focusable()
                    .focused($isFocused)
                    .onKeyPress(keys: ["A", "b", .leftArrow], phases: [.down, .up]) { press in
                        say(
                            "outer \(press.key == .leftArrow ? "left" : String(press.key.character)) \(press.phase == .up ? "up" : "down") \(press.characters) \(press.modifiers.rawValue)"
                        )
                        return .handled
                    }
                    // Controls receive keys first, and the focused button is removed.
                    HStack {
                        if hasButton {
                            Button("Go") {
                                say("go")
                                hasButton = false
                            }
                        }
                        TextField("words", text: .constant("")).frame(width: 60)
                    }
                    .frame(width: 150, height: 100)
                    .contentShape(Rectangle())
                    .focusable()
                    .onKeyPress {
                        say("row \(name($0))")
                        return .handled
                    }
                    Color.green.frame(width: 150, height: 100).focusable(isOn).onKeyPress(characters: .decimalDigits) {
                        press in
                        say("digit \(press.characters)")
                        return .handled
                    }
                    Color.yellow.frame(width: 150, height: 100).focusable(true, interactions: .activate).onKeyPress(
                        .space
                    ) {
                        say("space")
                        return .ignored
                    }
                }
                HStack(spacing: 0) {
                    Color.blue.frame(width: 150, height: 100).pointerVisibility(isHidden ? .hidden : .automatic)
                    Color.purple.frame(width: 150, height: 100).pointerVisibility(.hidden)
                    Color.gray.frame(width: 150, height: 100).onScrollWheel { event in
                        say(
                            "wheel \(Int(event.scrollingDeltaX)) \(Int(event.scrollingDeltaY)) \(event.phase) at \(Int(event.location.x)) \(Int(event.location.y))"
                        )
                        return true
                    }
                    ScrollView {
                        Color.pink.frame(width: 150, height: 500).onScrollWheel { event in
                            say("paged \(Int(event.scrollingDeltaX)) \(Int(event.scrollingDeltaY))")
                            return true
                        }
                    }
                    .frame(width: 150, height: 100)
                }
                HStack {
                    Menu("More") { Button("One") { say("one") } }.frame(width: 100).onHover { say("over \($0)") }
                    Spacer()
                }
                .frame(height: 100)
                Color.white
            }
            .background {
                Button("") {
                    isHidden.toggle()
                    say("hidden \(isHidden)")
                }.keyboardShortcut("h", modifiers: [])
                Button("") { isFocused = true }.keyboardShortcut("j")
                Button("") {
                    isOn.toggle()
                    say("on \(isOn)")
                }.keyboardShortcut("o")
            }
            .onChange(of: isFocused) { say("focused \(isFocused)") }
            .onAppear { say("ready") }
        }

        private func name(_ press: KeyPress) -> String {
            switch press.key {
            case .escape: "escape"
            case .tab: "tab"
            default: String(press.key.character)
            }
        }
    }
}
