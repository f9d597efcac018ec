import Foundation
import Testing

@testable import Filters

@Suite("Distortions")
struct DistortionTests {
    private let renderer: PictureRenderer
    private let canvas = Canvas.smooth()
    private static var middle: [String: Any] { ["inputCenter": [32.0, 24.0], "inputRadius": 20] }
    init() throws { renderer = try PictureRenderer() }

    private func drawn(_ name: String, _ parameters: [String: Any]) throws -> Drawn {
        try Drawn(canvas.image.filtered(name, parameters), in: canvas.bounds, by: renderer)
    }
    /// Checks that each pixel is the source's pixel at `from`, which gets the offset and the distance from the center
    /// (32, 24).
    private func expect(_ name: String, _ parameters: [String: Any], _ from: (SIMD2<Double>, Double) -> SIMD2<Double>)
        throws
    {
        let all = DistortionTests.middle.merging(parameters) { $1 }
        let output = try drawn(name, all)
        let canvas = canvas
        var most = 0.0
        for y in 4..<44 {
            for x in 4..<60 {
                let away = SIMD2<Double>(Double(x) - 31.5, Double(y) - 23.5)
                let far: Double = (away * away).sum().squareRoot()
                let at: SIMD2<Double> = from(away, far)
                guard abs(at.x) < 31, abs(at.y) < 23 else { continue }
                let expected: SIMD4<Double> = canvas.linear(at.x + 32, at.y + 24)
                let difference: SIMD4<Double> = output[x, y] - expected
                most = max(most, (difference * difference).max().squareRoot())
            }
        }
        #expect(most < tolerance, "\(name)")
    }
    private func smooth(_ t: Double) -> Double {
        let x = min(1, max(0, t))
        return x * x * (3 - 2 * x)
    }
    private func turned(_ v: SIMD2<Double>, _ angle: Double) -> SIMD2<Double> {
        SIMD2<Double>(cos(angle) * v.x + sin(angle) * v.y, cos(angle) * v.y - sin(angle) * v.x)
    }

    @Test("CIBumpDistortion magnifies or shrinks the middle", arguments: [0.5, 0.9, -0.6])
    func bump(scale: Double) throws {
        try expect("CIBumpDistortion", ["inputScale": scale]) { v, far in v * (1 - scale * (1 - smooth(far / 20))) }
    }
    @Test("CIBumpDistortionLinear magnifies along both sides of a line", arguments: [0.0, 0.7])
    func linear(angle: Double) throws {
        let across = SIMD2<Double>(-sin(angle), cos(angle))
        try expect("CIBumpDistortionLinear", ["inputScale": 0.6, "inputAngle": angle]) { v, _ in
            let away: Double = (v * across).sum()
            let moved: Double = away * 0.6 * (1 - smooth(abs(away) / 20))
            return v - across * moved
        }
    }
    @Test("CIPinchDistortion pulls pixels towards the center", arguments: [0.0, 0.5, 1])
    func pinch(scale: Double) throws {
        try expect("CIPinchDistortion", ["inputScale": scale]) { v, far in
            far >= 20 ? v : v * (20 * pow(far / 20, 1 / (1 + scale)) / far)
        }
    }
    @Test("CITwirlDistortion rotates the middle and keeps what is beyond its radius", arguments: [1.0, -2])
    func twirl(angle: Double) throws {
        try expect("CITwirlDistortion", ["inputAngle": angle]) { v, far in
            let left = max(0, 1 - far / 20)
            return turned(v, angle * left * left)
        }
    }
    @Test("CIVortexDistortion rotates more towards the middle")
    func vortex() throws {
        try expect("CIVortexDistortion", ["inputAngle": 6]) { v, far in turned(v, 6 * pow(max(0, 1 - far / 20), 4)) }
    }
    @Test("a positive CITwirlDistortion rotates the image counterclockwise")
    func direction() throws {
        let dot = Canvas(64, 48) { x, y in abs(x - 38) < 2 && abs(y - 24) < 2 ? [1, 1, 1] : [0, 0, 0] }
        let output = try Drawn(
            dot.image.filtered(
                "CITwirlDistortion", ["inputCenter": [32.0, 24.0], "inputRadius": 200, "inputAngle": Double.pi / 2]),
            in: dot.bounds, by: renderer)
        // The dot was to the right of the center and is now above it.
        #expect(output[32, 30].x > 0.8 && output[38, 24].x < 0.1)
    }

    @Test("CIHoleDistortion opens a hole, pushes pixels outwards and grows by its radius")
    func hole() throws {
        try expect("CIHoleDistortion", ["inputRadius": 8]) { v, far in
            far <= 8.1 ? SIMD2<Double>(99, 99) : v * (1 - 64 / (far * far))
        }
        let image = try canvas.image.filtered("CIHoleDistortion", ["inputCenter": [32.0, 24.0], "inputRadius": 8])
        #expect(image.extent == canvas.bounds.insetBy(dx: -8, dy: -8))
        let output = try Drawn(image, in: canvas.bounds, by: renderer)
        for p in [(32, 24), (37, 24), (28, 20)] { #expect(output[p.0, p.1] == .zero) }
    }
    @Test("CICircleSplashDistortion and CILightTunnel extend their circle's rim without end")
    func rim() throws {
        try expect("CICircleSplashDistortion", ["inputRadius": 10]) { v, far in far <= 10 ? v : v * (10 / far) }
        try expect("CILightTunnel", ["inputRadius": 10, "inputRotation": 0.5]) { v, far in
            far <= 10 ? v : turned(v * (10 / far), 0.5 * (far / 10 - 1))
        }
        #expect(try canvas.image.filtered("CILightTunnel").extent.isInfinite)
    }

    @Test("CIDisplacementDistortion moves by red and green; mid-gray moves nothing")
    func displacement() throws {
        let none = Canvas.flat(64, 48, SIMD3(repeating: 127.5 / 255))
        let right = Canvas.flat(64, 48, [0.75, 0.25, 0])
        let inside = canvas.bounds.insetBy(dx: 2, dy: 2)
        let still = try Drawn(
            canvas.image.filtered(
                "CIDisplacementDistortion", ["inputDisplacementImage": none.image, "inputScale": 10]), in: inside,
            by: renderer)
        #expect(still.furthest(from: { canvas[$0, $1] }) < tolerance)
        let moved = try Drawn(
            canvas.image.filtered(
                "CIDisplacementDistortion", ["inputDisplacementImage": right.image, "inputScale": 20]),
            in: CGRect(x: 8, y: 8, width: 40, height: 30), by: renderer)
        #expect(moved.furthest(from: { canvas[$0 + 5, $1 - 5] }) < tolerance)
    }
    @Test("CIGlassDistortion displaces by the slope of its texture")
    func glass() throws {
        let flat = Canvas.flat(10, 10, [0.4, 0.4, 0.4])
        let still = try drawn("CIGlassDistortion", ["inputTexture": flat.image, "inputScale": 200])
        #expect(still.furthest(from: { canvas[$0, $1] }) < tolerance)
        // The ramp's slope of 2/255 per pixel times the scale of 255 is a shift of 2 pixels.
        let ramp = Canvas(128, 128) { x, _ in SIMD3<Double>(repeating: Double(x) * 2 / 255) }
        let image = try canvas.image.filtered(
            "CIGlassDistortion", ["inputTexture": ramp.image, "inputScale": 255, "inputCenter": [32.0, 24.0]])
        #expect(
            try Drawn(image, in: CGRect(x: 4, y: 4, width: 50, height: 40), by: renderer).furthest(from: {
                canvas.linear(Double($0) + 2.5, Double($1) + 0.5)
            }) < tolerance)
    }

    @Test(
        "lenses change only their glass; refraction of air changes nothing",
        arguments: [
            ("CITorusLensDistortion", ["inputCenter": [32.0, 24.0], "inputRadius": 16, "inputWidth": 10]),
            ("CIGlassLozenge", ["inputPoint0": [26.0, 24.0], "inputPoint1": [38.0, 24.0], "inputRadius": 9]),
        ] as [(String, [String: any Sendable])])
    func lenses(lens: (String, [String: any Sendable])) throws {
        let air = try drawn(lens.0, lens.1.merging(["inputRefraction": 1]) { $1 })
        #expect(air.furthest(from: { canvas[$0, $1] }) < tolerance)
        let glass = try drawn(lens.0, lens.1)
        var changed = 0
        for y in 0..<48 {
            for x in 0..<64 {
                let away: SIMD4<Double> = glass[x, y] - canvas[x, y]
                let isChanged = (away * away).max() > 0.0004
                changed += isChanged ? 1 : 0
                if abs(x - 32) > 18 || abs(y - 24) > 18 { #expect(!isChanged, "\(x), \(y)") }
            }
        }
        #expect(changed > 100)
    }

    @Test("CICircularWrap wraps an image around a circle, its lower edge inside")
    func wrap() throws {
        let rows = Canvas(100, 20) { x, y in SIMD3<Double>(Double(y) / 19, x < 50 ? 1 : 0, 0) }
        let image = try rows.image.filtered("CICircularWrap", ["inputCenter": [50.0, 50.0], "inputRadius": 25])
        #expect(image.extent == CGRect(x: 5, y: 5, width: 90, height: 90))
        let output = try Drawn(image, in: image.extent, by: renderer)
        #expect(output[50, 50] == .zero && output[50, 65] == .zero)
        #expect(output[50, 78].x < output[50, 90].x - 0.5)
        // The left half of the image becomes the upper half of the ring, clockwise from the left.
        #expect(output[50, 85].y > 0.9 && output[50, 15].y < 0.1)
    }

    @Test("CIDroste without strands repeats the image at its inset's scale")
    func droste() throws {
        let big = Canvas.smooth(120, 120)
        let parameters: [String: Any] = [
            "inputInsetPoint0": [45.0, 45.0], "inputInsetPoint1": [75.0, 75.0], "inputStrands": 0,
        ]
        let output = try Drawn(big.image.filtered("CIDroste", parameters), in: big.bounds, by: renderer)
        // A point four times as far from the center has the same color.
        var wrong = 0
        for y in -10..<10 {
            for x in -10..<10 where x * x + y * y > 20 {
                // Half a pixel away, so the colors differ a little.
                let away: SIMD4<Double> = output[60 + x, 60 + y] - output[62 + 4 * x, 62 + 4 * y]
                wrong += (away * away).max() < 0.01 ? 0 : 1
            }
        }
        #expect(wrong < 20)
        let twisted = try Drawn(
            big.image.filtered("CIDroste", parameters.merging(["inputStrands": 1]) { $1 }), in: big.bounds, by: renderer
        )
        #expect(twisted.values.allSatisfy { $0.w > 0.99 })
    }

    @Test("CINinePartStretched keeps corners and stretches the middle; CINinePartTiled repeats the middle")
    func nineParts() throws {
        let parameters: [String: Any] = [
            "inputBreakpoint0": [16.0, 12.0], "inputBreakpoint1": [48.0, 36.0], "inputGrowAmount": [32.0, 24.0],
        ]
        let image = try canvas.image.filtered("CINinePartStretched", parameters)
        #expect(image.extent == CGRect(x: 0, y: 0, width: 96, height: 72))
        func source(_ at: Double, _ low: Double, _ high: Double, _ grow: Double) -> Double {
            at < low ? at : at >= high + grow ? at - grow : low + (at - low) * (high - low) / (high - low + grow)
        }
        #expect(
            try Drawn(image, in: image.extent, by: renderer).furthest(from: { x, y in
                canvas.linear(source(Double(x) + 0.5, 16, 48, 32), source(Double(y) + 0.5, 12, 36, 24))
            }) < tolerance)
        let tiled = try Drawn(
            canvas.image.filtered("CINinePartTiled", parameters.merging(["inputFlipYTiles": 0]) { $1 }),
            in: image.extent, by: renderer)
        for y in 0..<72 {
            for x in 20..<44 {
                let away: SIMD4<Double> = tiled[x, y] - tiled[x + 32, y]
                #expect((away * away).max() < 0.0001)
            }
        }
    }

    @Test("CIStretchCrop crops with proportions kept or stretches to the requested size")
    func stretch() throws {
        let crop = try canvas.image.filtered("CIStretchCrop", ["inputSize": [48.0, 48.0], "inputCropAmount": 1])
        #expect(crop.extent == CGRect(x: 0, y: 0, width: 48, height: 48))
        #expect(try Drawn(crop, in: crop.extent, by: renderer).furthest(from: { canvas[$0 + 8, $1] }) < tolerance)
        let all = try canvas.image.filtered(
            "CIStretchCrop", ["inputSize": [32.0, 48.0], "inputCropAmount": 0, "inputCenterStretchAmount": 1])
        #expect(
            try Drawn(all, in: all.extent, by: renderer).furthest(from: {
                canvas.linear(Double($0) * 2 + 1, Double($1) + 0.5)
            }) < tolerance)
        let uneven = try Drawn(
            canvas.image.filtered(
                "CIStretchCrop", ["inputSize": [32.0, 48.0], "inputCropAmount": 0, "inputCenterStretchAmount": 0]),
            in: all.extent, by: renderer)
        // Both ends are still visible. The middle is squeezed less than the whole.
        #expect(uneven[0, 24].x < 0.06 && uneven[31, 24].x > 0.94)
        #expect(uneven[20, 24].x - uneven[12, 24].x < 0.25)
    }
}
