import Foundation

/// An Xcode project, read from its `project.pbxproj` without Xcode: its targets, their files, and the packages that
/// they need.
struct XcodeProject {
    private let folder: URL
    private let name: String
    private let objects: [String: [String: Any]]
    private let root: [String: Any]
    /// Descriptions of the IDs that several objects of the file have.
    private let duplicates: [String]
    /// The paths of files and groups, relative to the folder of the project.
    private var paths: [String: String] = [:]
    /// The paths of the packages in folders, sorted.
    private var localPackages: [String] = []

    init(file: URL) throws {
        folder = file.deletingLastPathComponent()
        name = file.deletingPathExtension().lastPathComponent
        let text = file.appendingPathComponent("project.pbxproj")
        let data: Data
        do {
            data = try Data(contentsOf: text)
        } catch { throw ToolFailure(.failed, "Can't read “\(text.path)”. Check the path and its permissions.") }
        let list = try? PropertyListSerialization.propertyList(from: data, options: [], format: nil) as? [String: Any]
        guard let list, let all = list["objects"] as? [String: Any], let rootID = list["rootObject"] as? String,
            let root = all[rootID] as? [String: Any]
        else {
            throw ToolFailure(
                .failed, "Can't read “\(text.path)”: it is not an Xcode project file. Open it in Xcode and save it.")
        }
        objects = all.compactMapValues { $0 as? [String: Any] }
        self.root = root
        duplicates = Self.duplicates(in: String(decoding: data, as: UTF8.self))
        if let main = root["mainGroup"] as? String { addPaths(main, in: "", depth: 0) }
        localPackages = packageFolders()
    }

    private func list(_ object: [String: Any], _ key: String) -> [String] { object[key] as? [String] ?? [] }
    private func objects(_ object: [String: Any], _ key: String) -> [[String: Any]] {
        list(object, key).compactMap { objects[$0] }
    }

    private mutating func addPaths(_ id: String, in parentPath: String, depth: Int) {
        // The limit ends the recursion for a group that contains itself.
        guard depth < 64, paths[id] == nil, let object = objects[id] else { return }
        let own = object["path"] as? String ?? ""
        let start = object["sourceTree"] as? String == "SOURCE_ROOT" ? "" : parentPath
        let path = start.isEmpty || own.isEmpty ? start + own : start + "/" + own
        paths[id] = path
        for child in list(object, "children") { addPaths(child, in: path, depth: depth + 1) }
    }

    func project() throws -> PortProject {
        var project = PortProject(kind: .xcode, name: PortTarget.moduleName(name), folder: folder, targets: [])
        var names: [String: String] = [:]
        let targets = list(root, "targets").compactMap { id in objects[id].map { (id: id, object: $0) } }
        for (id, object) in targets { names[id] = PortTarget.moduleName(object["name"] as? String ?? "") }
        for (id, object) in targets {
            let type = (object["productType"] as? String ?? "").replacingOccurrences(
                of: "com.apple.product-type.", with: "")
            let isApp = type == "application" || type == "tool"
            guard isApp || type.hasPrefix("framework") || type.hasPrefix("library") else {
                let kind = type.isEmpty ? "target without a product" : type
                project.leftOut.append("\(names[id] ?? ""): a \(kind) is not compiled on Linux")
                continue
            }
            var target = PortTarget(name: names[id] ?? "", isApp: isApp)
            (target.sources, target.resources) = files(of: object, id)
            target.unresolved = unresolvedEntries(of: object)
            target.targets = objects(object, "dependencies").compactMap {
                ($0["target"] as? String).flatMap { names[$0] }
            }
            target.products = objects(object, "packageProductDependencies").compactMap(product)
            let settings = XcodeSettings(
                settings(of: object), target: object["name"] as? String ?? "", folder: folder)
            if isApp { target.info = settings.info }
            target.isSwift6 = (settings["SWIFT_VERSION"] ?? "").hasPrefix("6")
            target.isMainActorByDefault = settings["SWIFT_DEFAULT_ACTOR_ISOLATION"] == "MainActor"
            target.hasAssetNames = settings["ASSETCATALOG_COMPILER_GENERATE_ASSET_SYMBOLS"] != "NO"
            target.hasAssetMembers =
                settings["ASSETCATALOG_COMPILER_GENERATE_SWIFT_ASSET_SYMBOL_EXTENSIONS"] == "YES"
            project.targets.append(target)
        }
        project.packages = packages
        project.leftOut += duplicates
        if let region = root["developmentRegion"] as? String, !region.isEmpty { project.defaultLocalization = region }
        return project
    }

    /// Returns descriptions of the IDs that several objects have. A property list keeps only one object of them.
    private static func duplicates(in text: String) -> [String] {
        var names: [Substring: [Substring]] = [:]
        let lines = text.split(whereSeparator: \.isNewline).map { $0.drop { $0.isWhitespace } }
        for (index, line) in lines.enumerated() {
            // An object begins with its kind, in the same line or in the next. Settings by ID have no kind.
            guard let begin = line.range(of: "= {") else { continue }
            let after = line[begin.upperBound...].drop { $0.isWhitespace }
            let rest = after.isEmpty && index + 1 < lines.count ? lines[index + 1] : after
            guard rest.hasPrefix("isa ") else { continue }
            let id = line.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            let comment = line[..<begin.lowerBound].components(separatedBy: "/*").dropFirst().first
            let name = comment?.components(separatedBy: "*/").first ?? ""
            names[id, default: []].append(Substring(name.trimmingCharacters(in: .whitespaces)))
        }
        return names.filter { $0.value.count > 1 }.map { id, all in
            let named = all.filter { !$0.isEmpty }.joined(separator: ", ")
            let list = named.isEmpty ? "" : " (\(named))"
            return "objects of the project file: \(all.count) of them have the ID \(id)\(list), so that only one is"
                + " read; remove their files in Xcode and add them again"
        }.sorted()
    }

    // MARK: files

    private func files(of target: [String: Any], _ id: String) -> (sources: [String], resources: [String]) {
        var sources: Set<String> = []
        var resources: Set<String> = []
        for phase in objects(target, "buildPhases") {
            let kind = phase["isa"] as? String
            guard kind == "PBXSourcesBuildPhase" || kind == "PBXResourcesBuildPhase" else { continue }
            for file in objects(phase, "files") {
                guard let reference = file["fileRef"] as? String else { continue }
                // If a file has translations, the reference is a group that contains them.
                let ids = [reference] + list(objects[reference] ?? [:], "children")
                for path in ids.compactMap({ paths[$0] }) where exists(path) {
                    if kind == "PBXSourcesBuildPhase" {
                        if path.hasSuffix(".swift") { sources.insert(path) }
                    } else if PortFolder.isResource((path as NSString).lastPathComponent) {
                        resources.insert(lprojFolder(path))
                    }
                }
            }
        }
        for folderID in list(target, "fileSystemSynchronizedGroups") {
            guard let group = objects[folderID], let path = paths[folderID] else { continue }
            let exceptions = objects(group, "exceptions").filter { ($0["target"] as? String).map { $0 == id } ?? true }
            let excluded = Set(exceptions.flatMap { list($0, "membershipExceptions") }.map { path + "/" + $0 })
            let all = PortFolder.files(in: folder, below: path)
            let isIn = { (file: String) in !excluded.contains { file == $0 || file.hasPrefix($0 + "/") } }
            sources.formUnion(all.sources.filter(isIn))
            resources.formUnion(all.resources.filter(isIn))
        }
        return (sources.sorted(), resources.sorted())
    }

    /// Returns descriptions of the entries of a target that refer to no file: a file that was moved or removed, or an
    /// ID without an object.
    private func unresolvedEntries(of target: [String: Any]) -> [String] {
        var result: Set<String> = []
        for phase in objects(target, "buildPhases") {
            let kind = phase["isa"] as? String
            guard kind == "PBXSourcesBuildPhase" || kind == "PBXResourcesBuildPhase" else { continue }
            for entry in list(phase, "files") {
                guard let file = objects[entry] else {
                    result.insert("the entry \(entry): the project file has no object with this ID")
                    continue
                }
                // An entry without a reference is a product of a package.
                guard let reference = file["fileRef"] as? String else { continue }
                guard let object = objects[reference] else {
                    result.insert("the entry \(entry): the project file has no file with the ID \(reference)")
                    continue
                }
                let children = list(object, "children")
                for id in children.isEmpty ? [reference] : children {
                    guard let object = objects[id], let name = (object["path"] ?? object["name"]) as? String,
                        kind == "PBXSourcesBuildPhase" ? name.hasSuffix(".swift") : PortFolder.isResource(name)
                    else { continue }
                    if let path = paths[id] {
                        if !exists(path) { result.insert("“\(path)”: there is no such file") }
                    } else {
                        result.insert("“\(name)”: no group of the project contains this file")
                    }
                }
            }
        }
        return result.sorted()
    }

    private func lprojFolder(_ path: String) -> String {
        let parentPath = (path as NSString).deletingLastPathComponent
        return parentPath.hasSuffix(".lproj") ? parentPath : path
    }

    private func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent(path).path)
    }

    // MARK: settings and packages

    /// Returns the settings of the default configuration. The target's settings replace those of the project.
    private func settings(of target: [String: Any]) -> [String: String] {
        var result: [String: String] = [:]
        for owner in [root, target] {
            guard let id = owner["buildConfigurationList"] as? String, let list = objects[id] else { continue }
            let wanted = list["defaultConfigurationName"] as? String
            let all = objects(list, "buildConfigurations")
            guard let chosen = all.first(where: { $0["name"] as? String == wanted }) ?? all.last else { continue }
            for (key, value) in chosen["buildSettings"] as? [String: Any] ?? [:] { result[key] = value as? String }
        }
        return result
    }

    /// The packages that the project depends on: on servers, and in folders.
    private var packages: [PortPackage] {
        let remote = objects(root, "packageReferences").filter { $0["relativePath"] == nil }.compactMap(package)
        return remote + localPackages.map(package(at:))
    }

    /// Returns the folders of the packages that the project file lists. Like Xcode, adds every folder with a package
    /// that the project shows among its files.
    private func packageFolders() -> [String] {
        let listed = objects(root, "packageReferences").compactMap { $0["relativePath"] as? String }
        let shown = paths.filter { objects[$0.key]?["isa"] as? String == "PBXFileReference" }.values
        return Set(listed + shown.filter { !$0.isEmpty && exists($0 + "/Package.swift") }).sorted()
    }

    private func product(_ dependency: [String: Any]) -> PortProduct? {
        guard let product = dependency["productName"] as? String else { return nil }
        if let package = (dependency["package"] as? String).flatMap({ objects[$0] }).flatMap(package) {
            return PortProduct(name: product, package: package.identity)
        }
        // The project file does not say which package in a folder has the product.
        let path = localPackages.first { path in
            let manifest = folder.appendingPathComponent(path + "/Package.swift")
            return (try? String(contentsOf: manifest, encoding: .utf8))?.contains(PortManifest.literal(product)) == true
        }
        return path.map { PortProduct(name: product, package: package(at: $0).identity) }
    }

    private func package(at path: String) -> PortPackage {
        PortPackage(
            requirement: "path: \(PortManifest.literal(path))",
            identity: folder.appendingPathComponent(path).standardizedFileURL.lastPathComponent)
    }

    private func package(_ reference: [String: Any]) -> PortPackage? {
        if let path = reference["relativePath"] as? String { return package(at: path) }
        guard let url = reference["repositoryURL"] as? String else { return nil }
        let rule = reference["requirement"] as? [String: String] ?? [:]
        let version = PortManifest.literal(rule["minimumVersion"] ?? rule["version"] ?? "0.0.1")
        let limit: String
        switch rule["kind"] {
        case "branch": limit = "branch: \(PortManifest.literal(rule["branch"] ?? "main"))"
        case "revision": limit = "revision: \(PortManifest.literal(rule["revision"] ?? ""))"
        case "exactVersion": limit = "exact: \(version)"
        case "upToNextMinorVersion": limit = ".upToNextMinor(from: \(version))"
        case "versionRange":
            limit = "\(version)..<\(PortManifest.literal(rule["maximumVersion"] ?? rule["minimumVersion"] ?? "1.0.0"))"
        default: limit = "from: \(version)"
        }
        return PortPackage(
            requirement: "url: \(PortManifest.literal(url)), \(limit)", identity: PortPackage.identity(url))
    }
}

extension PortPackage {
    /// Returns the name that SwiftPM gives the package at a URL.
    static func identity(_ url: String) -> String {
        let last = url.split(separator: "/").last.map(String.init) ?? url
        return (last.hasSuffix(".git") ? String(last.dropLast(4)) : last).lowercased()
    }
}
