import Filters
import Foundation
import TestSupport
import Testing

@Suite("Placement of a frame")
struct PlacementTests {
    @Test("aspect fit shows the whole frame, centered, with bars")
    func aspect() {
        let wide = VideoPlacement(
            picture: CGSize(width: 1920, height: 1080), width: 400, height: 400, gravity: .resizeAspect)
        #expect((wide.x, wide.y, wide.width, wide.height) == (0, 87, 400, 225))
        let tall = VideoPlacement(
            picture: CGSize(width: 90, height: 160), width: 320, height: 160, gravity: .resizeAspect)
        #expect((tall.x, tall.y, tall.width, tall.height) == (115, 0, 90, 160))
        #expect(tall.cropWidth == 1 && tall.cropHeight == 1)
    }

    @Test("aspect fill covers the space and crops evenly")
    func fill() {
        let p = VideoPlacement(
            picture: CGSize(width: 200, height: 100), width: 100, height: 100, gravity: .resizeAspectFill)
        #expect((p.x, p.y, p.width, p.height) == (0, 0, 100, 100))
        #expect(p.cropX == 0.25 && p.cropWidth == 0.5 && p.cropY == 0 && p.cropHeight == 1)
    }

    @Test("resize fills the space whatever the shape")
    func resize() {
        let p = VideoPlacement(picture: CGSize(width: 200, height: 100), width: 70, height: 90, gravity: .resize)
        #expect((p.width, p.height, p.cropWidth, p.cropHeight) == (70, 90, 1, 1))
    }

    @Test(
        "an empty frame or space has an empty placement",
        arguments: [(0.0, 0.0, 100, 100), (10, 10, 0, 100), (10, 0, 5, 5)])
    func nothing(width: Double, height: Double, spaceWidth: Int, spaceHeight: Int) {
        let p = VideoPlacement(
            picture: CGSize(width: width, height: height), width: spaceWidth, height: spaceHeight,
            gravity: .resizeAspect)
        #expect(p.width == 0 && p.height == 0)
    }

    /// A frame stored as 720 × 576: its pixel aspect ratio, its rotation and its displayed size.
    struct Stored: Sendable {
        let aspect: Double, rotation: Int, width: Double, height: Double
        static let all = [
            Stored(aspect: 16.0 / 15, rotation: 0, width: 768, height: 576),
            Stored(aspect: 64.0 / 45, rotation: 0, width: 1024, height: 576),
            Stored(aspect: 64.0 / 45, rotation: 90, width: 576, height: 1024),
            Stored(aspect: 16.0 / 15, rotation: 180, width: 768, height: 576),
            Stored(aspect: 0.5, rotation: 270, width: 576, height: 360),
        ]
    }

    @Test("placement considers the pixel aspect ratio and the rotation", arguments: Stored.all)
    func shape(stored: Stored) throws {
        let (width, height) = (stored.width, stored.height)
        var picture = CodePicture()
        (picture.width, picture.height, picture.format, picture.pixelAspectRatio, picture.rotation) = (
            720, 576, "gray", stored.aspect, stored.rotation
        )
        let size = try #require(picture.make { _, _ in .zero }).presentationSize
        #expect(abs(size.width - width) < 1e-6 && abs(size.height - height) < 1e-6)
        let space = (width: 640, height: 480)
        let scale = min(Double(space.width) / width, Double(space.height) / height)
        let whole = VideoPlacement(picture: size, width: space.width, height: space.height, gravity: .resizeAspect)
        #expect(abs(Double(whole.width) - width * scale) <= 0.5 && abs(Double(whole.height) - height * scale) <= 0.5)
        #expect(
            abs(whole.x * 2 + whole.width - space.width) <= 1 && abs(whole.y * 2 + whole.height - space.height) <= 1)
        let full = VideoPlacement(picture: size, width: space.width, height: space.height, gravity: .resizeAspectFill)
        #expect((full.x, full.y, full.width, full.height) == (0, 0, 640, 480))
        // The visible part has the aspect ratio of the space and is centered.
        #expect(abs(full.cropWidth * width / (full.cropHeight * height) - 640.0 / 480) < 1e-9)
        #expect(
            max(full.cropWidth, full.cropHeight) == 1 && abs(full.cropX * 2 + full.cropWidth - 1) < 1e-9
                && abs(full.cropY * 2 + full.cropHeight - 1) < 1e-9)
    }

    @Test("frames of odd sizes are drawn to their last pixel", arguments: [0, 90, 180, 270])
    func odd(rotation: Int) throws {
        for format in ["yuv420p", "yuv420p10le", "nv12", "gray", "yuv444p"] {
            for (width, height) in [(33, 17), (1, 1), (2, 3), (101, 7)] {
                var picture = CodePicture()
                (picture.width, picture.height, picture.format, picture.rotation, picture.matrix) = (
                    width, height, format, rotation, .bt601
                )
                let frame = try #require(picture.make { _, _ in SIMD3(0.6, 0.6, 0.6) })
                for gravity in [AVLayerVideoGravity.resize, .resizeAspectFill, .resizeAspect] {
                    let drawing = try Drawing(frame, width: 31, height: 23, gravity: gravity)
                    for (x, y) in [
                        (0, 0), (drawing.width - 1, 0), (0, drawing.height - 1),
                        (drawing.width - 1, drawing.height - 1),
                    ] {
                        #expect(
                            distance(drawing[x, y], [153, 153, 153]) <= 2,
                            "\(format) \(width)×\(height) \(gravity.rawValue) \(x), \(y)")
                    }
                }
            }
        }
    }
}
