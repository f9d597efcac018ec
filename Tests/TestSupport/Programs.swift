import Foundation

/// The programs of this package that tests start.
public enum Programs {
    /// The folder in which programs are built, which also contains the test bundle.
    public static var folder: URL {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        return URL(fileURLWithPath: bundle).deletingLastPathComponent()
    }

    /// Returns the path of the program `name`.
    public static func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// Returns the command line that starts `name`. It is a probe if `Tests/Probes` has a folder of that name,
    /// otherwise a separate program.
    public static func command(_ name: String, _ arguments: [String] = []) -> [String] {
        let probe = Repository.root.appendingPathComponent("Tests/Probes/\(name)")
        let isProbe = FileManager.default.fileExists(atPath: probe.path)
        return (isProbe ? [path("Probes"), name] : [path(name)]) + arguments
    }
}
