import Foundation
import MediaEngine
import Streaming

/// The parts of an asset that play without a network. Corresponds to Apple's class of the same name.
///
/// Each call examines the files on the disk. Any thread.
///
/// ```swift
/// if asset.assetCache?.isPlayableOffline == true {
///     Text("Available offline")
/// }
/// ```
public final class AVAssetCache: Sendable {
    private let location: URL

    fileprivate init(_ location: URL) { self.location = location }

    /// Whether all files of at least one variant, and of every audio and subtitle rendition, are on the disk. For an
    /// asset that is not a stream: whether its file exists.
    public var isPlayableOffline: Bool {
        guard location.pathExtension.lowercased() == "m3u8" else {
            return FileManager.default.fileExists(atPath: location.path)
        }
        guard let playlist = AVAssetCache.multivariant(location), !playlist.variants.isEmpty else { return false }
        return playlist.variants.compactMap(\.url).contains(where: AVAssetCache.isWhole)
            && playlist.renditions.compactMap(\.url).allSatisfy(AVAssetCache.isWhole)
    }

    /// Returns the options of a group that are on the disk. For an asset that is not a stream, these are all options.
    public func mediaSelectionOptions(in mediaSelectionGroup: AVMediaSelectionGroup) -> [AVMediaSelectionOption] {
        guard location.pathExtension.lowercased() == "m3u8" else { return mediaSelectionGroup.options }
        guard let playlist = AVAssetCache.multivariant(location) else { return [] }
        return mediaSelectionGroup.options.filter { option in
            playlist.renditions.contains { rendition in
                let kind: AVMediaType = rendition.kind == .audio ? .audio : .subtitle
                return kind == option.mediaType && rendition.name == option.displayName
                    && (rendition.url.map(AVAssetCache.isWhole) ?? true)
            }
        }
    }

    private static func multivariant(_ file: URL) -> MultivariantPlaylist? {
        guard let bytes = try? Data(contentsOf: file),
            case .multivariant(let playlist)? = try? Playlist.parse(Array(bytes), url: file)
        else { return nil }
        return playlist
    }

    private static func isWhole(_ file: URL) -> Bool {
        guard let bytes = try? Data(contentsOf: file),
            case .media(let playlist)? = try? Playlist.parse(Array(bytes), url: file)
        else { return false }
        var known: Set<String> = []
        let folder = file.deletingLastPathComponent()
        for segment in playlist.segments where !segment.isGap {
            for name in [segment.uri] + [segment.map?.uri].compactMap({ $0 }) + segment.keys.map(\.uri)
            where known.insert(name).inserted {
                guard FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path) else {
                    return false
                }
            }
        }
        return !playlist.segments.isEmpty
    }
}

extension AVURLAsset {
    /// The cache of an asset in a download's package, or of an asset whose URL has a download in a session of this
    /// process, even an unfinished one. Nil for other assets. For a remote URL, the call waits for the queue of the
    /// downloads.
    public var assetCache: AVAssetCache? {
        if url.isFileURL {
            guard url.standardizedFileURL.pathComponents.contains(where: { $0.lowercased().hasSuffix(".movpkg") })
            else { return nil }
            return AVAssetCache(mediaURL)
        }
        return SessionRegistry.shared.location(of: url).map { AVAssetCache($0.inPackage) }
    }
}
