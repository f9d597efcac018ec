import Foundation
import Testing
import Zoetrope

@Suite("Players and items that apps derive") @MainActor
struct SubclassTests {
    @Test("a subclass's overrides are called")
    func overrides() {
        let player = CountingPlayer()
        player.play()
        #expect(player.plays == 1 && player.rate == 1)
        player.rate = 5
        #expect(player.rate == 2)
        player.replaceCurrentItem(with: NamedItem(name: "Film", url: URL(fileURLWithPath: "/nothing/here.mp4")))
        #expect(player.plays == 0)
        #expect((player.currentItem as? NamedItem)?.name == "Film")
        player.replaceCurrentItem(with: nil)
    }

    @Test("a queue advances, however it was made; a player pauses")
    func advance() {
        let item = AVPlayerItem(url: URL(fileURLWithPath: "/nothing/here.mp4"))
        #expect(AVQueuePlayer().actionAtItemEnd == .advance)
        #expect(AVQueuePlayer(items: []).actionAtItemEnd == .advance)
        #expect(AVQueuePlayer(playerItem: item).items() == [item])
        #expect(AVPlayer().actionAtItemEnd == .pause)
    }

    @Test("metadata is found by key space and key")
    func keySpaces() {
        let items = [
            AVMetadataItem(identifier: .commonIdentifierTitle, stringValue: "Film"),
            AVMetadataItem(identifier: .iTunesMetadataSongName, stringValue: "Song"),
            AVMetadataItem(identifier: .quickTimeMetadataTitle, stringValue: "Movie"),
        ]
        #expect(items.map(\.keySpace) == [.common, .iTunes, .quickTimeMetadata])
        #expect(AVMutableMetadataItem().keySpace == nil)
        #expect(titles(items) == ["Film", "Song", "Movie", "Song"])
        #expect(AVMetadataItem.metadataItems(from: items, withKey: nil, keySpace: .iTunes) == [items[1]])
        #expect(AVMetadataItem.metadataItems(from: items, withKey: "title", keySpace: nil) == [items[0]])
        #expect(AVMetadataItem.metadataItems(from: items, withKey: 3, keySpace: nil).isEmpty)
    }
}
