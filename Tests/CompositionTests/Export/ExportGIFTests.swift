import Foundation
import MediaCore
import MediaEngine
import TestSupport
import Testing

@Suite("Exported GIFs", .serialized)
struct ExportGIFTests {
    /// The contents of a GIF's blocks (GIF89a, W3C).
    private struct Blocks {
        var width = 0, height = 0
        var globalColors = 0
        /// The number of colors in local palettes that are not in the global palette.
        var ownColors = 0
        /// The number of repetitions in the application extension NETSCAPE2.0. 0 means forever.
        var loops: Int?
        /// The delays of the frames, in hundredths of a second.
        var delays: [Int] = []
        var images = 0

        init(_ bytes: [UInt8]) throws {
            try #require(bytes.count > 13 && String(decoding: bytes[..<6], as: UTF8.self) == "GIF89a")
            func word(_ at: Int) -> Int { Int(bytes[at]) | Int(bytes[at + 1]) << 8 }
            width = word(6)
            height = word(8)
            var at = 13
            var palette: ArraySlice<UInt8> = []
            if bytes[10] & 0x80 != 0 {
                globalColors = 2 << Int(bytes[10] & 7)
                palette = bytes[at..<at + globalColors * 3]
                at += globalColors * 3
            }
            func skipBlocks() {
                while at < bytes.count, bytes[at] != 0 { at += Int(bytes[at]) + 1 }
                at += 1
            }
            while at < bytes.count {
                switch bytes[at] {
                case 0x21 where bytes[at + 1] == 0xF9:
                    delays.append(word(at + 4))
                    at += 8
                case 0x21:
                    if bytes[at + 1] == 0xFF, String(decoding: bytes[at + 3..<at + 14], as: UTF8.self) == "NETSCAPE2.0"
                    {
                        loops = word(at + 16)
                    }
                    at += 2
                    skipBlocks()
                case 0x2C:
                    images += 1
                    if bytes[at + 9] & 0x80 != 0 {
                        let size = 3 * (2 << Int(bytes[at + 9] & 7))
                        func colors(_ table: ArraySlice<UInt8>) -> Set<[UInt8]> {
                            Set(
                                stride(from: table.startIndex, to: table.endIndex, by: 3).map {
                                    Array(table[$0..<$0 + 3])
                                })
                        }
                        ownColors += colors(bytes[at + 10..<at + 10 + size]).subtracting(colors(palette)).count
                        at += size
                    }
                    at += 11
                    skipBlocks()
                default: return
                }
            }
        }
    }

    /// The GIF has at most 12.5 frames per second and 480 pixels of width. It is as long as the source.
    @Test("a default GIF loops, has one palette and limits rate and width")
    func defaults() async throws {
        let bench = try ExportBench()
        let file = try await bench.export(TestMedia.url("sine-large.mp4"), to: "out.gif") {
            $0.timeRange = seconds(0, 1.2)
        }
        let blocks = try Blocks([UInt8](try Data(contentsOf: file)))
        #expect(blocks.width == 480 && blocks.height == 270)
        #expect(blocks.loops == 0)
        #expect(blocks.globalColors == 256 && blocks.ownColors <= 1)  // One color may mark unchanged pixels.
        #expect(blocks.images == 15 && blocks.delays.count == 15)
        #expect(blocks.delays.reduce(0, +) == 120)
        #expect(blocks.delays.allSatisfy { $0 >= 6 })
    }

    @Test("frame rate and width limits apply; slow sources keep their timestamps")
    func options() async throws {
        let bench = try ExportBench()
        let file = try await bench.export(TestMedia.url("counter-video.mp4"), to: "out.gif") {
            $0.maximumFrameRate = 5
            $0.maximumWidth = 160
            $0.timeRange = seconds(2, 4)
        }
        let blocks = try Blocks([UInt8](try Data(contentsOf: file)))
        #expect(blocks.width == 160 && blocks.height == 32)
        #expect(blocks.delays == [Int](repeating: 20, count: 10))
        expectEqual(try await bench.numbers(file), Array(stride(from: 60, to: 120, by: 6)))
        let slow = try await bench.make(
            "slow.mp4", ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=4:d=1", "-c:v", "libx264", "-pix_fmt", "yuv420p"])
        let kept = try await bench.export(slow, to: "slow.gif")
        #expect(try Blocks([UInt8](try Data(contentsOf: kept))).delays == [25, 25, 25, 25])
    }

    @Test("GIF colors are near the source's colors")
    func colors() async throws {
        let bench = try ExportBench()
        let file = try await bench.export(TestMedia.url("quad-709.mp4"), to: "out.gif") {
            $0.timeRange = seconds(0, 0.3)
        }
        let pixels = try await bench.pixels(file, "rgb24")
        for (place, color) in TestPicture.colors.enumerated() {
            let x = 80 + place % 2 * 160
            let y = 45 + place / 2 * 90
            let pixel = pixels[(y * 320 + x) * 3..<(y * 320 + x) * 3 + 3].map(Int.init)
            #expect(zip(pixel, color).allSatisfy { abs($0 - $1) <= 12 }, "\(pixel)")
        }
    }
}
