import Foundation
import MediaEngine

/// The metadata of an item in the form of MPRIS ("Metadata guidelines", after Xesam). The file's metadata is read once,
/// the app's at each access.
@MainActor
final class NowPlayingMetadata {
    private weak var item: AVPlayerItem?
    private let onChange: @MainActor () -> Void
    private var fileMetadata: [AVMetadataItem] = []
    private var opening: NSKeyValueObservation?
    private var isRead = false
    private var artwork: (of: Data, file: URL?)?

    init(_ item: AVPlayerItem, _ onChange: @escaping @MainActor () -> Void) {
        self.item = item
        self.onChange = onChange
        // Wait until a player has opened the item, because a remote file would otherwise be requested twice.
        opening = item.observeUntracked(\.status, options: [.initial]) { [weak self] item, _ in
            guard item.status != .unknown else { return }
            self?.opening = nil
            self?.read(item.asset)
        }
        if item.status != .unknown { opening = nil }
    }
    private func read(_ asset: AVURLAsset) {
        guard !isRead else { return }
        isRead = true
        Task { [weak self] in
            guard let all = try? await asset.load(.metadata), let self else { return }
            fileMetadata = all
            onChange()
        }
    }

    var table: [String: BusValue] {
        guard let item else { return [:] }
        let all = item.metadata(over: fileMetadata)
        func text(_ keys: AVMetadataKey...) -> String? {
            for key in keys {
                if let found = all.first(where: { $0.commonKey == key })?.stringValue, !found.isEmpty {
                    return String(found.prefix(1000))
                }
            }
            return nil
        }
        let url = item.asset.url
        var table: [String: BusValue] = ["xesam:url": .string(NowPlayingMetadata.plain(url))]
        let name = url.deletingPathExtension().lastPathComponent
        table["xesam:title"] = .string(text(.commonKeyTitle) ?? (name.isEmpty || name == "/" ? url.host() ?? "" : name))
        if let artist = text(.commonKeyArtist, .commonKeyAuthor, .commonKeyCreator) {
            table["xesam:artist"] = .strings([artist])
        }
        if let album = text(.commonKeyAlbumName) { table["xesam:album"] = .string(album) }
        if let genre = text(.commonKeyType) { table["xesam:genre"] = .strings([genre]) }
        if let comment = text(.commonKeyDescription) { table["xesam:comment"] = .strings([comment]) }
        if let date = all.first(where: { $0.commonKey == .commonKeyCreationDate })?.dateValue {
            table["xesam:contentCreated"] = .string(ISO8601DateFormatter().string(from: date))
        }
        if let file = artworkFile(all.first { $0.commonKey == .commonKeyArtwork }?.dataValue) {
            table["mpris:artUrl"] = .string(file.absoluteString)
        }
        return table
    }

    private func artworkFile(_ data: Data?) -> URL? {
        guard let data else { return nil }
        if let artwork, artwork.of == data { return artwork.file }
        artwork = (data, nil)
        Task { [weak self] in
            let file = await ArtworkFiles.shared.file(for: data)
            guard let self, artwork?.of == data, let file else { return }
            artwork = (data, file)
            onChange()
        }
        return nil
    }

    /// Returns the URL without a user name and password.
    private static func plain(_ url: URL) -> String {
        guard url.user != nil, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            return url.absoluteString
        }
        (parts.user, parts.password) = (nil, nil)
        return parts.string ?? ""
    }
}
