import Foundation

extension FilterCatalogue {
    private static let style = [kCICategoryStylize, kCICategoryStillImage, kCICategoryVideo]

    /// Weighted sums of neighbours plus a bias. Weights run along rows, the lowest first. As in Core Image the plain
    /// ones compute alpha as well (a sum of weights of 0 makes it 0: give a bias of 1); the RGB ones keep it.
    package static let convolutions: [FilterDefinition] = [false, true].flatMap { rgb in
        let name = rgb ? "CIConvolutionRGB" : "CIConvolution"
        let shown = rgb ? " RGB" : ""
        return [
            convolution(name + "3X3", "3 by 3 convolution" + shown, 3, 3, keepsAlpha: rgb),
            convolution(name + "5X5", "5 by 5 convolution" + shown, 5, 5, keepsAlpha: rgb),
            convolution(name + "7X7", "7 by 7 convolution" + shown, 7, 7, keepsAlpha: rgb),
            convolution(name + "9Horizontal", "Horizontal 9 Convolution" + shown, 9, 1, keepsAlpha: rgb),
            convolution(name + "9Vertical", "Vertical 9 Convolution" + shown, 1, 9, keepsAlpha: rgb),
        ]
    }

    private static func convolution(
        _ name: String, _ displayName: String, _ columns: Int, _ rows: Int, keepsAlpha: Bool
    ) -> FilterDefinition {
        let count = columns * rows
        var identity = [Double](repeating: 0, count: count)
        identity[count / 2] = 1
        return FilterDefinition(
            name, displayName, categories: style,
            [
                .image, .vector("inputWeights", identity, type: "CIAttributeTypeVector"), .scalar("inputBias", 0),
            ]
        ) { a in
            guard let image = a.image else { return nil }
            let weights = a.vector("inputWeights", count).map(Float.init) + [Float](repeating: 0, count: 64 - count)
            func matrix(_ at: Int) -> KernelArgument {
                func column(_ c: Int) -> SIMD4<Float> {
                    [weights[at + c], weights[at + c + 1], weights[at + c + 2], weights[at + c + 3]]
                }
                return .mat4(column(0), column(4), column(8), column(12))
            }
            let grow = (x: Double(columns / 2), y: Double(rows / 2))
            return .drawn(
                kernel,
                [
                    matrix(0), matrix(16), matrix(32), matrix(48), .int(Int32(columns)), .int(Int32(rows)),
                    .float(a.float("inputBias")),
                    .float(keepsAlpha ? 1 : 0),
                ], inputs: [image], extent: keepsAlpha ? image.extent : image.extent.grown(grow.x, grow.y),
                region: { $1.grown(grow.x, grow.y) })
        }
    }

    private static let kernel = Kernel(
        "ciConvolution", .general,
        """
        vec4 ciConvolution(vec2 place, mat4 a, mat4 b, mat4 c, mat4 d, int columns, int rows, float bias, float keeps) {
            vec4 sum = vec4(bias);
            int n = 0;
            for (int y = 0; y < rows; y++)
                for (int x = 0; x < columns; x++) {
                    int i = n % 16;
                    float weight = n < 16 ? a[i / 4][i % 4] : n < 32 ? b[i / 4][i % 4] : n < 48 ? c[i / 4][i % 4] : d[i / 4][i % 4];
                    if (weight != 0.0) sum += weight * src0(place + vec2(float(x - columns / 2), float(y - rows / 2)));
                    n++;
                }
            if (keeps > 0.5) sum.a = src0(place).a;
            return sum;
        }
        """)
}
