import Foundation

/// The Swift files with the names of assets, which `zoetrope port` writes for targets with asset catalogs.
struct PortAssets {
    private static let mark = "// Written by `zoetrope port`."
    /// The start of the files' names. Xcode's own file is named GeneratedAssetSymbols.swift, and a module can't have
    /// two files with the same name.
    private static let fileName = "LinuxAssetSymbols"

    /// The project with the generated files among the sources of its targets.
    private(set) var project: PortProject
    /// The generated files: their texts by their paths relative to the project's folder.
    private var texts: [(path: String, text: String)] = []

    /// Returns whether this command wrote the file, and may therefore replace it.
    static func isOurs(_ file: URL) -> Bool {
        guard file.lastPathComponent.hasPrefix(fileName) else { return false }
        return (try? String(contentsOf: file, encoding: .utf8))?.hasPrefix(mark) == true
    }

    /// - Parameter modules: The Apple modules that each target's sources import, by the target's name.
    init(_ project: PortProject, modules: [String: Set<String>]) throws(ToolFailure) {
        self.project = project
        for (index, target) in project.targets.enumerated() where target.hasAssetNames {
            let imported = modules[target.name] ?? []
            // The types of the names are in both modules.
            guard let module = ["SwiftUI", "UIKit"].first(where: { imported.contains($0) }) else { continue }
            let catalogs = target.resources.filter { $0.hasSuffix(".xcassets") }
            let symbols = AssetSymbols(catalogs.map { project.folder.appendingPathComponent($0) })
            guard !symbols.isEmpty else { continue }
            let start = (target.folder.isEmpty ? "" : target.folder + "/") + Self.fileName
            // Another target may have the same folder.
            let isTaken = texts.contains { $0.path == start + ".swift" }
            let path = start + (isTaken ? "+\(target.name).swift" : ".swift")
            let file = project.folder.appendingPathComponent(path)
            if FileManager.default.fileExists(atPath: file.path), !Self.isOurs(file) {
                throw ToolFailure(
                    .failed, "“\(file.path)” was not written by this command. Move it away, or rename it.")
            }
            let imports = [module] + (module == "SwiftUI" && imported.contains("UIKit") ? ["UIKit"] : [])
            // Xcode compiles all files in a synchronized folder, and generates the same names itself.
            let head = Self.mark + " The command replaces this file.\n#if os(Linux)\n"
            let source = symbols.source(modules: imported, hasMembers: target.hasAssetMembers)
            texts.append((path, head + imports.map { "import \($0)\n" }.joined() + "\n" + source + "#endif\n"))
            self.project.targets[index].sources = Set(target.sources + [path]).sorted()
        }
    }

    /// Writes the files, and returns them.
    func write() throws(ToolFailure) -> [URL] {
        var files: [URL] = []
        for (path, text) in texts {
            let file = project.folder.appendingPathComponent(path)
            do {
                try text.write(to: file, atomically: true, encoding: .utf8)
            } catch {
                throw ToolFailure(
                    .failed, "Can't write “\(file.path)”. Check the free space and the permissions of its folder.")
            }
            files.append(file)
        }
        return files
    }
}
