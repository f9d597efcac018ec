import Foundation

/// A preview of this program, and the names by which it can be requested.
struct KnownPreview {
    /// The names. The first one is listed, and is the title of the window.
    let names: [String]
    /// The name with its module or file, which distinguishes previews with the same name.
    let fullName: String
    let view: @MainActor () throws -> AnyView
}

/// The previews of this program.
@MainActor
enum PreviewCatalog {
    static func all() -> [KnownPreview] {
        (providers() + registered()).sorted { ($0.fullName, $0.names[0]) < ($1.fullName, $1.names[0]) }
    }

    private static func providers() -> [KnownPreview] {
        ConformanceRecords.types(conformingTo: (any PreviewProvider).self).compactMap { type in
            (type as? any PreviewProvider.Type).map { known($0) }
        }
    }

    private static func known<P: PreviewProvider>(_ type: P.Type) -> KnownPreview {
        let name = String(describing: type)
        var short = name
        for ending in ["_Previews", "_Preview", "Previews", "Preview"]
        where name.hasSuffix(ending) && name.count > ending.count {
            short = String(name.dropLast(ending.count))
            break
        }
        return KnownPreview(names: [name, short], fullName: qualified(type)) {
            AnyView(VStack(spacing: 16) { type.previews })
        }
    }

    /// Returns `Module.Outer.Type`. The address in memory that a private type's name contains is removed.
    private static func qualified(_ type: Any.Type) -> String {
        String(reflecting: type).replacing(#/\(unknown context at \$[0-9a-f]+\)\./#, with: "")
    }

    private static func registered() -> [KnownPreview] {
        ConformanceRecords.types(conformingTo: (any PreviewRegistry).self).compactMap { type in
            guard let registry = type as? any PreviewRegistry.Type else { return nil }
            let location = "\(registry.fileID):\(registry.line)"
            let file = registry.fileID.split(separator: "/").last.map(String.init) ?? registry.fileID
            // Reading the name creates only a closure. The view is created when it is shown.
            let name = (try? registry.makePreview())?.name
            return KnownPreview(
                names: [name, "\(file):\(registry.line)", file.hasSuffix(".swift") ? String(file.dropLast(6)) : file]
                    .compactMap { $0 }, fullName: location
            ) {
                try registry.makePreview().view
            }
        }
    }

    /// An error that explains why a preview can't be shown.
    struct NotFound: Error, Equatable { let description: String }

    /// Returns the preview called `name`. Full names are compared first, then main names, other names, and names that
    /// differ in case.
    /// - Throws: `NotFound` if no preview, or more than one, has that name.
    static func find(_ name: String, in all: [KnownPreview]) throws(NotFound) -> KnownPreview {
        let matchers: [(KnownPreview) -> Bool] = [
            { $0.fullName == name }, { $0.names[0] == name }, { $0.names.contains(name) },
            { $0.names.contains { $0.caseInsensitiveCompare(name) == .orderedSame } },
        ]
        for matches in matchers {
            let found = all.filter(matches)
            if let preview = found.first, found.count == 1 { return preview }
            if !found.isEmpty {
                throw NotFound(description: "Several previews are called “\(name)”:\n\(list(found, full: true))")
            }
        }
        throw NotFound(
            description: all.isEmpty ? none : "No preview is called “\(name)”. Available previews:\n\(list(all))")
    }

    static let none =
        "This program has no previews. Add a #Preview or a PreviewProvider, and use a debug build: a release build may omit unused types."

    /// Returns the names, one per line.
    static func list(_ all: [KnownPreview], full: Bool = false) -> String {
        all.map {
            full ? "  \($0.fullName)" : "  \($0.names[0])\($0.names[0] == $0.fullName ? "" : "  (\($0.fullName))")"
        }.joined(separator: "\n")
    }
}
