import CPixels
import Foundation

extension FilterCatalog {

    /// The recipes of the transitions from an image at time 0 to another at time 1. They take one sample of each.
    static let transitionRecipes: [String: FilterRecipe] = [
        "CIDissolveTransition": { a in
            between(a, TransitionKernels.dissolve, [])
        },
        "CISwipeTransition": { a in swipe(a, TransitionKernels.swipe) },
        "CICopyMachineTransition": { a in swipe(a, TransitionKernels.copy) },
        "CIBarsSwipeTransition": { a in
            // Imitates the look of Core Image, whose formula is unpublished: bars of the image fall away, each with a
            // different delay.
            guard let image = a.image, let whole = transitionExtent(a) else { return nil }
            let angle = a.double("inputAngle")
            let length = abs(cos(angle)) * whole.width + abs(sin(angle)) * whole.height
            return between(
                a, TransitionKernels.bars,
                [
                    .vec2([Float(whole.midX), Float(whole.midY)]), .float(Float(angle)), .float(a.float("inputWidth")),
                    .float(a.float("inputBarOffset")), .float(Float(length)),
                ], reach: image.extent)
        },
        "CIModTransition": { a in
            // Imitates the look of Core Image, whose formula is unpublished: holes grow in a grid that is denser
            // farther outside.
            between(
                a, TransitionKernels.mod,
                [
                    .vec2(a.vec2("inputCenter")), .float(a.float("inputAngle")), .float(a.float("inputRadius")),
                    .float(a.float("inputCompression")),
                ])
        },
        "CIFlashTransition": { a in
            // Imitates the look of Core Image, whose formula is unpublished: light grows from the center until
            // everything is white, and then fades over the target.
            between(
                a, TransitionKernels.flash,
                [
                    .vec2(a.vec2("inputCenter")), .vec4(a.color("inputColor")),
                    .float(a.float("inputMaxStriationRadius")),
                    .float(a.float("inputStriationStrength")), .float(a.float("inputStriationContrast")),
                    .float(a.float("inputFadeThreshold")),
                ])
        },
        "CIRippleTransition": { a in
            // Imitates the look of Core Image, whose formula is unpublished: one wave runs outward over the extent and
            // reveals the target. The wave itself is the source of the shading.
            guard let whole = transitionExtent(a) else { return nil }
            let c = a.vector("inputCenter", 2)
            let width = a.double("inputWidth")
            let scale = a.double("inputScale")
            let far = hypot(
                max(abs(whole.minX - c[0]), abs(whole.maxX - c[0])), max(abs(whole.minY - c[1]), abs(whole.maxY - c[1]))
            )
            return between(
                a, TransitionKernels.ripple,
                [.vec2(a.vec2("inputCenter")), .float(Float(width)), .float(Float(scale)), .float(Float(far))],
                grow: abs(scale) + 1)
        },
        "CIDisintegrateWithMaskTransition": { a in
            // The target is visible where the mask is darker than the time. The rest of the image casts a shadow on the
            // target.
            guard let image = a.image, let target = a.image("inputTargetImage"), let mask = a.image("inputMaskImage")
            else { return nil }
            let time = a.float("inputTime")
            let offset = a.vec2("inputShadowOffset")
            let radius = a.double("inputShadowRadius")
            let shadow = CIImage.drawn(TransitionKernels.stays, [.float(time)], inputs: [mask], extent: mask.extent)
                .gaussian(radius / 3)
            return .drawn(
                TransitionKernels.disintegrate, [.float(time), .vec2(offset), .float(a.float("inputShadowDensity"))],
                inputs: [image, target, mask, shadow],
                extent: image.extent.isUnbounded || target.extent.isUnbounded
                    ? .infinite : image.extent.union(target.extent),
                region: { $0 == 3 ? $1.grown(Double(abs(offset.x)) + 1, Double(abs(offset.y)) + 1) : $1 })
        },
    ]

    /// Returns `inputExtent`, or the extent of the image. Core Image's default, 300 × 300, means the whole image if its
    /// extent is finite.
    private static func transitionExtent(_ a: FilterArguments) -> CGRect? {
        guard let image = a.image else { return nil }
        let v = a.vector("inputExtent", 4)
        let rect = CGRect(x: v[0], y: v[1], width: v[2], height: v[3])
        if rect.width > 0, rect.height > 0, v != [0, 0, 300, 300] || image.extent.isUnbounded { return rect }
        return image.extent.isUnbounded ? CGRect(x: 0, y: 0, width: 300, height: 300) : image.extent
    }

    private static func swipe(_ a: FilterArguments, _ kernel: Kernel) -> CIImage? {
        guard let whole = transitionExtent(a) else { return nil }
        let angle = a.double("inputAngle")
        let width = a.double("inputWidth")
        let length = abs(cos(angle)) * whole.width + abs(sin(angle)) * whole.height
        return between(
            a, kernel,
            [
                .vec2([Float(whole.midX), Float(whole.midY)]), .vec2([Float(cos(angle)), Float(sin(angle))]),
                .float(Float(length)), .float(Float(width)),
                .vec4(a.color("inputColor")), .float(a.float("inputOpacity")),
            ])
    }

    private static func between(
        _ a: FilterArguments, _ kernel: Kernel, _ arguments: [KernelArgument], grow: Double = 0, reach: CGRect? = nil
    ) -> CIImage? {
        guard let image = a.image, let target = a.image("inputTargetImage") else { return nil }
        let extent: CGRect =
            image.extent.isUnbounded || target.extent.isUnbounded ? .infinite : image.extent.union(target.extent)
        return .drawn(
            kernel, [.float(a.float("inputTime"))] + arguments, inputs: [image, target], extent: extent,
            region: { $0 == 0 && reach.map { !$0.isUnbounded } ?? false ? reach ?? $1 : $1.grown(grow) })
    }
}

private enum TransitionKernels {
    static let dissolve = Kernel(
        "ciDissolve", .general, native: ZT_KERNEL_DISSOLVE,
        """
        vec4 ciDissolve(vec2 place, float time) { return mix(src0(place), src1(place), time); }
        """)
    static let swipe = Kernel(
        "ciSwipe", .general, native: ZT_KERNEL_SWIPE,
        """
        vec4 ciSwipe(vec2 place, float time, vec2 middle, vec2 along, float size, float width, vec4 color, float opacity) {
            float at = dot(place - middle, along) + 0.5 * size, front = time * (size + width);
            float part = clamp((front - at) / width, 0.0, 1.0);
            vec4 c = mix(src0(place), src1(place), part);
            return mix(c, vec4(color.rgb, 1.0) * c.a, min(opacity, 1.0) * (1.0 - abs(2.0 * part - 1.0)));
        }
        """)
    static let copy = Kernel(
        "ciCopy", .general, native: ZT_KERNEL_COPY_MACHINE,
        """
        vec4 ciCopy(vec2 place, float time, vec2 middle, vec2 along, float size, float width, vec4 color, float opacity) {
            float at = dot(place - middle, along) + 0.5 * size, front = time * (size + width) - 0.5 * width;
            vec4 c = at < front ? src1(place) : src0(place);
            float light = opacity * max(1.0 - 2.0 * abs(at - front) / width, 0.0);
            return vec4(min(c.rgb + color.rgb * light * light * c.a, vec3(c.a)), c.a);
        }
        """)
    static let bars = Kernel(
        "ciBars", .general,
        """
        vec4 ciBars(vec2 place, float time, vec2 middle, float angle, float width, float offset, float size) {
            vec2 along = vec2(cos(angle), sin(angle)), across = vec2(-along.y, along.x);
            float bar = floor(dot(place - middle, across) / width), late = random(vec2(bar, 3.0)) * offset / (offset + 10.0);
            float part = clamp((time - 0.6 * late) / (1.0 - 0.6 * late), 0.0, 1.0);
            float moved = size * (time >= 1.0 ? 1.0 : part * part), at = dot(place - middle, along) - moved + 0.5 * size;
            return at < 0.0 ? src1(place) : mix(src0(place - along * moved), src1(place), step(1.0, time));
        }
        """)
    static let mod = Kernel(
        "ciMod", .general, native: ZT_KERNEL_MOD,
        """
        vec4 ciMod(vec2 place, float time, vec2 center, float angle, float radius, float compression) {
            vec2 away = place - center;
            float far = length(away), c = cos(angle), s = sin(angle);
            away *= 1.0 + far / compression;
            vec2 at = vec2(c * away.x + s * away.y, c * away.y - s * away.x) / radius;
            float hole = length(at - floor(at + 0.5)), size = 0.7072 * time;
            return mix(src0(place), src1(place), time <= 0.0 ? 0.0 : time >= 1.0 ? 1.0 : clamp((size - hole) * radius + 0.5, 0.0, 1.0));
        }
        """)
    static let flash = Kernel(
        "ciFlash", .general,
        """
        vec4 ciFlash(vec2 place, float time, vec2 center, vec4 color, float longest, float strength, float contrast, float threshold) {
            vec2 away = place - center;
            float turn = fract(atan(away.y, away.x) / (2.0 * PI)) * 48.0, cell = floor(turn);
            float rays = mix(random(vec2(mod(cell, 48.0), 5.0)), random(vec2(mod(cell + 1.0, 48.0), 5.0)), smoothstep(0.0, 1.0, turn - cell));
            rays = strength * pow(max(rays, 1e-4), max(contrast, 1e-3));
            float rise = clamp(time / max(threshold, 1e-3), 0.0, 1.0), fade = clamp((1.0 - time) / max(1.0 - threshold, 1e-3), 0.0, 1.0);
            float far = length(away) / (1.0 + 100.0 * max(longest, 0.01));
            float light = rise * rise * (3.0 * rise + (1.0 + rays) * exp(-far) * 2.0) * fade;
            vec4 c = mix(src0(place), src1(place), time < threshold ? 0.0 : 1.0 - fade);
            if (time >= 1.0) c = src1(place);
            return vec4(min(mix(c.rgb + color.rgb * light * c.a, vec3(c.a), clamp(light - 1.0, 0.0, 1.0)), vec3(c.a)), c.a);
        }
        """)
    static let ripple = Kernel(
        "ciRipple", .general,
        """
        vec4 ciRipple(vec2 place, float time, vec2 center, float width, float scale, float size) {
            vec2 away = place - center;
            float far = length(away), front = time * (size + 2.0 * width) - width, phase = (far - front) / width;
            if (abs(phase) >= 1.0 || far <= 0.0) return phase > 0.0 ? src0(place) : src1(place);
            float wave = 0.5 + 0.5 * cos(PI * phase), slope = -sin(PI * phase);
            vec2 from = place + away / far * scale * wave * slope;
            vec4 c = mix(src1(from), src0(from), smoothstep(-1.0, 1.0, phase));
            return vec4(clamp(c.rgb + vec3(0.25 * c.a * sign(scale) * slope * wave), vec3(0.0), vec3(c.a)), c.a);
        }
        """)
    static let stays = Kernel(
        "ciStays", .general,
        """
        vec4 ciStays(vec2 place, float time) {
            float stays = time <= 0.0 ? 1.0 : time >= 1.0 ? 0.0 : smoothstep(time - 0.02, time + 0.02, luma(src0(place).rgb));
            return vec4(vec3(stays), 1.0);
        }
        """)
    static let disintegrate = Kernel(
        "ciDisintegrate", .general,
        """
        vec4 ciDisintegrate(vec2 place, float time, vec2 offset, float density) {
            float stays = time <= 0.0 ? 1.0 : time >= 1.0 ? 0.0 : smoothstep(time - 0.02, time + 0.02, luma(src2(place).rgb));
            vec4 below = src1(place);
            below.rgb *= 1.0 - density * clamp(src3(place - offset).r, 0.0, 1.0);
            return mix(below, src0(place), stays);
        }
        """)
}
