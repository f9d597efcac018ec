import CPixels
import Foundation

extension FilterCatalog {
    /// The recipes of the filters that create an unlimited image. They take no samples.
    static let generatorRecipes: [String: FilterRecipe] = [
        "CIConstantColorGenerator": { a in
            CIImage(recipe: .color(a.color("inputColor")), extent: .infinite)
        },
        "CICheckerboardGenerator": { a in .drawn(GeneratorKernels.checkerboard, pattern(a), extent: .infinite) },
        "CIStripesGenerator": { a in .drawn(GeneratorKernels.stripes, pattern(a), extent: .infinite) },
        "CIRandomGenerator": { _ in
            .drawn(GeneratorKernels.random, extent: .infinite)
        },
        "CIStarShineGenerator": { a in
            // Imitates the look of Core Image, whose formula is unpublished: a glow with a Gaussian falloff, and four
            // spikes.
            .drawn(
                GeneratorKernels.star,
                [
                    .vec2(a.vec2("inputCenter")), .vec4(a.color("inputColor")),
                    .float(max(0.5, a.float("inputRadius"))),
                    .float(a.float("inputCrossScale")), .float(a.float("inputCrossAngle")),
                    .float(pow(10, a.float("inputCrossOpacity") / 4)),
                    .float(max(0.1, a.float("inputCrossWidth"))), .float(pow(10, a.float("inputEpsilon"))),
                ], extent: .infinite)
        },
        "CISunbeamsGenerator": { a in
            // Imitates the look of Core Image, whose formula is unpublished: a disc, surrounded by rays of noise that
            // fade with the distance.
            .drawn(
                GeneratorKernels.sunbeams,
                [
                    .vec2(a.vec2("inputCenter")), .vec4(a.color("inputColor")),
                    .float(max(0.5, a.float("inputSunRadius"))),
                    .float(max(0.01, a.float("inputMaxStriationRadius"))), .float(a.float("inputStriationStrength")),
                    .float(a.float("inputStriationContrast")),
                    .float(a.float("inputTime")),
                ], extent: .infinite)
        },
        "CILenticularHaloGenerator": { a in
            // Imitates the look of Core Image, whose formula is unpublished: three overlapping rings, red outside and
            // blue inside, with the stripes of the sunbeams.
            .drawn(
                GeneratorKernels.halo,
                [
                    .vec2(a.vec2("inputCenter")), .vec4(a.color("inputColor")), .float(a.float("inputHaloRadius")),
                    .float(max(1, a.float("inputHaloWidth"))), .float(min(1, a.float("inputHaloOverlap"))),
                    .float(a.float("inputStriationStrength")),
                    .float(a.float("inputStriationContrast")), .float(a.float("inputTime")),
                ], extent: .infinite)
        },
        "CILinearGradient": { a in linear(a, smooth: 0) },
        "CISmoothLinearGradient": { a in linear(a, smooth: 1) },
        "CIRadialGradient": { a in
            .drawn(
                GeneratorKernels.radial,
                [.vec2(a.vec2("inputCenter")), .vec2([a.float("inputRadius0"), a.float("inputRadius1")])] + colors(a),
                extent: .infinite)
        },
        "CIGaussianGradient": { a in
            // The radius is three standard deviations. The remaining 1 % there is subtracted, so that the gradient ends
            // at the radius.
            .drawn(
                GeneratorKernels.gaussian,
                [.vec2(a.vec2("inputCenter")), .float(max(0.01, a.float("inputRadius")))] + colors(a), extent: .infinite
            )
        },
    ]

    private static func colors(_ a: FilterArguments) -> [KernelArgument] {
        [.vec4(a.color("inputColor0").premultiplied), .vec4(a.color("inputColor1").premultiplied)]
    }
    private static func pattern(_ a: FilterArguments) -> [KernelArgument] {
        let width = max(0.01, a.float("inputWidth"))
        // The third argument is the part of the width over which colors blend on each side of an edge. It is never 0,
        // because the shader divides by it.
        return [.vec2(a.vec2("inputCenter")), .float(width), .float(max(0.001, 0.5 * (1 - a.float("inputSharpness"))))]
            + colors(a)
    }
    private static func linear(_ a: FilterArguments, smooth: Float) -> CIImage {
        .drawn(
            GeneratorKernels.linear,
            [.vec2(a.vec2("inputPoint0")), .vec2(a.vec2("inputPoint1")), .float(smooth)] + colors(a), extent: .infinite)
    }
}

private enum GeneratorKernels {
    static let stripes = Kernel(
        "ciStripes", .general, native: ZT_KERNEL_STRIPES,
        """
        vec4 ciStripes(vec2 place, vec2 center, float width, float soft, vec4 color0, vec4 color1) {
            // The distance to the nearest edge, positive within the first color.
            float x = mod((place.x - center.x) / width, 2.0), inside = x < 1.0 ? min(x, 1.0 - x) : -min(x - 1.0, 2.0 - x);
            return mix(color1, color0, clamp(0.5 + 0.5 * inside / soft, 0.0, 1.0));
        }
        """)
    static let checkerboard = Kernel(
        "ciCheckerboard", .general, native: ZT_KERNEL_CHECKERBOARD,
        """
        float ciCheckerboardSide(float x, float soft) {
            x = mod(x, 2.0);
            return clamp((x < 1.0 ? min(x, 1.0 - x) : -min(x - 1.0, 2.0 - x)) / soft, -1.0, 1.0);
        }
        vec4 ciCheckerboard(vec2 place, vec2 center, float width, float soft, vec4 color0, vec4 color1) {
            vec2 at = (place - center) / width;
            return mix(color1, color0, 0.5 + 0.5 * ciCheckerboardSide(at.x, soft) * ciCheckerboardSide(at.y, soft));
        }
        """)
    static let random = Kernel(
        "ciRandom", .general, native: ZT_KERNEL_RANDOM,
        """
        vec4 ciRandom(vec2 place) {
            vec2 cell = floor(place);
            vec4 c = vec4(random(cell), random(cell + vec2(131.0, 17.0)), random(cell + vec2(31.0, 211.0)), random(cell + vec2(73.0, 97.0)));
            return vec4(c.rgb * c.a, c.a);
        }
        """)
    static let linear = Kernel(
        "ciLinear", .general, native: ZT_KERNEL_LINEAR,
        """
        vec4 ciLinear(vec2 place, vec2 a, vec2 b, float smooth_, vec4 color0, vec4 color1) {
            vec2 along = b - a;
            float t = clamp(dot(place - a, along) / max(dot(along, along), 1e-6), 0.0, 1.0);
            return mix(color0, color1, smooth_ > 0.5 ? t * t * (3.0 - 2.0 * t) : t);
        }
        """)
    static let radial = Kernel(
        "ciRadial", .general, native: ZT_KERNEL_RADIAL,
        """
        vec4 ciRadial(vec2 place, vec2 center, vec2 radii, vec4 color0, vec4 color1) {
            float size = radii.y - radii.x, far = distance(place, center) - radii.x;
            return mix(color0, color1, abs(size) < 1e-3 ? (far < 0.0 ? 0.0 : 1.0) : clamp(far / size, 0.0, 1.0));
        }
        """)
    static let gaussian = Kernel(
        "ciGaussianGradient", .general, native: ZT_KERNEL_GAUSSIAN,
        """
        vec4 ciGaussianGradient(vec2 place, vec2 center, float radius, vec4 color0, vec4 color1) {
            float far = distance(place, center) / radius, rest = exp(-4.5);
            return mix(color1, color0, clamp((exp(-4.5 * far * far) - rest) / (1.0 - rest), 0.0, 1.0));
        }
        """)
    static let star = Kernel(
        "ciStar", .general, native: ZT_KERNEL_STAR,
        """
        vec4 ciStar(vec2 place, vec2 center, vec4 color, float radius, float size, float angle, float opacity, float width, float epsilon) {
            vec2 away = place - center;
            float far = length(away) / radius, c = cos(angle), s = sin(angle);
            vec2 at = abs(vec2(c * away.x + s * away.y, c * away.y - s * away.x));
            float glow = exp(-3.0 * far * far), core = exp(-12.0 * far * far);
            // A spike begins with the width of the cross and becomes thinner outward.
            float reach = radius * max(size, 0.1) / 5.0;
            vec2 spike = exp(-at / reach * (2.0 + 1.0 / (1.0 + 100.0 * epsilon))) * exp(-(at.yx * at.yx) / (width * width));
            float cross_ = opacity * 2.0 * (spike.x + spike.y);
            float a = clamp(glow + cross_, 0.0, 1.0) * color.a;
            return vec4(min(mix(color.rgb, vec3(1.0), clamp(core + cross_, 0.0, 1.0)), vec3(1.0)) * a, a);
        }
        """)
    static func rays(_ name: String) -> String {
        """
        float \(name)Rays(float turn, float time) {
            // Noise that depends on the angle: random values at equal steps around the circle, interpolated, in three sizes.
            float sum = 0.0, weight = 0.5;
            for (int i = 0; i < 3; i++) {
                float steps = 24.0 * exp2(float(i)), x = fract(turn / (2.0 * PI)) * steps, cell = floor(x), part = smoothstep(0.0, 1.0, x - cell);
                float a = random(vec2(mod(cell, steps), float(i) + 11.0)), b = random(vec2(mod(cell + 1.0, steps), float(i) + 11.0));
                sum += weight * (0.5 + 0.5 * sin(2.0 * PI * (mix(a, b, part) + time)));
                weight *= 0.6;
            }
            return sum;
        }

        """
    }
    static let sunbeams = Kernel(
        "ciSunbeams", .general,
        rays("ciSunbeams") + """
            vec4 ciSunbeams(vec2 place, vec2 center, vec4 color, float radius, float longest, float strength, float contrast, float time) {
                vec2 away = place - center;
                float far = length(away) / radius;
                float sun = 1.0 - smoothstep(0.85, 1.15, far), glow = exp(-max(far - 1.0, 0.0) * 1.2);
                float beams = strength * pow(max(ciSunbeamsRays(atan(away.y, away.x), time), 1e-4), contrast) * exp(-max(far - 1.0, 0.0) / longest);
                float a = clamp(max(sun, glow * 0.7 + beams), 0.0, 1.0) * color.a;
                return vec4(clamp(mix(color.rgb, vec3(1.0), 0.8 * (1.0 - smoothstep(0.4, 1.3, far))), 0.0, 1.0) * a, a);
            }
            """)
    static let halo = Kernel(
        "ciHalo", .general,
        rays("ciHalo") + """
            vec4 ciHalo(vec2 place, vec2 center, vec4 color, float radius, float width, float overlap, float strength, float contrast, float time) {
                vec2 away = place - center;
                float far = length(away) - radius, ring = width * (1.0 + 2.0 * overlap) / 3.0, shift = (width - ring) / 2.0;
                // From inside to outside: blue, green, red.
                vec3 at = (vec3(far) - vec3(2.0 * shift, shift, 0.0)) / ring;
                vec3 rings = vec3(1.0) - abs(2.0 * clamp(at, 0.0, 1.0) - 1.0);
                float rays = 1.0 - strength * (1.0 - pow(max(ciHaloRays(atan(away.y, away.x), time), 1e-4), contrast));
                vec3 light = color.rgb * rings * rings * max(rays, 0.0);
                float a = clamp(max(light.r, max(light.g, light.b)), 0.0, 1.0);
                return vec4(min(light, vec3(a)), a) * color.a;
            }
            """)
}
