import Foundation

/// The programs that tests drive, in one executable: `Probes NAME arguments…`. Each has a folder and a namespace of its
/// own here, and knows nothing of the others.
///
/// One executable, since each links all of Zoetrope: two dozen of them took minutes of every build. Programs of their
/// own remain those that another language mode or other modules build (`PlayerWidgetProbe`, `PreviewProbe`), and those
/// of which tests judge memory or how long they take to start (Package.swift says why at each).
@main
enum Probes {
    /// The command line of the probe: its name, where a program's stands, and what it was given.
    static let arguments = Array(CommandLine.arguments.dropFirst())

    @MainActor
    private static let all: KeyValuePairs<String, @MainActor () -> Void> = [
        // In a window, told by tests what to do.
        "Presentation": { PresentationProbe.main() },  // a view over ready pictures
        "Container": { ContainerProbe.main() },  // scrolled areas, lists, tabs, navigation and what is presented
        "UI": { UIProbe.main() },  // one page of controls
        "Input": { InputProbe.main() },  // gestures, keys, focus and words for assistive technology
        "Scene": { SceneProbe.main() },  // an app of several scenes, with menus
        "Stored": { StoredProbe.main() },  // an app that keeps values in UserDefaults
        "StoredKit": { StoredKitProbe.main() },  // the same by a delegate with UIKit's names
        "Made": { MadeProbe.main() },  // an app whose views make players in their bodies
        "Component": { ComponentProbe.main() },  // an app with one player
        "PlayerView": { PlayerViewProbe.main() },  // one player in views of Apple's names
        "Cover": { CoverProbe.main() },  // controls over videos
        "Seen": { SeenProbe.main() },  // one player in any of the views that show players
        "Kit": { PlayerKitProbe.main() },  // an app with MPlayerKit's players
        "Habits": { HabitsProbe.main() },  // a container, and a desktop's habits
        "Feed": { FeedProbe.main() },  // the feed of the example TikTok (links to its sources), a hundred films long
        "WindowManager": { WindowManager.main() },  // the least of one, for what nobody answers on a bare X server
        "Start": { StartProbe.main() },  // the ways that programs come to GTK
        // Without one.
        "Loop": { LoopProbe.main() },  // Foundation's run loop and Combine in GLib's main loop
        "Session": { SessionProbe.main() },  // downloads by Apple's names, to be killed
        // On the session bus.
        "MPRIS": { MPRISProbe.main() },  // a player that plays nothing and says what is asked of it
        "MPRISConformance": { MPRISConformance.main() },  // asks any player what MPRIS promises of it
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
