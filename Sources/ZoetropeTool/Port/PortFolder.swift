import Foundation

/// A folder to port: a package, an Xcode project, or Swift files.
struct PortFolder {
    let folder: URL
    /// The command that reads the manifest of a package.
    let swift: String
    /// The target to port, with the targets that it needs. If nil, the first app of an Xcode project or all targets of
    /// a package are ported.
    let wanted: String?

    func project() throws -> PortProject {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.sorted() ?? []
        if names.isEmpty {
            throw ToolFailure(.failed, "There is nothing to port in “\(folder.path)”. Name a folder with Swift files.")
        }
        let written = folder.appendingPathComponent("Package.swift")
        var project: PortProject
        if names.contains("Package.swift"), !PortManifest.isOurs(written) {
            project = try PackageDescription(folder: folder, swift: swift).project()
        } else if let file = xcodeProject(names) {
            project = try XcodeProject(file: file).project()
        } else {
            project = plain()
        }
        if let wanted {
            guard project.targets.contains(where: { $0.name == wanted }) else {
                let known = project.targets.map(\.name).joined(separator: ", ")
                throw ToolFailure(
                    .failed, "There is no target “\(wanted)” in \(project.kind.rawValue). Use one of: \(known).")
            }
            project = keeping(wanted, of: project)
        } else if project.kind == .xcode, let app = project.targets.first(where: \.isApp) {
            project = keeping(app.name, of: project)
        }
        project.targets.removeAll { target in
            if target.sources.isEmpty { project.leftOut.append("\(target.name): it has no Swift files") }
            return target.sources.isEmpty
        }
        guard !project.targets.isEmpty else {
            throw ToolFailure(
                .failed, "\(folder.path) has no target with Swift files. Name the folder that the sources are in.")
        }
        return project
    }

    /// Keeps a target and the targets that it needs. Xcode's targets often share source files, which SwiftPM does not
    /// allow.
    private func keeping(_ name: String, of project: PortProject) -> PortProject {
        var kept = project
        var open = [name]
        var visited: Set<String> = []
        while let next = open.popLast() {
            guard visited.insert(next).inserted, let target = project.targets.first(where: { $0.name == next }) else {
                continue
            }
            open += target.targets
        }
        kept.targets = project.targets.filter { visited.contains($0.name) }
        let others = project.targets.filter { !visited.contains($0.name) }.map(\.name)
        kept.leftOut += others.map { "\($0): \(name) does not need it; name it with --target" }
        return kept
    }

    private func xcodeProject(_ names: [String]) -> URL? {
        let found = names.filter { $0.hasSuffix(".xcodeproj") }.map { folder.appendingPathComponent($0) }
        if let first = found.first { return first }
        for name in names where !name.hasPrefix(".") && name != "Pods" && name != "Carthage" {
            let inner = folder.appendingPathComponent(name)
            let below = (try? FileManager.default.contentsOfDirectory(atPath: inner.path))?.sorted() ?? []
            if let project = below.first(where: { $0.hasSuffix(".xcodeproj") }) {
                return inner.appendingPathComponent(project)
            }
        }
        return nil
    }

    /// Returns a project for a folder without a project file: all its Swift files form one app.
    private func plain() -> PortProject {
        var target = PortTarget(name: PortTarget.moduleName(folder.lastPathComponent), isApp: true)
        (target.sources, target.resources) = PortFolder.files(in: folder, below: "")
        return PortProject(kind: .folder, name: target.name, folder: folder, targets: [target])
    }

    private static let resourceKinds: Set<String> = [
        "xcassets", "mp4", "mov", "m4v", "mkv", "webm", "m4a", "mp3", "wav", "aac", "caf", "m3u8", "json", "plist",
        "txt",
        "vtt", "srt", "png", "jpg", "jpeg", "heic", "gif", "svg", "ttf", "otf", "strings", "stringsdict", "lproj", "md",
    ]
    /// The names of files that are used to build or publish an app, and that the app does not read.
    private static let notForApps: Set<String> = ["Info.plist", "README.md", "LICENSE.txt", "Package.resolved"]

    static func isResource(_ name: String) -> Bool {
        resourceKinds.contains((name as NSString).pathExtension.lowercased()) && !notForApps.contains(name)
    }

    /// Returns the Swift files and the resources of a folder, relative to `root`. Tests, build folders, package
    /// manifests, and the folders of CocoaPods and Carthage are skipped. The folder “Preview Content” is not, because
    /// Xcode compiles its sources in debug builds. A folder with several paths is listed once, if possible by its path
    /// without links.
    static func files(in root: URL, below path: String) -> (sources: [String], resources: [String]) {
        var sources: [String] = []
        var resources: [String] = []
        var open = [path]
        var links: [String] = []
        var visited: Set<String> = []
        // Links are followed last, so that a folder in `root` keeps its own path.
        while let folder = open.popLast() ?? links.popLast() {
            let url = folder.isEmpty ? root : root.appendingPathComponent(folder)
            // A link can lead to a folder that contains the link.
            guard visited.insert(url.resolvingSymlinksInPath().path).inserted else { continue }
            for name in (try? FileManager.default.contentsOfDirectory(atPath: url.path))?.sorted() ?? [] {
                guard !name.hasPrefix("."), name != "Pods", name != "Carthage", name != "DerivedData", name != "build"
                else { continue }
                let relative = folder.isEmpty ? name : folder + "/" + name
                let entry = root.appendingPathComponent(relative)
                var isFolder: ObjCBool = false
                guard FileManager.default.fileExists(atPath: entry.path, isDirectory: &isFolder) else { continue }
                if name.hasSuffix(".swift"), !isFolder.boolValue {
                    if PortAssets.isOurs(entry) { continue }
                    if !isManifest(entry, isInRoot: folder.isEmpty) {
                        sources.append(relative)
                    }
                } else if isResource(name) {
                    resources.append(relative)
                } else if isFolder.boolValue, !name.hasSuffix(".xcodeproj"), !name.hasSuffix(".xcworkspace"),
                    !name.hasSuffix("Tests")
                {
                    let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: entry.path)) != nil
                    if isLink { links.append(relative) } else { open.append(relative) }
                }
            }
        }
        return (sources.sorted(), resources.sorted())
    }

    /// Returns whether a file is a manifest of SwiftPM. In a subfolder, a file of the app can have the same name.
    private static func isManifest(_ file: URL, isInRoot: Bool) -> Bool {
        let name = file.lastPathComponent
        guard name == "Package.swift" || name.hasPrefix("Package@swift-") else { return false }
        guard !isInRoot, let text = try? String(contentsOf: file, encoding: .utf8) else { return isInRoot }
        return text.contains("import PackageDescription")
    }
}
