import Foundation

/// A picture as a recipe: what it is made of and what is done to it. Core Image's type.
///
/// Immutable, cheap, safe on any thread; nothing is drawn before a composition draws it. Coordinates are Core
/// Image's: pixels, the origin at the lower left, y upwards. Colours are in the encoding they are shown in
/// (sRGB's), not in linear light; a filter whose definition is of light converts within itself.
public final class CIImage: Sendable {
    /// Where it has pixels; transparent elsewhere. May be infinite.
    public let extent: CGRect
    let recipe: Recipe

    enum Recipe: Sendable {
        /// The picture of the video itself.
        case source
        /// Nothing anywhere.
        case empty
        /// One colour everywhere: red, green, blue, alpha, not premultiplied.
        case color(SIMD4<Float>)
        /// Pixels of one's own.
        case bitmap(ImageBitmap)
        /// A function of each pixel's colour alone. Neighbours of this kind become one pass.
        case colors(ColorStep, of: CIImage)
        /// A function of the place.
        case kernel(KernelStep)
        /// `extent` of it.
        case cropped(CIImage)
        /// Its edge pixels go on for ever.
        case clamped(CIImage)
    }

    init(recipe: Recipe, extent: CGRect) {
        self.recipe = recipe
        self.extent = extent
    }

    /// Its pixels, if it is nothing but pixels in memory.
    package var bitmap: ImageBitmap? { if case .bitmap(let bitmap) = recipe { bitmap } else { nil } }
}

/// Pixels in memory: rows from the top, RGBA of 8 bits, premultiplied.
package final class ImageBitmap: Sendable {
    package let width: Int, height: Int
    package let pixels: [UInt8]
    /// - Parameter pixels: `width` × `height` × 4 bytes; fewer are filled up with transparency.
    init(width: Int, height: Int, pixels: [UInt8]) {
        self.width = max(0, width)
        self.height = max(0, height)
        let count = self.width * self.height * 4
        self.pixels =
            pixels.count == count
            ? pixels : Array((pixels + [UInt8](repeating: 0, count: max(0, count - pixels.count))).prefix(count))
    }
}

/// A colour kernel with its arguments.
struct ColorStep: Sendable {
    let kernel: Kernel
    let arguments: [KernelArgument]
    init(_ kernel: Kernel, _ arguments: [KernelArgument] = []) {
        self.kernel = kernel
        self.arguments = arguments
    }
}

/// A general kernel with its arguments and what it samples.
struct KernelStep: Sendable {
    let kernel: Kernel
    let arguments: [KernelArgument]
    /// `src0`, `src1`, … of the kernel's text; at most 4.
    let inputs: [CIImage]
    /// Which part of input `index` is looked at to draw `rect`. `.infinite`: all of its extent.
    let region: @Sendable (_ index: Int, _ rect: CGRect) -> CGRect
    init(
        _ kernel: Kernel, _ arguments: [KernelArgument] = [], inputs: [CIImage],
        region: @escaping @Sendable (_ index: Int, _ rect: CGRect) -> CGRect = { $1 }
    ) {
        self.kernel = kernel
        self.arguments = arguments
        self.inputs = inputs
        self.region = region
    }
}
