import Foundation
import Zoetrope

/// The apps in `Examples/`. Each opens as a process of its own.
struct ExamplesPage: View {
    private let launcher = ExampleLauncher.shared

    var body: some View {
        ScrollView {
            VStack(alignment: .leading, spacing: 16) {
                VStack(alignment: .leading, spacing: 4) {
                    Text("Example Apps").font(.title2).fontWeight(.bold).accessibilityAddTraits(.isHeader)
                    Text("Players built with VideoPlayerContainer and MPlayerKit. Each opens in its own window.")
                        .foregroundColor(.secondary)
                }
                LazyVGrid(columns: [GridItem(.adaptive(minimum: 280), spacing: 12)], spacing: 12) {
                    ForEach(ExampleApp.all) { app in
                        ExampleCard(app: app, state: launcher.state(of: app)) { launcher.open(app) }
                    }
                }
            }
            .padding(24)
        }
        // An app may be built, removed or closed while the page is open.
        .task {
            while !Task.isCancelled {
                launcher.refresh()
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }
}

/// An app in `Examples/`.
struct ExampleApp: Identifiable {
    /// The name of the product and its executable.
    let id: String
    let title: String
    let summary: String
    let symbol: String
    let colors: [Color]

    static let all = [
        ExampleApp(
            id: "Youtube", title: "YouTube",
            summary: "Double-click to skip; comments and a list of videos", symbol: "play.fill",
            colors: [Color(red: 0.95, green: 0.28, blue: 0.25), Color(red: 0.76, green: 0.1, blue: 0.16)]),
        ExampleApp(
            id: "Bilibili", title: "Bilibili", summary: "Two rows of controls; another layout in full screen",
            symbol: "tv",
            colors: [Color(red: 0.98, green: 0.52, blue: 0.68), Color(red: 0.87, green: 0.28, blue: 0.5)]),
        ExampleApp(
            id: "TikTok", title: "TikTok", summary: "A feed of vertical videos: scroll for the next one",
            symbol: "music.note",
            colors: [Color(red: 0.2, green: 0.21, blue: 0.26), Color(red: 0.06, green: 0.06, blue: 0.09)]),
        ExampleApp(
            id: "SystemVideoPlayer", title: "System Video Player",
            summary: "Volume, speed, Picture in Picture; drag to seek", symbol: "play.circle",
            colors: [Color(red: 0.42, green: 0.47, blue: 0.56), Color(red: 0.24, green: 0.28, blue: 0.36)]),
        ExampleApp(
            id: "VideoNavigation", title: "Video Navigation",
            summary: "Plays the most visible video; continues on its page", symbol: "list.bullet",
            colors: [Color(red: 0.24, green: 0.62, blue: 0.96), Color(red: 0.1, green: 0.4, blue: 0.84)]),
        ExampleApp(
            id: "QuickTime", title: "QuickTime",
            summary: "Drop a video to play its folder; floating panel", symbol: "film",
            colors: [Color(red: 0.3, green: 0.74, blue: 0.79), Color(red: 0.1, green: 0.48, blue: 0.62)]),
        ExampleApp(
            id: "PlayerKit", title: "MPlayerKit",
            summary: "Ready-made and custom players, full screen or inline",
            symbol: "play.rectangle",
            colors: [Color(red: 0.96, green: 0.62, blue: 0.3), Color(red: 0.84, green: 0.38, blue: 0.16)]),
        ExampleApp(
            id: "VisionPro", title: "Vision Pro",
            summary: "A plain video with its controls below it", symbol: "macwindow",
            colors: [Color(red: 0.62, green: 0.5, blue: 0.94), Color(red: 0.4, green: 0.28, blue: 0.76)]),
    ]
}

/// Starts the example apps and tracks which are running. Shared by all pages.
@MainActor
@Observable
final class ExampleLauncher {
    enum State: Equatable {
        case missing(command: String)
        case ready
        case running
        case failed(String)
    }

    static let shared = ExampleLauncher()

    /// The folder of the gallery, in which the examples are built too.
    private let folder = (Bundle.main.executableURL ?? URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath())
        .deletingLastPathComponent()
    private var built: Set<String> = []
    private var processes: [String: [Process]] = [:]
    private var failures: [String: String] = [:]

    private init() { refresh() }

    func state(of app: ExampleApp) -> State {
        if processes[app.id]?.isEmpty == false { return .running }
        if !built.contains(app.id) { return .missing(command: command(for: app)) }
        return failures[app.id].map(State.failed) ?? .ready
    }

    /// The command that builds an app into the gallery's folder.
    private func command(for app: ExampleApp) -> String {
        folder.lastPathComponent == "release" ? "make play EXAMPLE=\(app.id)" : "swift build --product \(app.id)"
    }

    func refresh() {
        let found = Set(
            ExampleApp.all.map(\.id).filter {
                // Reference images must not depend on which apps are built.
                Launch.still != nil
                    || FileManager.default.isExecutableFile(atPath: folder.appendingPathComponent($0).path)
            })
        if found != built { built = found }
        for (id, running) in processes {
            let alive = running.filter(\.isRunning)
            guard alive.count != running.count else { continue }
            // Report only a failed exit: not a closed window, and not a signal at the end of the session.
            for process in running
            where !process.isRunning && process.terminationReason == .exit && process.terminationStatus != 0 {
                failures[id] = "Exited with status \(process.terminationStatus). See the terminal."
            }
            processes[id] = alive
        }
    }

    func open(_ app: ExampleApp) {
        failures[app.id] = nil
        let process = Process()
        process.executableURL = folder.appendingPathComponent(app.id)
        process.standardInput = FileHandle.nullDevice
        do {
            try process.run()
            processes[app.id, default: []].append(process)
        } catch {
            failures[app.id] = error.localizedDescription
        }
    }
}

private struct ExampleCard: View {
    let app: ExampleApp
    let state: ExampleLauncher.State
    let open: @MainActor () -> Void

    private var isMissing: Bool { if case .missing = state { true } else { false } }

    var body: some View {
        Button(action: open) {
            HStack(alignment: .top, spacing: 14) {
                RoundedRectangle(cornerRadius: 11)
                    .fill(LinearGradient(colors: app.colors, startPoint: .top, endPoint: .bottom))
                    .frame(width: 48, height: 48)
                    .overlay { Image(systemName: app.symbol).font(.system(size: 22)).foregroundColor(.white) }
                    .opacity(isMissing ? 0.45 : 1)
                VStack(alignment: .leading, spacing: 3) {
                    Text(verbatim: app.title).font(.headline)
                    Text(verbatim: app.summary).font(.subheadline).foregroundColor(.secondary).lineLimit(2)
                    Spacer(minLength: 3)
                    footer
                }
                .frame(maxWidth: .infinity, alignment: .leading)
            }
            .frame(minHeight: 72)
        }
        .buttonStyle(CardStyle())
        .disabled(isMissing)
        .accessibilityLabel(Text(verbatim: app.title))
        .accessibilityValue(Text(verbatim: stateText))
        .accessibilityHint(app.summary)
    }

    @ViewBuilder private var footer: some View {
        switch state {
        case .missing(let command):
            Text(verbatim: command).font(.system(size: 12, design: .monospaced)).lineLimit(1)
        case .ready:
            Text("Open").font(.subheadline).fontWeight(.semibold).foregroundColor(.accentColor)
        case .running:
            HStack(spacing: 6) {
                Circle().fill(Color.green).frame(width: 8, height: 8)
                Text("Running").font(.subheadline).foregroundColor(.secondary)
            }
        case .failed(let why):
            Text(verbatim: why).font(.subheadline).foregroundColor(.red).lineLimit(1)
        }
    }

    private var stateText: String {
        switch state {
        case .missing(let command): "Not built yet: \(command)"
        case .ready: "Not running"
        case .running: "Running"
        case .failed(let why): why
        }
    }
}
