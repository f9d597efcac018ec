import Foundation
import Streaming

/// The facts about a file that is not a stream, and its division into parts. Stored in place of a playlist.
struct FileFacts: Sendable, Hashable, Codable {
    /// The file's name in the package, which Zoetrope chooses.
    var name: String
    /// The size in bytes, or nil if the server does not report it.
    var size: Int64?
    /// The validator for `If-Range`, or an empty string if the server sends no usable validator.
    var validator: String
    /// A weak entity tag, which is compared but not sent.
    var weakTag: String?
    var acceptsRanges: Bool
    /// The size of each part but the last, in bytes.
    var partLength: Int64

    static let leastPart: Int64 = 4 << 20
    /// The maximum number of parts. More parts would not make the download faster.
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

    /// Returns the parts of the file. There is only one if the server does not support ranges.
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
