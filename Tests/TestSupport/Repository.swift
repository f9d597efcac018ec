import Foundation

/// Where things lie in the checkout the tests run from.
public enum Repository {
    /// The checkout's root folder, also where the sources were compiled through links to it (scripts/sanitize).
    public static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The path of a program or file in `Tests/Fixtures`.
    public static func fixture(_ name: String) -> String { root.appendingPathComponent("Tests/Fixtures/\(name)").path }
}
