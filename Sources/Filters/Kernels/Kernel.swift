import CPixels

/// A piece of GLSL that computes one pixel, and the vector code that computes the same on the processor, if it exists.
///
/// The source is one function with the name `name`, preceded by its helpers. The names of helpers begin with `name`
/// too, because several kernels may be in one shader. The source uses the common subset of GLSL 1.50 and GLSL ES 3.00.
///
/// Kernels can use `PI`, `luma(vec3)` (Rec. 709 weights), `toLinear(vec3)` and `fromLinear(vec3)` (sRGB's transfer),
/// `rgbToHSV`, `hsvToRGB`, `premultiplied(vec4)` and `unpremultiplied(vec4)`. `random(vec2)` returns 0…1, always the
/// same for the same position.
final class Kernel: Sendable {
    enum Kind: Sendable {
        /// `vec4 name(vec4 color, …arguments)`. The color is not premultiplied, neither as input nor as result.
        case color
        /// `vec4 name(vec2 place, …arguments)`. `place` is the position in Core Image's coordinates (pixel centers at
        /// .5, y upward).
        ///
        /// `src0(vec2)` to `src3(vec2)` sample the inputs with linear interpolation. Samples are premultiplied, and
        /// transparent outside the extents. The result is premultiplied.
        case general
    }
    let name: String
    let kind: Kind
    let source: String
    /// The vector code. `ZT_KERNEL_NONE` if the kernel exists only as GLSL. A test compares both.
    let native: zt_kernel
    /// Whether a color kernel has no discontinuities, so that a table with interpolation can replace it.
    let isSmooth: Bool
    /// Whether a color kernel computes each channel from itself alone and keeps alpha, so that three curves replace it
    /// exactly.
    let isPerChannel: Bool

    init(
        _ name: String, _ kind: Kind, isSmooth: Bool = true, isPerChannel: Bool = false,
        native: zt_kernel = ZT_KERNEL_NONE, _ source: String
    ) {
        self.name = name
        self.kind = kind
        self.isSmooth = isSmooth
        self.isPerChannel = isPerChannel
        self.source = source
        self.native = native
    }
}

/// An argument of a kernel's function, after its first argument and in order.
enum KernelArgument: Sendable, Equatable {
    case float(Float)
    case vec2(SIMD2<Float>)
    case vec3(SIMD3<Float>)
    case vec4(SIMD4<Float>)
    /// The columns of a matrix.
    case mat3(SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)
    case mat4(SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)
    case int(Int32)
    /// A table as `sampler3D`.
    case cube(ColorCubeTable)
}

/// A table of colors by color, for a `sampler3D` with linear interpolation, clamped at its edges.
///
/// The table has `size`³ RGBA entries. Red changes fastest.
final class ColorCubeTable: Sendable, Equatable {
    let size: Int
    let entries: [Float]
    init?(size: Int, entries: [Float]) {
        guard size >= 2, size <= 128, entries.count == size * size * size * 4 else { return nil }
        self.size = size
        self.entries = entries
    }
    static func == (a: ColorCubeTable, b: ColorCubeTable) -> Bool {
        a === b || a.size == b.size && a.entries == b.entries
    }
}
