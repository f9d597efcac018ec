import Foundation
import Zoetrope

// Subclasses of players and items in apps, and metadata by key space.

final class CountingPlayer: AVPlayer {
    private(set) var plays = 0
    override init() { super.init() }
    override init(url: URL) { super.init(url: url) }
    override init(playerItem item: AVPlayerItem?) { super.init(playerItem: item) }
    override func play() {
        plays += 1
        super.play()
    }
    override var rate: Float {
        get { super.rate }
        set { super.rate = min(2, newValue) }
    }
    override func replaceCurrentItem(with item: AVPlayerItem?) {
        plays = 0
        super.replaceCurrentItem(with: item)
    }
}

final class NamedItem: AVPlayerItem {
    let name: String
    init(name: String, url: URL) {
        self.name = name
        super.init(asset: AVAsset(url: url), automaticallyLoadedAssetKeys: nil)
    }
    override init(asset: AVURLAsset) {
        name = ""
        super.init(asset: asset)
    }
}

@MainActor
func derived(_ url: URL) -> String? {
    let player = CountingPlayer(playerItem: NamedItem(name: "Film", url: url))
    player.play()
    return (player.currentItem as? NamedItem)?.name
}

func titles(_ items: [AVMetadataItem]) -> [String] {
    let common = AVMetadataItem.metadataItems(
        from: items, withKey: AVMetadataKey.commonKeyTitle, keySpace: .common)
    return (common + items.filter { $0.keySpace == .iTunes && $0.key as? String == "@nam" }).compactMap(\.stringValue)
}
