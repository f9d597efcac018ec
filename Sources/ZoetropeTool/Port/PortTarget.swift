import Foundation

/// An app or a library whose sources are compiled on Linux.
struct PortTarget {
    var name: String
    var isApp: Bool
    /// The paths of the Swift files, relative to the project's folder, sorted.
    var sources: [String] = []
    /// The paths of files and folders that the app reads while it runs, relative to the project's folder, sorted.
    var resources: [String] = []
    /// The entries of the app's Info.plist. Only Xcode projects have them.
    var info: [String: Any] = [:]
    /// The entries of the project file that refer to no file, with the reasons.
    var unresolved: [String] = []
    /// The names of the project's other targets that this target needs.
    var targets: [String] = []
    var products: [PortProduct] = []
    var isSwift6 = false
    /// Whether declarations without an actor are isolated to the main actor by default.
    var isMainActorByDefault = false
    /// Whether Xcode generates names for the assets of the target's catalogs, and also as members of `Color`, `UIColor`
    /// and `UIImage`.
    var hasAssetNames = true, hasAssetMembers = false

    /// Returns `name` as a valid name of a Swift module.
    static func moduleName(_ name: String) -> String {
        let result = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        return result.first?.isNumber == true ? "_" + result : result.isEmpty ? "App" : result
    }

    /// The deepest folder that contains all files of the target; empty for the project's own folder.
    var folder: String {
        var common = Array(sources.first?.split(separator: "/").dropLast() ?? [])
        for file in sources + resources {
            let parts = file.split(separator: "/").dropLast()
            common = Array(common.prefix(zip(common, parts).prefix { $0 == $1 }.count))
        }
        return common.joined(separator: "/")
    }
}

/// A product of another package.
struct PortProduct: Hashable {
    var name: String
    /// The identity by which manifests refer to the package.
    var package: String
}

/// A package that a project depends on.
struct PortPackage: Hashable {
    /// The part of `.package(…)` in parentheses.
    var requirement: String
    var identity: String
}

/// The targets and packages of a folder that is ported.
struct PortProject {
    enum Kind: String {
        case package = "the package", xcode = "the Xcode project", folder = "the Swift files"
    }
    var kind: Kind
    var name: String
    /// The folder of the project.
    var folder: URL
    var targets: [PortTarget]
    var packages: [PortPackage] = []
    /// The language of the texts in the sources. SwiftPM requires one if a target has translations.
    var defaultLocalization = "en"
    /// The targets and files that are not compiled, with the reasons.
    var leftOut: [String] = []

    /// The file that `zoetrope port` writes. A package keeps its own manifest; Swift 6.2 and later use this file
    /// instead.
    var manifest: URL {
        folder.appendingPathComponent(kind == .package ? "Package@swift-6.2.swift" : "Package.swift")
    }
}
