import Foundation

extension FilterCatalog {

    /// The recipes of the tile filters. The symmetries of a tile's group map each position into one cell, which is
    /// sampled once. The extent is infinite.
    static let tileRecipes: [String: FilterRecipe] = [
        "CIAffineClamp": { a in
            a.image.map { $0.clampedToExtent().moved(by: a.plane("inputTransform"), extent: .infinite) }
        },
        "CIAffineTile": { a in
            a.image.map { image in
                let whole = image.extent
                guard !whole.isUnbounded, !whole.isEmpty else { return image }
                guard let inverse = a.plane("inputTransform").inverse else { return .empty() }
                return .drawn(
                    GeometryKernels.tile, [inverse.argument, .vec4(whole.edges)], inputs: [image], extent: .infinite,
                    region: { _, _ in whole })
            }
        },
        "CIClamp": { a in
            let v = a.vector("inputExtent", 4)
            return a.image.map {
                $0.cropped(to: CGRect(x: v[0], y: v[1], width: v[2], height: v[3]).integral).clampedToExtent()
            }
        },
        "CIFourfoldTranslatedTile": { a in
            lattice(a, 0)
        },
        "CIFourfoldReflectedTile": { a in
            lattice(a, 1)
        },
        "CIParallelogramTile": { a in
            lattice(a, 2)
        },
        "CIFourfoldRotatedTile": { a in
            lattice(a, 3)
        },
        "CIEightfoldReflectedTile": { a in
            lattice(a, 4)
        },
        "CIGlideReflectedTile": { a in
            lattice(a, 5)
        },
        "CISixfoldReflectedTile": { a in
            hexagons(a, 0)
        },
        "CISixfoldRotatedTile": { a in
            hexagons(a, 1)
        },
        "CITwelvefoldReflectedTile": { a in
            hexagons(a, 2)
        },
        "CITriangleTile": { a in
            drawn(
                a, TileKernels.triangles, [.float(a.float("inputAngle")), .float(max(1, a.float("inputWidth")))],
                reach: max(1, a.double("inputWidth")))
        },
        "CIOpTile": { a in
            a.image.map { image in
                let width = max(1, a.double("inputWidth"))
                let scale = a.double("inputScale")
                return .drawn(
                    TileKernels.op,
                    [
                        .vec2(a.vec2("inputCenter")), .float(a.float("inputAngle")), .float(Float(width)),
                        .float(Float(scale)),
                    ],
                    inputs: [image], extent: .infinite, region: { $1.grown(width * (1 + scale)) })
            }
        },
        "CIKaleidoscope": { a in
            a.image.map { image in
                let whole = image.extent
                let c = a.vector("inputCenter", 2)
                return .drawn(
                    TileKernels.kaleidoscope,
                    [
                        .vec2(a.vec2("inputCenter")), .float(max(1, a.float("inputCount").rounded())),
                        .float(a.float("inputAngle")),
                    ],
                    inputs: [image], extent: .infinite,
                    region: { _, rect in
                        guard !rect.isUnbounded else { return whole }
                        // A pixel is read at its own distance from the center.
                        let far =
                            hypot(
                                max(abs(rect.minX - c[0]), abs(rect.maxX - c[0])),
                                max(abs(rect.minY - c[1]), abs(rect.maxY - c[1]))) + 1
                        return CGRect(x: c[0] - far, y: c[1] - far, width: 2 * far, height: 2 * far).integral
                    })
            }
        },
        "CITriangleKaleidoscope": { a in
            a.image.map { image in
                let size = max(1, a.double("inputSize"))
                let c = a.vector("inputPoint", 2)
                return .drawn(
                    TileKernels.triangleKaleidoscope,
                    [
                        .vec2(a.vec2("inputPoint")), .float(Float(size)), .float(a.float("inputRotation")),
                        .float(min(1, max(0, a.float("inputDecay")))),
                    ], inputs: [image], extent: .infinite,
                    region: { _, _ in CGRect(x: c[0] - size, y: c[1] - size, width: 2 * size, height: 2 * size).integral
                    })
            }
        },
    ]

    private static func lattice(_ a: FilterArguments, _ group: Int32) -> CIImage? {
        let acute: Double = if case .number(let angle)? = a.values["inputAcuteAngle"] { angle } else { .pi / 2 }
        // A cell without height would not be a cell.
        let height = abs(sin(acute)) < 0.02 ? (sin(acute) < 0 ? -0.02 : 0.02) : sin(acute)
        let width = max(1, a.double("inputWidth"))
        return drawn(
            a, TileKernels.lattice,
            [
                .float(a.float("inputAngle")), .float(Float(width)), .vec2([Float(cos(acute)), Float(height)]),
                .int(group),
            ], reach: 2 * width)
    }
    private static func hexagons(_ a: FilterArguments, _ group: Int32) -> CIImage? {
        let width = max(1, a.double("inputWidth"))
        return drawn(
            a, TileKernels.hexagons, [.float(a.float("inputAngle")), .float(Float(width)), .int(group)],
            reach: 2 * width)
    }
    /// Returns a tiled image. Only the part of the input within `reach` of the center is read.
    private static func drawn(_ a: FilterArguments, _ kernel: Kernel, _ arguments: [KernelArgument], reach: Double)
        -> CIImage?
    {
        a.image.map { image in
            let c = a.vector("inputCenter", 2)
            let needed = CGRect(x: c[0] - reach, y: c[1] - reach, width: 2 * reach, height: 2 * reach).grown(1).integral
            return .drawn(
                kernel, [.vec2([Float(c[0]), Float(c[1])])] + arguments, inputs: [image], extent: .infinite,
                region: { _, _ in needed })
        }
    }
}

private enum TileKernels {
    static let lattice = Kernel(
        "ciLattice", .general,
        """
        vec2 ciLatticeMirror(vec2 x) { return abs(mod(x + 1.0, 2.0) - 1.0); }
        vec4 ciLattice(vec2 place, vec2 center, float angle, float width, vec2 slant, int group) {
            vec2 away = place - center;
            float c = cos(angle), s = sin(angle);
            vec2 at = vec2(c * away.x + s * away.y, c * away.y - s * away.x) / width;
            // Convert to coordinates along the sides of the cell.
            at.y /= slant.y;
            at.x -= at.y * slant.x;
            vec2 cell = at;
            if (group == 0) cell = fract(at);
            else if (group == 1) cell = ciLatticeMirror(at);
            else if (group == 2) cell = ciLatticeMirror(at + 0.5) - 0.5;
            else if (group == 3) {
                vec2 m = mod(at + 1.0, 2.0) - 1.0;
                cell = m.x >= 0.0 ? (m.y >= 0.0 ? m : vec2(-m.y, m.x)) : (m.y >= 0.0 ? vec2(m.y, -m.x) : -m);
            }
            else if (group == 4) { cell = ciLatticeMirror(at); if (cell.y > cell.x) cell = cell.yx; }
            else cell = vec2(fract(at.x), fract(mod(floor(at.x), 2.0) > 0.5 ? -at.y : at.y));
            cell.x += cell.y * slant.x;
            cell.y *= slant.y;
            cell *= width;
            return src0(center + vec2(c * cell.x - s * cell.y, s * cell.x + c * cell.y));
        }
        """)
    static let hexagons = Kernel(
        "ciHexagonTile", .general,
        """
        vec4 ciHexagonTile(vec2 place, vec2 center, float angle, float width, int group) {
            vec2 away = (place - center) / width;
            float c = cos(angle), s = sin(angle);
            vec2 at = vec2(c * away.x + s * away.y, c * away.y - s * away.x);
            // Find the nearest center of a hexagon. The centers form two rectangular grids, offset by half a cell.
            vec2 grid = vec2(sqrt(3.0), 3.0);
            vec2 p = at - grid * floor(at / grid + 0.5), q = at - grid * (floor(at / grid) + 0.5);
            at = dot(p, p) < dot(q, q) ? p : q;
            float far = length(at), turn = atan(at.y, at.x), sixth = PI / 3.0;
            if (group == 0) turn = abs(mod(turn, 2.0 * sixth) - sixth);
            else if (group == 1) turn = mod(turn, sixth);
            else turn = abs(mod(turn + sixth / 2.0, sixth) - sixth / 2.0);
            turn += angle;
            return src0(center + width * far * vec2(cos(turn), sin(turn)));
        }
        """)
    static let triangles = Kernel(
        "ciTriangles", .general,
        """
        vec4 ciTriangles(vec2 place, vec2 center, float angle, float width) {
            vec2 away = place - center;
            float c = cos(angle), s = sin(angle);
            vec2 at = vec2(c * away.x + s * away.y, c * away.y - s * away.x) / width;
            vec2 cell = vec2(at.x - at.y / sqrt(3.0), at.y * 2.0 / sqrt(3.0));
            cell = fract(cell);
            if (cell.x + cell.y > 1.0) cell = 1.0 - cell.yx;
            at = width * vec2(cell.x + 0.5 * cell.y, 0.5 * sqrt(3.0) * cell.y);
            return src0(center + vec2(c * at.x - s * at.y, s * at.x + c * at.y));
        }
        """)
    static let op = Kernel(
        "ciOpTile", .general,
        """
        vec4 ciOpTile(vec2 place, vec2 center, float angle, float width, float scale) {
            vec2 middle = center + width * floor((place - center) / width + 0.5), away = (place - middle) * scale;
            float c = cos(angle), s = sin(angle);
            return src0(middle + vec2(c * away.x - s * away.y, s * away.x + c * away.y));
        }
        """)
    static let kaleidoscope = Kernel(
        "ciKaleidoscope", .general,
        """
        vec4 ciKaleidoscope(vec2 place, vec2 center, float count, float angle) {
            vec2 away = place - center;
            float slice = 2.0 * PI / count, turn = abs(mod(atan(away.y, away.x) - angle + slice / 2.0, slice) - slice / 2.0) + angle;
            return src0(center + length(away) * vec2(cos(turn), sin(turn)));
        }
        """)
    /// Reflects positions at the sides of an equilateral triangle until they are inside. Every reflection reduces the
    /// light.
    static let triangleKaleidoscope = Kernel(
        "ciTriangleKaleidoscope", .general,
        """
        vec4 ciTriangleKaleidoscope(vec2 place, vec2 center, float size, float rotation, float decay) {
            vec2 away = place - center;
            float light = 1.0, inner = size / (2.0 * sqrt(3.0));
            for (int i = 0; i < 24; i++) {
                bool inside = true;
                for (int side = 0; side < 3; side++) {
                    float turn = rotation + float(side) * 2.0 * PI / 3.0;
                    vec2 normal = vec2(cos(turn), sin(turn));
                    float beyond = dot(away, normal) - inner;
                    if (beyond > 0.0) { away -= 2.0 * beyond * normal; light *= decay; inside = false; }
                }
                if (inside) break;
            }
            vec4 c = src0(center + away);
            return vec4(c.rgb * light, c.a);
        }
        """)
}
