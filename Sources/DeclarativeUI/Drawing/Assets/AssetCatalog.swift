import Foundation
import Synchronization

/// The colours and pictures of a folder as Xcode makes them (`Assets.xcassets`), read from their `Contents.json`.
///
/// Of each colour there is one for the light and one for the dark appearance, of each picture a file for these and for
/// one to three pixels a point. What is said for one kind of device only is taken where nothing is said for all.
/// Folders that name a space stand before the name: "Icons/Play".
struct AssetCatalog: Sendable {
    struct ColorSet: Sendable {
        var light: Color.Components
        var dark: Color.Components
    }
    struct Picture: Sendable {
        var path: String
        /// Pixels a point.
        var scale: CGFloat
        /// Nil: for both appearances.
        var isDark: Bool?
        /// It is drawn in the foreground's style.
        var isTemplate: Bool
    }
    private(set) var colors: [String: ColorSet] = [:]
    private(set) var pictures: [String: [Picture]] = [:]

    init(folder: String) { read(folder, prefix: "", depth: 0) }

    // MARK: looking up

    /// By the folder they were found in; an app's resources do not change while it runs.
    private static let known = Mutex<[String: [AssetCatalog]]>([:])

    static func all(_ bundle: Bundle?) -> [AssetCatalog] { ResourceLookup.folders(bundle).flatMap { within($0) } }

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

    /// The file that fits best: of the appearance, then of the scale, then a larger one.
    static func picture(_ name: String, _ bundle: Bundle?, isDark: Bool, scale: CGFloat) -> Picture? {
        guard let all = all(bundle).lazy.compactMap({ $0.pictures[name] }).first else { return nil }
        let own = all.filter { $0.isDark == isDark }
        let fitting = own.isEmpty ? all.filter { $0.isDark == nil } : own
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
            /// Nil: for both. What is for high contrast or the like is none of ours.
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

    /// "0xFF" and "255" of 255, "1.000" of 1; or a number of 1.
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

    /// Those for every device, else those for any.
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
    /// A colour of the app's asset catalogue (a `.xcassets` folder copied as a resource), light and dark. One that is
    /// not there is magenta, and a line in the log says so.
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
    /// Those that were told of.
    private static let missing = Mutex<Set<String>>([])
}
