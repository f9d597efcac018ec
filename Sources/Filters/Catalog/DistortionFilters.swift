import Foundation

extension FilterCatalog {

    /// The recipes of the distortions around a point. Every pixel is read from another position, with one sample.
    ///
    /// Lenses and warps are in `warpRecipes`.
    static let distortionRecipes: [String: FilterRecipe] = [
        "CIBumpDistortion": { a in
            // Imitates the look of Core Image, whose formula is unpublished: the magnification is 1 / (1 − scale) in
            // the middle and decreases smoothly to 1 at the radius.
            local(a, DistortionKernels.bump, [.float(a.float("inputScale"))], reach: max(0, -a.double("inputScale")))
        },
        "CIBumpDistortionLinear": { a in
            // The same as the bump, with the distance from a line through the center.
            a.image.map { image in
                let radius = a.double("inputRadius")
                let scale = a.double("inputScale")
                return .drawn(
                    DistortionKernels.bumpLinear,
                    [
                        .vec2(a.vec2("inputCenter")), .float(Float(radius)), .float(a.float("inputAngle")),
                        .float(Float(scale)),
                    ],
                    inputs: [image], extent: image.extent, region: { $1.grown(abs(scale) * radius / 2 + 2) })
            }
        },
        "CIPinchDistortion": { a in
            // Imitates the look of Core Image, whose formula is unpublished: the distance from the center, raised to
            // the power of 1 / (1 + scale).
            local(a, DistortionKernels.pinch, [.float(1 / (1 + max(0, a.float("inputScale"))))])
        },
        "CITwirlDistortion": { a in
            // Imitates the look of Core Image, whose formula is unpublished: the rotation is the full angle in the
            // middle and zero at the radius. It decreases with the square of the remaining distance.
            local(a, DistortionKernels.rotation, [.float(a.float("inputAngle")), .float(2)])
        },
        "CIVortexDistortion": { a in
            // The same as the twirl, with the fourth power, which gives many rotations near the middle.
            local(a, DistortionKernels.rotation, [.float(a.float("inputAngle")), .float(4)])
        },
        "CIHoleDistortion": { a in
            // r − R² / r: the center becomes the rim, and distant pixels stay in place, as in a flow around a cylinder.
            a.image.map { image in
                let radius = a.double("inputRadius")
                return .drawn(
                    DistortionKernels.hole, [.vec2(a.vec2("inputCenter")), .float(Float(radius))], inputs: [image],
                    extent: image.extent.grown(radius), region: { $1.grown(radius + 1) })
            }
        },
        "CILightTunnel": { a in rim(a, rotation: a.double("inputRotation")) },
        "CICircleSplashDistortion": { a in rim(a, rotation: 0) },
        "CIDisplacementDistortion": { a in
            // Red moves horizontally, green upward. A value of 0.5 does not move a pixel, and 1 moves it by half the
            // scale.
            guard let image = a.image, let map = a.image("inputDisplacementImage") else { return nil }
            let scale = a.double("inputScale")
            return .drawn(
                DistortionKernels.displace, [.float(Float(scale))], inputs: [image, map], extent: image.extent,
                region: { $0 == 0 ? $1.grown(scale / 2 + 1) : $1 })
        },
        "CIGlassDistortion": { a in
            // Pixels move by the slope of the texture's lightness. The texture repeats.
            guard let image = a.image, let texture = a.image("inputTexture"), !texture.extent.isEmpty else {
                return nil
            }
            let scale = a.double("inputScale")
            let whole = texture.extent
            return .drawn(
                DistortionKernels.glass, [.vec2(a.vec2("inputCenter")), .float(Float(scale)), .vec4(whole.edges)],
                inputs: [image.clampedToExtent(), texture],
                extent: image.extent,
                region: { index, rect in
                    index == 0 ? rect.grown(scale / 2 + 1) : whole.isUnbounded ? rect.grown(3) : whole
                })
        },
    ]

    /// Returns a distortion within a circle. Pixels outside the circle stay unchanged.
    private static func local(_ a: FilterArguments, _ kernel: Kernel, _ arguments: [KernelArgument], reach: Double = 0)
        -> CIImage?
    {
        a.image.map { image in
            let radius = a.double("inputRadius")
            let c = a.vector("inputCenter", 2)
            guard radius > 0 else { return image }
            let far = radius * (1 + reach)
            let disc = CGRect(x: c[0] - radius, y: c[1] - radius, width: 2 * radius, height: 2 * radius)
            return .drawn(
                kernel, [.vec2([Float(c[0]), Float(c[1])]), .float(Float(radius))] + arguments, inputs: [image],
                extent: image.extent,
                region: { _, rect in
                    rect.isUnbounded || !rect.intersects(disc)
                        ? rect.grown(1) : rect.union(disc.insetBy(dx: radius - far, dy: radius - far)).grown(1)
                })
        }
    }

    /// Returns an image in which the colors of a circle's rim continue outward without end.
    private static func rim(_ a: FilterArguments, rotation: Double) -> CIImage? {
        a.image.map { image in
            let radius = max(0, a.double("inputRadius"))
            let c = a.vector("inputCenter", 2)
            let disc = CGRect(x: c[0] - radius, y: c[1] - radius, width: 2 * radius, height: 2 * radius).grown(1)
            return .drawn(
                DistortionKernels.rim,
                [.vec2([Float(c[0]), Float(c[1])]), .float(Float(radius)), .float(Float(rotation))],
                inputs: [image], extent: .infinite, region: { _, _ in disc })
        }
    }
}

private enum DistortionKernels {
    static let bump = Kernel(
        "ciBump", .general,
        """
        vec4 ciBump(vec2 place, vec2 center, float radius, float scale) {
            vec2 away = place - center;
            return src0(center + away * (1.0 - scale * (1.0 - smoothstep(0.0, 1.0, length(away) / radius))));
        }
        """)
    static let bumpLinear = Kernel(
        "ciBumpLinear", .general,
        """
        vec4 ciBumpLinear(vec2 place, vec2 center, float radius, float angle, float scale) {
            vec2 across = vec2(-sin(angle), cos(angle));
            float away = dot(place - center, across);
            return src0(place - across * (away * scale * (1.0 - smoothstep(0.0, 1.0, abs(away) / max(radius, 1e-3)))));
        }
        """)
    static let pinch = Kernel(
        "ciPinch", .general,
        """
        vec4 ciPinch(vec2 place, vec2 center, float radius, float power) {
            vec2 away = place - center;
            float part = length(away) / radius;
            return src0(part <= 0.0 || part >= 1.0 ? place : center + away * pow(part, power - 1.0));
        }
        """)
    static let rotation = Kernel(
        "ciTurn", .general,
        """
        vec4 ciTurn(vec2 place, vec2 center, float radius, float angle, float power) {
            vec2 away = place - center;
            float left = 1.0 - length(away) / radius;
            if (left <= 0.0) return src0(place);
            float turn = angle * pow(left, power), c = cos(turn), s = sin(turn);
            return src0(center + vec2(c * away.x + s * away.y, c * away.y - s * away.x));
        }
        """)
    static let hole = Kernel(
        "ciHole", .general,
        """
        vec4 ciHole(vec2 place, vec2 center, float radius) {
            vec2 away = place - center;
            float far = length(away);
            if (far <= radius) return vec4(0.0);
            return src0(center + away * (1.0 - radius * radius / (far * far)));
        }
        """)
    static let rim = Kernel(
        "ciRim", .general,
        """
        vec4 ciRim(vec2 place, vec2 center, float radius, float rotation) {
            vec2 away = place - center;
            float far = length(away);
            if (far <= radius) return src0(place);
            float turn = rotation * (far / max(radius, 1e-3) - 1.0), c = cos(turn), s = sin(turn);
            away *= radius / far;
            return src0(center + vec2(c * away.x + s * away.y, c * away.y - s * away.x));
        }
        """)
    static let displace = Kernel(
        "ciDisplace", .general,
        """
        vec4 ciDisplace(vec2 place, float scale) {
            vec4 map = src1(place);
            return src0(place + scale * (map.rg - vec2(0.5 * map.a)));
        }
        """)
    static let glass = Kernel(
        "ciGlass", .general,
        """
        float ciGlassHeight(vec2 at, vec4 whole) {
            if (whole.z < 1e8) at = clamp(whole.xy + mod(at - whole.xy, whole.zw - whole.xy), whole.xy + 0.5, whole.zw - 0.5);
            return luma(src1(at).rgb);
        }
        vec4 ciGlass(vec2 place, vec2 center, float scale, vec4 whole) {
            vec2 at = place - center + (whole.z < 1e8 ? 0.5 * (whole.xy + whole.zw) : center);
            vec2 slope = vec2(ciGlassHeight(at + vec2(1.5, 0.0), whole) - ciGlassHeight(at - vec2(1.5, 0.0), whole),
                ciGlassHeight(at + vec2(0.0, 1.5), whole) - ciGlassHeight(at - vec2(0.0, 1.5), whole)) / 3.0;
            return src0(place + clamp(scale * slope, vec2(-0.5 * scale), vec2(0.5 * scale)));
        }
        """)
}
