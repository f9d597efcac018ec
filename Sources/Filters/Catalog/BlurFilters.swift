import CPixels
import Foundation

extension FilterCatalog {

    static let blurRecipes: [String: FilterRecipe] = [
        "CIBoxBlur": { a in a.image?.box(a.double("inputRadius")) },

        "CIDiscBlur": { a in
            a.image.map { disc($0, radius: a.double("inputRadius"), edge: 1, ring: 0, ringSize: 0.1) }
        },

        "CIGaussianBlur": { a in a.image?.gaussian(a.double("inputRadius")) },

        "CIMotionBlur": { a in
            // Imitates the look of Core Image, whose formula is unpublished: a line of twice the radius, evenly
            // weighted.
            a.image?.smeared(2 * a.double("inputRadius") + 1, angle: a.double("inputAngle"))
        },

        "CIZoomBlur": { a in
            a.image.map { zoomed($0, center: a.vector("inputCenter", 2), amount: a.double("inputAmount")) }
        },

        "CIMedianFilter": { a in
            a.image.map { image in
                .drawn(
                    BlurFilterKernels.median, inputs: [image.clampedToExtent()], extent: image.extent,
                    region: { $1.grown(1) })
            }
        },

        "CINoiseReduction": { a in
            a.image?.withLessNoise(level: a.double("inputNoiseLevel"), sharpness: a.double("inputSharpness"))
        },

        "CIMaskedVariableBlur": { a in
            guard let image = a.image, let mask = a.image("inputMask") else { return nil }
            let radius = a.double("inputRadius")
            let soft = image.gaussian(radius)
            // Mixes the sharp image, half the blur and the full blur. A separate blur for each pixel would need (6 ×
            // radius)² samples.
            return .drawn(
                BlurFilterKernels.masked, inputs: [image, image.gaussian(radius / 2), soft, mask], extent: soft.extent)
        },

        "CIBokehBlur": { a in
            // Imitates the look of Core Image, whose formula is unpublished: a disc with a brighter rim. The disc is
            // computed on linear light, not on encoded values, so that lamps become discs.
            a.image.map { image in
                guard a.double("inputRadius") > 0.25 else { return image }
                // A square approximates the transfer function well enough, without a power function.
                let light = CIImage(
                    recipe: .colors(ColorStep(BlurFilterKernels.square), of: image), extent: image.extent)
                let blurred = disc(
                    light, radius: a.double("inputRadius"), edge: max(1, a.double("inputSoftness")),
                    ring: a.double("inputRingAmount"),
                    ringSize: a.double("inputRingSize"))
                return CIImage(recipe: .colors(ColorStep(BlurFilterKernels.root), of: blurred), extent: blurred.extent)
            }
        },

        "CIMorphologyMaximum": { a in a.image?.extremum(a.double("inputRadius"), largest: true) },

        "CIMorphologyMinimum": { a in
            // Extend the edge outward. Otherwise the transparent surroundings would give a video a dark border.
            a.image.map {
                $0.clampedToExtent().extremum(a.double("inputRadius"), largest: false).cropped(to: $0.extent)
            }
        },

        "CIMorphologyGradient": { a in
            a.image.map { image in
                let endless = image.clampedToExtent()
                let radius = a.double("inputRadius")
                return .drawn(
                    BlurFilterKernels.difference,
                    inputs: [endless.extremum(radius, largest: true), endless.extremum(radius, largest: false)],
                    extent: image.extent)
            }
        },
    ]

    /// Returns the mean over a disc.
    ///
    /// A disc is not separable, so the number of samples grows with the square of the radius. The image is drawn so
    /// small that the radius is at most 4 pixels, which is at most 81 samples per pixel if the edge is sharp.
    private static func disc(_ image: CIImage, radius: Double, edge: Double, ring: Double, ringSize: Double) -> CIImage
    {
        let radius = min(radius, 1000)
        guard radius > 0.25 else { return image }
        let n = CIImage.halvings(radius, of: 4)
        let low = radius / pow(2, Double(n))
        let softness = max(1, edge / pow(2, Double(n)))
        let reach = Int32((low + softness / 2).rounded(.up))
        let small = image.smaller(n, n)
        return CIImage.drawn(
            BlurFilterKernels.disc,
            [
                .float(Float(low)), .float(Float(softness)), .float(Float(ring)),
                .float(Float(max(ringSize * low, 0.5))), .int(reach),
            ],
            inputs: [small], extent: small.extent.grown(Double(reach)), region: { $1.grown(Double(reach)) }
        )
        .larger(n, n, extent: image.extent.grown(radius + edge))
    }

    /// Returns the zoom blur of an image, which imitates the look of Core Image. Core Image's formula is unpublished.
    ///
    /// A pixel is the mean of the pixels between it and 1 / e^(amount / 150) of its distance to the center. Scales
    /// multiply, so two passes of 8 samples give 64 samples.
    private static func zoomed(_ image: CIImage, center: [Double], amount: Double) -> CIImage {
        let total = exp(-max(-1000, min(1000, amount)) / 150)
        let step = pow(total, 1.0 / 63)
        let middle = SIMD2<Float>(Float(center[0]), Float(center[1]))
        guard amount != 0 else { return image }
        func pass(_ image: CIImage, _ step: Double) -> CIImage {
            let last = pow(step, 7)
            @Sendable func about(_ rect: CGRect, _ factor: Double) -> CGRect {
                rect.isUnbounded
                    ? rect
                    : rect.union(
                        CGRect(
                            x: center[0] + (rect.minX - center[0]) * factor,
                            y: center[1] + (rect.minY - center[1]) * factor,
                            width: rect.width * factor, height: rect.height * factor)
                    ).integral
            }
            return .drawn(
                BlurFilterKernels.zoom, [.vec2(middle), .float(Float(step))], inputs: [image],
                extent: about(image.extent, 1 / last), region: { about($1, last).grown(1) })
        }
        return pass(pass(image, step), pow(step, 8))
    }
}

extension CIImage {
    /// Returns the image with noise reduction. The effect follows Apple's documentation, because the formula is
    /// unpublished.
    ///
    /// Differences in lightness below `level` are noise and are blurred. Larger differences are edges and are
    /// sharpened. Needs 9 samples per pixel.
    func withLessNoise(level: Double, sharpness: Double) -> CIImage {
        .drawn(
            BlurFilterKernels.noise, [.float(Float(level)), .float(Float(sharpness))], inputs: [clampedToExtent()],
            extent: extent, region: { $1.grown(1) })
    }
}

private enum BlurFilterKernels {
    static let disc = Kernel(
        "ciDisc", .general, native: ZT_KERNEL_DISC,
        """
        vec4 ciDisc(vec2 place, float radius, float edge, float ring, float ringSize, int reach) {
            vec4 sum = vec4(0.0);
            float total = 0.0;
            for (int y = -reach; y <= reach; y++)
                for (int x = -reach; x <= reach; x++) {
                    vec2 away = vec2(float(x), float(y));
                    float far = length(away);
                    float weight = clamp((radius - far) / edge + 0.5, 0.0, 1.0);
                    if (weight <= 0.0) continue;
                    weight *= 1.0 + 4.0 * ring * clamp(1.0 - abs(far - (radius - ringSize)) / ringSize, 0.0, 1.0);
                    sum += weight * src0(place + away);
                    total += weight;
                }
            return sum / max(total, 1e-6);
        }
        """)
    static let square = Kernel(
        "ciSquare", .color, native: ZT_KERNEL_SQUARE, "vec4 ciSquare(vec4 c) { return vec4(c.rgb * c.rgb, c.a); }")
    static let root = Kernel(
        "ciRoot", .color, native: ZT_KERNEL_ROOT,
        "vec4 ciRoot(vec4 c) { return vec4(sqrt(max(c.rgb, vec3(0.0))), c.a); }")
    static let zoom = Kernel(
        "ciZoom", .general,
        """
        vec4 ciZoom(vec2 place, vec2 center, float stride) {
            vec4 sum = vec4(0.0);
            vec2 away = place - center;
            for (int i = 0; i < 8; i++) { sum += src0(center + away); away *= stride; }
            return sum / 8.0;
        }
        """)
    /// The median of nine values in 19 exchanges: J. L. Smith, *Implementing median filters in XC4000E FPGAs* (1996).
    static let median = Kernel(
        "ciMedian", .general, native: ZT_KERNEL_MEDIAN,
        """
        void ciMedianSort(inout vec4 a, inout vec4 b) { vec4 less = min(a, b); b = max(a, b); a = less; }
        vec4 ciMedian(vec2 place) {
            vec4 a = src0(place + vec2(-1.0, -1.0)), b = src0(place + vec2(0.0, -1.0)), c = src0(place + vec2(1.0, -1.0));
            vec4 d = src0(place + vec2(-1.0, 0.0)), e = src0(place), f = src0(place + vec2(1.0, 0.0));
            vec4 g = src0(place + vec2(-1.0, 1.0)), h = src0(place + vec2(0.0, 1.0)), i = src0(place + vec2(1.0, 1.0));
            ciMedianSort(b, c); ciMedianSort(e, f); ciMedianSort(h, i);
            ciMedianSort(a, b); ciMedianSort(d, e); ciMedianSort(g, h);
            ciMedianSort(b, c); ciMedianSort(e, f); ciMedianSort(h, i);
            ciMedianSort(a, d); ciMedianSort(f, i); ciMedianSort(e, h);
            ciMedianSort(d, g); ciMedianSort(b, e); ciMedianSort(c, f);
            ciMedianSort(e, h); ciMedianSort(e, c); ciMedianSort(g, e);
            ciMedianSort(e, c);
            return e;
        }
        """)
    static let noise = Kernel(
        "ciNoise", .general, native: ZT_KERNEL_NOISE,
        """
        vec4 ciNoise(vec2 place, float level, float sharpness) {
            vec4 middle = src0(place);
            float light = luma(middle.rgb), edge = 0.0, total = 1.0;
            vec4 even = middle, all = middle;
            for (int y = -1; y <= 1; y++)
                for (int x = -1; x <= 1; x++) {
                    if (x == 0 && y == 0) continue;
                    vec4 c = src0(place + vec2(float(x), float(y)));
                    float apart = abs(luma(c.rgb) - light);
                    float weight = 1.0 - smoothstep(level, 2.0 * level + 1e-4, apart);
                    even += weight * c;
                    total += weight;
                    all += c;
                    edge = max(edge, 1.0 - weight);
                }
            vec4 result = even / total;
            result.rgb += sharpness * edge * (middle.rgb - all.rgb / 9.0);
            return vec4(clamp(result.rgb, vec3(0.0), vec3(result.a)), result.a);
        }
        """)
    static let masked = Kernel(
        "ciMaskedBlur", .general, native: ZT_KERNEL_MASKED_BLUR,
        """
        vec4 ciMaskedBlur(vec2 place) {
            float amount = 2.0 * clamp(luma(src3(place).rgb), 0.0, 1.0);
            return amount < 1.0 ? mix(src0(place), src1(place), amount) : mix(src1(place), src2(place), amount - 1.0);
        }
        """)
    static let difference = Kernel(
        "ciMorphologyDifference", .general, native: ZT_KERNEL_DIFFERENCE,
        """
        vec4 ciMorphologyDifference(vec2 place) {
            vec4 most = src0(place), least = src1(place);
            return vec4(most.rgb - least.rgb, most.a);
        }
        """)
}
