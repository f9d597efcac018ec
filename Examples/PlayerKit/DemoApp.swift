import MPlayerKit

/// The four ways to show a player: ready-made or with controls of one's own, over everything or in its place.
@main
struct DemoApp: App {
    var body: some Scene {
        WindowGroup("PlayerKit") { ContentView().frame(minWidth: 320, minHeight: 360) }.defaultSize(
            width: 900, height: 600)
    }
}

enum PlayerType: String, Hashable, CaseIterable {
    case fullScreenSystem = "Full-screen system player"
    case fullScreenCustom = "Full-screen custom player"
    case inlineSystem = "Inline system player"
    case inlineCustom = "Inline custom player"
}

struct ContentView: View {
    /// `swift run PlayerKit inlineCustom` begins on that page.
    @State private var path: [PlayerType] = PlayerType.allCases.filter {
        CommandLine.arguments.dropFirst().contains("\($0)")
    }

    var body: some View {
        NavigationStack(path: $path) {
            VStack(spacing: 16) {
                ForEach(PlayerType.allCases, id: \.self) { type in
                    NavigationLink(type.rawValue, value: type).buttonStyle(.bordered)
                }
            }
            .frame(maxWidth: .infinity, maxHeight: .infinity)
            .navigationTitle("MPlayerKit")
            .navigationDestination(for: PlayerType.self) { type in
                switch type {
                case .fullScreenSystem: FullScreenSystemPage().navigationTitle(type.rawValue)
                case .fullScreenCustom: FullScreenCustomPage().navigationTitle(type.rawValue)
                case .inlineSystem: InlineSystemPage().navigationTitle(type.rawValue)
                case .inlineCustom: InlineCustomPage().navigationTitle(type.rawValue)
                }
            }
        }
    }
}
