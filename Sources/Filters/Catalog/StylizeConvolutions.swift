import CPixels
import Foundation

extension FilterCatalog {
    /// The recipes of the convolutions: weighted sums of neighboring pixels plus a bias. Weights are in rows, the
    /// lowest row first.
    ///
    /// As in Core Image, the plain filters compute alpha as well. If the sum of the weights is 0, alpha is 0; a bias of
    /// 1 prevents that. The RGB filters keep alpha.
    static let convolutionRecipes: [String: FilterRecipe] = [
        "CIConvolution3X3": convolution(3, 3, keepsAlpha: false),
        "CIConvolution5X5": convolution(5, 5, keepsAlpha: false),
        "CIConvolution7X7": convolution(7, 7, keepsAlpha: false),
        "CIConvolution9Horizontal": convolution(9, 1, keepsAlpha: false),
        "CIConvolution9Vertical": convolution(1, 9, keepsAlpha: false),
        "CIConvolutionRGB3X3": convolution(3, 3, keepsAlpha: true),
        "CIConvolutionRGB5X5": convolution(5, 5, keepsAlpha: true),
        "CIConvolutionRGB7X7": convolution(7, 7, keepsAlpha: true),
        "CIConvolutionRGB9Horizontal": convolution(9, 1, keepsAlpha: true),
        "CIConvolutionRGB9Vertical": convolution(1, 9, keepsAlpha: true),
    ]

    private static func convolution(_ columns: Int, _ rows: Int, keepsAlpha: Bool) -> FilterRecipe {
        let count = columns * rows
        return { a in
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
        "ciConvolution", .general, native: ZT_KERNEL_CONVOLUTION,
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
