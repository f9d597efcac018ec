import DeclarativeUI
import Foundation
import MediaCore
import MediaEngine
import Observation

/// The title, byline and artwork of a player's item. Main actor.
@MainActor @Observable
package final class ItemInfo: SetsChanges {
    package private(set) var title = ""
    package private(set) var byline = ""
    private(set) var artwork: UIImage?
    @ObservationIgnored private weak var item: AVPlayerItem?
    @ObservationIgnored private var file: [AVMetadataItem] = []
    @ObservationIgnored private var shownArtwork: Data?

    nonisolated init() {}

    func access<Member>(keyPath: KeyPath<ItemInfo, Member>) {
        ObservationScope.access(_$observationRegistrar, self, keyPath)
    }

    func begin(_ item: AVPlayerItem?) {
        self.item = item
        (title, byline, file, artwork, shownArtwork) = ("", "", [], nil, nil)
    }

    /// Sets the metadata of the file, which is used if the app and the stream have none.
    func offer(_ file: [AVMetadataItem]) {
        self.file = file
        refresh()
    }

    func refresh() {
        guard let item else { return }
        let all = item.metadata(over: file)
        func text(_ keys: AVMetadataKey...) -> String {
            for key in keys {
                if let found = all.first(where: { $0.commonKey == key })?.stringValue, !found.isEmpty {
                    return String(found.prefix(500))
                }
            }
            return ""
        }
        set(\.title, text(.commonKeyTitle))
        let own = all.first { $0.identifier == .iTunesMetadataTrackSubTitle }?.stringValue ?? ""
        set(
            \.byline,
            own.isEmpty ? text(.commonKeyArtist, .commonKeyAuthor, .commonKeyCreator) : String(own.prefix(500)))
        let data = all.first { $0.commonKey == .commonKeyArtwork }?.dataValue
        guard data != shownArtwork else { return }
        shownArtwork = data
        artwork = data.flatMap { $0.count <= 32 << 20 ? UIImage(data: $0) : nil }
    }
}
