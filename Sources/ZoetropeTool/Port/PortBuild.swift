import Foundation

/// A build of the ported package.
struct PortBuild {
    let isDone: Bool
    let output: String

    init(project: PortProject, swift: String) throws(ToolFailure) {
        let arguments = ["build", "--package-path", project.folder.path]
        let run = try PortCommandLine.run(swift, arguments)
        (isDone, output) = (run.code == 0, run.output)
        guard isDone else { return }
        let binPath = try PortCommandLine.run(swift, arguments + ["--show-bin-path"])
        guard binPath.code == 0, let folder = binPath.lines.last else { return }
        for target in project.targets where target.isApp && !target.resources.isEmpty {
            Self.link(URL(fileURLWithPath: String(folder)), project.name, target.name)
        }
    }

    /// Links resources to NAME.resources next to the program NAME, because `Bundle.main` reads them there.
    private static func link(_ folder: URL, _ package: String, _ target: String) {
        let name = folder.appendingPathComponent("\(target).resources").path
        try? FileManager.default.removeItem(atPath: name)
        try? FileManager.default.createSymbolicLink(
            atPath: name, withDestinationPath: "\(package)_\(target).resources")
    }

    var firstError: String {
        output.split(separator: "\n").first { $0.contains("error:") }.map(String.init) ?? "SwiftPM failed"
    }
}
