import CEGL
import Filters

/// The shader that converts planes to RGB in one pass: matrix and range, chroma siting, crop, rotation and tone
/// mapping.
///
/// With an alpha plane, the result has premultiplied alpha.
///
/// There is a program for each kind of planes, with and without tone mapping. With only one program, unused tone
/// mapping would make a frame three times as expensive, because a software renderer computes both sides of every
/// branch.
@MainActor
final class YUVShader {
    enum Kind: Int {
        case planar, semiPlanar, readyRGB, planarAlpha, readyRGBA
    }
    private struct Variant: Hashable { var kind: Kind, isToned: Bool }

    private let version: String
    /// The compiled programs. 0 marks one that the driver cannot compile, so that it is not tried again for each frame.
    private var programs: [Variant: GLuint] = [:]

    /// Creates the shader, or returns nil if the driver cannot compile it.
    init?(isES: Bool) {
        version =
            isES
            ? "#version 300 es\nprecision highp float;\nprecision highp int;\nprecision highp sampler2D;\n"
            : "#version 150\n"
        guard program(.planar, isToned: false) != nil else { return nil }
    }

    /// Returns a program.
    /// - Parameters:
    ///   - kind: The kind of planes.
    ///   - isToned: Whether the program applies tone mapping, because the planes are not in the colors of the screen.
    /// - Returns: The program, or nil if the driver cannot compile it.
    func program(_ kind: Kind, isToned: Bool) -> GLuint? {
        let variant = Variant(kind: kind, isToned: isToned)
        let program = programs[variant] ?? compiled(variant)
        programs[variant] = program
        return program == 0 ? nil : program
    }

    private func compiled(_ variant: Variant) -> GLuint {
        let head = version + "#define KIND \(variant.kind.rawValue)\n#define TONED \(variant.isToned ? 1 : 0)\n"
        var log = [CChar](repeating: 0, count: 1024)
        let vertex = zc_glShader(0, head + YUVShader.vertex, &log, 1024)
        let fragment = zc_glShader(
            1, head + (variant.isToned ? ToneTexture.function : "") + YUVShader.fragment, &log, 1024)
        defer { for shader in [vertex, fragment] where shader != 0 { zc_glDeleteShader(shader) } }
        return vertex != 0 && fragment != 0 ? zc_glProgram(vertex, fragment, &log, 1024) : 0
    }

    /// Deletes the programs. The context must be current.
    func close() {
        for program in programs.values { zc_glDeleteProgram(program) }
        programs = [:]
    }

    /// The vertex shader, which draws one triangle that covers the target. Row 0 of the target is the top of the frame,
    /// as in GDK.
    private static let vertex = """
        uniform int turns;     // quarter turns clockwise, after mirroring
        uniform int mirrored;  // 1: left and right are exchanged
        uniform vec4 crop;     // x, y, width, height in the displayed frame, 0..1
        uniform vec4 siting;   // the position in the chroma planes: the luma position times zw, plus xy
        out vec2 place, chroma;
        void main() {
            vec2 corner = vec2(float((gl_VertexID << 1) & 2), float(gl_VertexID & 2));
            vec2 p = crop.xy + corner * crop.zw;
            if (turns == 1) p = vec2(p.y, 1.0 - p.x);
            else if (turns == 2) p = 1.0 - p;
            else if (turns == 3) p = vec2(1.0 - p.y, p.x);
            if (mirrored == 1) p.x = 1.0 - p.x;
            place = p;
            chroma = p * siting.zw + siting.xy;
            gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
        }
        """

    /// The fragment shader. KIND 0: three planes, 1: luma and interleaved chroma, 2: RGB, 3: four planes, 4:
    /// premultiplied RGBA.
    private static let fragment = """
        in vec2 place, chroma;
        out vec4 color;
        uniform sampler2D plane0;
        #if KIND == 2
        void main() { color = vec4(texture(plane0, place).rgb, 1.0); }
        #elif KIND == 4
        void main() { color = texture(plane0, place); }
        #else
        uniform sampler2D plane1, plane2, plane3;
        uniform vec4 offset;   // w: the factor that scales samples to 0..1; xyz: then subtracted from them
        uniform mat3 matrix;
        void main() {
        #if KIND == 1
            vec3 yuv = vec3(texture(plane0, place).r, texture(plane1, chroma).rg);
        #else
            vec3 yuv = vec3(texture(plane0, place).r, texture(plane1, chroma).r, texture(plane2, chroma).r);
        #endif
            vec3 rgb = clamp(matrix * (yuv * offset.w - offset.xyz), 0.0, 1.0);
        #if TONED
            rgb = toneMapped(rgb);
        #endif
        #if KIND == 3
            float alpha = clamp(texture(plane3, place).r * offset.w, 0.0, 1.0);
            color = vec4(rgb * alpha, alpha);
        #else
            color = vec4(rgb, 1.0);
        #endif
        }
        #endif
        """

    /// Returns the conversion from YUV to RGB for samples in 0…1 of their depth.
    /// - Parameters:
    ///   - kr: The luma weight of red (Rec. ITU-R BT.601-7, BT.709-6, BT.2020-2).
    ///   - kb: The luma weight of blue.
    ///   - isFullRange: Whether the samples use the full range.
    ///   - depth: The number of bits per sample.
    /// - Returns: The matrix in column-major order, and the offsets to subtract from the samples first.
    static func conversion(kr: Double, kb: Double, isFullRange: Bool, depth: Int) -> (matrix: [Float], offset: [Float])
    {
        let top = Double((1 << depth) - 1)
        let unit = Double(1 << (depth - 8))
        let lumaScale = isFullRange ? 1 : top / (219 * unit)
        let chromaScale = isFullRange ? 1 : top / (224 * unit)
        let kg = 1 - kr - kb
        let r = 2 * (1 - kr) * chromaScale
        let b = 2 * (1 - kb) * chromaScale
        let matrix = [
            lumaScale, lumaScale, lumaScale,
            0, -2 * (1 - kb) * kb / kg * chromaScale, b,
            r, -2 * (1 - kr) * kr / kg * chromaScale, 0,
        ]
        let black = isFullRange ? 0 : 16 * unit / top
        let middle = 128 * unit / top
        return (matrix.map(Float.init), [black, middle, middle].map(Float.init))
    }
}
