import Foundation
import Streaming

/// What is known of a file that is no stream, and how it is parted: stored in the place of a playlist.
struct FileFacts: Sendable, Hashable, Codable {
    /// Its name in the package, ours.
    var name: String
    /// Bytes; nil: the server does not say.
    var size: Int64?
    /// For `If-Range`; empty: none that can be used.
    var validator: String
    /// A weak entity tag, which is compared and not sent.
    var weakTag: String?
    var acceptsRanges: Bool
    /// Bytes of each part but the last.
    var partLength: Int64

    static let leastPart: Int64 = 4 << 20
    /// More parts than that are no help to anybody.
    static let mostParts: Int64 = 10_000

    init(name: String, size: Int64?, facts: ResourceFacts, acceptsRanges: Bool) {
        self.name = name
        self.size = size
        validator = facts.validator
        weakTag = facts.entityTag.flatMap { $0.hasPrefix("W/") ? $0 : nil }
        self.acceptsRanges = acceptsRanges
        partLength = max(FileFacts.leastPart, ((size ?? 0) / FileFacts.mostParts + 4095) / 4096 * 4096)
    }

    init?(stored: String) {
        guard let facts = try? JSONDecoder().decode(FileFacts.self, from: Data(stored.utf8)), facts.partLength > 0,
            (facts.size ?? 0) >= 0
        else { return nil }
        self = facts
    }
    var stored: String { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "" }

    /// Without ranges there is but one.
    func parts(of url: URL) -> [PlanItem] {
        let uri = url.absoluteString
        guard let size, acceptsRanges, size > partLength else {
            return [
                PlanItem(
                    kind: .part, number: 0, uri: uri, range: size.map { ByteRange(offset: 0, length: $0) }, seconds: 0,
                    fileExtension: name)
            ]
        }
        return (0..<Int((size + partLength - 1) / partLength)).map { number in
            let offset = Int64(number) * partLength
            return PlanItem(
                kind: .part, number: number, uri: uri,
                range: ByteRange(offset: offset, length: min(partLength, size - offset)), fileExtension: name)
        }
    }
}
