import GTK
import Foundation

/// The app's icon. GTK also finds it in folders that the desktop does not search: those of an installation under
/// another prefix, and those of a checkout. Main actor.
@MainActor
enum AppIcon {
    private static let file = PlayerApplication.identifier + ".svg"

    /// Makes GTK find the icon by its name, if there is one. Call it after GTK has started.
    static func find() {
        guard let theme else { return }
        isFound = theme.has(PlayerApplication.identifier)
        // The desktop's own icon has priority.
        for folder in isFound ? [] : folders(around: program) {
            theme.addFolder(folder.path)
            isFound = true
        }
    }
    private static var isFound = false
    /// The name of the icon that GTK shows for the app.
    static var name: String { isFound ? PlayerApplication.identifier : "video-x-generic" }

    private static var theme: GTKIconTheme? { GDKDisplay.standard.flatMap { GTKIconTheme($0) } }
    private static var program: URL? {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")).map {
            URL(fileURLWithPath: $0)
        }
    }

    /// Returns the existing icon folders of a program: `share/icons` of the prefix under which it is installed, and
    /// `data/icons` of the checkout in which it was built.
    static func folders(around program: URL?) -> [URL] {
        guard let program else { return [] }
        func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }
        let binaries = program.deletingLastPathComponent()
        let shared = binaries.deletingLastPathComponent().appendingPathComponent("share/icons")
        var found: [URL] = []
        if exists(shared.appendingPathComponent("hicolor/scalable/apps/\(file)")) { found.append(shared) }
        // The program is in a folder like `.build/x86_64-unknown-linux-gnu/debug`.
        var root = binaries
        for _ in 0..<3 { root = root.deletingLastPathComponent() }
        let checkoutIcons = root.appendingPathComponent("data/icons")
        if exists(root.appendingPathComponent("Package.swift")), exists(checkoutIcons.appendingPathComponent(file)) {
            found.append(checkoutIcons)
        }
        return found
    }
}
