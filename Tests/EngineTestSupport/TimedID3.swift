import Foundation

/// ID3 tags for tests, and their places in segments of a stream.
package enum TimedID3 {
    /// Returns an ID3 tag of version 2.4.
    /// - Parameter frames: The keys and contents of the frames.
    package static func tag(_ frames: [(id: String, content: [UInt8])]) -> [UInt8] {
        let body = frames.flatMap { frame -> [UInt8] in
            Array(frame.id.utf8) + syncSafe(frame.content.count) + [0, 0] + frame.content
        }
        return Array("ID3".utf8) + [4, 0, 0] + syncSafe(body.count) + body
    }
    /// Returns a tag with a title in UTF-8.
    package static func title(_ text: String) -> [UInt8] { tag([("TIT2", [3] + Array(text.utf8))]) }

    private static func syncSafe(_ number: Int) -> [UInt8] {
        [21, 14, 7, 0].map { UInt8(number >> $0 & 0x7F) }
    }

    /// Returns an event message of version 0 with `tag`, at `seconds` after the start of its segment.
    package static func message(_ tag: [UInt8], at seconds: Double) -> Data {
        let scheme = Array("https://aomedia.org/emsg/ID3".utf8) + [0, 0]
        let numbers = [1000, UInt32(seconds * 1000), 0xFFFF_FFFF, 1].flatMap { bigEndian($0) }
        let content: [UInt8] = Array("emsg".utf8) + [0, 0, 0, 0] + scheme + numbers + tag
        return Data(bigEndian(UInt32(content.count + 4)) + content)
    }
    private static func bigEndian(_ number: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(number >> $0 & 0xFF) } }

    /// Returns a segment of an MPEG transport stream by ffmpeg, with a track for ID3 tags and a packet with `tag`.
    /// - Parameter timestamp: The time of the packet, in 90 kHz ticks.
    package static func segment(_ segment: Data, with tag: [UInt8], at timestamp: Int64) -> Data {
        var output = Data()
        var isAdded = false
        for start in stride(from: 0, to: segment.count - 187, by: 188) {
            let packet = Array(segment[(segment.startIndex + start)..<(segment.startIndex + start + 188)])
            let programID = Int(packet[1] & 0x1F) << 8 | Int(packet[2])
            guard programID == 0x1000, packet[1] & 0x40 != 0 else {
                output.append(contentsOf: packet)
                continue
            }
            output.append(contentsOf: programMap(packet))
            if !isAdded { output.append(contentsOf: self.packet(tag, at: timestamp)) }
            isAdded = true
        }
        return output
    }

    /// The identifier of the packets with tags.
    private static let packetID = 0x1F0

    /// Adds the track to a packet with a program map (ISO/IEC 13818-1 §2.4.4.8).
    private static func programMap(_ packet: [UInt8]) -> [UInt8] {
        let size = Int(packet[6] & 0x0F) << 8 | Int(packet[7])
        var section = Array(packet[5..<(5 + 3 + size - 4)])
        // A metadata descriptor (ISO/IEC 13818-1 §2.6.60).
        let content: [UInt8] = [0xFF, 0xFF] + Array("ID3 ".utf8) + [0xFF] + Array("ID3 ".utf8) + [0, 0x0F]
        let descriptor: [UInt8] = [0x26, UInt8(content.count)] + content
        section += [
            0x15, 0xE0 | UInt8(packetID >> 8), UInt8(packetID & 0xFF), 0xF0, UInt8(descriptor.count),
        ]
        section += descriptor
        let length = section.count - 3 + 4
        section[1] = section[1] & 0xF0 | UInt8(length >> 8)
        section[2] = UInt8(length & 0xFF)
        let whole = Array(packet[..<5]) + section + bigEndian(checksum(section))
        return whole + [UInt8](repeating: 0xFF, count: 188 - whole.count)
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            sum ^= UInt32(byte) << 24
            for _ in 0..<8 { sum = sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
        }
        return sum
    }

    /// Returns a packet of the stream that contains a whole packet of the track. `tag` has at most 160 bytes.
    private static func packet(_ tag: [UInt8], at timestamp: Int64) -> [UInt8] {
        let time: [UInt8] = [
            0x21 | UInt8(timestamp >> 29 & 0x0E), UInt8(timestamp >> 22 & 0xFF), UInt8(timestamp >> 14 & 0xFE) | 1,
            UInt8(timestamp >> 7 & 0xFF), UInt8(timestamp << 1 & 0xFE) | 1,
        ]
        let size = tag.count + 8
        let content: [UInt8] =
            [0, 0, 1, 0xBD, UInt8(size >> 8), UInt8(size & 0xFF), 0x84, 0x80, 5] + time + tag
        let padding = 184 - content.count
        let head: [UInt8] = [
            0x47, 0x40 | UInt8(packetID >> 8), UInt8(packetID & 0xFF), 0x30, UInt8(padding - 1), 0,
        ]
        return head + [UInt8](repeating: 0xFF, count: padding - 2) + content
    }
}
