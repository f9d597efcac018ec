import Foundation
import Testing

@testable import Filters

@Suite("Styles")
struct StylizeTests {
    private let renderer: PictureRenderer
    init() throws { renderer = try PictureRenderer() }

    private func drawn(_ canvas: Canvas, _ name: String, _ parameters: [String: Any] = [:]) throws -> Drawn {
        try Drawn(canvas.image.filtered(name, parameters), in: canvas.bounds, by: renderer)
    }
    private func luma(_ c: SIMD4<Double>) -> Double { 0.2126 * c.x + 0.7152 * c.y + 0.0722 * c.z }
    private let step = Canvas(40, 20) { x, _ in x < 20 ? [0.2, 0.2, 0.2] : [0.8, 0.8, 0.8] }

    @Test("CIBloom never darkens and CIGloom never lightens; without intensity they change nothing")
    func bloom() throws {
        let canvas = Canvas.mixed()
        let bloom = try drawn(canvas, "CIBloom", ["inputIntensity": 1])
        let gloom = try drawn(canvas, "CIGloom", ["inputIntensity": 1])
        var brighter = 0.0
        var darker = 0.0
        for y in 0..<32 {
            for x in 0..<48 {
                let c = canvas[x, y]
                let b: SIMD4<Double> = bloom[x, y] - c
                let g: SIMD4<Double> = gloom[x, y] - c
                #expect(b.min() > -0.003 && g.max() < 0.003)
                brighter = max(brighter, b.max())
                darker = min(darker, g.min())
            }
        }
        #expect(brighter > 0.1 && darker < -0.1)
        #expect(
            try canvas.image.filtered("CIBloom", ["inputRadius": 5]).extent == canvas.bounds.insetBy(dx: -15, dy: -15))
        for name in ["CIBloom", "CIGloom"] {
            #expect(try drawn(canvas, name, ["inputIntensity": 0]).furthest(from: { canvas[$0, $1] }) < 0.002)
        }
        let black = Canvas.flat(8, 8, [0, 0, 0])
        let white = Canvas.flat(8, 8, [1, 1, 1])
        #expect(try drawn(black, "CIBloom").mean().x < 0.001)
        #expect(try drawn(white, "CIGloom").mean().x > 0.999)
    }

    @Test("CIEdges is Roberts' cross multiplied by its intensity")
    func edges() throws {
        let canvas = Canvas.mixed()
        #expect(
            try drawn(canvas, "CIEdges", ["inputIntensity": 2]).furthest(from: { x, y in
                let p: SIMD4<Double> = canvas[x, y] - canvas.clamped(x + 1, y + 1)
                let q: SIMD4<Double> = canvas.clamped(x + 1, y) - canvas.clamped(x, y + 1)
                let squares: SIMD4<Double> = p * p + q * q
                var e: SIMD4<Double> = squares.squareRoot() * 2
                e.w = 1
                return pointwiseMin(e, .one)
            }) < tolerance)
    }

    @Test("CISobelGradients returns signed Sobel gradients of the component that changes most")
    func sobel() throws {
        // Red has the largest gradient everywhere. The gradient of green has the same sign.
        let canvas = Canvas(40, 30) { x, y in
            let wave: Double = 0.5 + 0.4 * sin(Double(x) * 0.3) * cos(Double(y) * 0.2)
            return SIMD3<Double>(wave, 0.5 * wave, 0)
        }
        let output = try drawn(canvas, "CISobelGradients")
        #expect(
            output.furthest(from: { x, y in
                func at(_ i: Int, _ j: Int) -> SIMD4<Double> { canvas.clamped(x + i, y + j) }
                func line(_ a: SIMD4<Double>, _ b: SIMD4<Double>, _ c: SIMD4<Double>) -> SIMD4<Double> { a + b + b + c }
                let across: SIMD4<Double> =
                    (line(at(1, -1), at(1, 0), at(1, 1)) - line(at(-1, -1), at(-1, 0), at(-1, 1))) / 4
                let up: SIMD4<Double> =
                    (line(at(-1, 1), at(0, 1), at(1, 1)) - line(at(-1, -1), at(0, -1), at(1, -1))) / 4
                func most(_ v: SIMD4<Double>) -> Double { [v.x, v.y, v.z].max { abs($0) < abs($1) } ?? 0 }
                return SIMD4<Double>(most(across), most(up), 0, 1)
            }) < 0.005)
        let falling = Canvas(10, 10) { x, _ in SIMD3(repeating: 1 - Double(x) / 10) }
        #expect(try drawn(falling, "CISobelGradients")[5, 5].x < -0.15)
    }

    @Test("CILineOverlay draws black lines along edges on a transparent background")
    func lines() throws {
        let output = try drawn(step, "CILineOverlay")
        #expect(output.values.allSatisfy { $0.x == 0 && $0.y == 0 && $0.z == 0 })
        for x in [19, 20] { #expect(output[x, 10].w > 0.99) }
        for x in [0, 5, 16, 23, 30, 39] { #expect(output[x, 10].w == 0, "\(x)") }
    }

    @Test("CIEdgeWork is white on the dark side of edges, otherwise black")
    func edgeWork() throws {
        let output = try drawn(step, "CIEdgeWork")
        #expect(output[18, 10].x > 0.9)
        for x in [3, 21, 36] { #expect(output[x, 10].x < 0.05 && output[x, 10].w == 1) }
    }

    @Test("CIComicEffect draws black edges and keeps bright areas bright")
    func comic() throws {
        let output = try drawn(step, "CIComicEffect")
        #expect(output[19, 10].x < 0.05 && output[20, 10].x < 0.05)
        #expect((25..<38).allSatisfy { output[$0, 10].x > 0.5 })
    }

    @Test("CIHighlightShadowAdjust lifts only shadows, lowers only highlights and defaults to neither")
    func highlightShadow() throws {
        let ramp = Canvas(64, 4) { x, _ in SIMD3(repeating: Double(x) / 63) }
        #expect(try drawn(ramp, "CIHighlightShadowAdjust").furthest(from: { ramp[$0, $1] }) < 0.002)
        let lifted = try drawn(ramp, "CIHighlightShadowAdjust", ["inputShadowAmount": 1])
        let lowered = try drawn(ramp, "CIHighlightShadowAdjust", ["inputHighlightAmount": 0.3])
        #expect(lifted[10, 1].x > ramp[10, 1].x * 1.5 && abs(lifted[50, 1].x - ramp[50, 1].x) < 0.003)
        #expect(lowered[60, 1].x < ramp[60, 1].x * 0.8 && abs(lowered[20, 1].x - ramp[20, 1].x) < 0.003)
        for x in 1..<64 { #expect(lifted[x, 1].x >= lifted[x - 1, 1].x) }
    }

    @Test("CISpotColor replaces its spot colors and turns other colors white")
    func spotColor() throws {
        let colors: [SIMD3<Double>] = [[0.0784, 0.0627, 0.0706], [0.9216, 0.4549, 0.3333], [0, 1, 0.2]]
        let inks: [SIMD4<Double>] = [[0.4392, 0.1922, 0.1961, 1], [0.9098, 0.7529, 0.6078, 1], [1, 1, 1, 1]]
        let canvas = Canvas(3, 1) { x, _ in colors[x] }
        #expect(try drawn(canvas, "CISpotColor").furthest(from: { x, _ in inks[x] }) < tolerance)
    }

    @Test("CISpotLight follows Phong's and Lambert's laws")
    func spotLight() throws {
        let canvas = Canvas.flat(32, 24, [0.4, 0.3, 0.2])
        let output = try drawn(
            canvas, "CISpotLight",
            [
                "inputLightPosition": [40.0, 60, 30], "inputLightPointsAt": [16.0, 12, 0], "inputBrightness": 2,
                "inputConcentration": 0.5,
            ])
        #expect(
            output.furthest(from: { x, y in
                let light = SIMD3<Double>(40, 60, 30)
                let ray: SIMD3<Double> = SIMD3<Double>(Double(x) + 0.5, Double(y) + 0.5, 0) - light
                let axis: SIMD3<Double> = SIMD3<Double>(16, 12, 0) - light
                let far: Double = (ray * ray).sum().squareRoot()
                let long: Double = (axis * axis).sum().squareRoot()
                let facing: Double = (ray * axis).sum() / far / long
                let lit: Double = 2 * facing * facing * 30 / far
                return SIMD4<Double>(0.4 * lit, 0.3 * lit, 0.2 * lit, 1)
            }) < tolerance)
    }

    @Test(
        "convolutions are weighted sums of neighbors, starting with the lowest row",
        arguments: [("3X3", 3, 3), ("5X5", 5, 5), ("7X7", 7, 7), ("9Horizontal", 9, 1), ("9Vertical", 1, 9)])
    func convolution(kind: (String, Int, Int)) throws {
        let canvas = Canvas.mixed()
        let (name, columns, rows) = kind
        let weights = (0..<(columns * rows)).map { Double($0 * 7 % 11 - 4) / Double(columns * rows) / 3 }
        func sum(_ x: Int, _ y: Int) -> SIMD4<Double> {
            var sum = SIMD4<Double>(repeating: 0.1)
            for i in weights.indices {
                sum += canvas[x + i % columns - columns / 2, y + i / columns - rows / 2] * weights[i]
            }
            return sum
        }
        let plain = try canvas.image.filtered("CIConvolution" + name, ["inputWeights": weights, "inputBias": 0.1])
        #expect(plain.extent == canvas.bounds.insetBy(dx: Double(-(columns / 2)), dy: Double(-(rows / 2))))
        #expect(try Drawn(plain, in: plain.extent, by: renderer).furthest(from: sum) < tolerance)
        let rgb = try drawn(canvas, "CIConvolutionRGB" + name, ["inputWeights": weights, "inputBias": 0.1])
        #expect(
            rgb.furthest(from: {
                var c = sum($0, $1)
                c.w = 1
                return c
            }) < tolerance)
    }

    @Test("CIHeightFieldFromMask is 0 outside its mask and rises inside")
    func height() throws {
        let mask = Canvas(64, 20) { x, _ in x < 32 ? [0, 0, 0] : [1, 1, 1] }
        let output = try Drawn(
            mask.image.clampedToExtent().filtered("CIHeightFieldFromMask", ["inputRadius": 4]), in: mask.bounds,
            by: renderer)
        for x in [20, 31] { #expect(output[x, 10].x == 0) }
        #expect(output[32, 10].x < 0.15)
        #expect(output[36, 10].x > output[33, 10].x)
        #expect(output[50, 10].x > 0.95)
    }

    @Test("CIShadedMaterial maps flat areas to the sphere's middle, slopes to its sides")
    func shaded() throws {
        let sphere = Canvas(21, 21) { x, y in [Double(x) / 20, Double(y) / 20, 0] }
        let field = Canvas(40, 10) { x, _ in SIMD3(repeating: x < 15 ? 0.2 : x < 25 ? 0.2 + Double(x - 15) * 0.06 : 0.8)
        }
        let output = try drawn(field, "CIShadedMaterial", ["inputShadingImage": sphere.image, "inputScale": 10])
        #expect(abs(output[5, 5].x - 0.5) < 0.03 && abs(output[5, 5].y - 0.5) < 0.03)
        // An upward slope of 0.6 to the right reads the sphere left of its middle.
        let leaning: Double = 0.5 - 0.3 / 1.36.squareRoot()
        #expect(abs(output[20, 5].x - leaning) < 0.04)
    }

    @Test("CIDepthOfField is sharp along its line and blurred away from it")
    func depth() throws {
        let canvas = Canvas(40, 80) { x, y in (x + y) % 2 == 0 ? [0, 0, 0] : [1, 1, 1] }
        let output = try drawn(canvas, "CIDepthOfField", ["inputPoint0": [0.0, 10], "inputPoint1": [40.0, 10]])
        #expect(abs(output[20, 10].x - output[21, 10].x) > 0.9)
        #expect(abs(output[20, 70].x - output[21, 70].x) < 0.05)
    }

    @Test("CIPixellate fills each square with the mean of its pixels", arguments: [2.0, 5, 8, 16])
    func pixellate(size: Double) throws {
        let canvas = Canvas.mixed()
        let cell = Int(size)
        let image = try canvas.image.filtered("CIPixellate", ["inputCenter": [0.0, 0], "inputScale": size])
        #expect(image.extent == canvas.bounds)
        let output = try Drawn(image, in: canvas.bounds, by: renderer)
        // Cells at the edge are incomplete, so only complete cells are compared.
        for row in 0..<(32 / cell) {
            for column in 0..<(48 / cell) {
                var mean = SIMD4<Double>.zero
                for y in 0..<cell {
                    for x in 0..<cell {
                        mean +=
                            canvas[column * cell + x, row * cell + y] / SIMD4<Double>(repeating: Double(cell * cell))
                        #expect(output[column * cell + x, row * cell + y] == output[column * cell, row * cell])
                    }
                }
                let away: SIMD4<Double> = output[column * cell, row * cell] - mean
                #expect((away * away).max() < 0.02 * 0.02, "\(column), \(row)")
            }
        }
        let one = try canvas.image.filtered("CIPixellate", ["inputScale": 1])
        #expect(try Drawn(one, in: canvas.bounds, by: renderer).furthest(from: { canvas[$0, $1] }) < 0.002)
    }

    @Test("CIHexagonalPixellate makes hexagons of one color each")
    func hexagons() throws {
        let canvas = Canvas.smooth()
        let output = try drawn(canvas, "CIHexagonalPixellate", ["inputCenter": [32.0, 24], "inputScale": 6])
        // 64 × 48 pixels hold about 33 hexagons of 93.5 pixels, and some incomplete ones.
        #expect(output.colors > 30 && output.colors < 75)
        // Six points inside the hexagon's inscribed circle.
        for turn in stride(from: 0.0, to: 6, by: 1) {
            let x = 32 + Int((3.5 * cos(turn)).rounded())
            let y = 24 + Int((3.5 * sin(turn)).rounded())
            #expect(output[x, y] == output[32, 24])
        }
        let away: SIMD4<Double> = output[32, 24] - canvas[32, 24]
        #expect((away * away).max() < 0.03 * 0.03)
    }

    @Test("CICrystallize fills the image with few colors; CIPointillize leaves paper visible")
    func scattered() throws {
        let canvas = Canvas.smooth()
        let crystals = try drawn(canvas, "CICrystallize", ["inputRadius": 8])
        #expect(crystals.colors > 10 && crystals.colors < 60)
        #expect(crystals.values.allSatisfy { $0.w == 1 })
        let points = try drawn(canvas, "CIPointillize", ["inputRadius": 6])
        #expect(points.values.contains { $0.x > 0.99 && $0.y > 0.99 && $0.z > 0.99 })
        var mean = SIMD4<Double>.zero
        for y in 0..<48 { for x in 0..<64 { mean += canvas[x, y] } }
        let away: SIMD4<Double> = crystals.mean() - mean / SIMD4<Double>(repeating: 3072)
        #expect((away * away).max() < 0.0025)
    }
}
