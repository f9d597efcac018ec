/// A piece of GLSL that computes one pixel: the one implementation of a filter, whatever it is run on.
///
/// The text is one function named `name`, preceded by what it needs; helpers of its own begin with its name too, as
/// several kernels may end up in one shader. It is written in the common subset of GLSL 1.50 and GLSL ES 3.00. At
/// hand are `PI`, `luma(vec3)` (Rec. 709 weights), `toLinear(vec3)` and `fromLinear(vec3)` (sRGB's transfer),
/// `rgbToHSV`, `hsvToRGB`, `premultiplied(vec4)`, `unpremultiplied(vec4)`, `random(vec2)` (0…1, the same for the same
/// place).
final class Kernel: Sendable {
    enum Kind: Sendable {
        /// `vec4 name(vec4 color, …arguments)`: not premultiplied in and out.
        case color
        /// `vec4 name(vec2 place, …arguments)`: the place in Core Image's coordinates (pixel centres at .5, y up);
        /// `src0(vec2)` … `src3(vec2)` sample the inputs there, linearly, premultiplied, transparent outside their
        /// extents. Premultiplied out.
        case general
    }
    let name: String
    let kind: Kind
    let source: String
    /// A colour kernel without jumps: a table with interpolation stands for it well.
    let isSmooth: Bool
    /// A colour kernel that makes each channel of itself alone and leaves alpha: three curves stand for it exactly.
    let isPerChannel: Bool

    init(_ name: String, _ kind: Kind, isSmooth: Bool = true, isPerChannel: Bool = false, _ source: String) {
        self.name = name
        self.kind = kind
        self.isSmooth = isSmooth
        self.isPerChannel = isPerChannel
        self.source = source
    }
}

/// What a kernel's function is called with, after its first argument and in order.
enum KernelArgument: Sendable, Equatable {
    case float(Float)
    case vec2(SIMD2<Float>)
    case vec3(SIMD3<Float>)
    case vec4(SIMD4<Float>)
    /// Columns.
    case mat3(SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)
    case mat4(SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)
    case int(Int32)
    /// `sampler3D`.
    case cube(ColorCubeTable)
}

/// A table of colours over colours: `size`³ entries of RGBA, red running fastest; for a `sampler3D` with linear
/// interpolation, clamped at its edges.
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
