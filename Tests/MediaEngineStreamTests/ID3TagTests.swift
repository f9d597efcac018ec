import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("ID3 tags of streams")
struct ID3TagTests {
    /// Returns a tag of an older version.
    private func tag(_ version: UInt8, _ body: [UInt8], flags: UInt8 = 0) -> [UInt8] {
        Array("ID3".utf8) + [version, 0, flags, 0, 0, UInt8(body.count >> 7), UInt8(body.count & 0x7F)] + body
    }

    @Test("texts are decoded in every encoding")
    func texts() {
        let contents: [([UInt8], String)] = [
            ([0, 0xE4, 0x62], "äb"), ([1, 0xFF, 0xFE, 0x61, 0, 0x62, 0], "ab"), ([2, 0, 0x61, 0, 0x62], "ab"),
            ([3] + Array("größe".utf8) + [0], "größe"), ([3] + Array("a\0b".utf8), "a/b"),
        ]
        for (content, text) in contents {
            let frames = ID3Tag(TimedID3.tag([("TIT2", content)])).frames
            #expect(frames.map(\.id) == ["TIT2"] && frames.first?.value?.text == text)
        }
        let older = tag(2, Array("TT2".utf8) + [0, 0, 3, 0, 0x61, 0x62])
        #expect(ID3Tag(older).frames.first?.value?.text == "ab")
        // Two tags, one after the other.
        #expect(ID3Tag(older + TimedID3.title("c")).frames.map(\.id) == ["TT2", "TIT2"])
    }

    @Test("the start that libavformat removes from tags is restored", arguments: [2, 3, 4] as [UInt8])
    func restored(version: UInt8) {
        // 300 as a plain number, and as numbers of seven bits.
        let size: [UInt8] = version == 4 ? [0, 0, 2, 44] : version == 3 ? [0, 0, 1, 44] : [0, 1, 44]
        let head = Array((version == 2 ? "COM" : "COMM").utf8) + size + (version == 2 ? [] : [0, 0])
        let whole = tag(version, head + Array("\u{3}eng\0".utf8) + [UInt8](repeating: 0x61, count: 295))
        #expect(ID3Tag.restored(Array(whole.dropFirst(5))) == whole)
        #expect(ID3Tag.restored(whole) == whole && ID3Tag.restored([1, 2]) == [1, 2])
    }

    @Test("descriptions, owners, languages and types are kept")
    func parts() throws {
        let frames = ID3Tag(
            TimedID3.tag([
                ("TXXX", [3] + Array("name\0text".utf8)), ("PRIV", Array("example.com\0".utf8) + [1, 2]),
                ("COMM", [3] + Array("engshort\0long".utf8)), ("APIC", [0] + Array("image/png\0".utf8) + [3, 0, 9]),
                ("WOAR", Array("http://example.com".utf8)),
            ])
        ).frames
        let values = try frames.map { try #require($0.value) }
        #expect(values.map(\.info) == ["name", "example.com", "short", nil, nil])
        #expect(values.map(\.text) == ["text", nil, "long", nil, "http://example.com"])
        #expect(values[1].data == Data([1, 2]) && values[2].language == "eng")
        #expect(values[3].type == "image/png" && values[3].data == Data([9]))
    }

    @Test("inserted zeros are removed, and compressed frames are left out")
    func flags() {
        let inserted = Array("PRIV".utf8) + [0, 0, 0, 5, 0, 2] + [0x61, 0, 0xFF, 0, 0xE0]
        let compressed = Array("TIT2".utf8) + [0, 0, 0, 2, 0, 8] + [3, 0x61]
        let frames = ID3Tag(tag(4, inserted + compressed)).frames
        #expect(frames == [ID3Tag.Frame(id: "PRIV", bytes: [0x61, 0, 0xFF, 0xE0])])
        #expect(ID3Tag(tag(2, [1, 2, 3, 4, 5, 6, 7], flags: 0x40)).frames.isEmpty)
    }

    @Test("the number of frames and the size of the store are limited")
    func limits() {
        let frames = [(id: String, content: [UInt8])](repeating: ("XYZW", []), count: 5000)
        let tag = TimedID3.tag(frames + [("TIT2", [3, 0x61])])
        #expect(ID3Tag(tag + tag).frames.count == ID3Tag.mostFrames)
        let store = TimedMetadata()
        for second in 0..<300 { store.addID3(tag, at: MediaTime(seconds: Double(second))) }
        #expect(store.events.count < 200 && store.events.last?.time.seconds == 299)
    }

    @Test("event messages of version 1 have times of the container")
    func messages() {
        let tag = TimedID3.title("a")
        // The timescale 1000, the time 5000, the duration 2000, and the number 1.
        let numbers: [UInt8] = [0, 0, 0x03, 0xE8, 0, 0, 0, 0, 0, 0, 0x13, 0x88, 0, 0, 0x07, 0xD0, 0, 0, 0, 1]
        let scheme = Array("https://aomedia.org/emsg/ID3\0\0".utf8)
        let box = Array("....emsg".utf8) + [1, 0, 0, 0] + numbers + scheme + tag
        let message = EventMessage(box: box)
        #expect(message?.seconds == 5 && message?.duration == 2 && message?.isRelative == false && message?.tag == tag)
    }

    @Test("damaged tags and messages do no harm")
    func damaged() {
        let whole = TimedID3.tag([
            ("TIT2", [1, 0xFF, 0xFE, 0x61, 0]), ("APIC", [0, 0x69, 0, 3, 0, 9]), ("COMM", [3, 1]),
        ])
        for length in 0...whole.count { _ = ID3Tag(whole.prefix(length)).frames.map(\.value) }
        var numbers = SeededNumbers(seed: 7)
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0..<4 {
                bytes[Int.random(in: 3..<bytes.count, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers)
            }
            _ = ID3Tag(bytes).frames.map(\.value)
        }
        let message = Array(TimedID3.message(whole, at: 1.5))
        #expect(EventMessage(box: message)?.tag == whole)
        #expect(EventMessage(box: message)?.seconds == 1.5 && EventMessage(box: message)?.isRelative == true)
        for length in 0..<message.count where length < message.count - whole.count {
            #expect(EventMessage(box: Array(message.prefix(length))) == nil)
        }
    }
}
