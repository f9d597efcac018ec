import Foundation

/// The names of the images and colors in asset catalogs, as Xcode generates them for Swift.
struct AssetSymbols {
    /// The names in one folder that provides a namespace.
    struct Names {
        /// The assets by their Swift name: the name in the catalog.
        var assets: [String: String] = [:]
        var namespaces: [String: Names] = [:]
        var isEmpty: Bool { assets.isEmpty && namespaces.values.allSatisfy(\.isEmpty) }
    }
    private(set) var images = Names()
    private(set) var colors = Names()
    var isEmpty: Bool { images.isEmpty && colors.isEmpty }

    /// - Parameter catalogs: Folders with the extension `xcassets`.
    init(_ catalogs: [URL]) {
        for catalog in catalogs { read(catalog, [], depth: 0) }
    }

    private mutating func read(_ folder: URL, _ namespaces: [String], depth: Int) {
        guard depth < 16 else { return }
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.sorted() ?? [] {
            let file = folder.appendingPathComponent(name)
            let base = (name as NSString).deletingPathExtension
            switch (name as NSString).pathExtension {
            case "colorset": Self.add(base, "Color", namespaces[...], &colors, namespaces)
            case "imageset", "symbolset": Self.add(base, "Image", namespaces[...], &images, namespaces)
            case "":
                var isFolder: ObjCBool = false
                guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder), isFolder.boolValue
                else { continue }
                read(file, Self.isNamespace(file) ? namespaces + [name] : namespaces, depth: depth + 1)
            default: continue
            }
        }
    }

    private static func add(
        _ name: String, _ kind: String, _ rest: ArraySlice<String>, _ names: inout Names, _ all: [String]
    ) {
        guard let first = rest.first else {
            guard let swiftName = Self.swiftName(name, of: kind) else { return }
            if names.assets[swiftName] == nil { names.assets[swiftName] = (all + [name]).joined(separator: "/") }
            return
        }
        guard let typeName = Self.typeName(first) else { return }
        add(name, kind, rest.dropFirst(), &names.namespaces[typeName, default: Names()], all)
    }

    private static func isNamespace(_ folder: URL) -> Bool {
        struct Contents: Decodable {
            struct Properties: Decodable {
                var isNamespace: Bool?
                enum CodingKeys: String, CodingKey { case isNamespace = "provides-namespace" }
            }
            var properties: Properties?
        }
        guard let data = FileManager.default.contents(atPath: folder.appendingPathComponent("Contents.json").path)
        else { return false }
        return (try? JSONDecoder().decode(Contents.self, from: data))?.properties?.isNamespace == true
    }

    // MARK: Names

    /// Returns the name of an asset in Swift: `playCustom` for `play.custom`, `accent` for the color `AccentColor`.
    ///
    /// - Parameter kind: “Color” or “Image”. Xcode removes the kind from the end of a name.
    /// - Returns: Nil if the name has no letter and no digit.
    private static func swiftName(_ name: String, of kind: String) -> String? {
        let words = Self.words(name)
        var result = words.first.map(lowercasedStart) ?? ""
        for word in words.dropFirst() { result += capitalized(word) }
        if result.hasSuffix(kind), result.count > kind.count { result.removeLast(kind.count) }
        return identifier(result)
    }
    /// Returns the name of a folder as the name of a type in Swift, or nil if it has no letter and no digit.
    private static func typeName(_ name: String) -> String? { identifier(words(name).map(capitalized).joined()) }
    /// Returns letters and digits as an identifier, or nil if there are none.
    private static func identifier(_ text: String) -> String? {
        text.first.map { $0.isNumber ? "_" + text : text }
    }
    private static func words(_ name: String) -> [Substring] { name.split { !$0.isLetter && !$0.isNumber } }

    private static func capitalized(_ word: Substring) -> String { "\(word.prefix(1).uppercased())\(word.dropFirst())" }
    /// Returns a word with a lower-case start: `tvIcon` for `TVIcon`.
    private static func lowercasedStart(_ word: Substring) -> String {
        let capitals = word.prefix { $0.isUppercase }.count
        let count = capitals > 1 && capitals < word.count ? capitals - 1 : capitals
        return "\(word.prefix(count).lowercased())\(word.dropFirst(count))"
    }

    // MARK: Source

    /// Returns the declarations of the names.
    ///
    /// - Parameters:
    ///   - modules: The modules that the target imports.
    ///   - hasMembers: Whether the assets without a namespace are also members of `Color`, `UIColor` and `UIImage`.
    func source(modules: Set<String>, hasMembers: Bool) -> String {
        var parts: [String] = []
        for (type, names) in [("ColorResource", colors), ("ImageResource", images)] where !names.isEmpty {
            parts.append("extension \(type) {\n\(Self.declarations(names, type, indent: "    "))}\n")
        }
        guard hasMembers else { return parts.joined(separator: "\n") }
        let colorNames = colors.assets.keys.sorted().filter { !Self.systemColors.contains($0) }
        if modules.contains("SwiftUI") {
            parts += Self.members("Color", colorNames) { "Color(ColorResource.\($0))" }
            parts += Self.members(
                "ShapeStyle where Self == Color", colorNames.filter { !Self.systemStyles.contains($0) },
                type: "Color"
            ) { "Color(ColorResource.\($0))" }
        }
        if modules.contains("UIKit") {
            parts += Self.members("UIColor", colorNames) {
                "UIColor(resource: ColorResource.\($0))"
            }
            parts += Self.members("UIImage", images.assets.keys.sorted()) {
                "UIImage(resource: ImageResource.\($0))"
            }
        }
        return parts.joined(separator: "\n")
    }

    private static func declarations(_ names: Names, _ type: String, indent: String) -> String {
        var text = ""
        for (name, asset) in names.assets.sorted(by: { $0.key < $1.key }) {
            let literal = PortManifest.literal(asset)
            text += "\(indent)static let \(quoted(name)) = \(type)(name: \(literal), bundle: .main)\n"
        }
        for (name, inner) in names.namespaces.sorted(by: { $0.key < $1.key }) where !inner.isEmpty {
            // Swift has no two members with the same name, and the type must keep its name inside the namespace.
            guard names.assets[name] == nil, name != type else { continue }
            text += "\(indent)enum \(quoted(name)) {\n"
            text += declarations(inner, type, indent: indent + "    ") + "\(indent)}\n"
        }
        return text
    }

    private static func members(
        _ extended: String, _ names: [String], type: String? = nil, _ value: (String) -> String
    ) -> [String] {
        guard !names.isEmpty else { return [] }
        let lines = names.map { "    static var \(quoted($0)): \(type ?? extended) { \(value(quoted($0))) }\n" }
        return ["extension \(extended) {\n\(lines.joined())}\n"]
    }

    private static func quoted(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    /// The words that are names in Swift only between backticks.
    private static let keywords: Set<String> = [
        "Any", "Protocol", "any", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default",
        "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func",
        "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup",
        "private",
        "protocol", "public", "repeat", "rethrows", "return", "self", "Self", "static", "struct", "subscript", "super",
        "switch", "throw", "throws", "true", "try", "Type", "typealias", "var", "where", "while",
    ]
    /// The members of `Color` and `UIColor` that exist already. Xcode generates no member for a color with such a name.
    private static let systemColors: Set<String> = [
        "accentColor", "black", "blue", "brown", "clear", "cyan", "darkGray", "gray", "green", "indigo", "label",
        "lightGray", "link", "magenta", "mint", "orange", "pink", "primary", "purple", "red", "secondary", "separator",
        "teal", "white", "yellow",
    ]
    /// The other styles that `ShapeStyle` has already.
    private static let systemStyles: Set<String> = [
        "background", "fill", "foreground", "link", "placeholder", "quaternary", "quinary", "selection", "separator",
        "tertiary", "tint", "windowBackground",
    ]
}
