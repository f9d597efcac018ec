import Foundation

/// The programs of this package, as tests start them.
public enum Programs {
    /// Where they are built: beside the test bundle.
    public static var folder: URL {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        return URL(fileURLWithPath: bundle).deletingLastPathComponent()
    }

    /// The file of the program `name`.
    public static func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// The command line that starts `name`: a probe where `Tests/Probes` has a folder of that name, else a program of
    /// its own.
    public static func command(_ name: String, _ arguments: [String] = []) -> [String] {
        let probe = Repository.root.appendingPathComponent("Tests/Probes/\(name)")
        let isProbe = FileManager.default.fileExists(atPath: probe.path)
        return (isProbe ? [path("Probes"), name] : [path(name)]) + arguments
    }
}
