import MPlayerKit

/// An app with four kinds of players: with system or custom controls, in full screen or inline.
@main
struct DemoApp: App {
    var body: some Scene {
        WindowGroup("MPlayerKit") { ContentView().frame(minWidth: 320, minHeight: 360) }.defaultSize(
            width: 900, height: 600)
    }
}

enum PlayerType: String, Hashable, CaseIterable {
    case fullScreenSystem = "Full-Screen System Player"
    case fullScreenCustom = "Full-Screen Custom Player"
    case inlineSystem = "Inline System Player"
    case inlineCustom = "Inline Custom Player"
}

struct ContentView: View {
    /// The open page. `swift run PlayerKit inlineCustom` opens that page at launch.
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
