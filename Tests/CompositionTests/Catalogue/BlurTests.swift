import Foundation
import Testing

@testable import Filters

@Suite("Blurs")
struct BlurTests {
    private let renderer: PictureRenderer
    init() throws { renderer = try PictureRenderer() }

    private func drawn(_ image: CIImage, in rect: CGRect) throws -> Drawn { try Drawn(image, in: rect, by: renderer) }

    /// Returns the convolution with weights for −n…n on both axes. Pixels outside the canvas are transparent.
    private func convolved(_ canvas: Canvas, _ weights: [Double]) -> (Int, Int) -> SIMD4<Double> {
        let n = weights.count / 2
        let total = weights.reduce(0, +)
        var across: [SIMD4<Double>] = []
        for y in 0..<canvas.height {
            for x in -n..<(canvas.width + n) {
                var sum = SIMD4<Double>.zero
                for k in -n...n {
                    let weight: Double = weights[k + n] / total
                    sum += canvas[x + k, y] * weight
                }
                across.append(sum)
            }
        }
        let wide = canvas.width + 2 * n
        let high = canvas.height
        return { x, y in
            guard x >= -n, x < wide - n else { return .zero }
            var sum = SIMD4<Double>.zero
            for k in max(-n, -y)...max(-n, -y, min(n, high - 1 - y)) where y + k >= 0 && y + k < high {
                let weight: Double = weights[k + n] / total
                sum += across[(y + k) * wide + x + n] * weight
            }
            return sum
        }
    }
    private func gaussian(_ sigma: Double) -> [Double] {
        let n = Int((4 * sigma).rounded(.up))
        return (-n...n).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    }

    /// Large radii are computed at a reduced size.
    @Test(
        "CIGaussianBlur matches a Gaussian kernel, also for large radii",
        arguments: [0.7, 1.5, 4.6, 6.0, 13.0])
    func gaussianBlur(sigma: Double) throws {
        let canvas = Canvas.mixed(60, 44)
        let output = try canvas.image.filtered("CIGaussianBlur", ["inputRadius": sigma])
        let reach = (3 * sigma).rounded(.up)
        #expect(output.extent == canvas.bounds.insetBy(dx: -reach, dy: -reach))
        let expected = convolved(canvas, gaussian(sigma))
        #expect(try drawn(output, in: canvas.bounds).furthest(from: expected) < tolerance)
        #expect(
            try drawn(output, in: CGRect(x: -reach / 2, y: -reach / 2, width: reach, height: reach)).furthest(
                from: expected) < tolerance)
    }

    @Test(
        "a radius of 0 or less changes nothing",
        arguments: [
            "CIGaussianBlur", "CIDiscBlur", "CIMotionBlur", "CIBokehBlur", "CIMorphologyMaximum", "CIMorphologyMinimum",
        ])
    func none(name: String) throws {
        let canvas = Canvas.mixed()
        for radius in [0.0, -5] {
            let output = try canvas.image.filtered(name, ["inputRadius": radius])
            #expect(output.extent == canvas.bounds)
            #expect(try drawn(output, in: canvas.bounds).furthest(from: { canvas[$0, $1] }) < 0.002)
        }
    }

    @Test("CIBoxBlur is the mean of a square", arguments: [1.0, 2.5, 7.0, 15.0])
    func box(radius: Double) throws {
        let canvas = Canvas.mixed(60, 44)
        let n = Int(radius.rounded(.up))
        let edge = 1 - (Double(n) - radius)
        let weights = (-n...n).map { abs($0) == n ? edge : 1 }
        let output = try canvas.image.filtered("CIBoxBlur", ["inputRadius": radius])
        #expect(output.extent == canvas.bounds.insetBy(dx: Double(-n), dy: Double(-n)))
        #expect(try drawn(output, in: canvas.bounds).furthest(from: convolved(canvas, weights)) < tolerance)
    }

    @Test("a wide CIBoxBlur, computed at reduced size, is still a mean")
    func wideBox() throws {
        let canvas = Canvas.smooth(80, 80)
        let output = try drawn(
            canvas.image.filtered("CIBoxBlur", ["inputRadius": 30]), in: CGRect(x: 36, y: 36, width: 8, height: 8))
        let expected = convolved(canvas, [Double](repeating: 1, count: 61))
        #expect(output.furthest(from: expected) < tolerance)
    }

    @Test("CIDiscBlur spreads a point over a disc evenly and keeps its light", arguments: [2.0, 3.5, 11.0])
    func disc(radius: Double) throws {
        let canvas = Canvas(64, 64) { x, y in x / 8 == 4 && y / 8 == 4 ? [1, 1, 1] : [0, 0, 0] }
        let output = try drawn(canvas.image.filtered("CIDiscBlur", ["inputRadius": radius]), in: canvas.bounds)
        #expect(abs(output.mean().x - 64.0 / 4096) < 0.0015)
        let dot = Canvas(33, 33) { x, y in x == 16 && y == 16 ? [1, 1, 1] : [0, 0, 0] }
        let spread = try drawn(dot.image.filtered("CIDiscBlur", ["inputRadius": 3]), in: dot.bounds)
        let even = 1 / (Double.pi * 9)
        for x in [16, 18] { #expect(abs(spread[x, 16].x - even) < 0.01) }
        for p in [(20, 16), (19, 19)] { #expect(spread[p.0, p.1].x < 0.002) }
    }

    @Test("CIMotionBlur averages along its direction only")
    func motion() throws {
        let rows = Canvas(64, 40) { _, y in SIMD3(repeating: Double(y * 37 % 40) / 40) }
        let along = try drawn(
            rows.image.clampedToExtent().filtered("CIMotionBlur", ["inputRadius": 10, "inputAngle": 0]), in: rows.bounds
        )
        #expect(along.furthest(from: { rows[$0, $1] }) < tolerance)
        let step = Canvas(80, 10) { x, _ in x < 40 ? [0, 0, 0] : [1, 1, 1] }
        let across = try drawn(
            step.image.filtered("CIMotionBlur", ["inputRadius": 12]), in: CGRect(x: 20, y: 2, width: 40, height: 4))
        #expect(
            across.furthest(from: { x, _ in
                let light: Double = min(1, max(0, (Double(x) - 27) / 25))
                return SIMD4<Double>(light, light, light, 1)
            }) < 0.03)
    }

    @Test("CIZoomBlur keeps its center and smears along rays from the center")
    func zoom() throws {
        let rays = Canvas(80, 80) { x, y in
            let turn: Double = atan2(Double(y) - 39.5, Double(x) - 39.5)
            return SIMD3<Double>(repeating: 0.5 + 0.4 * cos(2 * turn))
        }
        let output = try drawn(
            rays.image.filtered("CIZoomBlur", ["inputCenter": [40.0, 40.0], "inputAmount": 40]),
            in: CGRect(x: 50, y: 50, width: 25, height: 25))
        #expect(output.furthest(from: { rays[$0, $1] }) < 0.03)
        let rings = Canvas(80, 80) { x, y in SIMD3(repeating: hypot(Double(x) - 39.5, Double(y) - 39.5) < 20 ? 1 : 0) }
        let smeared = try drawn(
            rings.image.filtered("CIZoomBlur", ["inputCenter": [40.0, 40.0], "inputAmount": 60]), in: rings.bounds)
        // The edge at radius 20 is smeared to 20 · e^0.4.
        let edge = smeared[64, 40].x
        #expect(smeared[40, 40].x > 0.99)
        #expect(edge > 0.2 && edge < 0.8)
        #expect(smeared[72, 40].x < 0.01)
    }

    @Test("CIMedianFilter returns the median of nine pixels")
    func median() throws {
        let canvas = Canvas.mixed()
        let output = try drawn(canvas.image.filtered("CIMedianFilter"), in: canvas.bounds)
        #expect(
            output.furthest(from: { x, y in
                let near: [SIMD4<Double>] = (0..<9).map { canvas.clamped(x + $0 % 3 - 1, y + $0 / 3 - 1) }
                var middle = SIMD4<Double>.zero
                for i in 0..<4 { middle[i] = near.map { $0[i] }.sorted()[4] }
                return middle
            }) < 0.002)
    }

    @Test("CINoiseReduction smooths differences below its level and keeps edges")
    func noise() throws {
        var seed: UInt32 = 3
        let canvas = Canvas(40, 30) { x, _ in
            seed = seed &* 1_664_525 &+ 1_013_904_223
            return SIMD3(repeating: (x < 20 ? 0.2 : 0.8) + (Double(seed >> 24) / 255 - 0.5) * 0.03)
        }
        let output = try drawn(
            canvas.image.filtered("CINoiseReduction", ["inputNoiseLevel": 0.04, "inputSharpness": 0]), in: canvas.bounds
        )
        func spread(_ value: (Int, Int) -> Double) -> Double {
            var sum = 0.0
            var squares = 0.0
            for x in 2..<18 {
                for y in 2..<28 {
                    let v = value(x, y)
                    sum += v
                    squares += v * v
                }
            }
            let mean = sum / 416
            return (squares / 416 - mean * mean).squareRoot()
        }
        let after = spread { output[$0, $1].x }
        let before = spread { canvas[$0, $1].x }
        #expect(after < 0.5 * before)
        for y in 0..<30 { #expect(output[19, y].x < 0.23 && output[20, y].x > 0.77) }
    }

    @Test("CIMaskedVariableBlur blurs nothing in black, half in gray, all in white")
    func masked() throws {
        let canvas = Canvas.mixed()
        let all = try drawn(canvas.image.filtered("CIGaussianBlur", ["inputRadius": 4]), in: canvas.bounds)
        let half = try drawn(canvas.image.filtered("CIGaussianBlur", ["inputRadius": 2]), in: canvas.bounds)
        let mask = Canvas(48, 32) { x, _ in SIMD3(repeating: x < 16 ? 0 : x < 32 ? 0.5 : 1) }
        let output = try drawn(
            canvas.image.filtered("CIMaskedVariableBlur", ["inputMask": mask.image, "inputRadius": 4]),
            in: canvas.bounds)
        #expect(output.furthest(from: { x, y in x < 16 ? canvas[x, y] : x < 32 ? half[x, y] : all[x, y] }) < 0.01)
    }

    @Test("CIBokehBlur turns a light into a disc with an optional bright rim")
    func bokeh() throws {
        let lamp = Canvas(65, 65) { x, y in abs(x - 32) < 2 && abs(y - 32) < 2 ? [1, 1, 1] : [0, 0, 0] }
        let even = try drawn(
            lamp.image.filtered("CIBokehBlur", ["inputRadius": 12, "inputRingAmount": 0]), in: lamp.bounds)
        let ring = try drawn(
            lamp.image.filtered("CIBokehBlur", ["inputRadius": 12, "inputRingAmount": 1, "inputRingSize": 0.2]),
            in: lamp.bounds)
        // The light of 9 pixels spread over 452 is 0.02, which is displayed as √0.02.
        for x in [32, 38] { #expect(abs(even[x, 32].x - 0.141) < 0.03) }
        #expect(even[50, 32].x < 0.01)
        #expect(ring[42, 32].x > 1.25 * ring[32, 32].x)
    }

    @Test("CIMorphologyMaximum and CIMorphologyMinimum use a disc of pixels", arguments: [1, 2, 3])
    func smallMorphology(radius: Int) throws {
        let canvas = Canvas.mixed()
        var near: [(x: Int, y: Int)] = []
        for y in -radius...radius {
            for x in -radius...radius where x * x + y * y <= radius * radius { near.append((x, y)) }
        }
        let most = try canvas.image.filtered("CIMorphologyMaximum", ["inputRadius": radius])
        #expect(most.extent == canvas.bounds.insetBy(dx: Double(-radius), dy: Double(-radius)))
        #expect(
            try drawn(most, in: canvas.bounds).furthest(from: { x, y in
                var best = canvas[x, y]
                for p in near { best = pointwiseMax(best, canvas[x + p.x, y + p.y]) }
                return best
            }) < 0.002)
        let least = try canvas.image.filtered("CIMorphologyMinimum", ["inputRadius": radius])
        #expect(least.extent == canvas.bounds)
        #expect(
            try drawn(least, in: canvas.bounds).furthest(from: { x, y in
                var best = canvas[x, y]
                for p in near { best = pointwiseMin(best, canvas.clamped(x + p.x, y + p.y)) }
                return best
            }) < 0.002)
    }

    @Test("a wide CIMorphologyMaximum covers its circle and little more", arguments: [4, 7, 12, 50])
    func wideMorphology(radius: Int) throws {
        let dot = Canvas(121, 121) { x, y in x == 60 && y == 60 ? [1, 1, 1] : [0, 0, 0] }
        let output = try drawn(dot.image.filtered("CIMorphologyMaximum", ["inputRadius": radius]), in: dot.bounds)
        var uncovered = 0
        var beyond = 0
        for y in 0..<121 {
            for x in 0..<121 {
                let far = hypot(Double(x - 60), Double(y - 60))
                if far <= Double(radius) * 0.96 { uncovered += output[x, y].x > 0.99 ? 0 : 1 }
                // The filter uses an octagon, whose corners are at 1 / cos 22.5° of its inner circle's radius.
                if far > Double(radius) * 1.083 + 0.8 { beyond += output[x, y].x < 0.01 ? 0 : 1 }
            }
        }
        #expect(uncovered == 0 && beyond == 0)
        #expect(output[60 + radius, 60].x > 0.99 && output[60, 60 - radius].x > 0.99)
    }

    @Test("CIMorphologyGradient is maximum minus minimum, opaque")
    func gradient() throws {
        let canvas = Canvas.mixed()
        let endless = canvas.image.clampedToExtent()
        let most = try drawn(endless.filtered("CIMorphologyMaximum", ["inputRadius": 5]), in: canvas.bounds)
        let least = try drawn(endless.filtered("CIMorphologyMinimum", ["inputRadius": 5]), in: canvas.bounds)
        let output = try drawn(canvas.image.filtered("CIMorphologyGradient"), in: canvas.bounds)
        #expect(
            output.furthest(from: {
                var c = most[$0, $1] - least[$0, $1]
                c.w = 1
                return c
            }) < 0.002)
    }

    @Test("CIUnsharpMask adds back what blurring removes; CISharpenLuminance adds only luminance")
    func sharpen() throws {
        let canvas = Canvas.smooth()
        let blurred = try drawn(
            canvas.image.clampedToExtent().filtered("CIGaussianBlur", ["inputRadius": 2]), in: canvas.bounds)
        let unsharp = try drawn(
            canvas.image.filtered("CIUnsharpMask", ["inputRadius": 2, "inputIntensity": 0.8]), in: canvas.bounds)
        func kept(_ c: SIMD4<Double>) -> SIMD4<Double> { c.clamped(lowerBound: .zero, upperBound: .one) }
        #expect(
            unsharp.furthest(from: { x, y in
                let c = canvas[x, y]
                let away: SIMD4<Double> = c - blurred[x, y]
                return kept(c + away * 0.8)
            }) < tolerance)
        let light = try drawn(
            canvas.image.filtered("CISharpenLuminance", ["inputRadius": 2, "inputSharpness": 1]), in: canvas.bounds)
        #expect(
            light.furthest(from: { x, y in
                let c = canvas[x, y]
                let away: SIMD4<Double> = c - blurred[x, y]
                let l: Double = 0.2126 * away.x + 0.7152 * away.y + 0.0722 * away.z
                return kept(SIMD4<Double>(c.x + l, c.y + l, c.z + l, 1))
            }) < tolerance)
    }
}
