import Foundation

/// The build settings of a target in an Xcode project, with the entries of Info.plist that Xcode derives from them.
struct XcodeSettings {
    private var values: [String: String]

    /// - Parameter own: The settings in the project file. They replace the default ones.
    init(_ own: [String: String], target: String, folder: URL) {
        values = [
            "TARGET_NAME": target, "PRODUCT_NAME": target, "SRCROOT": folder.path, "PROJECT_DIR": folder.path,
        ]
        values.merge(own) { $1 }
        // The names in the package are those of the target, not of the product.
        for name in ["PRODUCT_MODULE_NAME", "EXECUTABLE_NAME"] { values[name] = PortTarget.moduleName(target) }
    }

    subscript(name: String) -> String? { values[name].map { expandedText($0) } }

    /// Whether the target is an app for iPhone or iPad only.
    var isForPhones: Bool {
        let platforms = self["SUPPORTED_PLATFORMS"]?.split(separator: " ") ?? []
        guard !platforms.isEmpty else { return self["SDKROOT"] == "iphoneos" }
        return platforms.contains("iphoneos") && !platforms.contains("macosx")
    }

    /// The entries of the app's Info.plist: those of the project's file, and those that Xcode adds.
    var info: [String: Any] {
        var result: [String: Any] = [:]
        if let path = self["INFOPLIST_FILE"], !path.isEmpty {
            let file = URL(
                fileURLWithPath: path, relativeTo: URL(fileURLWithPath: values["SRCROOT"] ?? "", isDirectory: true))
            let list = (try? Data(contentsOf: file)).flatMap {
                try? PropertyListSerialization.propertyList(from: $0, options: [], format: nil)
            }
            result = (list as? [String: Any] ?? [:]).mapValues { expanded($0) }
        }
        for (key, setting) in [
            ("CFBundleIdentifier", "PRODUCT_BUNDLE_IDENTIFIER"), ("CFBundleName", "PRODUCT_NAME"),
            ("CFBundleDisplayName", "INFOPLIST_KEY_CFBundleDisplayName"),
            ("CFBundleShortVersionString", "MARKETING_VERSION"), ("CFBundleVersion", "CURRENT_PROJECT_VERSION"),
        ] where result[key] == nil { result[key] = self[setting] }
        result["CFBundleExecutable"] = self["EXECUTABLE_NAME"]
        let orientations = "UISupportedInterfaceOrientations"
        if result[orientations] == nil {
            let key = "INFOPLIST_KEY_\(orientations)"
            result[orientations] = (self[key] ?? self["\(key)_iPhone"])?.split(separator: " ").map(String.init)
        }
        let style = "UIUserInterfaceStyle"
        if result[style] == nil { result[style] = self["INFOPLIST_KEY_\(style)"] }
        result["LSRequiresIPhoneOS"] = isForPhones ? true : nil
        return result
    }

    private func expanded(_ value: Any) -> Any {
        switch value {
        case let text as String: expandedText(text)
        case let list as [Any]: list.map { expanded($0) }
        case let entries as [String: Any]: entries.mapValues { expanded($0) }
        default: value
        }
    }

    /// Replaces references to settings, such as `$(NAME)` and `${NAME:rfc1034identifier}`. Unknown ones become empty.
    /// - Parameter names: The settings whose values contain the text. A setting that refers to itself becomes empty.
    private func expandedText(_ text: String, in names: Set<String> = []) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "$") {
            let after = rest[start...].dropFirst()
            guard let open = after.first, open == "(" || open == "{",
                let end = after.firstIndex(of: open == "(" ? ")" : "}")
            else {
                result += rest[...start]
                rest = after
                continue
            }
            let parts = after[..<end].dropFirst().split(separator: ":", omittingEmptySubsequences: false)
            let name = String(parts[0])
            var value = names.contains(name) ? "" : expandedText(values[name] ?? "", in: names.union([name]))
            if parts.dropFirst().contains(where: { $0.hasSuffix("rfc1034identifier") }) {
                value = String(value.map { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "." ? $0 : "-" })
            }
            result += rest[..<start] + value
            rest = rest[end...].dropFirst()
        }
        return result + rest
    }
}
