import DeclarativeUI
import Foundation

/// An app with several scenes and menus. The tests press keys, and the app prints a line for each action.
struct SceneProbe: App {
    @State private var plays = 0
    @State private var isLoud = false

    var body: some Scene {
        WindowGroup("Library", id: "library") {
            LibraryPage().onAppear { SceneProbe.say("ready") }
        }
        .defaultSize(width: 420, height: 300)
        .commands {
            CommandMenu("Playback") {
                Button("Play") {
                    plays += 1
                    SceneProbe.say("plays \(plays)")
                }
                .keyboardShortcut("p")
                Button("Rewind") { SceneProbe.say("rewind") }.keyboardShortcut("r", modifiers: [.command, .shift])
                    .disabled(
                        plays == 0)
                Divider()
                Toggle("Loud", isOn: $isLoud).keyboardShortcut("m")
            }
            CommandGroup(after: .newItem) { Button("Open Film…") { SceneProbe.say("open") }.keyboardShortcut("o") }
            CommandGroup(replacing: .appTermination) {
                Button("Leave") { SceneProbe.say("leave") }.keyboardShortcut("q")
            }
            FilmCommands()
        }
        .onLoud(isLoud)
        WindowGroup("Film", for: Int.self) { $film in FilmPage(film: $film) }
            .defaultSize(width: 300, height: 200)
        Window("Inspector", id: "inspector") {
            Text("Nothing").frame(width: 240, height: 120).windowFullScreenBehavior(.disabled).onDisappear {
                SceneProbe.say("inspector gone")
            }
        }
        .windowResizability(.contentSize)
        Window("Phone", id: "phone") { PhonePage() }.defaultSize(width: 300, height: 400).platformStyle(.phone)
        Window("Deck \(plays)", id: "deck") { DeckPage() }.windowResizability(.contentSize)
    }
}

extension SceneProbe {
    /// A page that is as large as the screen, as on a phone.
    struct PhonePage: View {
        @Environment(\.dismiss) private var dismiss
        var body: some View {
            let size = UIScreen.main.bounds.size
            say("screen \(Int(size.width)) \(Int(size.height))")
            return Color.red.frame(width: size.width, height: size.height).overlay {
                Button("dismiss") {
                    dismiss()
                    say("dismissed")
                }
                .keyboardShortcut("k")
            }
        }
    }

    /// A page with a fixed size, or with a flexible one after the button is pressed.
    struct DeckPage: View {
        @State private var isFree = false
        var body: some View {
            Button("free") { isFree.toggle() }.keyboardShortcut("f")
                .frame(
                    minWidth: 240, maxWidth: isFree ? .infinity : 240, minHeight: 120,
                    maxHeight: isFree ? .infinity : 120)
        }
    }
}

extension Scene {
    /// Prints a line whenever the scenes are evaluated.
    func onLoud(_ isLoud: Bool) -> Self {
        SceneProbe.say("loud \(isLoud)")
        return self
    }
}

extension SceneProbe {
    /// Prints a line for the tests.
    nonisolated static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    struct LibraryPage: View {
        @Environment(\.openWindow) private var openWindow
        @Environment(\.dismissWindow) private var dismissWindow
        @State private var text = ""
        @FocusState private var isTyping: Bool
        @Environment(\.scenePhase) private var phase

        var body: some View {
            VStack {
                TextField("Name", text: $text).focused($isTyping).onChange(of: text) { say("text \($0)") }
                HStack {
                    button("1") { openWindow(value: 1) }
                    button("2") { openWindow(value: 2) }
                    button("i") { openWindow(id: "inspector") }
                    button("l") { openWindow(id: "library") }
                    button("u") { openWindow(id: "attic") }
                    button("d") { dismissWindow(id: "inspector") }
                    button("g") {
                        dismissWindow(id: "library")
                        openWindow(id: "inspector")
                    }
                    button("h") { openWindow(id: "deck") }
                    button("b") { openWindow(id: "phone") }
                    button("j") {
                        openWindow(id: "phone")
                        dismissWindow(id: "library")
                    }
                    button("e") { dismissWindow(value: 1) }
                    button("t") { NSApp.keyWindow?.toggleFullScreen(nil) }
                    button("y") {
                        isTyping = true
                        say("typing")
                    }
                }
            }
            .padding()
            .onChange(of: phase) { if Probes.arguments.contains("phase") { say("phase \($0)") } }
        }

        private func button(_ key: Character, _ action: @escaping @MainActor () -> Void) -> some View {
            Button(String(key), action: action).keyboardShortcut(KeyEquivalent(key))
        }
    }

    struct FilmKey: FocusedValueKey { typealias Value = Int }
}

extension FocusedValues {
    var film: Int? {
        get { self[SceneProbe.FilmKey.self] }
        set { self[SceneProbe.FilmKey.self] = newValue }
    }
}

extension SceneProbe {
    struct FilmPage: View {
        @Binding var film: Int?
        @State private var count = 0
        @State private var isSheetShown = false
        @Environment(\.dismiss) private var dismiss
        var body: some View {
            VStack {
                Text("Film \(film ?? 0)")
                Button("more") {
                    count += 1
                    say("film \(film ?? 0) count \(count)")
                }
                .keyboardShortcut("s")
                Button("close") { dismiss() }.keyboardShortcut("x", modifiers: [.option])
                Button("sheet") { isSheetShown = true }.keyboardShortcut("j")
            }
            .sheet(isPresented: $isSheetShown) {
                Text("Above").navigationTitle("Above Film \(film ?? 0)").presentationDetents([.large, .height(5000)])
            }
            .navigationTitle("Film \(film ?? 0)")
            .focusedSceneValue(\.film, film)
        }
    }

    /// Commands that depend on the video of the front window.
    struct FilmCommands: Commands {
        @FocusedValue(\.film) private var film
        var body: some Commands {
            CommandMenu("Film") {
                Button(film.map { "Tell Film \($0)" } ?? "No Film") { say("front film \(film ?? 0)") }.keyboardShortcut(
                    "k"
                )
                .disabled(film == nil)
            }
        }
    }
}
