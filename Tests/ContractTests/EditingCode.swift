import Foundation
import Zoetrope

// API of rows that the user edits, of assets and of symbols, in the form in which public apps use it.

struct EditedListPage: View {
    @State private var titles = ["Alpha", "Beta"]
    @State private var mode = EditMode.inactive
    @State private var chosen = "Alpha"
    @State private var asks = false
    @State private var film: EditedFilm?
    @Environment(\.editMode) private var editMode

    var body: some View {
        NavigationView {
            List {
                ForEach(titles, id: \.self) { Text($0) }
                    .onDelete(perform: delete)
                    .onMove(perform: move)
                ForEach(0..<3) { Text("\($0)") }.onDelete { titles.remove(atOffsets: $0) }
                ForEach(titles, id: \.self) { Text($0) }.onMove { titles.move(fromOffsets: $0, toOffset: $1) }
                if editMode != nil { ForEach(titles, id: \.self) { Text($0) }.onDelete(perform: nil) }
            }
            .environment(\.editMode, $mode)
            .navigationBarItems(leading: EditButton(), trailing: Text(mode.isEditing ? "editing" : ""))
        }
        .environment(\.editMode, .constant(.active))
        .actionSheet(isPresented: $asks) {
            ActionSheet(
                title: Text("Delete?"), message: Text("It is gone then."),
                buttons: [.default(Text("Keep")), .destructive(Text("Delete")) { titles = [] }, .cancel()])
        }
        .actionSheet(item: $film) { ActionSheet(title: Text($0.id), buttons: [.cancel(Text("Close"))]) }
        .toolbar { EditButton() }
        Picker("Title", selection: $chosen) { ForEach(titles, id: \.self) { Text($0).tag($0) } }
            .pickerStyle(.wheel)
            .pickerStyle(WheelPickerStyle())
    }

    private func delete(at offsets: IndexSet) { titles.remove(atOffsets: offsets) }
    private func move(from source: IndexSet, to destination: Int) {
        titles.move(fromOffsets: source, toOffset: destination)
    }
}

struct EditedFilm: Identifiable { let id: String }

extension ImageResource {
    static let playCustom = ImageResource(name: "play.custom", bundle: .main)
}
extension ColorResource {
    static let brand = ColorResource(name: "Brand", bundle: .main)
}
extension Color {
    static var brand: Color { Color(ColorResource.brand) }
}
extension ShapeStyle where Self == Color {
    static var brand: Color { Color(ColorResource.brand) }
}
extension UIColor {
    static var brand: UIColor { UIColor(resource: ColorResource.brand) }
}
extension UIImage {
    static var playCustom: UIImage { UIImage(resource: ImageResource.playCustom) }
}

struct AssetPage: View {
    @State private var isPlaying = false
    var body: some View {
        VStack {
            Image(.playCustom).foregroundStyle(.brand)
            Color(.brand).background(Color(.systemBackground))
            Image(uiImage: UIImage(resource: .playCustom))
            Color(uiColor: UIColor(resource: .brand))
            Image(systemName: isPlaying ? "pause.fill" : "play.fill")
                .contentTransition(.symbolEffect(.replace))
                .contentTransition(.symbolEffect(.replace.downUp, options: .speed(2)))
                .contentTransition(.symbolEffect(.replace.upUp.byLayer))
                .contentTransition(.symbolEffect(.replace.offUp.wholeSymbol))
                .contentTransition(.symbolEffect(.replace.magic(fallback: .downUp)))
                .contentTransition(.symbolEffect)
                .contentTransition(.opacity)
            Image(systemName: "applelogo")
        }
    }
}
