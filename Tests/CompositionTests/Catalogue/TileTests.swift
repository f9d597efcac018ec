import Foundation
import MediaCore
import Testing

@testable import Filters

/// Each wallpaper pattern must stay the same under every symmetry of its group.
@Suite("Tiles")
struct TileTests {
    private let renderer: PictureRenderer
    private let canvas = Canvas.smooth(128, 128)
    init() throws { renderer = try PictureRenderer() }

    /// A symmetry around the center (64, 64).
    struct Symmetry: Sendable, CustomStringConvertible {
        let description: String
        let a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double
        static func turn(_ degrees: Double, around x: Double = 0, _ y: Double = 0) -> Symmetry {
            let t = degrees * .pi / 180
            return Symmetry(
                description: "turned by \(degrees)°", a: cos(t), b: -sin(t), c: sin(t), d: cos(t),
                tx: x - cos(t) * x + sin(t) * y, ty: y - sin(t) * x - cos(t) * y)
        }
        static func mirror(_ degrees: Double) -> Symmetry {
            let t = degrees * .pi / 90
            return Symmetry(
                description: "mirrored in \(degrees)°", a: cos(t), b: sin(t), c: sin(t), d: -cos(t), tx: 0, ty: 0)
        }
        static func move(_ x: Double, _ y: Double) -> Symmetry {
            Symmetry(description: "moved by \(x), \(y)", a: 1, b: 0, c: 0, d: 1, tx: x, ty: y)
        }
        static func glide(_ x: Double) -> Symmetry {
            Symmetry(description: "glided by \(x)", a: 1, b: 0, c: 0, d: -1, tx: x, ty: 0)
        }
        func place(_ x: Double, _ y: Double) -> (Double, Double) { (a * x + b * y + tx, c * x + d * y + ty) }
    }

    static let groups: [(String, [Symmetry])] = [
        ("CIFourfoldTranslatedTile", [.move(24, 0), .move(0, 24)]),
        ("CIFourfoldReflectedTile", [.move(48, 0), .move(0, 48), .mirror(0), .mirror(90), .turn(180)]),
        ("CIParallelogramTile", [.move(48, 0), .move(0, 48), .turn(180, around: 12, 12)]),
        ("CIFourfoldRotatedTile", [.move(48, 0), .move(0, 48), .turn(90), .turn(180, around: 24, 0)]),
        ("CIEightfoldReflectedTile", [.move(48, 0), .mirror(0), .mirror(45), .turn(90)]),
        ("CIGlideReflectedTile", [.move(48, 0), .move(0, 24), .glide(24)]),
        ("CISixfoldReflectedTile", [.move(24 * 3.0.squareRoot(), 0), .turn(120), .mirror(0)]),
        ("CISixfoldRotatedTile", [.move(24 * 3.0.squareRoot(), 0), .turn(60)]),
        ("CITwelvefoldReflectedTile", [.move(24 * 3.0.squareRoot(), 0), .turn(60), .mirror(0), .mirror(30)]),
        ("CITriangleTile", [.move(24, 0), .move(12, 12 * 3.0.squareRoot())]),
        ("CIKaleidoscope", [.turn(60), .mirror(0), .mirror(30)]),
    ]

    @Test("every pattern is infinite and has the symmetries of its group", arguments: groups)
    func symmetries(group: (name: String, symmetries: [Symmetry])) throws {
        let filter = try #require(CIFilter(name: group.name))
        filter.inputImage = canvas.image
        filter.setValue([64.0, 64.0], forKey: "inputCenter")
        if filter.inputKeys.contains("inputWidth") { filter.setValue(24, forKey: "inputWidth") }
        let image = try #require(filter.outputImage)
        #expect(image.extent.isInfinite)
        let output = try Drawn(image, in: CGRect(x: -64, y: -64, width: 256, height: 256), by: renderer)
        for symmetry in group.symmetries {
            var wrong = 0
            var all = 0
            for y in stride(from: -30.5, to: 30, by: 3) {
                for x in stride(from: -30.5, to: 30, by: 3) {
                    let at = symmetry.place(x, y)
                    let here = output[Int((x + 63.5).rounded()), Int((y + 63.5).rounded())]
                    let there = output[Int((at.0 + 63.5).rounded()), Int((at.1 + 63.5).rounded())]
                    let away: SIMD4<Double> = here - there
                    all += 1
                    // The sampled points may be half a pixel off, which at the border of a cell may be another cell.
                    if (away * away).max() > 0.03 * 0.03 { wrong += 1 }
                }
            }
            #expect(wrong * 10 <= all, "\(group.name) \(symmetry): \(wrong) of \(all)")
        }
        // The output is a pattern, not a single color.
        #expect(output.colors > 50)
    }

    @Test(
        "a slanted pattern repeats along its sides",
        arguments: ["CIFourfoldTranslatedTile", "CIFourfoldReflectedTile", "CIParallelogramTile"])
    func slanted(name: String) throws {
        let image = try canvas.image.filtered(
            name, ["inputCenter": [64.0, 64.0], "inputWidth": 20, "inputAcuteAngle": acos(0.6)])
        let output = try Drawn(image, in: CGRect(x: 0, y: 0, width: 128, height: 128), by: renderer)
        let times = name == "CIFourfoldTranslatedTile" ? 1 : 2
        var wrong = 0
        for y in 20..<60 {
            for x in 20..<60 {
                let away: SIMD4<Double> = output[x, y] - output[x + 12 * times, y + 16 * times]
                if (away * away).max() > 0.0004 { wrong += 1 }
            }
        }
        #expect(wrong < 80)
    }

    @Test("CIAffineTile and CIAffineClamp are infinite and apply their transform")
    func affine() throws {
        let small = Canvas.mixed(16, 12)
        let move = CGAffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 3, ty: 2)
        let wide = CGRect(x: -20, y: -20, width: 60, height: 50)
        let tile = try small.image.filtered("CIAffineTile", ["inputTransform": move])
        let clamp = try small.image.filtered("CIAffineClamp", ["inputTransform": move])
        #expect(tile.extent.isInfinite && clamp.extent.isInfinite)
        #expect(
            try Drawn(tile, in: wide, by: renderer).furthest(from: { small[($0 - 3 + 160) % 16, ($1 - 2 + 120) % 12] })
                < 0.005)
        #expect(try Drawn(clamp, in: wide, by: renderer).furthest(from: { small.clamped($0 - 3, $1 - 2) }) < 0.005)
    }
    @Test("CIClamp repeats the edge of its rectangle without end")
    func clamp() throws {
        let small = Canvas.mixed(16, 12)
        let image = try small.image.filtered("CIClamp", ["inputExtent": [4.0, 3, 6, 5]])
        #expect(image.extent.isInfinite)
        #expect(
            try Drawn(image, in: CGRect(x: -5, y: -5, width: 30, height: 25), by: renderer).furthest(from: {
                small[min(max($0, 4), 9), min(max($1, 3), 7)]
            }) < 0.005)
    }
    @Test("CIOpTile shows each cell's surroundings at its scale")
    func op() throws {
        let image = try canvas.image.filtered(
            "CIOpTile", ["inputCenter": [64.0, 64.0], "inputWidth": 20, "inputScale": 2])
        #expect(
            try Drawn(image, in: CGRect(x: 55, y: 55, width: 18, height: 18), by: renderer).furthest(from: {
                canvas.linear(64 + 2 * (Double($0) + 0.5 - 64), 64 + 2 * (Double($1) + 0.5 - 64))
            }) < tolerance)
    }
    @Test("CITriangleKaleidoscope keeps its triangle and mirrors it with reduced brightness")
    func triangle() throws {
        let image = try canvas.image.filtered(
            "CITriangleKaleidoscope",
            ["inputPoint": [64.0, 64.0], "inputSize": 40, "inputRotation": 0, "inputDecay": 0.5])
        #expect(image.extent.isInfinite)
        let output = try Drawn(image, in: canvas.bounds, by: renderer)
        let inside: SIMD4<Double> = output[64, 64] - canvas[64, 64]
        #expect((inside * inside).max() < 0.0001)
        // The triangle's right side is 40 / 2√3 away. A point 5 beyond it mirrors the point 5 before it.
        let mirrored: SIMD4<Double> =
            output[80, 64] - canvas.linear(64 + 2 * 11.547 - 16.5, 64.5) * SIMD4<Double>(0.5, 0.5, 0.5, 1)
        #expect((mirrored * mirrored).max() < 0.0004)
    }
}
