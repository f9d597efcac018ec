import Foundation
import TestSupport

/// A damaged file, determined by its seed.
struct Mutation {
    let source: URL
    let bytes: [UInt8]
    let description: String

    /// Creates an unchanged file.
    init(whole file: (url: URL, bytes: [UInt8])) {
        source = file.url
        bytes = file.bytes
        description = "as it is"
    }

    /// Damages one of `files`.
    /// - Parameter files: The files to choose from. Their order must always be the same.
    init(seed: UInt64, files: [(url: URL, bytes: [UInt8])]) {
        var random = SeededNumbers(seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678_9ABC_DEF1)
        let file = files[Int.random(in: 0..<files.count, using: &random)]
        source = file.url
        var bytes = file.bytes
        var steps: [String] = []
        let places = Mutation.fields(in: bytes)
        // Mostly one change. Two or three changes sometimes pass a check that detects one.
        for _ in 0..<[1, 1, 1, 2, 3].randomElement(using: &random)! where !bytes.isEmpty {
            steps.append(Mutation.wound(&bytes, places, &random))
        }
        if bytes.starts(with: Array("OggS".utf8)) { Mutation.repairOggSums(&bytes) }
        self.bytes = bytes
        description = steps.joined(separator: ", ")
    }

    private static let boxNames = [
        "mvhd", "tkhd", "mdhd", "elst", "stts", "ctts", "stsc", "stsz", "stco", "stsd", "trun", "tfhd", "tfdt", "mehd",
        "trex", "sidx", "mfhd",
        "avih", "strh", "strf", "idx1", "OggS", "Xing", "Info", "LAME",
    ]
    /// Matroska elements: the segment's information, duration and timescale; a track's number, sizes, rates and delays;
    /// clusters with their times; cues.
    private static let ebmlNames: [[UInt8]] = [
        [0x15, 0x49, 0xA9, 0x66], [0x44, 0x89], [0x2A, 0xD7, 0xB1], [0x23, 0xE3, 0x83], [0x56, 0xAA], [0x56, 0xBB],
        [0x54, 0xB0], [0x54, 0xBA],
        [0xB5, 0x84], [0x1F, 0x43, 0xB6, 0x75], [0xE7, 0x81], [0xE7, 0x82], [0x1C, 0x53, 0xBB, 0x6B],
        [0x23, 0x31, 0x4F],
    ]
    /// MPEG start codes: pack, system and stream headers with their clocks, and sequences.
    private static let startCodes: [[UInt8]] = [
        [0, 0, 1, 0xBA], [0, 0, 1, 0xE0], [0, 0, 1, 0xC0], [0, 0, 1, 0xB3], [0, 0, 1, 0x67],
    ]

    /// Returns the positions of important numbers, after the names of boxes, elements and pages, in the order of the
    /// names in the file. `Data` searches, because comparing bytes in a debug build took most of the test's time.
    private static func fields(in bytes: [UInt8]) -> [Int] {
        let names = ebmlNames + boxNames.map { Array($0.utf8) } + startCodes
        let data = Data(bytes)
        var found: [(place: Int, name: Int)] = []
        for (number, name) in names.enumerated() {
            let wanted = Data(name)
            var from = 0
            while let hit = data.range(of: wanted, in: from..<data.count), hit.upperBound < data.count {
                found.append((hit.lowerBound, number))
                from = hit.lowerBound + 1
            }
        }
        found.sort { ($0.place, $0.name) < ($1.place, $1.name) }
        return found.map { $0.place + names[$0.name].count }
    }

    private static let extremes: [UInt64] = [
        0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0x1_0000_0000,
        0x1_FFFF_FFFF, 1 << 40, 1 << 53, 1 << 61,
        0x7FFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0000, 0x8000_0000_0000_0001, .max, .max - 1,
        // As a Double, such as Matroska's duration: huge, infinite, NaN.
        0x7FEF_FFFF_FFFF_FFFF, 0x7FF0_0000_0000_0000, 0x7FF8_0000_0000_0000, 0xC3E0_0000_0000_0000,
    ]

    private static func wound(_ bytes: inout [UInt8], _ fields: [Int], _ random: inout SeededNumbers) -> String {
        // Three of four positions are after a name or in the header, and the others anywhere.
        func place() -> Int {
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                if let field = fields.randomElement(using: &random) {
                    return min(bytes.count - 1, field + Int.random(in: 0..<32, using: &random))
                }
            case 2: return Int.random(in: 0..<min(bytes.count, 1024), using: &random)
            default: break
            }
            return Int.random(in: 0..<bytes.count, using: &random)
        }
        switch Int.random(in: 0..<10, using: &random) {
        case 0...2:
            let count = Int.random(in: 1...8, using: &random)
            var places: [String] = []
            for _ in 0..<count {
                let at = place()
                let bit = Int.random(in: 0..<8, using: &random)
                bytes[at] ^= 1 << bit
                places.append("\(at).\(bit)")
            }
            return "bits \(places.joined(separator: " "))"
        case 3...6:
            let at = place()
            let width = [1, 2, 3, 4, 4, 8, 8].randomElement(using: &random)!
            let value = extremes.randomElement(using: &random)!
            let isLittle = Bool.random(using: &random)
            let end = min(bytes.count, at + width)
            for index in at..<end {
                let shift = isLittle ? index - at : width - 1 - (index - at)
                bytes[index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * min(shift, 7)))
            }
            return "\(width) bytes at \(at) = \(String(value, radix: 16))\(isLittle ? " little" : "")"
        case 7:
            let left = Int.random(in: 0..<bytes.count, using: &random)
            bytes.removeLast(bytes.count - left)
            return "cut to \(left)"
        case 8:
            let at = place()
            let count = min(bytes.count - at, Int.random(in: 1...2048, using: &random))
            for index in at..<at + count { bytes[index] = 0 }
            return "\(count) zeros at \(at)"
        default:
            let at = place()
            let count = min(bytes.count - at, Int.random(in: 1...4096, using: &random))
            let to = Int.random(in: 0..<bytes.count, using: &random)
            let piece = Array(bytes[at..<at + count])
            if Bool.random(using: &random) {
                bytes.insert(contentsOf: piece, at: to)
            } else {
                for (index, byte) in piece.enumerated() where to + index < bytes.count { bytes[to + index] = byte }
            }
            return "\(count) bytes of \(at) again at \(to)"
        }
    }

    /// Demuxers skip a page with a wrong checksum, and so would never see its damage (RFC 3533 §6).
    private static func repairOggSums(_ bytes: inout [UInt8]) {
        var at = 0
        while at + 27 <= bytes.count, bytes[at..<at + 4].elementsEqual("OggS".utf8) {
            let segments = Int(bytes[at + 26])
            guard at + 27 + segments <= bytes.count else { return }
            let end = at + 27 + segments + bytes[at + 27..<at + 27 + segments].reduce(0) { $0 + Int($1) }
            guard end <= bytes.count else { return }
            for index in at + 22..<at + 26 { bytes[index] = 0 }
            var sum: UInt32 = 0
            for byte in bytes[at..<end] {
                sum ^= UInt32(byte) << 24
                for _ in 0..<8 { sum = sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
            }
            for index in 0..<4 { bytes[at + 22 + index] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * index)) }
            at = end
        }
    }
}
