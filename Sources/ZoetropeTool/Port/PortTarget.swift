import Foundation

/// An app or a library whose sources are compiled on Linux.
struct PortTarget {
    var name: String
    var isApp: Bool
    /// Relative to the project's folder; sorted.
    var sources: [String] = []
    /// Files and folders that the app reads while it runs. Relative to the project's folder; sorted.
    var resources: [String] = []
    /// Names of other targets of the project.
    var targets: [String] = []
    var products: [PortProduct] = []
    var isSwift6 = false
    /// Everything that names no actor belongs to the main actor, as the project says.
    var isMainActorByDefault = false

    /// A name that Swift takes for a module.
    static func moduleName(_ name: String) -> String {
        let result = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        return result.first?.isNumber == true ? "_" + result : result.isEmpty ? "App" : result
    }

    /// The deepest folder that has all of its files in it; empty: the project's own.
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
    /// What packages call the other one.
    var package: String
}

/// A package that a project depends on.
struct PortPackage: Hashable {
    /// The part of `.package(…)` in parentheses.
    var requirement: String
    var identity: String
}

/// What a folder has to compile.
struct PortProject {
    enum Kind: String {
        case package = "the package", xcode = "the Xcode project", folder = "the Swift files"
    }
    var kind: Kind
    var name: String
    /// The project's folder.
    var folder: URL
    var targets: [PortTarget]
    var packages: [PortPackage] = []
    /// Targets that are not compiled, with the reason.
    var leftOut: [String] = []

    /// The file that `zoetrope port` writes. A package keeps its own: Swift 6.2 and later take this one in its place.
    var manifest: URL {
        folder.appendingPathComponent(kind == .package ? "Package@swift-6.2.swift" : "Package.swift")
    }
}
