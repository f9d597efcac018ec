import Foundation

@testable import Filters

/// A small opaque image, as a `CIImage` and as numbers to compute with. Coordinates are those of Core Image: y points
/// up.
struct Canvas {
    let width: Int, height: Int
    private(set) var bytes: [UInt8]

    /// Creates a canvas.
    /// - Parameter color: Returns red, green and blue (0…1) of the pixel (x, y).
    init(_ width: Int, _ height: Int, _ color: (Int, Int) -> SIMD3<Double>) {
        self.width = width
        self.height = height
        bytes = [UInt8](repeating: 255, count: width * height * 4)
        for y in 0..<height {
            for x in 0..<width {
                let c = color(x, y)
                let at = ((height - 1 - y) * width + x) * 4
                for i in 0..<3 { bytes[at + i] = UInt8((min(max(c[i], 0), 1) * 255).rounded()) }
            }
        }
    }

    var bounds: CGRect { CGRect(x: 0, y: 0, width: width, height: height) }
    var image: CIImage { CIImage(ImageBitmap(width: width, height: height, pixels: bytes)) }

    /// The color of a pixel, in 0…1. Pixels outside are transparent black. The canvas is opaque, so alpha need not be
    /// premultiplied.
    subscript(x: Int, y: Int) -> SIMD4<Double> {
        guard x >= 0, y >= 0, x < width, y < height else { return .zero }
        let at = ((height - 1 - y) * width + x) * 4
        return SIMD4((0..<4).map { Double(bytes[at + $0]) / 255 })
    }
    /// Returns the color of a pixel, or of the nearest pixel of the canvas.
    func clamped(_ x: Int, _ y: Int) -> SIMD4<Double> { self[min(max(x, 0), width - 1), min(max(y, 0), height - 1)] }
    /// Interpolates linearly between pixel centers, as the GPU reads textures. The pixels of the edge continue outside.
    func linear(_ x: Double, _ y: Double) -> SIMD4<Double> {
        let fx = (x - 0.5).rounded(.down)
        let fy = (y - 0.5).rounded(.down)
        let tx = x - 0.5 - fx
        let ty = y - 0.5 - fy
        let i = Int(max(-1e6, min(1e6, fx)))
        let j = Int(max(-1e6, min(1e6, fy)))
        func between(_ a: SIMD4<Double>, _ b: SIMD4<Double>, _ t: Double) -> SIMD4<Double> { a + (b - a) * t }
        return between(
            between(clamped(i, j), clamped(i + 1, j), tx), between(clamped(i, j + 1), clamped(i + 1, j + 1), tx), ty)
    }

    /// Returns an image with a red ramp, green waves, blue squares and noise.
    static func mixed(_ width: Int = 48, _ height: Int = 32) -> Canvas {
        var seed: UInt32 = 7
        return Canvas(width, height) { x, y in
            seed = seed &* 1_664_525 &+ 1_013_904_223
            let red: Double = Double(x) / Double(width)
            let green: Double = 0.5 + 0.4 * sin(Double(y) * 0.7)
            let blue: Double = (x / 6 + y / 5) % 2 == 0 ? 0.8 : 0.2
            let noise: Double = Double(seed >> 24) / 1700
            return SIMD3<Double>(red, green, blue + noise)
        }
    }
    /// Returns a smooth image, in which a shift of half a pixel makes hardly any difference.
    static func smooth(_ width: Int = 64, _ height: Int = 48) -> Canvas {
        Canvas(width, height) { x, y in
            SIMD3<Double>(Double(x) / Double(width), Double(y) / Double(height), 0.5 + 0.3 * sin(Double(x + y) * 0.1))
        }
    }
    static func flat(_ width: Int, _ height: Int, _ color: SIMD3<Double>) -> Canvas {
        Canvas(width, height) { _, _ in color }
    }
}

/// A rendered image, with the coordinates of `Canvas`.
struct Drawn {
    let rect: CGRect
    let values: [SIMD4<Float>]
    init(_ image: CIImage, in rect: CGRect, by renderer: PictureRenderer) throws {
        self.rect = rect.integral
        values = try renderer.values(of: image, in: rect)
    }
    subscript(x: Int, y: Int) -> SIMD4<Double> {
        let column = x - Int(rect.minX)
        let row = Int(rect.maxY) - 1 - y
        guard column >= 0, row >= 0, column < Int(rect.width), row < Int(rect.height) else {
            return SIMD4(repeating: .nan)
        }
        return SIMD4<Double>(values[row * Int(rect.width) + column])
    }
    /// Returns the largest difference of any component from the expected color.
    func furthest(from expected: (Int, Int) -> SIMD4<Double>) -> Double {
        var most = 0.0
        for y in Int(rect.minY)..<Int(rect.maxY) {
            for x in Int(rect.minX)..<Int(rect.maxX) {
                let away = self[x, y] - expected(x, y)
                for i in 0..<4 { most = max(most, away[i].isNaN ? .infinity : abs(away[i])) }
            }
        }
        return most
    }
    func mean() -> SIMD4<Double> { values.reduce(SIMD4<Double>.zero) { $0 + SIMD4<Double>($1) } / Double(values.count) }
    /// The number of different colors in 8 bits.
    var colors: Int { Set(values.map { SIMD4<Int32>(($0 * 255).rounded(.toNearestOrAwayFromZero)) }).count }
}

extension CIImage {
    /// Returns the output of the named filter, created by the API that apps use.
    func filtered(_ name: String, _ parameters: [String: Any] = [:]) throws -> CIImage {
        guard let filter = CIFilter(name: name, parameters: parameters) else {
            throw CatalogueFault(name: name, what: "is no filter")
        }
        if filter.inputKeys.contains("inputImage") { filter.inputImage = self }
        guard filter.problems.isEmpty else {
            throw CatalogueFault(name: name, what: filter.problems.joined(separator: "; "))
        }
        guard let output = filter.outputImage else { throw CatalogueFault(name: name, what: "makes nothing") }
        return output
    }
}

struct CatalogueFault: Error, CustomStringConvertible {
    let name: String, what: String
    var description: String { "\(name) \(what)" }
}

/// The accepted difference of a component: 3 of 255.
let tolerance = 3.0 / 255
