import Foundation
import Testing
import Zoetrope

@Suite("Metadata by key and key space") @MainActor
struct MetadataTests {
    @Test("keys that an app sets have common keys and values")
    func keys() {
        let artwork = Data([0x89, 0x50, 0x4E, 0x47, 1])
        let items = MetadataCode.items(title: "Film", artist: "Someone", artwork: artwork)
        #expect(items.map(\.commonKey) == [.commonKeyTitle, .commonKeyArtist, .commonKeyArtwork])
        #expect(items.map(\.stringValue) == ["Film", "Someone", nil])
        #expect(items.last?.dataValue == artwork && items.last?.dataType == kCMMetadataBaseDataType_PNG)
        #expect(items.last?.time == CMTime(value: 1, timescale: 1) && items.first?.time.isValid == false)
        #expect(MetadataCode.names(of: items) == ["common title", "itsk/%A9ART", "common artwork"])
        #expect(
            MetadataCode.identifiers() == [
                .commonIdentifierTitle, .id3MetadataTitleDescription, .quickTimeMetadataTitle,
            ])
        let item = AVPlayerItem(url: URL(fileURLWithPath: "/nowhere.mp4"))
        item.externalMetadata = items
        MetadataCode.play(AVPlayer(playerItem: item), item)
        #expect(item.externalMetadata.count == 3 && item.audioTimePitchAlgorithm == .spectral)
    }

    @Test("a property of a missing file has the status failed")
    func missing() async {
        let status = await withCheckedContinuation { continuation in
            MetadataCode.older(URL(fileURLWithPath: "/nowhere.mp4")) { continuation.resume(returning: $0) }
        }
        #expect(status == .failed)
    }
}
