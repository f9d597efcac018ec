import Foundation

/// The main bundle of the ported programs: the folder `Contents` beside them.
///
/// `Bundle.main` on Linux reads a program's resources and its Info.plist only there. Programs in the same folder share
/// the bundle, so it has the resources of all targets. If two targets have resources of the same name, the app's is
/// used, or that of the first target.
struct PortBundle {
    let project: PortProject

    /// Replaces the bundle in the folder of the built programs.
    func write(beside programs: URL) throws(ToolFailure) {
        let contents = programs.appendingPathComponent("Contents")
        let resources = contents.appendingPathComponent("Resources")
        let files = FileManager.default
        do {
            // An earlier run may have written the bundle of another target.
            if files.fileExists(atPath: contents.path) { try files.removeItem(at: contents) }
            try files.createDirectory(at: resources, withIntermediateDirectories: true)
            for (name, target) in links.sorted(by: { $0.key < $1.key }) {
                try files.createSymbolicLink(
                    atPath: resources.appendingPathComponent(name).path, withDestinationPath: target)
            }
            try PropertyListSerialization.data(fromPropertyList: info, format: .xml, options: 0)
                .write(to: contents.appendingPathComponent("Info.plist"))
        } catch {
            throw ToolFailure(
                .failed, "Can't write “\(contents.path)”. Check the free space and the permissions of its folder.")
        }
    }

    /// The links in the folder of resources: their names, and the files to which SwiftPM copies the resources.
    private var links: [String: String] {
        var result: [String: String] = [:]
        for target in project.targets.filter(\.isApp) + project.targets.filter({ !$0.isApp }) {
            for resource in target.resources {
                let name = (resource as NSString).lastPathComponent
                guard result[name] == nil else { continue }
                result[name] = "../../\(project.name)_\(target.name).resources/\(name)"
            }
        }
        return result
    }

    private var info: [String: Any] {
        let apps = project.targets.filter(\.isApp)
        // Several programs must not have the same identifier, which names their folders and windows.
        var result = apps.count == 1 ? apps[0].info : [:]
        // Without an entry, `developmentLocalization` ends the program.
        result["CFBundleDevelopmentRegion"] = project.defaultLocalization
        return result
    }
}
