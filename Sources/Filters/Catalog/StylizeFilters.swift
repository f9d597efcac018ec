import CPixels
import Foundation

/// The attribute type of a point in space. x and y are in pixels from the lower left, and z is the height above the
/// image.
public let kCIAttributeTypePosition3 = "CIAttributeTypePosition3"

extension FilterCatalog {

    /// The recipes of the filters for light, edges and colors. `cellRecipes` and `convolutionRecipes` have the other
    /// stylizing filters.
    static let stylizingRecipes: [String: FilterRecipe] = [
        "CIBloom": { a in
            // Imitates the look of Core Image, whose formula is unpublished: the square of the blurred image is
            // screened onto the image, so that bright areas glow.
            a.image.map { image in
                let soft = image.gaussian(a.double("inputRadius"))
                return .drawn(
                    StylizeKernels.bloom, [.float(a.float("inputIntensity"))], inputs: [image, soft],
                    extent: soft.extent)
            }
        },
        "CIGloom": { a in
            // Imitates the look of Core Image, whose formula is unpublished: the bloom of the negative.
            a.image.map { image in
                .drawn(
                    StylizeKernels.gloom, [.float(a.float("inputIntensity"))],
                    inputs: [image, image.clampedToExtent().gaussian(a.double("inputRadius"))],
                    extent: image.extent)
            }
        },
        "CIEdges": { a in
            // Roberts' cross (1963) for each component.
            a.image.map { image in
                .drawn(
                    StylizeKernels.edges, [.float(a.float("inputIntensity"))], inputs: [image.clampedToExtent()],
                    extent: image.extent, region: { $1.grown(1) })
            }
        },
        "CIEdgeWork": { a in
            // Imitates the look of Core Image, whose formula is unpublished: a woodcut, white where the image is darker
            // than its surroundings.
            a.image.map { image in
                let endless = image.clampedToExtent()
                let radius = max(0.5, a.double("inputRadius"))
                return .drawn(
                    StylizeKernels.edgeWork, inputs: [image, endless.gaussian(radius / 4), endless.gaussian(radius)],
                    extent: image.extent)
            }
        },
        "CIComicEffect": { a in
            // Imitates the look of Core Image, whose formula is unpublished: fewer colors, printed with dots, and ink
            // along the edges.
            a.image.map { image in
                let even = image.withLessNoise(level: 0.04, sharpness: 0.3)
                return .drawn(
                    StylizeKernels.comic, inputs: [even.clampedToExtent()], extent: image.extent,
                    region: { $1.grown(1) })
            }
        },
        "CILineOverlay": { a in
            // Noise reduction, Sobel's gradient of lightness and a threshold: black lines on transparency.
            a.image.map { image in
                let even = image.withLessNoise(
                    level: a.double("inputNRNoiseLevel"), sharpness: a.double("inputNRSharpness"))
                return .drawn(
                    StylizeKernels.lines,
                    [
                        .float(a.float("inputEdgeIntensity")), .float(a.float("inputThreshold")),
                        .float(a.float("inputContrast")),
                    ],
                    inputs: [even.clampedToExtent()], extent: image.extent, region: { $1.grown(1) })
            }
        },
        "CISobelGradients": { a in
            a.image.map { image in
                .drawn(
                    StylizeKernels.sobel, inputs: [image.clampedToExtent()], extent: image.extent,
                    region: { $1.grown(1) })
            }
        },
        "CIHighlightShadowAdjust": { a in
            // Imitates the look of Core Image, whose formula is unpublished: brightens dark surroundings and darkens
            // bright surroundings, measured over the radius.
            a.image.map { image in
                let radius = a.double("inputRadius")
                return .drawn(
                    StylizeKernels.highlightShadow,
                    [.float(a.float("inputShadowAmount")), .float(a.float("inputHighlightAmount"))],
                    inputs: [image, radius > 0 ? image.clampedToExtent().gaussian(radius) : image], extent: image.extent
                )
            }
        },
        "CISpotColor": { a in
            // Imitates the look of Core Image, whose formula is unpublished: three inks on white paper, each where the
            // color is within the closeness.
            a.image.map { image in
                let arguments = (1...3).flatMap { i -> [KernelArgument] in
                    let c = a.color("inputCenterColor\(i)")
                    let r = a.color("inputReplacementColor\(i)")
                    return [
                        .vec4([c.x, c.y, c.z, a.float("inputCloseness\(i)")]),
                        .vec4([r.x, r.y, r.z, a.float("inputContrast\(i)")]),
                    ]
                }
                return CIImage(
                    recipe: .colors(ColorStep(StylizeKernels.spotColor, arguments), of: image), extent: image.extent)
            }
        },
        "CISpotLight": { a in
            // Phong's spot (a power of the cosine of the angle to the axis), and Lambert's law for the lit plane.
            a.image.map { image in
                func point(_ key: String) -> KernelArgument {
                    let v = a.vector(key, 3)
                    return .vec3([Float(v[0]), Float(v[1]), Float(v[2])])
                }
                return .drawn(
                    StylizeKernels.spotLight,
                    [
                        point("inputLightPosition"), point("inputLightPointsAt"), .vec4(a.color("inputColor")),
                        .float(a.float("inputBrightness")), .float(1 / max(0.001, a.float("inputConcentration"))),
                    ], inputs: [image], extent: image.extent)
            }
        },
        "CIShadedMaterial": { a in
            // Looks up a lit sphere with the normal of the height field (Sloan et al., *The Lit Sphere*, 2001).
            guard let image = a.image, let shading = a.image("inputShadingImage"), !shading.extent.isUnbounded else {
                return nil
            }
            let sphere = shading.extent
            return .drawn(
                StylizeKernels.shaded, [.float(a.float("inputScale")), .vec4(sphere.centers)],
                inputs: [image.clampedToExtent(), shading], extent: image.extent,
                region: { $0 == 0 ? $1.grown(1) : sphere })
        },
        "CIHeightFieldFromMask": { a in
            // A blurred edge has the value one half exactly at the edge, which is height 0.
            a.image.map { image in
                .drawn(
                    StylizeKernels.height, inputs: [image, image.gaussian(max(0.5, a.double("inputRadius")))],
                    extent: image.extent)
            }
        },
        "CIDepthOfField": { a in
            // Imitates the look of Core Image, whose formula is unpublished: a strip along the line is sharp and
            // saturated, the rest is blurred, as in photographs of miniatures.
            a.image.map { image in
                let sharp = image.sharpened(
                    radius: a.double("inputUnsharpMaskRadius"), amount: a.float("inputUnsharpMaskIntensity"),
                    ofLight: false)
                return .drawn(
                    StylizeKernels.depth,
                    [.vec2(a.vec2("inputPoint0")), .vec2(a.vec2("inputPoint1")), .float(a.float("inputSaturation"))],
                    inputs: [sharp, image.clampedToExtent().gaussian(a.double("inputRadius"))], extent: image.extent)
            }
        },
    ]
}

private enum StylizeKernels {
    /// Sobel's two gradients (Sobel and Feldman, 1968), with 8 samples.
    static func gradients(_ name: String) -> String {
        """
        void \(name)Gradients(vec2 place, out vec3 across, out vec3 up) {
            vec3 a = src0(place + vec2(-1.0, -1.0)).rgb, b = src0(place + vec2(0.0, -1.0)).rgb, c = src0(place + vec2(1.0, -1.0)).rgb;
            vec3 d = src0(place + vec2(-1.0, 0.0)).rgb, f = src0(place + vec2(1.0, 0.0)).rgb;
            vec3 g = src0(place + vec2(-1.0, 1.0)).rgb, h = src0(place + vec2(0.0, 1.0)).rgb, i = src0(place + vec2(1.0, 1.0)).rgb;
            across = (c + 2.0 * f + i - a - 2.0 * d - g) / 4.0;
            up = (g + 2.0 * h + i - a - 2.0 * b - c) / 4.0;
        }
        """
    }
    static let bloom = Kernel(
        "ciBloom", .general, native: ZT_KERNEL_BLOOM,
        """
        vec4 ciBloom(vec2 place, float intensity) {
            vec4 soft = src1(place);
            return vec4(1.0) - (vec4(1.0) - src0(place)) * (vec4(1.0) - min(intensity * soft * soft, vec4(1.0)));
        }
        """)
    static let gloom = Kernel(
        "ciGloom", .general, native: ZT_KERNEL_GLOOM,
        """
        vec4 ciGloom(vec2 place, float intensity) {
            vec4 c = src0(place), soft = src1(place);
            vec3 dark = vec3(1.0) - soft.rgb / max(soft.a, 1e-4);
            return vec4(c.rgb * clamp(1.0 - intensity * dark * dark, vec3(0.0), vec3(1.0)), c.a);
        }
        """)
    static let edges = Kernel(
        "ciEdges", .general, native: ZT_KERNEL_EDGES,
        """
        vec4 ciEdges(vec2 place, float intensity) {
            vec4 a = src0(place), b = src0(place + vec2(1.0, 0.0)), c = src0(place + vec2(0.0, 1.0)), d = src0(place + vec2(1.0, 1.0));
            vec3 x = a.rgb - d.rgb, y = b.rgb - c.rgb;
            return vec4(min(intensity * sqrt(x * x + y * y), vec3(a.a)), a.a);
        }
        """)
    static let edgeWork = Kernel(
        "ciEdgeWork", .general,
        """
        vec4 ciEdgeWork(vec2 place) {
            float apart = luma(src2(place).rgb - src1(place).rgb), a = src0(place).a;
            return vec4(vec3(a * smoothstep(0.015, 0.06, apart)), a);
        }
        """)
    static let comic = Kernel(
        "ciComic", .general, native: ZT_KERNEL_COMIC,
        gradients("ciComic") + """

            vec4 ciComic(vec2 place) {
                vec4 c = src0(place);
                vec3 across, up;
                ciComicGradients(place, across, up);
                float ink = smoothstep(0.12, 0.3, length(vec2(luma(across), luma(up))));
                vec3 flat_ = floor(c.rgb * 5.0 + 0.5) / 5.0;
                vec2 at = mat2(0.7071, 0.7071, -0.7071, 0.7071) * place * (2.0 * PI / 6.0);
                float dots = 0.5 + 0.25 * (cos(at.x) + cos(at.y));
                vec3 printed = mix(flat_, smoothstep(vec3(dots - 0.15), vec3(dots + 0.15), flat_), 0.35);
                return vec4(min(printed * (1.0 - ink), vec3(c.a)), c.a);
            }
            """)
    static let lines = Kernel(
        "ciLines", .general,
        gradients("ciLines") + """

            vec4 ciLines(vec2 place, float intensity, float threshold, float contrast) {
                vec3 across, up;
                ciLinesGradients(place, across, up);
                float edge = intensity * length(vec2(luma(across), luma(up)));
                return vec4(0.0, 0.0, 0.0, clamp((edge - threshold) * contrast, 0.0, 1.0));
            }
            """)
    /// Values may be negative, as in Core Image.
    static let sobel = Kernel(
        "ciSobel", .general, native: ZT_KERNEL_SOBEL,
        gradients("ciSobel") + """

            vec4 ciSobel(vec2 place) {
                vec3 across, up;
                ciSobelGradients(place, across, up);
                vec3 x = abs(across), y = abs(up);
                float h = x.r > x.g ? (x.r > x.b ? across.r : across.b) : (x.g > x.b ? across.g : across.b);
                float v = y.r > y.g ? (y.r > y.b ? up.r : up.b) : (y.g > y.b ? up.g : up.b);
                return vec4(h, v, 0.0, 1.0);
            }
            """)
    static let highlightShadow = Kernel(
        "ciHighlightShadow", .general, native: ZT_KERNEL_HIGHLIGHT_SHADOW,
        """
        vec4 ciHighlightShadow(vec2 place, float shadow, float highlight) {
            vec4 c = src0(place), around = src1(place);
            float light = luma(around.rgb) / max(around.a, 1e-4);
            float dark = 1.0 - smoothstep(0.0, 0.5, light), bright = smoothstep(0.5, 1.0, light);
            return vec4(clamp(c.rgb * (1.0 + shadow * dark) * (1.0 - 0.5 * (1.0 - highlight) * bright), vec3(0.0), vec3(c.a)), c.a);
        }
        """)
    static let spotColor = Kernel(
        "ciSpotColor", .color, isSmooth: false, native: ZT_KERNEL_SPOT_COLOR,
        """
        vec3 ciSpotColorInk(vec3 paper, vec3 color, vec4 center, vec4 ink) {
            float closeness = max(center.a, 1e-4), soft = closeness * max(1.0 - ink.a, 0.01);
            return mix(paper, ink.rgb, clamp((closeness - distance(color, center.rgb)) / soft, 0.0, 1.0));
        }
        vec4 ciSpotColor(vec4 c, vec4 center1, vec4 ink1, vec4 center2, vec4 ink2, vec4 center3, vec4 ink3) {
            vec3 paper = ciSpotColorInk(vec3(1.0), c.rgb, center3, ink3);
            paper = ciSpotColorInk(paper, c.rgb, center2, ink2);
            return vec4(ciSpotColorInk(paper, c.rgb, center1, ink1), c.a);
        }
        """)
    static let spotLight = Kernel(
        "ciSpotLight", .general, native: ZT_KERNEL_SPOT_LIGHT,
        """
        vec4 ciSpotLight(vec2 place, vec3 light, vec3 target, vec4 color, float brightness, float power) {
            vec4 c = src0(place);
            vec3 ray = vec3(place, 0.0) - light;
            float far = max(length(ray), 1e-3), axis = max(length(target - light), 1e-3);
            float facing = max(dot(ray, target - light) / (far * axis), 0.0);
            float lit = brightness * (facing > 0.0 ? pow(facing, power) : 0.0) * abs(light.z) / far;
            return vec4(clamp(c.rgb * color.rgb * lit, vec3(0.0), vec3(c.a)), c.a);
        }
        """)
    static let shaded = Kernel(
        "ciShaded", .general,
        """
        vec4 ciShaded(vec2 place, float scale, vec4 sphere) {
            vec2 slope = vec2(luma(src0(place + vec2(1.0, 0.0)).rgb) - luma(src0(place - vec2(1.0, 0.0)).rgb),
                luma(src0(place + vec2(0.0, 1.0)).rgb) - luma(src0(place - vec2(0.0, 1.0)).rgb)) * 0.5;
            vec3 normal = normalize(vec3(-scale * slope, 1.0));
            return src1(mix(sphere.xy, sphere.zw, 0.5 + 0.5 * normal.xy));
        }
        """)
    static let height = Kernel(
        "ciHeight", .general, native: ZT_KERNEL_HEIGHT,
        """
        vec4 ciHeight(vec2 place) {
            vec4 c = src0(place);
            float inside = luma(c.rgb), field = clamp(2.0 * luma(src1(place).rgb) - 1.0, 0.0, 1.0);
            return vec4(vec3(inside * field * c.a), c.a);
        }
        """)
    static let depth = Kernel(
        "ciDepth", .general, native: ZT_KERNEL_DEPTH,
        """
        vec4 ciDepth(vec2 place, vec2 a, vec2 b, float saturation) {
            vec2 along = b - a;
            float size = max(length(along), 1.0), away = abs(dot(place - a, vec2(-along.y, along.x))) / size;
            vec4 sharp = src0(place);
            sharp.rgb = clamp(mix(vec3(luma(sharp.rgb)), sharp.rgb, saturation), vec3(0.0), vec3(sharp.a));
            return mix(sharp, src1(place), smoothstep(0.15, 0.6, away / size));
        }
        """)
}
