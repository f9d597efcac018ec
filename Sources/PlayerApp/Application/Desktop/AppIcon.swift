import GTK
import Foundation

/// The app's own icon, also where a desktop does not look for it: under a prefix of the user's, and in a checkout. Main
/// actor.
@MainActor
enum AppIcon {
    private static let file = PlayerApplication.identifier + ".svg"

    /// GTK finds it by its name from now on, if it lies anywhere. After GTK has started.
    static func find() {
        guard let theme else { return }
        isFound = theme.has(PlayerApplication.identifier)
        // What the desktop has comes first.
        for folder in isFound ? [] : folders(around: program) {
            theme.addFolder(folder.path)
            isFound = true
        }
    }
    private static var isFound = false
    /// What GTK is to show for the app.
    static var name: String { isFound ? PlayerApplication.identifier : "video-x-generic" }

    private static var theme: GTKIconTheme? { GDKDisplay.standard.flatMap { GTKIconTheme($0) } }
    private static var program: URL? {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")).map {
            URL(fileURLWithPath: $0)
        }
    }

    /// Folders of icons that belong to a program: beside it under its prefix, or in the checkout that it was built in.
    static func folders(around program: URL?) -> [URL] {
        guard let program else { return [] }
        func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }
        let binaries = program.deletingLastPathComponent()
        let shared = binaries.deletingLastPathComponent().appendingPathComponent("share/icons")
        var found: [URL] = []
        if exists(shared.appendingPathComponent("hicolor/scalable/apps/\(file)")) { found.append(shared) }
        // .build/x86_64-unknown-linux-gnu/debug
        var root = binaries
        for _ in 0..<3 { root = root.deletingLastPathComponent() }
        let drawn = root.appendingPathComponent("data/icons")
        if exists(root.appendingPathComponent("Package.swift")), exists(drawn.appendingPathComponent(file)) {
            found.append(drawn)
        }
        return found
    }
}
