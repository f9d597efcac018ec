import CPixels
import Foundation

/// Blurs as recipes, for the blur filters and for all filters that use blurs.
///
/// Wide Gaussian and box blurs are drawn small, which limits their cost. Every halving divides the number of pixels by
/// four, and no pass of these blurs reads more than 17 positions per pixel. They therefore cost, at any width, at most
/// a third more than a blur of 4 pixels.
extension CIImage {
    /// Returns the Gaussian blur of the image, with one standard deviation per axis, in pixels.
    ///
    /// The extent grows by three standard deviations. Each axis is a separate pass, because a Gaussian is separable.
    func gaussian(_ sigmaX: Double, _ sigmaY: Double) -> CIImage {
        let sx = min(max(0, sigmaX), 1000)
        let sy = min(max(0, sigmaY), 1000)
        guard sx > 0.05 || sy > 0.05, !extent.isEmpty else { return self }
        let nx = CIImage.halvings(sx, of: 4)
        let ny = CIImage.halvings(sy, of: 4)
        // A halving (a box of 2) and the enlargement (a tent) add variance, together 4ⁿ / 4 pixels².
        func rest(_ sigma: Double, _ n: Int) -> Double {
            n == 0 ? sigma : max(0.5, sigma * sigma / pow(4, Double(n)) - 0.25).squareRoot()
        }
        let full = extent.grown(3 * sx, 3 * sy)
        return smaller(nx, ny)
            .convolved(CIImage.gaussianWeights(rest(sx, nx)), across: true)
            .convolved(CIImage.gaussianWeights(rest(sy, ny)), across: false)
            .larger(nx, ny, extent: full)
    }
    func gaussian(_ sigma: Double) -> CIImage { gaussian(sigma, sigma) }

    /// Returns the mean of a square of `2 × radius + 1` pixels. The extent grows by the radius.
    func box(_ radius: Double) -> CIImage {
        let width = 2 * min(max(0, radius), 2000) + 1
        let n = CIImage.halvings(width, of: 31)
        let full = extent.grown(radius)
        let low = width / pow(2, Double(n))
        // The share of the pixel at distance k that is inside the box.
        let weights = (0...Int(((low - 1) / 2).rounded(.up))).map { max(0, min(1, low / 2 - (Double($0) - 0.5))) }
        return smaller(n, n).convolved(weights, across: true).convolved(weights, across: false).larger(
            n, n, extent: full)
    }

    /// Returns the number of halvings that reduce `size` to at most `limit`. The maximum is 8.
    static func halvings(_ size: Double, of limit: Double) -> Int {
        size <= limit || !size.isFinite ? 0 : min(8, Int(log2(size / limit).rounded(.up)))
    }

    func smaller(_ x: Int, _ y: Int) -> CIImage {
        var image = self
        for level in 0..<max(x, y) {
            let fx: Double = level < x ? 2 : 1
            let fy: Double = level < y ? 2 : 1
            image = .drawn(
                BlurKernels.scale, [.vec2([Float(fx), Float(fy)])], inputs: [image],
                extent: image.extent.scaled(1 / fx, 1 / fy), region: { $1.scaled(fx, fy).grown(1) })
        }
        return image
    }
    func larger(_ x: Int, _ y: Int, extent full: CGRect) -> CIImage {
        if x == 0, y == 0 { return cropped(to: full) }
        let fx = pow(2, Double(x))
        let fy = pow(2, Double(y))
        return .drawn(
            BlurKernels.scale, [.vec2([Float(1 / fx), Float(1 / fy)])], inputs: [self], extent: full,
            region: { $1.scaled(1 / fx, 1 / fy).grown(1) })
    }

    private static func gaussianWeights(_ sigma: Double) -> [Double] {
        sigma <= 0.05
            ? [1]
            : (0...min(16, max(1, Int((3 * sigma).rounded(.up))))).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    }

    /// Convolves the image along an axis with symmetric weights: for the pixel itself, for distance 1, 2 and so on, up
    /// to 16.
    ///
    /// Two neighboring pixels are read as one sample with linear interpolation.
    func convolved(_ weights: [Double], across: Bool) -> CIImage {
        guard weights.count > 1 else { return self }
        let total = weights[0] + 2 * weights.dropFirst().reduce(0, +)
        var amounts = [Float](repeating: 0, count: 8)
        var offsets = amounts
        let pairs = min(8, weights.count / 2)
        for pair in 0..<pairs {
            let near = 2 * pair + 1
            let a = weights[near]
            let b = near + 1 < weights.count ? weights[near + 1] : 0
            guard a + b > 0 else { continue }
            amounts[pair] = Float((a + b) / total)
            offsets[pair] = Float(Double(near) + b / (a + b))
        }
        let reach = Double(weights.count - 1)
        let grow: (x: Double, y: Double) = across ? (reach, 0) : (0, reach)
        func four(_ v: [Float], _ at: Int) -> SIMD4<Float> { [v[at], v[at + 1], v[at + 2], v[at + 3]] }
        return .drawn(
            BlurKernels.symmetric,
            [
                .vec2(across ? [1, 0] : [0, 1]), .float(Float(weights[0] / total)),
                .mat4(four(amounts, 0), four(amounts, 4), four(offsets, 0), four(offsets, 4)), .int(Int32(pairs)),
            ],
            inputs: [self], extent: extent.grown(grow.x, grow.y), region: { $1.grown(grow.x, grow.y) })
    }

    /// Returns the mean of `length` pixels along a direction.
    ///
    /// A long box equals several adjacent short boxes: the first pass takes k samples, and the second pass combines
    /// results of the first. Together they need only 2√length samples.
    func smeared(_ length: Double, angle: Double) -> CIImage {
        let total = max(1, min(length, 4000))
        let first = Int(total.squareRoot().rounded(.up))
        let second = Int((total / Double(first)).rounded(.up))
        let step = total / Double(first * second)
        func pass(_ image: CIImage, _ count: Int, _ step: Double) -> CIImage {
            guard count > 1 else { return image }
            let x = step * cos(angle)
            let y = step * sin(angle)
            let reach = Double(count - 1) / 2
            let grow = (x: (abs(x) * reach - 1e-9).rounded(.up), y: (abs(y) * reach - 1e-9).rounded(.up))
            return .drawn(
                BlurKernels.line, [.vec2([Float(x), Float(y)]), .int(Int32(count))], inputs: [image],
                extent: image.extent.grown(grow.x, grow.y), region: { $1.grown(grow.x + 1, grow.y + 1) })
        }
        return pass(pass(self, first, step), second, step * Double(first))
    }

    /// Returns the largest, or smallest, value of each component within `radius`.
    ///
    /// The area is a disc for a radius of up to 3 pixels, and an octagon for a larger radius. An octagon is a sum of
    /// four lines and needs at most 4 × 2√(0.8 × radius) samples, or 4 × 9 for short lines. A disc needs 3 × radius².
    func extremum(_ radius: Double, largest: Bool) -> CIImage {
        let r = Int(min(max(0, radius), 500).rounded())
        let sign: Float = largest ? 1 : -1
        guard r > 0 else { return self }
        if r <= 3 {
            return .drawn(
                BlurKernels.discExtremum, [.int(Int32(r)), .float(sign)], inputs: [self],
                extent: extent.grown(Double(r)),
                region: { $1.grown(Double(r)) })
        }
        // Half the sides of an octagon around a circle. A straight side is tan 22.5° of the radius.
        let diagonal = Int((Double(r) * 0.2929).rounded())
        let straight = r - 2 * diagonal
        return line(straight, 1, 0, sign).line(straight, 0, 1, sign).line(diagonal, 1, 1, sign).line(
            diagonal, 1, -1, sign)
    }
    private func line(_ half: Int, _ x: Double, _ y: Double, _ sign: Float) -> CIImage {
        guard half > 0 else { return self }
        let count = 2 * half + 1
        let first = Int(Double(count).squareRoot().rounded(.up))
        let second = (count + first - 1) / first
        func pass(_ image: CIImage, start: Int, taps: Int, stride: Double, reach: Int) -> CIImage {
            let grow = (x: abs(x) * Double(reach), y: abs(y) * Double(reach))
            return .drawn(
                BlurKernels.lineExtremum,
                [
                    .vec2([Float(x), Float(y)]), .float(Float(start)), .float(Float(stride)), .int(Int32(taps)),
                    .float(sign),
                ],
                inputs: [image], extent: image.extent.grown(grow.x, grow.y), region: { $1.grown(grow.x, grow.y) })
        }
        // For a short line, one pass costs less than two.
        guard count > 9 else { return pass(self, start: -half, taps: count, stride: 1, reach: half) }
        // The first pass covers adjacent pixels. The second pass combines lines that overlap slightly, which does not
        // change an extremum.
        let near = pass(self, start: 0, taps: first, stride: 1, reach: first)
        return pass(
            near, start: -half, taps: second, stride: Double(count - first) / Double(max(1, second - 1)), reach: half
        )
        .cropped(to: extent.grown(abs(x) * Double(half), abs(y) * Double(half)))
    }
}

enum BlurKernels {
    static let scale = Kernel(
        "ciScale", .general, native: ZT_KERNEL_SCALE,
        """
        vec4 ciScale(vec2 place, vec2 factor) { return src0(place * factor); }
        """)
    static let symmetric = Kernel(
        "ciSymmetric", .general, native: ZT_KERNEL_SYMMETRIC,
        """
        vec4 ciSymmetric(vec2 place, vec2 axis, float middle, mat4 taps, int pairs) {
            vec4 sum = middle * src0(place);
            for (int i = 0; i < pairs; i++) {
                vec2 away = axis * taps[2 + i / 4][i % 4];
                sum += taps[i / 4][i % 4] * (src0(place + away) + src0(place - away));
            }
            return sum;
        }
        """)
    static let line = Kernel(
        "ciLine", .general, native: ZT_KERNEL_LINE,
        """
        vec4 ciLine(vec2 place, vec2 stride, int count) {
            vec4 sum = vec4(0.0);
            vec2 at = place - stride * (0.5 * float(count - 1));
            for (int i = 0; i < count; i++) { sum += src0(at); at += stride; }
            return sum / float(count);
        }
        """)
    static let discExtremum = Kernel(
        "ciDiscExtremum", .general, native: ZT_KERNEL_DISC_EXTREMUM,
        """
        vec4 ciDiscExtremum(vec2 place, int radius, float side) {
            vec4 most = side * src0(place);
            for (int y = -radius; y <= radius; y++)
                for (int x = -radius; x <= radius; x++)
                    if (x * x + y * y <= radius * radius) most = max(most, side * src0(place + vec2(float(x), float(y))));
            return side * most;
        }
        """)
    static let lineExtremum = Kernel(
        "ciLineExtremum", .general, native: ZT_KERNEL_LINE_EXTREMUM,
        """
        vec4 ciLineExtremum(vec2 place, vec2 axis, float start, float stride, int count, float side) {
            vec4 most = side * src0(place + axis * start);
            for (int i = 1; i < count; i++) most = max(most, side * src0(place + axis * (start + floor(float(i) * stride + 0.5))));
            return side * most;
        }
        """)
}
