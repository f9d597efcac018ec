import Foundation
import Synchronization
import TestSupport
import Testing
import Zoetrope

@testable import MPlayerKit

/// A playable item for the tests.
struct Clip: Playable {
    var title = "A Title"
    var subtitle: String?
    var synopsis: String?
    var poster: MPlayerKit.Artwork?
    var asset: URL
    var previewAsset: URL?
    var mediaType: MPlayerKit.MediaType = .video
    var releaseYear: Int?
    var contentRating: String?
    var genres: [String]?
    var extra: String?
    func extraExternalMetadata() -> [AVMetadataItem] {
        guard let extra else { return [] }
        let item = AVMutableMetadataItem()
        item.identifier = .commonIdentifierTitle
        item.value = extra
        return [item]
    }
    init(_ name: String) throws { asset = try TestMedia.url(name) }
    init(at url: URL) { asset = url }
}

extension PlayerState {
    var words: String {
        switch self {
        case .playing: "playing"
        case .paused(.error): "error"
        case .paused(let reason): "\(reason)"
        case .buffering(let reason): "buffering \(reason)"
        }
    }
}

/// A record of all values of a publisher.
@MainActor
final class Told<Value> {
    private(set) var values: [Value] = []
    private var kept: AnyCancellable?
    init<P: Publisher>(_ publisher: P) where P.Output == Value, P.Failure == Never {
        kept = publisher.sink { [weak self] in self?.values.append($0) }
    }
}

/// A temporary folder that is deleted with this object.
final class Folder {
    let url: URL
    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-kit-\(UUID().uuidString.prefix(8))", isDirectory: true)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(at: url) }
}
