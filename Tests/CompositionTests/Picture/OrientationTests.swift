import Foundation
import MediaCore
import TestSupport
import Testing

@testable import Filters
@testable import MediaEngine
@testable import Overlays

@Suite("Rotated and mirrored video", .serialized)
struct OrientationTests {
    private func file(_ matrix: [Int], _ bench: ExportBench) throws -> URL {
        let url = bench.url("oriented.mp4")
        try OrientedFile.write(TestMedia.url("quad-709.mp4"), matrix: matrix, to: url)
        return url
    }

    private func size(_ matrix: [Int]) -> (width: Int, height: Int) { matrix[0] == 0 ? (180, 320) : (320, 180) }

    private func expect(
        _ matrix: [Int], _ what: String, tolerance: Int = 12, _ pixel: (Int, Int) throws -> [Int]
    ) rethrows {
        let (width, height) = size(matrix)
        for (place, color) in OrientedFile.order(matrix).enumerated() {
            let (x, y) = (width / 4 + place % 2 * width / 2, height / 4 + place / 2 * height / 2)
            let found = try pixel(x, y)
            #expect(
                distance(found, TestPicture.colors[color]) <= tolerance, "\(what), \(matrix): \(found) at \(x), \(y)")
        }
    }

    @Test("images, cropped images and filtered images follow the matrix", arguments: OrientedFile.matrices)
    func images(matrix: [Int]) throws {
        let bench = try ExportBench()
        let (width, height) = size(matrix)
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: try file(matrix, bench)))
        let frame = try generator.copyImage(at: .zero)
        #expect(frame.presentationSize == CGSize(width: width, height: height))
        let drawing = try Drawing(frame, width: width, height: height)
        expect(matrix, "scaled") { drawing[$0, $1] }
        let square = try Drawing(frame, width: 90, height: 90, gravity: .resizeAspectFill)
        expect(matrix, "cut") { square[$0 * 90 / width, $1 * 90 / height] }
        let filtered = try PictureRenderer().render(.source(frame.presentationSize), of: frame)
        #expect((filtered.width, filtered.height) == (width, height) && filtered.orientation == .upright)
        expect(matrix, "filtered") { Pictures.pixel(filtered, $0, $1) }
        generator.appliesPreferredTrackTransform = false
        let stored = try Drawing(generator.copyImage(at: .zero), width: 320, height: 180)
        expect([1, 0, 0, 1], "as stored") { stored[$0, $1] }
    }

    @Test("PNG files and thumbnails follow the matrix", arguments: OrientedFile.matrices)
    func snapshots(matrix: [Int]) async throws {
        let bench = try ExportBench()
        let (width, height) = size(matrix)
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: try file(matrix, bench)))
        let frame = try generator.copyImage(at: .zero)
        try frame.encoded(as: .png).write(to: bench.url("shot.png"))
        let pixels = try await bench.pixels(bench.url("shot.png"), "rgb24")
        #expect(pixels.count == width * height * 3)
        expect(matrix, "PNG") { x, y in pixels[(y * width + x) * 3..<(y * width + x) * 3 + 3].map(Int.init) }
        generator.maximumSize = CGSize(width: width / 2, height: height / 2)
        let small = try Drawing(generator.copyImage(at: .zero), width: width / 2, height: height / 2)
        expect(matrix, "thumbnail") { small[$0 / 2, $1 / 2] }
    }

    @Test("plain and composed exports follow the matrix", arguments: OrientedFile.matrices)
    func exports(matrix: [Int]) async throws {
        let bench = try ExportBench()
        let (width, _) = size(matrix)
        let source = try file(matrix, bench)
        for isComposed in [false, true] {
            let file = try await bench.export(source, to: isComposed ? "composed.mp4" : "plain.mp4") {
                $0.timeRange = seconds(0, 0.1)
                if isComposed {
                    $0.composer = ClosureComposer { frame, time, size in
                        try OfflineComposer(settings: PictureSettings()).compose(frame, at: time, size: size)
                    }
                }
            }
            let pixels = try await bench.pixels(file, "rgb24")
            expect(matrix, isComposed ? "composed" : "plain") { x, y in
                pixels[(y * width + x) * 3..<(y * width + x) * 3 + 3].map(Int.init)
            }
        }
    }

    @Test("the track's preferred transform matches the matrix", arguments: OrientedFile.matrices)
    func transform(matrix: [Int]) async throws {
        let bench = try ExportBench()
        let asset = AVURLAsset(url: try file(matrix, bench))
        let track = try #require(try await asset.loadTracks(withMediaType: .video).first)
        let order = OrientedFile.order(matrix)
        let shown = track.presentationSize
        for (place, stored) in order.enumerated() {
            let point = CGPoint(x: 80 + stored % 2 * 160, y: 45 + stored / 2 * 90)
                .applying(track.preferredTransform)
            #expect(Int(point.x * 2 / shown.width) == place % 2 && Int(point.y * 2 / shown.height) == place / 2)
        }
        #expect(track.isMirrored == (matrix[0] * matrix[3] - matrix[1] * matrix[2] < 0))
    }

    @Test("unusual matrices are read as the nearest orientation")
    func oddMatrices() {
        func read(_ a: Int32, _ b: Int32, _ c: Int32, _ d: Int32) -> PictureOrientation? {
            let numbers = [a, b, 0, c, d, 0, 0, 0, 1 << 30]
            return numbers.withUnsafeBufferPointer { PictureOrientation(matrix: $0.baseAddress) }
        }
        #expect(read(2 << 16, 0, 0, 1 << 15) == .upright)
        #expect(read(-3 << 16, 0, 0, 3 << 16) == PictureOrientation(rotation: 0, isMirrored: true))
        #expect(read(64_000, 9000, -9000, 64_000) == .upright)
        #expect(read(.max, 0, 0, .min) == PictureOrientation(rotation: 180, isMirrored: true))
        #expect(read(0, 0, 0, 0) == nil && PictureOrientation(matrix: nil) == nil)
        #expect(Set(PictureOrientation.all).count == 8)
    }
}
