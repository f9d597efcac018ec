import CPixels
import Foundation
import MediaCore

/// A recipe that only changes colors, in a form that the CPU applies to pixels quickly.
package struct FoldedColors: Sendable {
    package enum Kind: String, Sendable { case identity, matrix, curves, cube }
    fileprivate enum Operation: Sendable {
        case identity
        case matrix(ColorAffine)
        /// The new pixel bits for the 256 values of blue, then green, then red, shifted to their position in the pixel.
        case curves([UInt32])
        case cube(ColorCube)
    }
    private let operation: Operation
    fileprivate init(operation: Operation) { self.operation = operation }

    package var kind: Kind {
        switch operation {
        case .identity: .identity
        case .matrix: .matrix
        case .curves: .curves
        case .cube: .cube
        }
    }

    /// The folded colors that change nothing.
    package static let identity = FoldedColors(operation: .identity)

    /// Changes 32-bit BGRX pixels in place. X becomes 255. Allocates no memory.
    /// - Parameters:
    ///   - pixels: The first pixel.
    ///   - width: The number of pixels per row.
    ///   - height: The number of rows.
    ///   - stride: The number of bytes per row, a multiple of four.
    package func apply(to pixels: UnsafeMutableRawPointer, width: Int, height: Int, stride: Int) {
        guard width > 0, height > 0 else { return }
        switch operation {
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
        // The three rows of the matrix are stored one after the other. Offsets are scaled from 0…1 to 0…255.
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

/// The conversion of recipes to `FoldedColors`. A recipe can be converted if it has only color steps over the video.
package enum ColorFold {
    /// Returns the color steps in their order. Returns nil if the recipe has other steps too.
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

    /// Folds the colors of a recipe. Returns nil if the recipe can't be folded.
    ///
    /// The shaders that draw the recipe also compute the tables, so both have the same colors.
    /// - Parameters:
    ///   - image: The recipe.
    ///   - renderer: Returns the renderer that computes a table. It is not called for a matrix.
    /// - Throws: The errors of `PictureRenderer`.
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
            let grays = ImageBitmap(
                width: 256, height: 1, pixels: (0..<256).flatMap { [UInt8($0), UInt8($0), UInt8($0), 255] })
            let drawn = try renderer().bitmap(
                of: chain(steps, over: CIImage(grays)), in: CGRect(x: 0, y: 0, width: 256, height: 1))
            return FoldedColors(curves: drawn.pixels)
        }
        guard isSmooth else { return nil }
        let side = ColorCube.size
        let allColors = CIImage(
            recipe: .kernel(KernelStep(everyColor, [.float(Float(side))], inputs: [])),
            extent: CGRect(x: 0, y: 0, width: side * side, height: side))
        let drawn = try renderer().values(of: chain(steps, over: allColors), in: allColors.extent)
        return FoldedColors(operation: .cube(ColorCube(drawn)))
    }

    private static func chain(_ steps: [ColorStep], over image: CIImage) -> CIImage {
        steps.reduce(image) { $0.adding($1) }
    }

    /// An image with all colors of the table. Rows from the top have increasing blue. Within a row, red changes
    /// fastest, then green.
    private static let everyColor = Kernel(
        "zt_everyColor", .general, native: ZT_KERNEL_EVERY_COLOR,
        """
        vec4 zt_everyColor(vec2 place, float side) {
            vec2 i = floor(place);
            float green = floor((i.x + 0.5) / side);
            return vec4(vec3(i.x - green * side, green, side - 1.0 - i.y) / (side - 1.0), 1.0);
        }
        """)
}

extension FoldedColors {
    /// Creates folded colors from a matrix. Differences from the identity that are smaller than the rounding of a pixel
    /// are ignored.
    init(_ affine: ColorAffine) {
        func isClose(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> Bool {
            (a - b).indices.allSatisfy { abs(a[$0] - b[$0]) < 1.0 / 4096 }
        }
        let isSame =
            isClose(affine.red, ColorAffine.identity.red) && isClose(affine.green, ColorAffine.identity.green)
            && isClose(affine.blue, ColorAffine.identity.blue)
        self.init(operation: isSame ? .identity : .matrix(affine))
    }

    /// - Parameter grays: The RGBA values that the 256 gray values became.
    fileprivate init(curves grays: [UInt8]) {
        func curve(_ channel: Int, _ shift: UInt32, _ rest: UInt32) -> [UInt32] {
            (0..<256).map { UInt32(grays[$0 * 4 + channel]) << shift | rest }
        }
        let isSame = (0..<256).allSatisfy { gray in (0..<3).allSatisfy { Int(grays[gray * 4 + $0]) == gray } }
        self.init(operation: isSame ? .identity : .curves(curve(2, 0, 0xFF00_0000) + curve(1, 8, 0) + curve(0, 16, 0)))
    }
}

extension ColorAffine {
    /// Whether each channel depends only on itself.
    var isPerChannel: Bool {
        red.y == 0 && red.z == 0 && green.x == 0 && green.z == 0 && blue.x == 0 && blue.y == 0
    }
}
