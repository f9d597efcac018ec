import Foundation

/// The programs that tests control, in one executable: `Probes NAME arguments…`. Each has its own folder and namespace,
/// and is independent of the others.
///
/// They share one executable because each links all of Zoetrope, and linking two dozen executables took minutes of
/// every build. Some probes are still separate executables: those in another language mode or with other modules
/// (`PlayerWidgetProbe`, `PreviewProbe`), and those whose memory or launch time is tested. `Package.swift` gives the
/// reason for each.
@main
enum Probes {
    /// The command line of the probe: its name, in place of a program's path, and its arguments.
    static let arguments = Array(CommandLine.arguments.dropFirst())

    @MainActor
    private static let all: KeyValuePairs<String, @MainActor () -> Void> = [
        // These probes have a window, and tests send them commands.
        "Presentation": { PresentationProbe.main() },  // a view with ready-made frames
        "Container": { ContainerProbe.main() },  // scrolled areas, lists, tabs, navigation and modals
        "UI": { UIProbe.main() },  // one page of controls
        "Input": { InputProbe.main() },  // gestures, keys, focus and texts for assistive technology
        "Scene": { SceneProbe.main() },  // an app of several scenes, with menus
        "Stored": { StoredProbe.main() },  // an app that stores values in UserDefaults
        "StoredKit": { StoredKitProbe.main() },  // the same, with an app delegate as in UIKit
        "Made": { MadeProbe.main() },  // an app whose views create players in their bodies
        "Component": { ComponentProbe.main() },  // an app with one player
        "PlayerView": { PlayerViewProbe.main() },  // one player in views with Apple's names
        "Cover": { CoverProbe.main() },  // controls over videos
        "Seen": { SeenProbe.main() },  // one player, in any view that shows players
        "Kit": { PlayerKitProbe.main() },  // an app with MPlayerKit's players
        "Habits": { HabitsProbe.main() },  // a container with desktop input
        "Feed": { FeedProbe.main() },  // the feed of the example TikTok (links to its sources) with a hundred videos
        "WindowManager": { WindowManager.main() },  // a minimal window manager for the display
        "Start": { StartProbe.main() },  // the ways in which programs initialize GTK
        // These probes have no window.
        "Loop": { LoopProbe.main() },  // Foundation's run loop and Combine in GLib's main loop
        "Session": { SessionProbe.main() },  // downloads with Apple's API, which tests kill
        // These probes use the session bus.
        "MPRIS": { MPRISProbe.main() },  // a player that plays nothing and prints the requests
        "MPRISConformance": { MPRISConformance.main() },  // checks whether any player conforms to MPRIS
        "NowPlaying": { NowPlayingProbe.main() },  // an app that plays files
    ]

    @MainActor
    static func main() {
        if let probe = all.first(where: { $0.key == arguments.first }) { return probe.value() }
        let names = all.map(\.key).joined(separator: " ")
        FileHandle.standardError.write(Data("usage: Probes NAME arguments…, NAME one of \(names)\n".utf8))
        exit(64)
    }
}
