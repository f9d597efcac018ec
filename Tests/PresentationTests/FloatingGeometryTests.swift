import Foundation
import Testing

@testable import Presentation

@Suite("Floating video geometry")
struct FloatingGeometryTests {
    private let area = CGRect(x: 100, y: 50, width: 1920, height: 1000)
    private func geometry(_ width: Double, _ height: Double) -> FloatingGeometry {
        FloatingGeometry(picture: CGSize(width: width, height: height), area: area)
    }

    // The size is limited to a width of 480 points and to half the height of the area.
    @Test("the initial size is a quarter of the area's width, bottom right")
    func initial() {
        #expect(geometry(1920, 1080).initial == CGSize(width: 480, height: 270))
        #expect(
            FloatingGeometry(picture: CGSize(width: 16, height: 9), area: CGRect(x: 0, y: 0, width: 1280, height: 800))
                .initial == CGSize(width: 320, height: 180))
        #expect(geometry(1080, 1920).initial == CGSize(width: 281, height: 500))
        let frame = geometry(1920, 1080).corner(geometry(1920, 1080).initial)
        #expect(frame.maxX == area.maxX - 24 && frame.maxY == area.maxY - 24)
    }

    @Test("every size keeps the aspect ratio within its minimum and maximum")
    func bounds() {
        for (w, h) in [(16.0, 9.0), (9, 16), (4, 3), (1, 1), (5, 1), (1, 5), (0, 0)] {
            let g = geometry(w, h)
            for width in stride(from: 0.0, through: 5000, by: 37) {
                let size = g.fitted(width: width)
                #expect(g.isShaped(size))
                #expect(
                    size.width >= 160 && size.height >= 108 && size.width <= area.width * 0.75 + 1
                        && size.height <= area.height * 0.75 + 1)
            }
            #expect(!g.isShaped(CGSize(width: g.initial.width, height: g.initial.height + 20)))
        }
        // Even in a tiny area, the window is large enough for the controls.
        let small = FloatingGeometry(
            picture: CGSize(width: 16, height: 9), area: CGRect(x: 0, y: 0, width: 100, height: 80))
        #expect(small.initial == small.minimum && small.maximum == small.minimum)
        #expect(geometry(1920, 1080).ratio == (1920, 1080))
        #expect(geometry(5, 1).ratio == (25_000, 10_000))
    }

    @Test("resizing an edge or a corner keeps the opposite side in place")
    func resizing() {
        let g = geometry(16, 9)
        let frame = CGRect(x: 500, y: 300, width: 320, height: 180)
        for x in -1...1 {
            for y in -1...1 where x != 0 || y != 0 {
                for (dx, dy) in [(50.0, 30.0), (-70, 10), (4000, 4000), (-4000, -4000)] {
                    let new = g.resized(frame, edge: .init(x: x, y: y), dx: dx, dy: dy)
                    #expect(g.isShaped(new.size))
                    #expect(x < 0 ? new.maxX == frame.maxX : new.minX == frame.minX)
                    #expect(y < 0 ? new.maxY == frame.maxY : new.minY == frame.minY)
                }
            }
        }
        #expect(
            g.resized(frame, edge: .init(x: 1, y: 0), dx: 160, dy: 99)
                == CGRect(x: 500, y: 300, width: 480, height: 270))
        #expect(
            g.resized(frame, edge: .init(x: 0, y: 1), dx: 99, dy: 90) == CGRect(x: 500, y: 300, width: 480, height: 270)
        )
    }

    @Test("edges and corners are found at the border only")
    func edges() {
        let size = CGSize(width: 320, height: 180)
        #expect(FloatingGeometry.Edge(at: CGPoint(x: 2, y: 2), in: size) == .init(x: -1, y: -1))
        #expect(FloatingGeometry.Edge(at: CGPoint(x: 12, y: 2), in: size) == .init(x: -1, y: -1))
        #expect(FloatingGeometry.Edge(at: CGPoint(x: 12, y: 12), in: size) == nil)
        #expect(FloatingGeometry.Edge(at: CGPoint(x: 160, y: 178), in: size) == .init(x: 0, y: 1))
        #expect(FloatingGeometry.Edge(at: CGPoint(x: 318, y: 90), in: size) == .init(x: 1, y: 0))
        #expect(FloatingGeometry.Edge(at: CGPoint(x: 160, y: 90), in: size) == nil)
    }

    @Test("a new aspect ratio keeps the area and the lower right corner")
    func reshaped() {
        let old = CGRect(x: 1000, y: 700, width: 480, height: 270)
        let new = geometry(9, 16).reshaped(old)
        #expect(new.maxX == old.maxX && new.maxY == old.maxY)
        #expect(abs(Double(new.width * new.height) / Double(old.width * old.height) - 1) < 0.02)
    }
}
