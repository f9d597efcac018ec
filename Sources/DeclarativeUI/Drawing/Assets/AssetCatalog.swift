import Foundation
import Synchronization

/// The colors and images of an Xcode asset catalog (`Assets.xcassets`), read from its `Contents.json` files.
///
/// A color has a value for light and one for dark appearance. An image has files for these, and for one to three pixels
/// per point. Entries for one kind of device are used only if there are no entries for all devices. The names of
/// folders that provide a namespace are part of the name: "Icons/Play".
struct AssetCatalog: Sendable {
    struct ColorSet: Sendable {
        var light: Color.Components
        var dark: Color.Components
    }
    struct Picture: Sendable {
        var path: String
        /// The number of pixels per point.
        var scale: CGFloat
        /// Whether the file is for dark appearance. Nil means both appearances.
        var isDark: Bool?
        /// Whether the image is drawn in the foreground style.
        var isTemplate: Bool
    }
    private(set) var colors: [String: ColorSet] = [:]
    private(set) var pictures: [String: [Picture]] = [:]

    init(folder: String) { read(folder, prefix: "", depth: 0) }

    // MARK: lookup

    /// The catalogs by their folder. An app's resources do not change while it runs.
    private static let known = Mutex<[String: [AssetCatalog]]>([:])

    static func all(_ bundle: Bundle?) -> [AssetCatalog] { ResourceLookup.folders(bundle).flatMap { within($0) } }

    /// Returns the color set for the accent color, by the name that Xcode uses, from the catalogs in `folders`. Nil if
    /// there is none, or if it has no color, as in Xcode's template for new apps.
    static func accent(in folders: [String]) -> ColorSet? {
        folders.lazy.flatMap { within($0) }.compactMap { $0.colors["AccentColor"] }.first
    }

    private static func within(_ folder: String) -> [AssetCatalog] {
        if let found = known.withLock({ $0[folder] }) { return found }
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
            $0.hasSuffix(".xcassets")
        }.sorted()
        let read = names.map { AssetCatalog(folder: "\(folder)/\($0)") }
        known.withLock { $0[folder] = read }
        return read
    }

    static func color(_ name: String, _ bundle: Bundle?) -> ColorSet? {
        all(bundle).lazy.compactMap { $0.colors[name] }.first
    }

    /// Returns the best file: first by appearance, then the smallest one with at least the requested scale.
    static func picture(_ name: String, _ bundle: Bundle?, isDark: Bool, scale: CGFloat) -> Picture? {
        guard let all = all(bundle).lazy.compactMap({ $0.pictures[name] }).first else { return nil }
        let matching = all.filter { $0.isDark == isDark }
        let fitting = matching.isEmpty ? all.filter { $0.isDark == nil } : matching
        let sorted = (fitting.isEmpty ? all : fitting).sorted { $0.scale < $1.scale }
        return sorted.first { $0.scale >= scale } ?? sorted.last
    }

    // MARK: reading

    private struct Contents: Decodable {
        struct Appearance: Decodable {
            var appearance: String?
            var value: String?
        }
        struct Value: Decodable {
            var components: [String: Number]?
            var space: String?
            enum CodingKeys: String, CodingKey {
                case components
                case space = "color-space"
            }
        }
        struct Entry: Decodable {
            var idiom: String?
            var appearances: [Appearance]?
            var color: Value?
            var filename: String?
            var scale: String?
            /// Whether the entry is for dark appearance. `.some(nil)` means both appearances. Nil means an unsupported
            /// appearance, such as high contrast.
            var isDark: Bool?? {
                let all = appearances ?? []
                guard all.allSatisfy({ $0.appearance == "luminosity" }) else { return nil }
                return .some(all.first.map { $0.value == "dark" })
            }
        }
        struct Properties: Decodable {
            var isNamespace: Bool?
            var rendering: String?
            enum CodingKeys: String, CodingKey {
                case isNamespace = "provides-namespace"
                case rendering = "template-rendering-intent"
            }
        }
        var colors: [Entry]?
        var images: [Entry]?
        var properties: Properties?
    }

    /// A component of a color as a number from 0 to 1.
    ///
    /// Texts such as "0xFF" and "255" are in the range 0…255 and are divided by 255. Texts such as "1.000" and JSON
    /// numbers are in the range 0…1.
    private struct Number: Decodable {
        let value: Double
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Double.self) {
                value = number
                return
            }
            let text = try container.decode(String.self)
            if text.hasPrefix("0x") || text.hasPrefix("0X") {
                value = Double(Int(text.dropFirst(2), radix: 16) ?? 0) / 255
            } else if text.contains(".") {
                value = Double(text) ?? 0
            } else {
                value = Double(Int(text) ?? 0) / 255
            }
        }
    }

    private mutating func read(_ folder: String, prefix: String, depth: Int) {
        guard depth < 16 else { return }
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        for name in names {
            let path = "\(folder)/\(name)"
            let base = prefix + (name as NSString).deletingPathExtension
            switch (name as NSString).pathExtension {
            case "colorset":
                if let set = AssetCatalog.contents(path).flatMap(AssetCatalog.colorSet) { colors[base] = set }
            case "imageset":
                let found = AssetCatalog.contents(path).map { AssetCatalog.pictures($0, path) } ?? []
                if !found.isEmpty { pictures[base] = found }
            case "":
                var isFolder: ObjCBool = false
                guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
                    continue
                }
                read(
                    path, prefix: AssetCatalog.contents(path)?.properties?.isNamespace == true ? "\(base)/" : prefix,
                    depth: depth + 1)
            default: continue
            }
        }
    }

    private static func contents(_ folder: String) -> Contents? {
        guard let data = FileManager.default.contents(atPath: "\(folder)/Contents.json") else { return nil }
        return try? JSONDecoder().decode(Contents.self, from: data)
    }

    /// Returns the entries for all devices. If there are no such entries, returns all entries.
    private static func universal(_ entries: [Contents.Entry]) -> [Contents.Entry] {
        let universal = entries.filter { $0.idiom == nil || $0.idiom == "universal" }
        return universal.isEmpty ? entries : universal
    }

    private static func colorSet(_ contents: Contents) -> ColorSet? {
        let entries = universal((contents.colors ?? []).filter { $0.color?.components != nil })
        let find = { (isDark: Bool?) in entries.first { $0.isDark == .some(isDark) }?.color.map(components) }
        guard let any = find(nil) ?? find(false) ?? find(true) else { return nil }
        return ColorSet(light: find(false) ?? any, dark: find(true) ?? any)
    }

    private static func components(_ value: Contents.Value) -> Color.Components {
        let parts = value.components ?? [:]
        let part = { (name: String) in parts[name].map { Color.clamped($0.value) } }
        let white = part("white") ?? 0
        let color = Color(
            value.space == "extended-linear-srgb" ? .sRGBLinear : .sRGB, red: part("red") ?? white,
            green: part("green") ?? white,
            blue: part("blue") ?? white, opacity: part("alpha") ?? 1)
        return color.resolved(dark: false, accent: nil)
    }

    private static func pictures(_ contents: Contents, _ folder: String) -> [Picture] {
        universal((contents.images ?? []).filter { $0.filename != nil }).compactMap { entry in
            guard let file = entry.filename, !file.contains("/"), let isDark = entry.isDark else { return nil }
            let path = "\(folder)/\(file)"
            guard FileManager.default.fileExists(atPath: path) else { return nil }
            let scale = entry.scale.flatMap { Double($0.dropLast()) } ?? 1
            return Picture(
                path: path, scale: scale > 0 ? scale : 1, isDark: isDark,
                isTemplate: contents.properties?.rendering == "template")
        }
    }
}

extension Color {
    /// Creates a color from the app's asset catalog (a `.xcassets` folder copied as a resource), for light and dark
    /// appearance.
    ///
    /// The search begins in `bundle`, if it is not nil. It continues in the program's resources and in the working
    /// directory. A missing color is magenta, and an error is logged once for its name.
    public init(_ name: String, bundle: Bundle? = nil) {
        if let set = AssetCatalog.color(name, bundle) {
            self.init(kind: .pair(light: set.light, dark: set.dark))
        } else {
            if Color.missing.withLock({ $0.insert(name).inserted }) {
                ViewGraph.logger.error("Color(\"\(name)\"): No asset catalog contains this color; magenta is shown.")
            }
            self.init(red: 1, green: 0, blue: 1)
        }
    }
    /// The names of missing colors that have been logged.
    private static let missing = Mutex<Set<String>>([])
}
