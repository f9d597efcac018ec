import Foundation

/// Paths in the checkout in which the tests run.
public enum Repository {
    /// The checkout's root folder, even if the sources were compiled through symbolic links to it (scripts/sanitize).
    public static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Returns the path of a program or file in `Tests/Fixtures`.
    public static func fixture(_ name: String) -> String { root.appendingPathComponent("Tests/Fixtures/\(name)").path }
}
