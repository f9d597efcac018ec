import Foundation
import MediaCore

/// A resolver that returns the URL for the name of a source.
///
/// ```swift
/// do {
///     let url = try SourceResolver().url(for: "intro", ext: "webm")
///     player.replaceCurrentItem(with: AVPlayerItem(url: url))
/// } catch {
///     print(error.localizedDescription)
/// }
/// ```
/// - `http://…`, `https://…`: the URL itself.
/// - `file://…`, `/…`, `~…`, `./…`, `../…`: that file. Relative paths start at the working directory.
/// - Any other name: a resource. The resolver searches the app's main bundle, every `*.resources` and `*.bundle` folder
///   beside the executable (where SwiftPM puts a target's resources), and the working directory.
///
/// A name with an extension is first tried as it is. Then every name is tried with the extension of `Ext`, with `mp4`
/// and as it is. Each form is tried in all folders before the next form.
public struct SourceResolver: Sendable {
    /// The folders with resources, in the order in which they are searched.
    private let resourceFolders: @Sendable () -> [URL]
    private let workingFolder: @Sendable () -> URL

    /// Creates a resolver for the app's own resources.
    public init() {
        self.init(resourceFolders: SourceResolver.appFolders) {
            URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
        }
    }

    init(resourceFolders: @escaping @Sendable () -> [URL], workingFolder: @escaping @Sendable () -> URL) {
        self.resourceFolders = resourceFolders
        self.workingFolder = workingFolder
    }

    /// Returns the URL of the source with a name. The method reads directories, but not the file.
    /// - Parameters:
    ///   - name: The name of the source. White space around it is removed.
    ///   - ext: The extension of a name that has none, with or without its dot.
    /// - Returns: The URL of a file that exists, or a remote URL.
    /// - Throws: `VPErrors.sourceNotFound(_:)` if there is no such file, or if the URL is not valid.
    public func url(for name: String, ext: String = VideoSettings.defaultExt) throws(VPErrors) -> URL {
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
        if SourceResolver.isRemote(name) {
            guard let url = SourceResolver.remoteURL(name) else { throw .sourceNotFound(name) }
            return url
        }
        guard !name.isEmpty else { throw .sourceNotFound(name) }
        let candidates = candidates(for: name).map(\.path)
        // The form of the name is tried before the folder, so that a program with the name of its video does not hide
        // the video.
        for suffix in SourceResolver.suffixes(for: name, ext: ext) {
            if let path = candidates.map({ $0 + suffix }).first(where: SourceResolver.isFile) {
                return URL(fileURLWithPath: path)
            }
        }
        throw .sourceNotFound(name)
    }

    /// Returns the URL of a subtitle file.
    ///
    /// The rules are those of `url(for:ext:)`, but the name is tried as it is first, then with `vtt`, `srt`, `ass` and
    /// `ssa`.
    /// - Parameter name: The name of the file. White space around it is removed.
    /// - Returns: The URL of a file that exists, or a remote URL; nil if there is none.
    public func subtitlesURL(for name: String) -> URL? {
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
        if SourceResolver.isRemote(name) { return SourceResolver.remoteURL(name) }
        guard !name.isEmpty else { return nil }
        let candidates = candidates(for: name).map(\.path)
        for suffix in ["", ".vtt", ".srt", ".ass", ".ssa"] {
            if let path = candidates.map({ $0 + suffix }).first(where: SourceResolver.isFile) {
                return URL(fileURLWithPath: path)
            }
        }
        return nil
    }

    private static func isRemote(_ name: String) -> Bool {
        let lower = name.lowercased()
        return lower.hasPrefix("http://") || lower.hasPrefix("https://")
    }

    /// Returns the URL of a remote source; nil if it is not valid or has no host.
    private static func remoteURL(_ name: String) -> URL? {
        URL(lenient: name).flatMap { $0.host?.isEmpty == false ? $0 : nil }
    }

    /// Returns the paths at which a file with this name may exist.
    private func candidates(for name: String) -> [URL] {
        if name.lowercased().hasPrefix("file:") { return URL(lenient: name).map { [$0] } ?? [] }
        if name.hasPrefix("~") { return [URL(fileURLWithPath: (name as NSString).expandingTildeInPath)] }
        if name.hasPrefix("/") { return [URL(fileURLWithPath: name)] }
        let inWorkingFolder = workingFolder().appendingPathComponent(name).standardizedFileURL
        if name.hasPrefix("./") || name.hasPrefix("../") { return [inWorkingFolder] }
        return resourceFolders().map { $0.appendingPathComponent(name) } + [inWorkingFolder]
    }

    /// Returns the suffixes to append to a path, in the order in which they are tried.
    static func suffixes(for name: String, ext: String) -> [String] {
        let given = ext.hasPrefix(".") ? String(ext.dropFirst()) : ext
        var all = (name as NSString).pathExtension.isEmpty ? [] : [""]
        for candidate in [given, VideoSettings.defaultExt] where !candidate.isEmpty { all.append("." + candidate) }
        return all + [""]
    }

    private static func isFile(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
    }

    /// Returns the folders of the main bundle, then those of the bundles beside the executable, sorted by name.
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

    /// Returns the resource folders of every `*.resources` and `*.bundle` in `folder`, sorted by name.
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
