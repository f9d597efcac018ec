import Foundation

/// The manifest that `zoetrope port` writes.
struct PortManifest {
    private static let mark = "// Written by `zoetrope port`."

    let project: PortProject
    /// The Apple modules that each target's sources import and that Zoetrope provides, by the target's name.
    let modules: [String: Set<String>]
    /// Whether any source uses a macro of `ZoetropePreviews`: `#Preview` or `@Entry`.
    let hasPreviews: Bool
    let zoetrope: ZoetropeLocation

    /// Returns whether this command wrote the manifest, and may therefore replace it.
    static func isOurs(_ manifest: URL) -> Bool {
        guard let text = try? String(contentsOf: manifest, encoding: .utf8) else { return false }
        return text.contains(mark)
    }

    /// Returns a text as a Swift string literal.
    static func literal(_ text: String) -> String {
        var result = "\""
        for character in text.unicodeScalars {
            switch character {
            case "\"", "\\": result += "\\\(character)"
            case "\n": result += "\\n"
            default:
                result += character.value < 32 ? "\\u{\(String(character.value, radix: 16))}" : String(character)
            }
        }
        return result + "\""
    }

    private static func list(_ items: [String], indent: String) -> String {
        items.isEmpty ? "[]" : "[\n" + items.map { "\(indent)    \($0),\n" }.joined() + "\(indent)]"
    }

    var text: String {
        let packages = [zoetrope.dependency] + project.packages.map { ".package(\($0.requirement))" }
        let libraries = project.targets.filter { !$0.isApp }.map(\.name)
        var parts = [
            "name: \(Self.literal(project.name))", "defaultLocalization: \(Self.literal(project.defaultLocalization))",
        ]
        if project.kind == .package, !libraries.isEmpty {
            let products = libraries.map { ".library(name: \(Self.literal($0)), targets: [\(Self.literal($0))])" }
            parts.append("products: \(Self.list(products, indent: "    "))")
        }
        parts.append("dependencies: \(Self.list(packages, indent: "    "))")
        parts.append("targets: \(Self.list(project.targets.map(target), indent: "    "))")
        return """
            // swift-tools-version: 6.2
            \(Self.mark) The command replaces this file; remove the line above from here on to keep your changes.
            import PackageDescription

            /// Modules of Zoetrope take the place of Apple's.
            func apple(_ modules: String...) -> [String] {
                modules.flatMap { name in
                    ["-module-alias", "\\(name)=\\(name == "SwiftUI" && hasPreviews ? "SwiftUIPreviews" : name)Module"]
                }
            }
            /// Foundation brings Combine, URLSession and more, as it does on Apple's platforms.
            let foundation = ["-Xfrontend", "-import-module", "-Xfrontend", "FoundationExtras"]
            let hasPreviews = \(hasPreviews)

            let package = Package(
                \(parts.joined(separator: ",\n    ")))

            """
    }

    private func target(_ target: PortTarget) -> String {
        let indent = "            "
        var needs = target.targets.filter { name in project.targets.contains { $0.name == name } }.map(Self.literal)
        needs += (["AppleModules"] + (hasPreviews ? ["ZoetropePreviews"] : [])).map {
            ".product(name: \"\($0)\", package: \"\(zoetrope.identity)\")"
        }
        let known = Set(project.packages.map { $0.identity.lowercased() })
        needs += target.products.map { product in
            known.contains(product.package.lowercased())
                ? ".product(name: \(Self.literal(product.name)), package: \(Self.literal(product.package)))"
                : Self.literal(product.name)
        }
        let folder = target.folder
        let inside = { (path: String) in folder.isEmpty ? path : String(path.dropFirst(folder.count + 1)) }
        let resources = target.resources.map(inside)
        var settings = [".swiftLanguageMode(\(target.isSwift6 ? ".v6" : ".v5"))"]
        if target.isMainActorByDefault { settings.append(".defaultIsolation(MainActor.self)") }
        let names = (modules[target.name] ?? []).sorted().map(Self.literal).joined(separator: ", ")
        settings.append(".unsafeFlags(apple(\(names)) + foundation)")
        var parts = [
            "name: \(Self.literal(target.name))", "dependencies: \(Self.list(needs, indent: indent))",
            "path: \(Self.literal(folder.isEmpty ? "." : folder))",
            "sources: \(Self.list(target.sources.map { Self.literal(inside($0)) }, indent: indent))",
        ]
        if !resources.isEmpty {
            let copies = resources.map { ".copy(\(Self.literal($0)))" }
            parts.append("resources: \(Self.list(copies, indent: indent))")
        }
        parts.append("swiftSettings: \(Self.list(settings, indent: indent))")
        return ".\(target.isApp ? "executableTarget" : "target")(\n            "
            + parts.joined(separator: ",\n            ") + ")"
    }
}

/// The location of the package Zoetrope.
struct ZoetropeLocation {
    /// The folder of the checkout; nil if the location is a URL.
    let folder: URL?
    /// The entry for the `dependencies` of a manifest.
    let dependency: String
    let identity = "zoetrope"

    /// - Parameter text: A folder or a URL. If nil, the checkout in which this program was built is used.
    init(_ text: String?) throws(ToolFailure) {
        if let text, text.contains("://") || text.hasPrefix("git@") {
            guard PortPackage.identity(text) == identity else {
                throw ToolFailure(
                    .usage, "Invalid value “\(text)” for --zoetrope. Use a URL that ends in /zoetrope.git.")
            }
            folder = nil
            dependency = ".package(url: \(PortManifest.literal(text)), branch: \"main\")"
            return
        }
        let start = text.map { URL(fileURLWithPath: $0) } ?? Bundle.main.bundleURL.resolvingSymlinksInPath()
        var candidate = start.standardizedFileURL
        while !ZoetropeLocation.isCheckout(candidate) {
            guard text == nil, candidate.path != "/" else {
                throw ToolFailure(
                    .usage,
                    text == nil
                        ? "This program was not built in a checkout of Zoetrope. Name a checkout or its URL with --zoetrope."
                        : "Invalid value “\(text ?? "")” for --zoetrope. Use a folder with Zoetrope's Package.swift, or a URL."
                )
            }
            candidate = candidate.deletingLastPathComponent()
        }
        folder = candidate
        dependency = ".package(name: \"zoetrope\", path: \(PortManifest.literal(candidate.path)))"
    }

    private static func isCheckout(_ folder: URL) -> Bool {
        let manifest = try? String(contentsOf: folder.appendingPathComponent("Package.swift"), encoding: .utf8)
        return manifest?.contains("name: \"Zoetrope\"") == true
    }
}
