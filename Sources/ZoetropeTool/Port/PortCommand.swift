import ArgumentParser
import Foundation

/// The command `zoetrope port`, which makes a package of sources that were written for Apple's platforms and lists what
/// is missing.
struct Port: ToolCommand {
    static let configuration = CommandConfiguration(
        abstract: "Create a Linux package from an app's sources, and list the lines to change.",
        usage: "zoetrope port <folder> [options]",
        discussion: """
            EXAMPLES
              # Port the app in a folder with an Xcode project
              zoetrope port ~/src/Film
              # Only write the manifest and list what can be seen without a compiler
              zoetrope port ~/src/Film --no-build
              # Take the second target of a project
              zoetrope port ~/src/Film --target FilmTV

            DESCRIPTION
              Reads the targets of an Xcode project (without Xcode) or of a package. In any other folder, all Swift
              files are one app. Writes Package.swift next to the sources, with Zoetrope's modules under Apple's names,
              and compiles. A package keeps its own manifest; Package@swift-6.2.swift is written next to it.
              LinuxAssetSymbols.swift is written beside the sources of a target with asset catalogs: it declares the
              names that Xcode generates, for Image(.play) or Color(.brand). No source is changed.

              The report has a line for each problem: the file, the line number, the problem and the remedy. A manifest
              that this command did not write is never replaced.

            EXIT CODES
              0    The sources compile, or --no-build was given and no line must be changed.
              1    Some lines must be changed, or a file could not be read or written.
              64   Invalid arguments.
            """)

    @Argument(help: ArgumentHelp("The folder of a package, an Xcode project or Swift files.", valueName: "folder"))
    var folder: FileArgument
    @Option(help: ArgumentHelp("Port this target, and those that it needs.", valueName: "name"))
    var target: String?
    @Option(
        help: ArgumentHelp(
            "Depend on Zoetrope at this folder or URL. Default: the checkout that this program was built in.",
            valueName: "folder-or-url"))
    var zoetrope: String?
    @Option(help: ArgumentHelp("Run this program as Swift's compiler driver. Default: swift.", valueName: "program"))
    var swift = "swift"
    @Flag(name: .customLong("no-build"), help: "Write the manifest only, and do not compile.")
    var skipsBuild = false

    func report(of failure: ToolFailure) -> String? { nil }

    func perform() throws {
        let location = try ZoetropeLocation(zoetrope)
        let root = folder.path.resolvingSymlinksInPath()
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: root.path, isDirectory: &isFolder), isFolder.boolValue else {
            throw ToolFailure(.failed, "There is no folder “\(folder.name)”. Name the folder of a project.")
        }
        let found = try PortFolder(folder: root, swift: swift, wanted: target).project()
        let sources = try PortSources(found)
        let assets = try PortAssets(found, modules: sources.modules)
        let project = assets.project
        try write(project, sources, location)
        for file in try assets.write() { try Console.out("Wrote \(file.path) with the names of the assets") }
        for reason in project.leftOut { Console.note("Left out \(reason)") }
        for target in project.targets {
            for entry in target.unresolved {
                Console.note(
                    "Left out of \(target.name) \(entry). If the app needs the file, restore it or add it again in Xcode."
                )
            }
        }
        for app in sources.appsWithoutEntryPoint {
            Console.note(
                "\(app) has no entry point: no type has the attribute @main, and no file is named main.swift. The app can't be linked without one. Write @main before its App or the class of its delegate."
            )
        }
        let build = skipsBuild ? nil : try PortBuild(project: project, swift: swift)
        let names = build.map { _ in location.folder.map(PublicNames.init(checkout:)) } ?? nil
        let errors = build.map { PortDiagnostics($0.output, folder: project.folder, names: names).findings } ?? []
        try list(sources.findings, errors)
        let isToChange = sources.findings.contains { !$0.isNote }
        if let build, !build.isDone, errors.isEmpty, isToChange {
            Console.note("The build failed: \(build.firstError)")
        } else if let build, !build.isDone, errors.isEmpty {
            throw ToolFailure(
                .failed, "Can't build the package: \(build.firstError). Build it with `swift build` for all messages.")
        }
        let missing = Set(errors.map { "\($0.file):\($0.line)" })
            .union(sources.findings.filter { !$0.isNote }.map { "\($0.file):\($0.line)" })
        guard build?.isDone ?? missing.isEmpty else {
            throw ToolFailure(
                .failed,
                "The sources can't be compiled on Linux yet: \(missing.count == 1 ? "1 line needs" : "\(missing.count) lines need") changes. Change the listed lines, then run the command again."
            )
        }
        if build != nil {
            try Console.out("The sources compile. Start the app with `swift run` in \(project.folder.path)")
        }
    }

    private func write(_ project: PortProject, _ sources: PortSources, _ location: ZoetropeLocation) throws {
        let manifest = project.manifest
        if FileManager.default.fileExists(atPath: manifest.path), !PortManifest.isOurs(manifest) {
            throw ToolFailure(
                .failed, "“\(manifest.path)” was not written by this command. Move it away, or name another folder.")
        }
        let text = PortManifest(
            project: project, modules: sources.modules, hasPreviews: sources.hasPreviews, zoetrope: location
        ).text
        do {
            try text.write(to: manifest, atomically: true, encoding: .utf8)
        } catch {
            throw ToolFailure(
                .failed, "Can't write “\(manifest.path)”. Check the free space and the permissions of its folder.")
        }
        let targets = project.targets.map { "\($0.name) (\($0.sources.count) files)" }.joined(separator: ", ")
        try Console.out("Wrote \(manifest.path) for \(project.kind.rawValue): \(targets)")
    }

    /// Prints the findings, and the compiler's messages on lines that have no finding, or only a note.
    private func list(_ found: [PortSource.Finding], _ errors: [PortSource.Finding]) throws(ToolFailure) {
        let locations = Set(found.filter { !$0.isNote }.map { "\($0.file):\($0.line)" })
        let all = (found + errors.filter { !locations.contains("\($0.file):\($0.line)") }).sorted()
        for finding in all {
            try Console.out(
                "\(finding.file):\(finding.line): \(ToolFailure.sentence(finding.problem)) \(finding.remedy)")
        }
    }
}
