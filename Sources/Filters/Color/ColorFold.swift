import CPixels
import Foundation
import MediaCore

/// A recipe that only changes colours, as something that the CPU does to pixels in a moment.
package struct FoldedColors: Sendable {
    package enum Kind: String, Sendable { case identity, matrix, curves, cube }
    fileprivate enum Way: Sendable {
        case identity
        case matrix(ColorAffine)
        /// For blue, green, red: what a value becomes, where it stands in the pixel.
        case curves([UInt32])
        case cube(ColorCube)
    }
    private let way: Way
    fileprivate init(way: Way) { self.way = way }

    package var kind: Kind {
        switch way {
        case .identity: .identity
        case .matrix: .matrix
        case .curves: .curves
        case .cube: .cube
        }
    }

    /// Nothing is changed.
    package static let identity = FoldedColors(way: .identity)

    /// 32-bit BGRX words in place; X becomes 255. Nothing is allocated.
    ///
    /// - Parameter stride: bytes per row, a multiple of four.
    package func apply(to pixels: UnsafeMutableRawPointer, width: Int, height: Int, stride: Int) {
        guard width > 0, height > 0 else { return }
        switch way {
        case .identity: break
        case .matrix(let affine): FoldedColors.apply(affine, pixels, width, height, stride)
        case .curves(let curves): FoldedColors.apply(curves, pixels, width, height, stride)
        case .cube(let cube): cube.apply(to: pixels, width: width, height: height, stride: stride)
        }
    }

    private static func apply(
        _ curves: [UInt32], _ pixels: UnsafeMutableRawPointer, _ width: Int, _ height: Int, _ stride: Int
    ) {
        curves.withUnsafeBufferPointer { curves in
            guard let blue = curves.baseAddress else { return }
            let green = blue + 256
            let red = blue + 512
            for y in 0..<height {
                let row = (pixels + y * stride).assumingMemoryBound(to: UInt32.self)
                for x in 0..<width {
                    let p = row[x]
                    row[x] = blue[Int(p & 255)] | green[Int(p >> 8 & 255)] | red[Int(p >> 16 & 255)]
                }
            }
        }
    }

    private static func apply(
        _ m: ColorAffine, _ pixels: UnsafeMutableRawPointer, _ width: Int, _ height: Int, _ stride: Int
    ) {
        // Three rows of four, one after the other; what is added stands for a whole of 255.
        var rows = (m.red, m.green, m.blue)
        rows.0.w *= 255
        rows.1.w *= 255
        rows.2.w *= 255
        withUnsafeBytes(of: rows) { raw in
            guard let rows = raw.baseAddress?.assumingMemoryBound(to: Float.self) else { return }
            for y in 0..<height {
                zt_pixels_affine((pixels + y * stride).assumingMemoryBound(to: UInt32.self), width, rows)
            }
        }
    }
}

/// Turns a recipe into `FoldedColors` where it is nothing but smooth colour steps over the video.
package enum ColorFold {
    /// The steps in their order; nil when the recipe does something else too.
    static func steps(of image: CIImage) -> [ColorStep]? {
        var steps: [ColorStep] = []
        var current = image
        while case .colors(let step, let input) = current.recipe {
            steps.append(step)
            current = input
        }
        guard case .source = current.recipe else { return nil }
        return steps.reversed()
    }

    /// Nil when the recipe cannot be folded. Tables are made by the very shaders that draw it.
    ///
    /// - Parameter renderer: asked for when a table is to be made; a matrix needs none.
    /// - Throws: as `PictureRenderer`.
    package static func fold(_ image: CIImage, renderer: () throws(AVError) -> PictureRenderer) throws(AVError)
        -> FoldedColors?
    {
        guard let steps = steps(of: image) else { return nil }
        var affine: ColorAffine? = .identity
        var isPerChannel = true
        var isSmooth = true
        for step in steps {
            let matrix = ColorAffine(step)
            affine = matrix.flatMap { affine?.then($0) }
            isPerChannel = isPerChannel && (matrix?.isPerChannel ?? step.kernel.isPerChannel)
            isSmooth = isSmooth && step.kernel.isSmooth
        }
        if let affine { return FoldedColors(affine) }
        if isPerChannel {
            let greys = ImageBitmap(
                width: 256, height: 1, pixels: (0..<256).flatMap { [UInt8($0), UInt8($0), UInt8($0), 255] })
            let drawn = try renderer().bitmap(
                of: chain(steps, over: CIImage(greys)), in: CGRect(x: 0, y: 0, width: 256, height: 1))
            return FoldedColors(curves: drawn.pixels)
        }
        guard isSmooth else { return nil }
        let side = ColorCube.size
        let places = CIImage(
            recipe: .kernel(KernelStep(everyColor, [.float(Float(side))], inputs: [])),
            extent: CGRect(x: 0, y: 0, width: side * side, height: side))
        let drawn = try renderer().values(of: chain(steps, over: places), in: places.extent)
        return FoldedColors(way: .cube(ColorCube(drawn)))
    }

    private static func chain(_ steps: [ColorStep], over image: CIImage) -> CIImage {
        steps.reduce(image) { $0.adding($1) }
    }

    /// Rows from the top are greens within a blue when read: place x holds red and green, the row blue.
    private static let everyColor = Kernel(
        "zt_everyColor", .general,
        """
        vec4 zt_everyColor(vec2 place, float side) {
            vec2 i = floor(place);
            float green = floor((i.x + 0.5) / side);
            return vec4(vec3(i.x - green * side, green, side - 1.0 - i.y) / (side - 1.0), 1.0);
        }
        """)
}

extension FoldedColors {
    /// Rows that differ from the identity by less than a pixel's rounding are it.
    init(_ affine: ColorAffine) {
        func isClose(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> Bool {
            (a - b).indices.allSatisfy { abs(a[$0] - b[$0]) < 1.0 / 4096 }
        }
        let isSame =
            isClose(affine.red, ColorAffine.identity.red) && isClose(affine.green, ColorAffine.identity.green)
            && isClose(affine.blue, ColorAffine.identity.blue)
        self.init(way: isSame ? .identity : .matrix(affine))
    }

    /// - Parameter greys: what 256 greys became, RGBA.
    fileprivate init(curves greys: [UInt8]) {
        func curve(_ channel: Int, _ shift: UInt32, _ rest: UInt32) -> [UInt32] {
            (0..<256).map { UInt32(greys[$0 * 4 + channel]) << shift | rest }
        }
        let isSame = (0..<256).allSatisfy { grey in (0..<3).allSatisfy { Int(greys[grey * 4 + $0]) == grey } }
        self.init(way: isSame ? .identity : .curves(curve(2, 0, 0xFF00_0000) + curve(1, 8, 0) + curve(0, 16, 0)))
    }
}

extension ColorAffine {
    /// Each channel depends on itself only.
    var isPerChannel: Bool {
        red.y == 0 && red.z == 0 && green.x == 0 && green.z == 0 && blue.x == 0 && blue.y == 0
    }
}
