import Foundation
import MediaCore

extension FilterCatalog {

    static let geometryRecipes: [String: FilterRecipe] = [
        "CICrop": { a in
            let v = a.vector("inputRectangle", 4)
            let rect = CGRect(x: v[0], y: v[1], width: v[2], height: v[3])
            return a.image.map { $0.cropped(to: rect.isUnbounded ? .infinite : rect.integral) }
        },
        "CIAffineTransform": { a in
            guard case .transform(let x, let y, let z, let w, let tx, let ty)? = a.values["inputTransform"] else {
                return a.image
            }
            return a.image?.transformed(by: CGAffineTransform(a: x, b: y, c: z, d: w, tx: tx, ty: ty))
        },
        "CIStraightenFilter": {
            a in
            // The image is rotated around its middle and enlarged so that no corner is empty.
            a.image.map { image in
                let r = image.extent
                let angle = a.double("inputAngle")
                guard angle != 0, !r.isUnbounded, r.width > 0, r.height > 0 else { return image }
                let scale = abs(cos(angle)) + abs(sin(angle)) * max(r.width / r.height, r.height / r.width)
                let rotation = PlaneTransform.translation(r.midX, r.midY).after(.rotation(angle)).after(
                    .scale(scale, scale)
                ).after(.translation(-r.midX, -r.midY))
                return image.clampedToExtent().moved(by: rotation, extent: r)
            }
        },
        "CIPerspectiveTransform": {
            a in
            a.image.flatMap { image in
                guard let plane = quad(a, from: image.extent) else { return CIImage.empty() }
                return image.moved(by: plane)
            }
        },
        "CIPerspectiveTransformWithExtent": { a in
            a.image.flatMap { image in
                let v = a.vector("inputExtent", 4)
                let rect = CGRect(x: v[0], y: v[1], width: v[2], height: v[3])
                guard let plane = quad(a, from: rect) else { return CIImage.empty() }
                return image.cropped(to: rect).moved(by: plane)
            }
        },
        "CIPerspectiveCorrection": { a in
            // The quadrilateral becomes a rectangle with the width and the height of its longer sides.
            a.image.flatMap { image in
                let p = points(a)
                func size(_ a: Int, _ b: Int) -> Double { ((p[a] - p[b]) * (p[a] - p[b])).sum().squareRoot() }
                let width = max(size(0, 1), size(3, 2)).rounded()
                let height = max(size(0, 3), size(1, 2)).rounded()
                let rect = CGRect(x: 0, y: 0, width: width, height: height)
                guard width >= 1, height >= 1, let plane = quad(a, from: rect)?.inverse else { return CIImage.empty() }
                return image.moved(by: plane, extent: a.double("inputCrop") > 0.5 ? rect : nil)
            }
        },
        "CIPerspectiveTile": { a in
            a.image.flatMap { image in
                let whole = image.extent
                guard !whole.isUnbounded, let inverse = quad(a, from: whole)?.inverse else { return CIImage.empty() }
                return .drawn(
                    GeometryKernels.tile, [inverse.argument, .vec4(whole.edges)], inputs: [image], extent: .infinite,
                    region: { _, _ in whole })
            }
        },
        "CILanczosScaleTransform": { a in
            a.image?.resampled(
                a.double("inputScale") * a.double("inputAspectRatio"), a.double("inputScale"), reach: 3, b: -1, c: 0)
        },
        "CIBicubicScaleTransform": { a in
            a.image?.resampled(
                a.double("inputScale") * a.double("inputAspectRatio"), a.double("inputScale"), reach: 2,
                b: a.float("inputB"), c: a.float("inputC"))
        },
    ]

    /// Returns the points top left, top right, bottom right and bottom left.
    private static func points(_ a: FilterArguments) -> [SIMD2<Double>] {
        ["inputTopLeft", "inputTopRight", "inputBottomRight", "inputBottomLeft"].map { key in
            let v = a.vector(key, 2)
            return [v[0], v[1]]
        }
    }
    /// Returns the transform from a rectangle to the four points. Returns nil if there is none.
    private static func quad(_ a: FilterArguments, from rect: CGRect) -> PlaneTransform? {
        guard !rect.isUnbounded, rect.width > 0, rect.height > 0 else { return nil }
        let p = points(a)
        return PlaneTransform(square: [p[3], p[2], p[1], p[0]])?.after(.scale(1 / rect.width, 1 / rect.height)).after(
            .translation(-rect.minX, -rect.minY))
    }
}

extension FilterArguments {
    func plane(_ key: String) -> PlaneTransform {
        if case .transform(let a, let b, let c, let d, let tx, let ty)? = values[key] {
            PlaneTransform(CGAffineTransform(a: a, b: b, c: c, d: d, tx: tx, ty: ty))
        } else {
            .identity
        }
    }
}

extension CIImage {
    /// Transforms the image with linear interpolation. Returns an empty image if the transform has no inverse.
    /// - Parameter extent: The extent of the result. If nil, the extent contains the whole transformed image.
    func moved(by plane: PlaneTransform, extent result: CGRect? = nil) -> CIImage {
        guard plane != .identity || result != nil else { return self }
        guard let inverse = plane.inverse, !extent.isEmpty else { return .empty() }
        let source = extent
        let all = plane.bounds(of: source)
        // Round outward to whole pixels, but ignore rounding errors in the last digits.
        let left = (all.minX + 1e-6).rounded(.down)
        let bottom = (all.minY + 1e-6).rounded(.down)
        let whole =
            all.isUnbounded
            ? all
            : CGRect(
                x: left, y: bottom, width: (all.maxX - 1e-6).rounded(.up) - left,
                height: (all.maxY - 1e-6).rounded(.up) - bottom)
        return .drawn(
            GeometryKernels.move, [inverse.argument], inputs: [self], extent: result ?? whole,
            region: { _, rect in
                let needed = inverse.bounds(of: rect)
                return needed.isUnbounded ? source : needed.integral.grown(1)
            })
    }

    /// Scales the image with a filter of `reach` samples on each side, one axis after the other.
    ///
    /// Reduction widens the filter. Below a quarter, the image is halved first, so that no pass reads more than 24
    /// positions per pixel. This holds for scales of at least 1/1024, because the image is halved at most eight times.
    /// - Parameters:
    ///   - b: The `b` of Mitchell and Netravali's cubic filter (1988). If negative, the filter is Lanczos' windowed
    ///     sinc.
    ///   - c: The `c` of the cubic filter.
    func resampled(_ x: Double, _ y: Double, reach: Int, b: Float, c: Float) -> CIImage {
        guard x > 0, y > 0, !extent.isEmpty, !extent.isUnbounded else { return x > 0 && y > 0 ? self : .empty() }
        if abs(x - 1) < 1e-6, abs(y - 1) < 1e-6 { return self }
        let nx = CIImage.halvings(1 / x, of: 4)
        let ny = CIImage.halvings(1 / y, of: 4)
        func target(_ low: Double, _ size: Double, _ scale: Double) -> (Double, Double) {
            ((low * scale).rounded(), max(1, (size * scale).rounded()))
        }
        let (left, width) = target(extent.minX, extent.width, x)
        let (bottom, height) = target(extent.minY, extent.height, y)
        func pass(_ image: CIImage, _ scale: Double, across: Bool, extent: CGRect) -> CIImage {
            guard abs(scale - 1) > 1e-6 else { return image }
            let wide = max(1, 1 / scale)
            let far = Double(reach) * wide + 1
            return .drawn(
                GeometryKernels.resample,
                [
                    .vec2(across ? [1, 0] : [0, 1]), .float(Float(scale)), .float(Float(wide)), .int(Int32(reach)),
                    .float(b), .float(c),
                ],
                inputs: [image.clampedToExtent()], extent: extent,
                region: { _, rect in
                    across ? rect.scaled(1 / scale, 1).grown(far, 0) : rect.scaled(1, 1 / scale).grown(0, far)
                })
        }
        let small = smaller(nx, ny)
        let between = CGRect(x: left, y: small.extent.minY, width: width, height: small.extent.height)
        return pass(
            pass(small, x * pow(2, Double(nx)), across: true, extent: between), y * pow(2, Double(ny)), across: false,
            extent: CGRect(x: left, y: bottom, width: width, height: height))
    }
}

enum GeometryKernels {
    static let move = Kernel(
        "ciMove", .general,
        """
        vec4 ciMove(vec2 place, mat3 back) {
            vec3 at = back * vec3(place, 1.0);
            return src0(at.xy / at.z);
        }
        """)
    static let tile = Kernel(
        "ciPlaneTile", .general,
        """
        vec4 ciPlaneTile(vec2 place, mat3 back, vec4 whole) {
            vec3 at = back * vec3(place, 1.0);
            if (at.z <= 0.0) return vec4(0.0);
            vec2 size = whole.zw - whole.xy;
            return src0(clamp(whole.xy + mod(at.xy / at.z - whole.xy, size), whole.xy + 0.5, whole.zw - 0.5));
        }
        """)
    static let resample = Kernel(
        "ciResample", .general,
        """
        float ciResampleWeight(float x, float reach, float b, float c) {
            x = abs(x);
            if (x >= reach) return 0.0;
            if (b < 0.0) return x < 1e-4 ? 1.0 : reach * sin(PI * x) * sin(PI * x / reach) / (PI * PI * x * x);
            return x < 1.0 ? ((12.0 - 9.0 * b - 6.0 * c) * x * x * x + (12.0 * b + 6.0 * c - 18.0) * x * x + 6.0 - 2.0 * b) / 6.0
                : ((-b - 6.0 * c) * x * x * x + (6.0 * b + 30.0 * c) * x * x + (-12.0 * b - 48.0 * c) * x + 8.0 * b + 24.0 * c) / 6.0;
        }
        vec4 ciResample(vec2 place, vec2 axis, float scale, float wide, int reach, float b, float c) {
            float at = dot(place, axis) / scale, first = floor(at - float(reach) * wide) + 0.5, total = 0.0;
            vec2 rest = place - axis * dot(place, axis);
            vec4 sum = vec4(0.0);
            int count = int(ceil(2.0 * float(reach) * wide)) + 1;
            for (int i = 0; i < count; i++) {
                float x = first + float(i), weight = ciResampleWeight((x - at) / wide, float(reach), b, c);
                if (weight == 0.0) continue;
                sum += weight * src0(rest + axis * x);
                total += weight;
            }
            return sum / total;
        }
        """)
}
