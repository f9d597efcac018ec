import DeclarativeUI
import Foundation

extension ContainerProbe {
    /// A list whose rows can be deleted and moved, with an edit button.
    struct EditPage: View {
        private struct YellowStyle: ButtonStyle {
            func makeBody(configuration: Configuration) -> some View { Ink.yellow.frame(width: 40, height: 24) }
        }
        private struct EditingText: View {
            @Environment(\.editMode) private var mode
            var body: some View {
                Text("editing").onChange(of: mode?.wrappedValue.isEditing == true) { say("editing \($0)") }
            }
        }
        private static let inks: [String: Color] = ["red": Ink.red, "green": Ink.green, "blue": Ink.blue]
        @State private var names = ["red", "green", "blue"]
        @State private var chosen: String?
        var body: some View {
            VStack {
                EditButton().buttonStyle(YellowStyle())
                EditingText()
                List(selection: $chosen) {
                    ForEach(names, id: \.self) { EditPage.inks[$0]?.frame(width: 60, height: 20) }
                        .onDelete { offsets in
                            say("deleted " + offsets.map { names[$0] }.joined(separator: " "))
                            names.remove(atOffsets: offsets)
                        }
                        .onMove { names.move(fromOffsets: $0, toOffset: $1) }
                }
            }
            .onChange(of: chosen) { say("chosen \($0 ?? "none")") }
        }
    }

    /// A page with action sheets that depend on a Boolean and on an optional item.
    struct ActionSheetPage: View {
        struct Film: Identifiable { let id: String }
        @State private var asks = false
        @State private var film: Film?
        var body: some View {
            HStack {
                Square(color: Ink.red, word: "ask") { asks = true }
                    .actionSheet(isPresented: $asks) {
                        ActionSheet(
                            title: Text("Remove it?"), message: Text("It is gone then."),
                            buttons: [
                                .destructive(Text("Remove")) { say("removed") },
                                .default(Text("Keep")) { say("kept") }, .cancel { say("cancelled") },
                            ])
                    }
                Square(color: Ink.green, word: "tell") { film = Film(id: "Alpha") }
                    .actionSheet(item: $film) { film in
                        ActionSheet(
                            title: Text("Finished"), buttons: [.default(Text("Fine")) { say("fine \(film.id)") }])
                    }
            }
            .onChange(of: asks) { say("asks \($0)") }
            .onChange(of: film?.id) { say("film \($0 ?? "none")") }
        }
    }
}
