import DeclarativeUI
import Foundation

extension ContainerProbe {
    /// A page with alerts that depend on a Boolean, on an optional item, on an error and on a value.
    struct AlertValuePage: View {
        struct Film: Identifiable { let id: String }
        @State private var asks = false
        struct Refusal: LocalizedError { let errorDescription: String? = "No disk" }
        @State private var film: Film?
        @State private var fails = false
        @State private var refusal: Refusal?
        @State private var removes = false
        var body: some View {
            HStack {
                Square(color: Ink.blue, word: "fail") {
                    fails = true
                    refusal = Refusal()
                }
                .alert(isPresented: $fails, error: refusal) { error in
                    Button("Again") { say("again after \(error.localizedDescription)") }
                } message: { _ in
                    Text("Insert it.")
                }
                Square(color: Ink.magenta, word: "remove") { removes = true }
                    .confirmationDialog("Remove?", isPresented: $removes, presenting: 7) { number in
                        Button("Number \(number)") { say("removed \(number)") }
                    }
                Square(color: Ink.red, word: "ask") { asks = true }
                    .alert(isPresented: $asks) {
                        Alert(
                            title: Text("Delete Download"), message: Text("It is gone then."),
                            primaryButton: .destructive(Text("Delete")) { say("deleted") },
                            secondaryButton: .cancel { say("kept") })
                    }
                Square(color: Ink.green, word: "tell") { film = Film(id: "Alpha") }
                    .alert(item: $film) { film in
                        Alert(title: Text("Finished"), dismissButton: .default(Text("Fine")) { say("fine \(film.id)") })
                    }
            }
            .onChange(of: asks) { say("asks \($0)") }
            .onChange(of: fails) { say("fails \($0)") }
            .onChange(of: film?.id) { say("film \($0 ?? "none")") }
        }
    }

    /// A page with nested context menus, on views that also react to the left button.
    struct ContextPage: View {
        @State private var isOn = false
        var body: some View {
            VStack(spacing: 20) {
                Square(color: Ink.red, word: "inner")
                    .contextMenu {
                        Button("First") { say("chose first") }
                        Button("Second") { say("chose second") }
                    }
                Ink.green.frame(width: 60, height: 40)
                Ink.blue.frame(width: 60, height: 40).contextMenu {}
            }
            .padding(20)
            .contextMenu { Toggle("Loop", isOn: $isOn) }
            .onChange(of: isOn) { say("loop \($0)") }
        }
    }

    struct HoverPage: View {
        var body: some View {
            ZStack {
                Ink.red.frame(width: 100, height: 100)
                Square(color: Ink.green, word: "inner")
            }
            .onContinuousHover { phase in
                switch phase {
                case .active(let point): say("over \(Int(point.x)) \(Int(point.y))")
                case .ended: say("gone")
                }
            }
        }
    }

    /// A form on cards. The content of the cards and the gaps between them have different colors.
    struct CardsPage: View {
        @State private var isOn = false
        var body: some View {
            Form {
                Section("First") {
                    Toggle("Looped", isOn: $isOn)
                    Square(color: Ink.red, word: "row")
                }
                Section { Ink.blue.frame(width: 40, height: 24).listRowBackground(Ink.yellow) }
            }
            .preferredColorScheme(.light)
            .onChange(of: isOn) { say("looped \($0)") }
        }
    }

    /// A page with an unknown symbol, and with an unknown color used twice.
    struct UnknownPage: View {
        var body: some View {
            VStack {
                Image(systemName: "play.fil").font(.largeTitle)
                Color("No such ink").frame(width: 60, height: 40)
                Color("No such ink").frame(width: 60, height: 40)
            }
            .onAppear { say("ready") }
        }
    }
}
