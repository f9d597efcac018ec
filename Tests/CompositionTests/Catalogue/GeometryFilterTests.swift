import Foundation
import MediaCore
import Testing

@testable import Filters

@Suite("Geometry filters")
struct GeometryFilterTests {
    private let renderer: PictureRenderer
    private let canvas = Canvas.smooth()
    init() throws { renderer = try PictureRenderer() }

    private func drawn(_ image: CIImage, in rect: CGRect? = nil) throws -> Drawn {
        try Drawn(image, in: rect ?? image.extent, by: renderer)
    }

    @Test("CICrop keeps its rectangle, by default the whole image")
    func crop() throws {
        let part = try canvas.image.filtered("CICrop", ["inputRectangle": CGRect(x: 10, y: 5, width: 20, height: 100)])
        #expect(part.extent == CGRect(x: 10, y: 5, width: 20, height: 43))
        #expect(
            try drawn(part, in: canvas.bounds).furthest(from: { x, y in
                x >= 10 && x < 30 && y >= 5 ? canvas[x, y] : .zero
            }) < 0.002)
        #expect(try canvas.image.filtered("CICrop").extent == canvas.bounds)
    }

    @Test("CIAffineTransform moves by whole pixels and rotates by right angles exactly")
    func affine() throws {
        let moved = try canvas.image.filtered(
            "CIAffineTransform", ["inputTransform": CGAffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 5, ty: -3)])
        #expect(moved.extent == CGRect(x: 5, y: -3, width: 64, height: 48))
        #expect(try drawn(moved).furthest(from: { canvas[$0 - 5, $1 + 3] }) < 0.003)
        let turned = try canvas.image.filtered(
            "CIAffineTransform", ["inputTransform": CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0)])
        #expect(turned.extent == CGRect(x: -48, y: 0, width: 48, height: 64))
        #expect(try drawn(turned).furthest(from: { x, y in canvas[y, -1 - x] }) < 0.003)
    }

    @Test("CIStraightenFilter keeps the extent and leaves no corner empty", arguments: [0.0, 0.3, -1.2, 3.0])
    func straighten(angle: Double) throws {
        let image = try canvas.image.filtered("CIStraightenFilter", ["inputAngle": angle])
        let output = try drawn(image)
        #expect(image.extent == canvas.bounds && output.values.allSatisfy { $0.w > 0.99 })
        let around: SIMD4<Double> = output[32, 24] - canvas[32, 24]
        #expect((around * around).max() < 0.0025)
        if angle == 0 { #expect(output.furthest(from: { canvas[$0, $1] }) < 0.002) }
    }

    private static var rectangle: [String: Any] {
        [
            "inputTopLeft": [20.0, 106], "inputTopRight": [148.0, 106], "inputBottomRight": [148.0, 10],
            "inputBottomLeft": [20.0, 10],
        ]
    }
    private static var trapezium: [String: Any] {
        [
            "inputTopLeft": [30.0, 90], "inputTopRight": [110.0, 100], "inputBottomRight": [130.0, 8],
            "inputBottomLeft": [10.0, 12],
        ]
    }

    @Test("CIPerspectiveTransform scales to a rectangle and CIPerspectiveCorrection reverses a trapezium")
    func perspective() throws {
        let doubled = try canvas.image.filtered("CIPerspectiveTransform", GeometryFilterTests.rectangle)
        #expect(doubled.extent == CGRect(x: 20, y: 10, width: 128, height: 96))
        #expect(
            try drawn(doubled, in: doubled.extent.insetBy(dx: 2, dy: 2)).furthest(from: {
                canvas.linear((Double($0) - 19.5) / 2, (Double($1) - 9.5) / 2)
            }) < tolerance)
        let slanted = try canvas.image.filtered("CIPerspectiveTransform", GeometryFilterTests.trapezium)
        #expect(slanted.extent == CGRect(x: 10, y: 8, width: 120, height: 92))
        let upright = try slanted.filtered("CIPerspectiveCorrection", GeometryFilterTests.trapezium)
        let width = upright.extent.width
        let height = upright.extent.height
        #expect(upright.extent.origin == .zero && width == 120 && height == 94)
        #expect(
            try drawn(upright, in: upright.extent.insetBy(dx: 5, dy: 5)).furthest(from: { x, y in
                canvas.linear((Double(x) + 0.5) * 64 / width, (Double(y) + 0.5) * 48 / height)
            }) < tolerance)
        let part = try canvas.image.filtered(
            "CIPerspectiveTransformWithExtent",
            GeometryFilterTests.rectangle.merging(["inputExtent": [0.0, 0, 32, 24]]) { $1 })
        #expect(
            try drawn(part, in: part.extent.insetBy(dx: 4, dy: 4)).furthest(from: {
                canvas.linear((Double($0) - 19.5) / 4, (Double($1) - 9.5) / 4)
            }) < tolerance)
    }

    @Test("four points in a line give an empty image and no error")
    func degenerate() throws {
        let line: [String: Any] = [
            "inputTopLeft": [0.0, 0], "inputTopRight": [10.0, 10], "inputBottomRight": [20.0, 20],
            "inputBottomLeft": [30.0, 30],
        ]
        for name in ["CIPerspectiveTransform", "CIPerspectiveCorrection", "CIPerspectiveTile"] {
            #expect(try canvas.image.filtered(name, line).extent.isEmpty, "\(name)")
        }
    }

    @Test("CIPerspectiveTile repeats the image without end")
    func tile() throws {
        let small: [String: Any] = [
            "inputTopLeft": [0.0, 48], "inputTopRight": [64.0, 48], "inputBottomRight": [64.0, 0],
            "inputBottomLeft": [0.0, 0],
        ]
        let image = try canvas.image.filtered("CIPerspectiveTile", small)
        #expect(image.extent.isInfinite)
        #expect(
            try drawn(image, in: CGRect(x: 10, y: -60, width: 90, height: 80)).furthest(from: { x, y in
                canvas[(x + 640) % 64, (y + 480) % 48]
            }) < tolerance)
    }

    private func cubic(_ t: Double, _ b: Double, _ c: Double) -> Double {
        let x = abs(t)
        if x < 1 { return ((12 - 9 * b - 6 * c) * x * x * x + (-18 + 12 * b + 6 * c) * x * x + (6 - 2 * b)) / 6 }
        if x >= 2 { return 0 }
        let third: Double = (-b - 6 * c) * x * x * x
        let second: Double = (6 * b + 30 * c) * x * x
        return (third + second + (-12 * b - 48 * c) * x + (8 * b + 24 * c)) / 6
    }
    private func lanczos(_ t: Double) -> Double {
        if abs(t) < 1e-9 { return 1 }
        return abs(t) >= 3 ? 0 : 3 * sin(.pi * t) * sin(.pi * t / 3) / (.pi * .pi * t * t)
    }
    /// Returns the resampled canvas, computed on one axis after the other.
    private func resampled(
        _ canvas: Canvas, _ sx: Double, _ sy: Double, _ reach: Double, _ weight: @escaping (Double) -> Double
    ) -> (Int, Int) -> SIMD4<Double> {
        func taps(_ at: Double, _ scale: Double) -> [(Int, Double)] {
            let wide = max(1, 1 / scale)
            let center = at / scale
            let low = Int((center - reach * wide).rounded(.down))
            let high = Int((center + reach * wide).rounded(.up))
            let all = (low...high).map { ($0, weight((Double($0) + 0.5 - center) / wide)) }
            let total = all.reduce(0) { $0 + $1.1 }
            return all.map { ($0.0, $0.1 / total) }
        }
        return { x, y in
            var sum = SIMD4<Double>.zero
            let across = taps(Double(x) + 0.5, sx)
            for row in taps(Double(y) + 0.5, sy) {
                for column in across { sum += canvas.clamped(column.0, row.0) * (row.1 * column.1) }
            }
            return sum
        }
    }

    @Test(
        "CILanczosScaleTransform matches Lanczos' filter when enlarging and reducing",
        arguments: [(2, 1), (0.5, 1), (0.75, 2), (1, 0.5)] as [(Double, Double)])
    func lanczosScale(kind: (Double, Double)) throws {
        let source = Canvas.mixed()
        let image = try source.image.filtered(
            "CILanczosScaleTransform", ["inputScale": kind.0, "inputAspectRatio": kind.1])
        #expect(image.extent == CGRect(x: 0, y: 0, width: 48 * kind.0 * kind.1, height: 32 * kind.0))
        #expect(try drawn(image).furthest(from: resampled(source, kind.0 * kind.1, kind.0, 3, lanczos)) < tolerance)
    }
    @Test(
        "CIBicubicScaleTransform matches the cubic filter of its B and C",
        arguments: [(2.5, 0, 0.75), (0.5, 0, 0.5), (3, 0.3333, 0.3333)] as [(Double, Double, Double)])
    func bicubicScale(kind: (Double, Double, Double)) throws {
        let source = Canvas.mixed()
        let image = try source.image.filtered(
            "CIBicubicScaleTransform", ["inputScale": kind.0, "inputB": kind.1, "inputC": kind.2])
        #expect(image.extent == CGRect(x: 0, y: 0, width: 48 * kind.0, height: 32 * kind.0))
        #expect(
            try drawn(image).furthest(from: resampled(source, kind.0, kind.0, 2) { cubic($0, kind.1, kind.2) })
                < tolerance)
    }
    @Test("a very small scale averages the pixels it combines")
    func tiny() throws {
        let source = Canvas(200, 200) { x, y in SIMD3<Double>(repeating: (x + y) % 2 == 0 ? 1 : 0) }
        let image = try source.image.filtered("CILanczosScaleTransform", ["inputScale": 0.05])
        #expect(image.extent == CGRect(x: 0, y: 0, width: 10, height: 10))
        #expect(try drawn(image).furthest(from: { _, _ in [0.5, 0.5, 0.5, 1] }) < tolerance)
        #expect(try source.image.filtered("CILanczosScaleTransform", ["inputScale": 0]).extent.isEmpty)
    }
}
