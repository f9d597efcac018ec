/// The GLSL source that precedes every kernel (see `Kernel`).
enum ShaderPrelude {
    static let vertex = """
        void main() {
            vec2 corner = vec2(float((gl_VertexID << 1) & 2), float(gl_VertexID & 2));
            gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
        }

        """

    static func head(isES: Bool) -> String {
        isES
            ? "#version 300 es\nprecision highp float;\nprecision highp int;\nprecision highp sampler2D;\nprecision highp sampler3D;\n"
            : "#version 150\n"
    }

    /// The functions that kernels can use.
    ///
    /// sRGB's transfer functions (IEC 61966-2-1) are mirrored below 0, so that values out of range are kept. `random`
    /// is an integer hash (the output step of the PCG family), because sine functions differ between drivers.
    static let functions = """
        #define PI 3.14159265358979
        float luma(vec3 c) { return dot(c, vec3(0.2126, 0.7152, 0.0722)); }
        vec3 toLinear(vec3 c) {
            vec3 a = abs(c);
            return sign(c) * mix(a / 12.92, pow((a + 0.055) / 1.055, vec3(2.4)), step(vec3(0.04045), a));
        }
        vec3 fromLinear(vec3 c) {
            vec3 a = abs(c);
            return sign(c) * mix(a * 12.92, 1.055 * pow(a, vec3(1.0 / 2.4)) - 0.055, step(vec3(0.0031308), a));
        }
        vec3 rgbToHSV(vec3 c) {
            float high = max(c.r, max(c.g, c.b)), range = high - min(c.r, min(c.g, c.b));
            float hue = 0.0;
            if (range > 0.0) {
                if (high == c.r) hue = (c.g - c.b) / range;
                else if (high == c.g) hue = (c.b - c.r) / range + 2.0;
                else hue = (c.r - c.g) / range + 4.0;
            }
            return vec3(fract(hue / 6.0), high > 0.0 ? range / high : 0.0, high);
        }
        vec3 hsvToRGB(vec3 c) {
            vec3 ramp = clamp(abs(fract(vec3(c.x) + vec3(0.0, 2.0 / 3.0, 1.0 / 3.0)) * 6.0 - 3.0) - 1.0, 0.0, 1.0);
            return c.z * mix(vec3(1.0), ramp, c.y);
        }
        vec4 premultiplied(vec4 c) { return vec4(c.rgb * c.a, c.a); }
        vec4 unpremultiplied(vec4 c) { return c.a > 0.0 ? vec4(c.rgb / c.a, c.a) : vec4(0.0); }
        float random(vec2 p) {
            ivec2 i = ivec2(floor(p * 64.0));
            uint h = uint(i.x) * 747796405u + uint(i.y) * 2891336453u + 1013904223u;
            h = ((h >> ((h >> 28u) + 4u)) ^ h) * 277803737u;
            h = ((h >> 22u) ^ h) * 1664525u + 1013904223u;
            h = ((h >> ((h >> 28u) + 4u)) ^ h) * 277803737u;
            return float(((h >> 22u) ^ h) >> 8u) / 16777216.0;
        }

        """
}
