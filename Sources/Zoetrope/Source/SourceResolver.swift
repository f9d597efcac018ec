import Foundation
import MediaCore

/// Finds what a source's name stands for.
///
/// - `http://…`, `https://…`: the URL, untouched.
/// - `file://…`, `/…`, `~…`, `./…`, `../…`: that file; relative paths are from the working directory.
/// - anything else: a resource. Looked for in the app's main bundle, in every `*.resources` and `*.bundle`
///   folder beside the executable (where SwiftPM puts a target's resources), and in the working directory.
///
/// A file is looked for under its own name if that has an extension, then with `Ext`, then with `mp4`, at last
/// as it stands; each in all these places before the next.
public struct SourceResolver: Sendable {
    /// Folders where resources lie, in the order they are looked through.
    private let resourceFolders: @Sendable () -> [URL]
    private let workingFolder: @Sendable () -> URL

    /// The app's own resources.
    public init() {
        self.init(resourceFolders: SourceResolver.appFolders) {
            URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
        }
    }

    init(resourceFolders: @escaping @Sendable () -> [URL], workingFolder: @escaping @Sendable () -> URL) {
        self.resourceFolders = resourceFolders
        self.workingFolder = workingFolder
    }

    /// The URL of the source called `name`. Reads directories, not the file.
    /// - Parameter ext: the extension of a name that has none, with or without its dot.
    /// - Throws: `sourceNotFound(name)`.
    public func url(for name: String, ext: String = VideoSettings.defaultExt) throws(VPErrors) -> URL {
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
        let lower = name.lowercased()
        if lower.hasPrefix("http://") || lower.hasPrefix("https://") {
            guard let url = URL(lenient: name), url.host?.isEmpty == false else { throw .sourceNotFound(name) }
            return url
        }
        guard !name.isEmpty else { throw .sourceNotFound(name) }
        let places = places(for: name).map(\.path)
        // A program called as its video must not hide it: the spelling decides first, then the place.
        for suffix in SourceResolver.suffixes(for: name, ext: ext) {
            if let path = places.map({ $0 + suffix }).first(where: SourceResolver.isFile) {
                return URL(fileURLWithPath: path)
            }
        }
        throw .sourceNotFound(name)
    }

    /// The URL of a file of subtitles; nil when there is none. As `url(for:)`, with the extensions subtitles have.
    public func subtitlesURL(for name: String) -> URL? {
        let lower = name.lowercased()
        if lower.hasPrefix("http://") || lower.hasPrefix("https://") { return URL(lenient: name) }
        guard !name.isEmpty else { return nil }
        let places = places(for: name).map(\.path)
        for suffix in ["", ".vtt", ".srt", ".ass", ".ssa"] {
            if let path = places.map({ $0 + suffix }).first(where: SourceResolver.isFile) {
                return URL(fileURLWithPath: path)
            }
        }
        return nil
    }

    /// Where a file of this name may be.
    private func places(for name: String) -> [URL] {
        if name.lowercased().hasPrefix("file:") { return URL(lenient: name).map { [$0] } ?? [] }
        if name.hasPrefix("~") { return [URL(fileURLWithPath: (name as NSString).expandingTildeInPath)] }
        if name.hasPrefix("/") { return [URL(fileURLWithPath: name)] }
        let here = workingFolder().appendingPathComponent(name).standardizedFileURL
        if name.hasPrefix("./") || name.hasPrefix("../") { return [here] }
        return resourceFolders().map { $0.appendingPathComponent(name) } + [here]
    }

    /// What to put behind a path, in the order to try.
    static func suffixes(for name: String, ext: String) -> [String] {
        let given = ext.hasPrefix(".") ? String(ext.dropFirst()) : ext
        var all = (name as NSString).pathExtension.isEmpty ? [] : [""]
        for one in [given, VideoSettings.defaultExt] where !one.isEmpty { all.append("." + one) }
        return all + [""]
    }

    private static func isFile(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
    }

    /// The main bundle's folders, then those of the bundles beside the executable, by name.
    static func appFolders() -> [URL] {
        var folders = [Bundle.main.resourceURL, Bundle.main.bundleURL].compactMap { $0 }
        let executable = Bundle.main.executableURL
        for beside in Set(
            [executable, executable?.resolvingSymlinksInPath()].compactMap { $0?.deletingLastPathComponent().path }
        ).sorted() {
            folders += bundles(in: URL(fileURLWithPath: beside, isDirectory: true))
        }
        return folders
    }

    /// The folders with resources of every `*.resources` and `*.bundle` in `folder`, by name.
    static func bundles(in folder: URL) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".resources") || $0.hasSuffix(".bundle") }.sorted().flatMap { name in
            let bundle = folder.appendingPathComponent(name)
            return [
                bundle, bundle.appendingPathComponent("Resources"), bundle.appendingPathComponent("Contents/Resources"),
            ]
        }
    }
}
