import Foundation

/// An image as a recipe: its sources and the operations on them. Mirrors Core Image's type of the same name.
///
/// An image is immutable, cheap to create and safe on any thread. Nothing is drawn before a composition draws the
/// image. Coordinates are Core Image's: pixels, with the origin at the lower left and y upward. Colors are in sRGB's
/// encoding, not in linear light. A filter that is defined on light converts colors internally.
///
/// ```swift
/// /// Blurs a video, except for its center.
/// final class SoftEdges: CIFilter {
///     override var outputImage: CIImage? {
///         guard let image = inputImage else { return nil }
///         let center = image.extent.insetBy(dx: image.extent.width / 4, dy: image.extent.height / 4)
///         return image.cropped(to: center)
///             .composited(over: image.clampedToExtent().applyingGaussianBlur(sigma: 8).cropped(to: image.extent))
///     }
/// }
/// ```
public final class CIImage: Sendable {
    /// The rectangle that contains the pixels. The image is transparent outside. May be infinite, or null for an image
    /// without pixels.
    public let extent: CGRect
    let recipe: Recipe

    enum Recipe: Sendable {
        /// The frame of the video.
        case source
        /// No pixels.
        case empty
        /// The same color everywhere: red, green, blue and alpha, not premultiplied.
        case color(SIMD4<Float>)
        /// Pixels in memory.
        case bitmap(ImageBitmap)
        /// A function of each pixel's color alone. Adjacent steps of this kind are drawn in one pass.
        case colors(ColorStep, of: CIImage)
        /// A function of the position.
        case kernel(KernelStep)
        /// The part of an image within `extent`.
        case cropped(CIImage)
        /// An image whose edge pixels continue without end.
        case clamped(CIImage)
    }

    init(recipe: Recipe, extent: CGRect) {
        self.recipe = recipe
        self.extent = extent
    }

    /// Whether the image is the frame of the video, unchanged.
    var isWholeSource: Bool { if case .source = recipe { true } else { false } }
    /// The bitmap, if the image consists only of pixels in memory.
    package var bitmap: ImageBitmap? { if case .bitmap(let bitmap) = recipe { bitmap } else { nil } }
}

/// Pixels in memory, in rows from the top: RGBA of 8 bits, premultiplied.
package final class ImageBitmap: Sendable {
    package let width: Int, height: Int
    package let pixels: [UInt8]
    /// - Parameter pixels: `width` × `height` × 4 bytes. Missing bytes are transparent.
    init(width: Int, height: Int, pixels: [UInt8]) {
        self.width = max(0, width)
        self.height = max(0, height)
        let count = self.width * self.height * 4
        self.pixels =
            pixels.count == count
            ? pixels : Array((pixels + [UInt8](repeating: 0, count: max(0, count - pixels.count))).prefix(count))
    }
}

/// A color kernel with its arguments.
struct ColorStep: Sendable {
    let kernel: Kernel
    let arguments: [KernelArgument]
    init(_ kernel: Kernel, _ arguments: [KernelArgument] = []) {
        self.kernel = kernel
        self.arguments = arguments
    }
}

/// A general kernel with its arguments and inputs.
struct KernelStep: Sendable {
    let kernel: Kernel
    let arguments: [KernelArgument]
    /// The images that the kernel reads with `src0`, `src1` and so on. At most 4.
    let inputs: [CIImage]
    /// Returns the part of input `index` that is needed to draw `rect`. `.infinite` means its whole extent.
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
