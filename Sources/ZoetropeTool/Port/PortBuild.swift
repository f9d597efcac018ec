import Foundation

/// A build of the ported package.
struct PortBuild {
    let isDone: Bool
    let output: String

    init(project: PortProject, swift: String) throws(ToolFailure) {
        let arguments = ["build", "--package-path", project.folder.path]
        let run = try PortCommandLine.run(swift, arguments)
        (isDone, output) = (run.code == 0, run.output)
        guard isDone, project.targets.contains(where: \.isApp) else { return }
        let binPath = try PortCommandLine.run(swift, arguments + ["--show-bin-path"])
        guard binPath.code == 0, let folder = binPath.lines.last else { return }
        try PortBundle(project: project).write(beside: URL(fileURLWithPath: String(folder)))
    }

    var firstError: String {
        output.split(separator: "\n").first { $0.contains("error:") }.map(String.init) ?? "SwiftPM failed"
    }
}
