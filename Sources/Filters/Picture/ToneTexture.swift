import MediaEngine

/// A `ToneMap` for shaders: its steps as rows of a texture, and the function that applies them. Safe on any thread.
package struct ToneTexture: Sendable {
    package static let width = 4096, height = 4
    package let map: ToneMap
    /// The `height` rows of `width` values, for a texture of one 32-bit float without filtering.
    ///
    /// - Row 0: light, by code value.
    /// - Row 1: the code value of the brightest channel, by the fourth root of its light.
    /// - Row 2: the share of that code value, by the square root of the ratio, with the sign of the ratio.
    /// - Row 3: the factor of HLG, by the fourth root of the luminance.
    package let values: [Float]
    /// The columns of the matrix to BT.709, for the uniform `toneMatrix`.
    package let matrix: [Float]
    /// The uniform `toneWeights`: the luminance of red, green and blue. w is 1 for HLG, otherwise 0.
    package let weights: [Float]
    /// The uniform `toneScales`: the scale of row 1, the scale of row 2, and the position of 0 in row 2.
    package let scales: [Float]

    package init(_ map: ToneMap) {
        self.map = map
        let steps = ToneMap.Steps(map)
        let last = Double(ToneTexture.width - 1)
        let m = steps.matrix
        // The brightest channel may exceed the peak in BT.709, and is displayed like the peak. Ratios can be as low as
        // −0.59.
        let topScale = last / (1.001 * map.peak / ToneMap.white).squareRoot().squareRoot()
        let shareScale = last / 1.8
        let shareOffset = 0.8 * shareScale
        func row(_ value: (Double) -> Double) -> [Float] { (0..<ToneTexture.width).map { Float(value(Double($0))) } }
        func fourth(_ x: Double) -> Double { x * x * x * x }
        values =
            row { steps.light($0 / last) } + row { steps.top(fourth($0 / topScale)) }
            + row {
                let root = ($0 - shareOffset) / shareScale
                return steps.share(root < 0 ? -root * root : root * root)
            }
            + row { steps.lift(fourth($0 / last)) }
        matrix = [m.0, m.1, m.2].flatMap { [Float($0.x), Float($0.y), Float($0.z)] }
        weights = [
            Float(steps.luminance.x), Float(steps.luminance.y), Float(steps.luminance.z), map.transfer == .hlg ? 1 : 0,
        ]
        scales = [Float(topScale), Float(shareScale), Float(shareOffset), 0]
    }

    /// The GLSL function `vec3 toneMapped(vec3 code)` and its uniforms, for GLSL 1.50 and GLSL ES 3.00. `toneTable` is
    /// the texture.
    package static let function = """
        uniform sampler2D toneTable;
        uniform mat3 toneMatrix;
        uniform vec4 toneWeights;
        uniform vec4 toneScales;
        float toneLook(float place, int row) { return texelFetch(toneTable, ivec2(int(clamp(place, 0.0, 4095.0) + 0.5), row), 0).r; }
        float toneShare(float ratio) { return toneLook(sign(ratio) * sqrt(abs(ratio)) * toneScales.y + toneScales.z, 2); }
        vec3 toneMapped(vec3 code) {
            vec3 place = code * 4095.0;
            vec3 light = vec3(toneLook(place.r, 0), toneLook(place.g, 0), toneLook(place.b, 0));
            if (toneWeights.w > 0.5) light *= toneLook(sqrt(sqrt(dot(light, toneWeights.xyz))) * 4095.0, 3);
            vec3 color = toneMatrix * light;
            float brightest = max(color.r, max(color.g, color.b));
            if (brightest < 1e-7) return vec3(0.0);
            vec3 ratio = color / brightest;
            return vec3(toneShare(ratio.r), toneShare(ratio.g), toneShare(ratio.b)) * toneLook(sqrt(sqrt(brightest)) * toneScales.x, 1);
        }

        """
}
