import Composition
import Foundation
import Testing

@Suite("Where a picture goes")
struct PlacementTests {
    @Test("aspect shows it whole, in the middle, with bars")
    func aspect() {
        let wide = VideoPlacement(picture: CGSize(width: 1920, height: 1080), width: 400, height: 400, gravity: .resizeAspect)
        #expect((wide.x, wide.y, wide.width, wide.height) == (0, 87, 400, 225))
        let tall = VideoPlacement(picture: CGSize(width: 90, height: 160), width: 320, height: 160, gravity: .resizeAspect)
        #expect((tall.x, tall.y, tall.width, tall.height) == (115, 0, 90, 160))
        #expect(tall.cropWidth == 1 && tall.cropHeight == 1)
    }

    @Test("aspect fill covers everything and cuts evenly")
    func fill() {
        let p = VideoPlacement(picture: CGSize(width: 200, height: 100), width: 100, height: 100, gravity: .resizeAspectFill)
        #expect((p.x, p.y, p.width, p.height) == (0, 0, 100, 100))
        #expect(p.cropX == 0.25 && p.cropWidth == 0.5 && p.cropY == 0 && p.cropHeight == 1)
    }

    @Test("resize fills whatever the shape")
    func resize() {
        let p = VideoPlacement(picture: CGSize(width: 200, height: 100), width: 70, height: 90, gravity: .resize)
        #expect((p.width, p.height, p.cropWidth, p.cropHeight) == (70, 90, 1, 1))
    }

    @Test("nothing to show or nowhere to show it draws nothing", arguments: [(0.0, 0.0, 100, 100), (10, 10, 0, 100), (10, 0, 5, 5)])
    func nothing(width: Double, height: Double, spaceWidth: Int, spaceHeight: Int) {
        let p = VideoPlacement(picture: CGSize(width: width, height: height), width: spaceWidth, height: spaceHeight, gravity: .resizeAspect)
        #expect(p.width == 0 && p.height == 0)
    }
}
