import CGTK
import Composition

/// The shader that turns planes into a picture: matrix and range, siting of chroma, crop and turn, tone mapping, in one pass.
@MainActor
final class YUVShader {
    let program: GLuint

    /// Nil when the driver does not compile it.
    init?(isES: Bool) {
        let head = isES ? "#version 300 es\nprecision highp float;\n" : "#version 150\n"
        var log = [CChar](repeating: 0, count: 1024)
        let vertex = zt_glShader(zt_glVertexShader, head + YUVShader.vertex, &log, 1024)
        let fragment = zt_glShader(zt_glFragmentShader, head + YUVShader.fragment, &log, 1024)
        guard vertex != 0, fragment != 0 else { return nil }
        program = zt_glProgram(vertex, fragment)
        if program == 0 { return nil }
    }

    /// One triangle that covers everything; row 0 of the target is the picture's top, as GDK has it.
    private static let vertex = """
        out vec2 place;
        void main() {
            vec2 corner = vec2(float((gl_VertexID << 1) & 2), float(gl_VertexID & 2));
            place = corner;
            gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
        }
        """

    private static let fragment = ToneTexture.function + """
        in vec2 place;
        out vec4 color;
        uniform sampler2D plane0, plane1, plane2;
        uniform int kind;      // 0: three planes, 1: luma and interleaved chroma, 2: ready RGB
        uniform int turns;     // quarter turns clockwise
        uniform vec4 crop;     // x, y, width, height of the turned picture, 0..1
        uniform vec4 offset;   // subtracted from the samples; w: what brings them to 0..1
        uniform vec4 siting;   // where chroma is taken: the place times zw, plus xy
        uniform int toned;     // 1: not in the screen's colours yet
        uniform mat3 matrix;
        void main() {
            vec2 p = crop.xy + place * crop.zw;
            if (turns == 1) p = vec2(p.y, 1.0 - p.x);
            else if (turns == 2) p = 1.0 - p;
            else if (turns == 3) p = vec2(1.0 - p.y, p.x);
            if (kind == 2) { color = vec4(texture(plane0, p).rgb, 1.0); return; }
            vec3 yuv;
            yuv.x = texture(plane0, p).r;
            vec2 c = p * siting.zw + siting.xy;
            if (kind == 1) yuv.yz = texture(plane1, c).rg;
            else yuv.yz = vec2(texture(plane1, c).r, texture(plane2, c).r);
            vec3 rgb = clamp(matrix * (yuv * offset.w - offset.xyz), 0.0, 1.0);
            color = vec4(toned == 1 ? toneMapped(rgb) : rgb, 1.0);
        }
        """

    /// Column-major YUV→RGB for samples in 0…1 of their depth, and the offsets to subtract, from the
    /// luma weights (Rec. ITU-R BT.601-7, BT.709-6, BT.2020-2) and the range.
    static func conversion(kr: Double, kb: Double, isFullRange: Bool, depth: Int) -> (matrix: [Float], offset: [Float]) {
        let top = Double((1 << depth) - 1), unit = Double(1 << (depth - 8))
        let lumaScale = isFullRange ? 1 : top / (219 * unit), chromaScale = isFullRange ? 1 : top / (224 * unit)
        let kg = 1 - kr - kb
        let r = 2 * (1 - kr) * chromaScale, b = 2 * (1 - kb) * chromaScale
        let matrix = [lumaScale, lumaScale, lumaScale,
                      0, -2 * (1 - kb) * kb / kg * chromaScale, b,
                      r, -2 * (1 - kr) * kr / kg * chromaScale, 0]
        let black = isFullRange ? 0 : 16 * unit / top, middle = 128 * unit / top
        return (matrix.map(Float.init), [black, middle, middle].map(Float.init))
    }
}
