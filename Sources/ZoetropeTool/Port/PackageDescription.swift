import Foundation

/// A package, read from SwiftPM's description of its manifest.
struct PackageDescription {
    let folder: URL
    let swift: String

    private struct Dump: Decodable {
        struct Target: Decodable {
            struct Setting: Decodable {
                var kind: [String: Value]
            }
            var name: String
            var type: String
            var path: String?
            var exclude: [String]?
            var sources: [String]?
            var dependencies: [[String: Value]]
            var settings: [Setting]?
        }
        var name: String
        var targets: [Target]
        var dependencies: [Value]
        var swiftLanguageVersions: [String]?
        var defaultLocalization: String?
    }

    /// A JSON value of any kind.
    private enum Value: Decodable {
        case text(String), list([Value]), object([String: Value]), other
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let list = try? container.decode([Value].self) {
                self = .list(list)
            } else if let object = try? container.decode([String: Value].self) {
                self = .object(object)
            } else {
                self = .other
            }
        }
        var text: String? { if case .text(let text) = self { text } else { nil } }
        var list: [Value] { if case .list(let list) = self { list } else { [] } }
        subscript(key: String) -> Value? { if case .object(let object) = self { object[key] } else { nil } }
        /// The first text in the value, at any depth.
        var firstText: String? {
            switch self {
            case .text(let text): text
            case .list(let list): list.lazy.compactMap(\.firstText).first
            case .object(let object): object.values.lazy.compactMap(\.firstText).first
            case .other: nil
            }
        }
    }

    func project() throws -> PortProject {
        // Delete the manifest of an earlier run, so that SwiftPM reads the original one.
        let earlier = folder.appendingPathComponent("Package@swift-6.2.swift")
        if PortManifest.isOurs(earlier) { try? FileManager.default.removeItem(at: earlier) }
        let run = try PortCommandLine.run(swift, ["package", "dump-package", "--package-path", folder.path])
        guard run.code == 0, let start = run.output.firstIndex(of: "{"),
            let dump = try? JSONDecoder().decode(Dump.self, from: Data(run.output[start...].utf8))
        else {
            let line = run.lines.first { $0.contains("error:") } ?? "SwiftPM exits with \(run.code)"
            throw ToolFailure(
                .failed, "Can't read the manifest in “\(folder.path)”: \(line). Repair the manifest and try again.")
        }
        var project = PortProject(kind: .package, name: dump.name, folder: folder, targets: [])
        let own = Set(dump.targets.map(\.name))
        for target in dump.targets {
            guard target.type == "executable" || target.type == "regular" else {
                project.leftOut.append(
                    "\(target.name): a target of type \(target.type) is not compiled by this command")
                continue
            }
            let path = target.path ?? "Sources/\(target.name)"
            let excluded = (target.exclude ?? []).map { "\(path)/\($0)" }
            let isExcluded = { (file: String) in excluded.contains { file == $0 || file.hasPrefix($0 + "/") } }
            let isIn = { (file: String) in
                !isExcluded(file)
                    && target.sources.map {
                        $0.contains { file == "\(path)/\($0)" || file.hasPrefix("\(path)/\($0)/") }
                    }
                        ?? true
            }
            var portTarget = PortTarget(name: target.name, isApp: target.type == "executable")
            let files = PortFolder.files(in: folder, below: path)
            portTarget.sources = files.sources.filter(isIn)
            portTarget.resources = files.resources.filter { !isExcluded($0) }
            portTarget.isSwift6 = (dump.swiftLanguageVersions ?? []).contains("6")
            portTarget.isMainActorByDefault = (target.settings ?? []).contains { setting in
                setting.kind["defaultIsolation"]?.firstText == "MainActor"
            }
            for dependency in target.dependencies {
                for (kind, value) in dependency {
                    let names = value.list.map(\.text)
                    guard let name = names.first ?? nil else { continue }
                    if kind != "product", own.contains(name) {
                        portTarget.targets.append(name)
                    } else if kind == "product", names.count > 1, let package = names[1] {
                        portTarget.products.append(PortProduct(name: name, package: package))
                    } else {
                        portTarget.products.append(PortProduct(name: name, package: name))
                    }
                }
            }
            project.targets.append(portTarget)
        }
        project.packages = dump.dependencies.compactMap(package)
        project.defaultLocalization = dump.defaultLocalization ?? project.defaultLocalization
        return project
    }

    private func package(_ dependency: Value) -> PortPackage? {
        if let local = dependency["fileSystem"]?.list.first, let path = local["path"]?.text {
            return PortPackage(
                requirement: "path: \(PortManifest.literal(path))",
                identity: local["identity"]?.text ?? (path as NSString).lastPathComponent)
        }
        guard let remote = dependency["sourceControl"]?.list.first,
            let url = remote["location"]?["remote"]?.list.first?["urlString"]?.text, let rule = remote["requirement"]
        else { return nil }
        let limit: String
        if let range = rule["range"]?.list.first, let low = range["lowerBound"]?.text,
            let high = range["upperBound"]?.text
        {
            limit = "\(PortManifest.literal(low))..<\(PortManifest.literal(high))"
        } else if let branch = rule["branch"]?.firstText {
            limit = "branch: \(PortManifest.literal(branch))"
        } else if let exact = rule["exact"]?.firstText {
            limit = "exact: \(PortManifest.literal(exact))"
        } else if let revision = rule["revision"]?.firstText {
            limit = "revision: \(PortManifest.literal(revision))"
        } else {
            return nil
        }
        return PortPackage(
            requirement: "url: \(PortManifest.literal(url)), \(limit)",
            identity: remote["identity"]?.text ?? PortPackage.identity(url))
    }
}
