import Foundation

extension FilterCatalog {

    /// The recipes of the lenses, which refract vertical rays by Snell's law, and of the warps of a whole image.
    ///
    /// Each filter takes one sample per pixel.
    static let warpRecipes: [String: FilterRecipe] = [
        "CITorusLensDistortion": { a in
            a.image.map { image in
                let width = a.double("inputWidth")
                guard width > 0, a.double("inputRadius") > 0 else { return image }
                return .drawn(
                    WarpKernels.torus,
                    [
                        .vec2(a.vec2("inputCenter")), .float(a.float("inputRadius")), .float(Float(width)),
                        .float(max(0.01, a.float("inputRefraction"))),
                    ],
                    inputs: [image], extent: image.extent, region: { $1.grown(2 * width + 1) })
            }
        },
        "CIGlassLozenge": { a in
            a.image.map { image in
                let radius = a.double("inputRadius")
                guard radius > 0 else { return image }
                return .drawn(
                    WarpKernels.lozenge,
                    [
                        .vec2(a.vec2("inputPoint0")), .vec2(a.vec2("inputPoint1")), .float(Float(radius)),
                        .float(max(0.01, a.float("inputRefraction"))),
                    ],
                    inputs: [image], extent: image.extent, region: { $1.grown(4 * radius + 1) })
            }
        },
        "CICircularWrap": { a in
            // The image is wrapped once around the circle, clockwise from the angle, with its lower edge on the circle.
            a.image.flatMap { image in
                guard !image.extent.isUnbounded else { return image }
                let radius = a.double("inputRadius")
                let c = a.vector("inputCenter", 2)
                let far = radius + image.extent.height
                let whole = image.extent
                return .drawn(
                    WarpKernels.wrap,
                    [
                        .vec2([Float(c[0]), Float(c[1])]), .float(Float(radius)), .float(a.float("inputAngle")),
                        .vec4(whole.edges),
                    ],
                    inputs: [image],
                    extent: CGRect(x: c[0] - far, y: c[1] - far, width: 2 * far, height: 2 * far).integral,
                    region: { _, _ in whole })
            }
        },
        "CIDroste": { a in
            // De Smit and Lenstra, *The mathematical structure of Escher's Print Gallery* (2003): z → z^α between a
            // frame and a copy of itself inside.
            a.image.flatMap { image in
                let whole = image.extent
                let p = a.vector("inputInsetPoint0", 2)
                let q = a.vector("inputInsetPoint1", 2)
                let inset = CGRect(
                    x: min(p[0], q[0]), y: min(p[1], q[1]), width: abs(p[0] - q[0]), height: abs(p[1] - q[1]))
                guard !whole.isUnbounded, !whole.isEmpty, inset.width > 1, inset.height > 1 else { return image }
                let ratio = max(1.01, min(whole.width / inset.width, whole.height / inset.height))
                return .drawn(
                    WarpKernels.droste,
                    [
                        .vec4(whole.edges), .vec2([Float(inset.midX), Float(inset.midY)]),
                        .vec2([Float(inset.width / 2), Float(inset.height / 2)]),
                        .float(Float(log(ratio))), .float(a.float("inputStrands").rounded()),
                        .float(max(1, a.float("inputPeriodicity").rounded())), .float(a.float("inputRotation")),
                        .float(max(0.01, a.float("inputZoom"))),
                    ], inputs: [image], extent: .infinite, region: { _, _ in whole })
            }
        },
        "CINinePartStretched": { a in nineParts(a, tiled: false) },
        "CINinePartTiled": { a in nineParts(a, tiled: true) },
        "CIStretchCrop": { a in
            // Imitates the look of Core Image, whose formula is unpublished: part of the excess is cropped. The rest is
            // compressed, most strongly at the edges.
            a.image.flatMap { image in
                let whole = image.extent
                let size = a.vector("inputSize", 2)
                let crop = a.double("inputCropAmount")
                guard !whole.isUnbounded, !whole.isEmpty, size[0] >= 1, size[1] >= 1 else { return image }
                let fx = size[0] / whole.width
                let fy = size[1] / whole.height
                let cover = max(fx, fy)
                // The scale on each axis. Cropping alone uses `cover` on both axes; stretching alone uses a separate
                // scale on each.
                let sx = fx + (cover - fx) * crop
                let sy = fy + (cover - fy) * crop
                let uniform = max(sx, sy)
                return .drawn(
                    WarpKernels.stretch,
                    [
                        .vec2([Float(whole.midX), Float(whole.midY)]), .vec2([Float(size[0]), Float(size[1])]),
                        .vec2([Float(size[0] / sx), Float(size[1] / sy)]),
                        .vec2([Float(sx / uniform), Float(sy / uniform)]), .float(a.float("inputCenterStretchAmount")),
                    ],
                    inputs: [image], extent: CGRect(x: 0, y: 0, width: size[0].rounded(), height: size[1].rounded()),
                    region: { _, _ in whole })
            }
        },
    ]

    private static func nineParts(_ a: FilterArguments, tiled: Bool) -> CIImage? {
        a.image.map { image in
            let whole = image.extent
            let grow = a.vector("inputGrowAmount", 2)
            guard !whole.isUnbounded else { return image }
            let gx = max(0, grow[0]).rounded()
            let gy = max(0, grow[1]).rounded()
            return .drawn(
                WarpKernels.nine,
                [
                    .vec2(a.vec2("inputBreakpoint0")), .vec2(a.vec2("inputBreakpoint1")),
                    .vec2([Float(gx), Float(gy)]),
                    .float(tiled ? (a.double("inputFlipYTiles") > 0.5 ? 2 : 1) : 0), .vec4(whole.centers),
                ], inputs: [image],
                extent: CGRect(x: whole.minX, y: whole.minY, width: whole.width + gx, height: whole.height + gy),
                region: { _, _ in whole })
        }
    }
}

private enum WarpKernels {
    /// Returns a GLSL function for the displacement of a ray from above.
    ///
    /// In the function, `slope` is the sine of the surface's slope, and `height` is the height of the glass.
    static func refraction(_ name: String) -> String {
        """
        float \(name)Bend(float slope, float height, float refraction) {
            float inside = asin(clamp(slope / refraction, -1.0, 1.0)), outside = asin(clamp(slope, -1.0, 1.0));
            return height * tan(clamp(outside - inside, -1.4, 1.4));
        }

        """
    }
    static let torus = Kernel(
        "ciTorus", .general,
        refraction("ciTorus") + """
            vec4 ciTorus(vec2 place, vec2 center, float radius, float width, float refraction) {
                vec2 away = place - center;
                float far = length(away), thick = 0.5 * width, slope = (far - (radius - thick)) / thick;
                if (abs(slope) >= 1.0 || far <= 0.0) return src0(place);
                return src0(place - away / far * clamp(ciTorusBend(slope, thick * sqrt(1.0 - slope * slope), refraction), -2.0 * width, 2.0 * width));
            }
            """)
    static let lozenge = Kernel(
        "ciLozenge", .general,
        refraction("ciLozenge") + """
            vec4 ciLozenge(vec2 place, vec2 a, vec2 b, float radius, float refraction) {
                vec2 along = b - a;
                vec2 nearest = a + along * clamp(dot(place - a, along) / max(dot(along, along), 1e-3), 0.0, 1.0);
                vec2 away = place - nearest;
                float far = length(away), slope = far / radius;
                if (slope >= 1.0 || far <= 0.0) return src0(place);
                return src0(place - away / far * clamp(ciLozengeBend(slope, radius * sqrt(1.0 - slope * slope), refraction), -4.0 * radius, 4.0 * radius));
            }
            """)
    static let wrap = Kernel(
        "ciWrap", .general,
        """
        vec4 ciWrap(vec2 place, vec2 center, float radius, float angle, vec4 whole) {
            vec2 away = place - center;
            float far = length(away) - radius;
            if (far < 0.0) return vec4(0.0);
            float around = fract((angle + PI - atan(away.y, away.x)) / (2.0 * PI));
            return src0(vec2(clamp(mix(whole.x, whole.z, around), whole.x + 0.5, whole.z - 0.5), whole.y + far));
        }
        """)
    static let droste = Kernel(
        "ciDroste", .general,
        """
        vec4 ciDroste(vec2 place, vec4 whole, vec2 center, vec2 inner, float period, float strands, float periodicity, float rotation, float zoom) {
            vec2 z = (place - 0.5 * (whole.xy + whole.zw)) / zoom;
            if (dot(z, z) < 1e-6) z = vec2(1e-3, 0.0);
            vec2 w = vec2(log(length(z) / length(inner)), atan(z.y, z.x));
            // One full turn leads `strands / periodicity` periods inward: a rotation and a scale in the logarithmic plane.
            float slant = period * strands / (2.0 * PI * periodicity);
            w = vec2(w.x + slant * w.y, w.y - slant * w.x);
            w.x = mod(w.x, period);
            vec2 at = exp(w.x) * length(inner) * vec2(cos(w.y + rotation), sin(w.y + rotation));
            float ratio = exp(period);
            for (int i = 0; i < 4; i++) {
                vec2 p = center + at;
                if (p.x < whole.x || p.y < whole.y || p.x > whole.z || p.y > whole.w) at /= ratio;
            }
            for (int i = 0; i < 4; i++) if (abs(at.x) < inner.x && abs(at.y) < inner.y) at *= ratio;
            return src0(clamp(center + at, whole.xy + 0.5, whole.zw - 0.5));
        }
        """)
    static let nine = Kernel(
        "ciNine", .general,
        """
        float ciNineAxis(float at, float low, float high, float grow, float tiled) {
            if (at < low || high <= low) return at;
            if (at >= high + grow) return at - grow;
            float part = at - low, size = high - low;
            if (tiled < 0.5) return low + part * size / (size + grow);
            float n = floor(part / size), rest = part - n * size;
            return low + (tiled > 1.5 && mod(n, 2.0) > 0.5 ? size - rest : rest);
        }
        vec4 ciNine(vec2 place, vec2 low, vec2 high, vec2 grow, float tiled, vec4 edges) {
            vec2 at = vec2(ciNineAxis(place.x, low.x, high.x, grow.x, min(tiled, 1.0)), ciNineAxis(place.y, low.y, high.y, grow.y, tiled));
            return src0(clamp(at, edges.xy, edges.zw));
        }
        """)
    static let stretch = Kernel(
        "ciStretch", .general,
        """
        float ciStretchAxis(float at, float uneven, float even) {
            // An odd function through ±1. Its slope in the middle is `uneven`, as on the other axis, or 1 if `even` is 1.
            float middle = mix(uneven, 1.0, even), x = abs(at);
            return at * (middle + (1.0 - middle) * x * x);
        }
        vec4 ciStretch(vec2 place, vec2 middle, vec2 size, vec2 shown, vec2 uneven, float even) {
            vec2 at = 2.0 * place / size - 1.0;
            at = vec2(ciStretchAxis(at.x, clamp(uneven.x, 0.5, 1.0), even), ciStretchAxis(at.y, clamp(uneven.y, 0.5, 1.0), even));
            return src0(middle + 0.5 * shown * at);
        }
        """)
}
