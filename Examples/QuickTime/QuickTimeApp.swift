import ExampleKit
import VideoPlayerContainer
import Zoetrope

/// A desktop player. Drop a video on the window, or name one on the command line.
@main struct QuickTimeApp: App {
    var body: some Scene {
        WindowGroup("QuickTime") { ContentView().frame(minWidth: 350, minHeight: 350).preferredColorScheme(.dark) }
            .defaultSize(width: 960, height: 600)
    }
}

struct ContentView: View {
    @StateObject private var context = Context()
    @State private var isTargeted = false
    @State private var isChoosing = false

    var body: some View {
        WithService(PlaylistService.self) { playlist in
            ZStack {
                PlayerWidget(context, launch: [PanelService.self]).onContinuousHover { phase in
                    if case .active = phase { context[PanelService.self].show() }
                }
                if playlist.current == nil { EmptyState(isChoosing: $isChoosing) }
                if isTargeted {
                    RoundedRectangle(cornerRadius: 14).strokeBorder(Color.blue, lineWidth: 4).padding(6)
                        .allowsHitTesting(false)
                }
            }
            .navigationTitle(playlist.current?.lastPathComponent ?? "QuickTime")
            .background { KeyButtons() }
        }
        .environmentObject(context)
        .background(Color.black)
        .onDrop(of: [.fileURL], isTargeted: $isTargeted) { providers in drop(providers) }
        .fileImporter(isPresented: $isChoosing, allowedContentTypes: [.movie]) { result in
            if case .success(let url) = result { context[PlaylistService.self].open(url) }
        }
        .onAppear {
            context.container.enable(overlays: [.render, .plugin, .feature])
            // The app's own panel replaces the controls.
            context.container.configure(overlay: .control) { AnyView(PanelWidget()) }
            // The container handles keys only while it has the focus. The app's own shortcuts work in the whole window.
            context.keys.configure(false)
            if let named = CommandLine.arguments.dropFirst().first(where: { !$0.hasPrefix("-") }) {
                context[PlaylistService.self].open(URL(fileURLWithPath: named))
            }
        }
    }

    private func drop(_ providers: [NSItemProvider]) -> Bool {
        let playlist = context[PlaylistService.self]
        for provider in providers.prefix(1) {
            _ = provider.loadObject(ofClass: URL.self) { url, _ in
                guard let url else { return }
                Task { @MainActor in playlist.open(url) }
            }
        }
        return !providers.isEmpty
    }
}

private struct EmptyState: View {
    @Binding var isChoosing: Bool
    var body: some View {
        VStack(spacing: 14) {
            Image(systemName: "film").font(.system(size: 52)).foregroundColor(.secondary)
            Text("Drop a video here").font(.title2).foregroundColor(.white)
            Button("Open…") { isChoosing = true }
        }
        .frame(maxWidth: .infinity, maxHeight: .infinity)
        .background(Color.black)
    }
}

/// Invisible buttons that define the keyboard shortcuts.
private struct KeyButtons: View {
    var body: some View {
        WithService(TransportService.self) { service in
            HStack {
                Button("Play or Pause") { service.toggle() }.keyboardShortcut(.space, modifiers: [])
                Button("Back 5 Seconds") { service.skip(-5) }.keyboardShortcut(.leftArrow, modifiers: [])
                Button("Forward 5 Seconds") { service.skip(5) }.keyboardShortcut(.rightArrow, modifiers: [])
            }
            .opacity(0).allowsHitTesting(false).accessibilityHidden(true)
        }
    }
}
