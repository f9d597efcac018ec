import Foundation
import MediaCore
import MediaEngine
import TestSupport
import Testing

@testable import Filters
@testable import Overlays

@Suite("Exports of videos that change their size", .serialized)
struct ExportShapeTests {
    /// Creates a video of red frames, followed by green frames of another format.
    private func changing(_ bench: ExportBench, _ first: String, _ second: String) throws -> URL {
        let whole = bench.url("changing.ts")
        var data = Data()
        for (index, filter) in [first, second].enumerated() {
            let part = bench.url("part-\(index).ts")
            let code = try ChildProcess(
                "ffmpeg",
                [
                    "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i",
                    "color=\(index == 0 ? "red" : "lime"):s=320x180:r=25:d=0.4", "-vf", filter, "-c:v", "libx264",
                    "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-output_ts_offset", "\(Double(index) * 0.4)",
                    part.path,
                ]
            ).wait()
            try #require(code == 0)
            data += try Data(contentsOf: part)
        }
        try data.write(to: whole)
        return whole
    }

    @Test(
        "later frames are fitted into the first frame's size with black bars",
        arguments: [
            ("null", "scale=180:180,setsar=1", [(20, 90), (300, 90)], "plain"),
            ("setsar=1", "setsar=2", [(160, 20), (160, 160)], "plain"),
            ("null", "scale=180:180,setsar=1", [(20, 90), (300, 90)], "composed"),
            ("setsar=1", "setsar=2", [(160, 20), (160, 160)], "composed"),
            ("null", "scale=180:180,setsar=1", [(20, 90), (300, 90)], "filtered"),
        ])
    func fitted(first: String, second: String, bars: [(Int, Int)], way: String) async throws {
        let bench = try ExportBench()
        let source = try changing(bench, first, second)
        let filter = try #require(CIFilter(name: "CIColorInvert"))
        let file = try await bench.export(source, to: "out.mp4") {
            guard way != "plain" else { return }
            var settings = PictureSettings()
            if way == "filtered" { settings.add(filter) }
            nonisolated(unsafe) let composer = OfflineComposer(settings: settings)
            $0.composer = ClosureComposer { frame, time, size in try composer.compose(frame, at: time, size: size) }
        }
        let pixels = try await bench.pixels(file, "rgb24")
        let picture = 320 * 180 * 3
        #expect(pixels.count % picture == 0 && pixels.count / picture >= 18)
        func pixel(_ index: Int, _ x: Int, _ y: Int) -> [Int] {
            let at = index * picture + (y * 320 + x) * 3
            return pixels[at..<at + 3].map(Int.init)
        }
        let (red, green) = way == "filtered" ? ([0, 255, 255], [255, 0, 255]) : ([255, 0, 0], [0, 255, 0])
        for (x, y) in bars + [(160, 90)] { #expect(distance(pixel(2, x, y), red) < 12, "\(pixel(2, x, y))") }
        let last = pixels.count / picture - 2
        #expect(distance(pixel(last, 160, 90), green) < 12, "\(pixel(last, 160, 90))")
        for (x, y) in bars {
            #expect(distance(pixel(last, x, y), [0, 0, 0]) < 12, "\(pixel(last, x, y)) at \(x), \(y)")
        }
    }

    @Test("sizes that differ only by rounding get no bars")
    func rounding() {
        for (size, width, height) in [
            (CGSize(width: 321, height: 181), 320, 182), (CGSize(width: 1919, height: 803), 1920, 804),
            (CGSize(width: 1, height: 1), 2, 2), (CGSize(width: 853.33, height: 480), 854, 480),
        ] {
            let placement = VideoPlacement(fitting: size, into: width, height: height)
            #expect((placement.x, placement.y, placement.width, placement.height) == (0, 0, width, height))
        }
        let other = VideoPlacement(fitting: CGSize(width: 100, height: 100), into: 320, height: 180)
        #expect((other.x, other.y, other.width, other.height) == (70, 0, 180, 180))
    }
}
