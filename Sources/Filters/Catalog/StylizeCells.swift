import CPixels
import Foundation

extension FilterCatalog {

    /// The recipes of the filters that divide an image into cells.
    ///
    /// For square and hexagonal cells, the color of each cell is computed once, in a small image with one pixel per
    /// cell. The large image then reads one position per pixel, even for large cells.
    static let cellRecipes: [String: FilterRecipe] = [
        "CIPixellate": { a in
            a.image.map { image in
                let size = max(1, a.double("inputScale"))
                let c = a.vector("inputCenter", 2)
                guard size > 1 else { return image }
                let grid: [KernelArgument] = [.vec2([Float(c[0]), Float(c[1])]), .float(Float(size))]
                @Sendable func cells(_ r: CGRect) -> CGRect {
                    r.isUnbounded ? r : r.offsetBy(dx: -c[0], dy: -c[1]).scaled(1 / size, 1 / size)
                }
                @Sendable func pixels(_ r: CGRect) -> CGRect {
                    r.isUnbounded ? r : r.scaled(size, size).offsetBy(dx: c[0], dy: c[1]).integral
                }
                // For an even size, samples between pixels are interpolated, so a quarter of the samples is enough.
                // Other sizes take one sample per pixel.
                let isEven = (size / 2).rounded() * 2 == size
                let samples = Int32(min(64, isEven ? size / 2 : size.rounded(.up)))
                let means = CIImage.drawn(
                    CellKernels.mean, grid + [.int(samples), .vec4(image.extent.centers)], inputs: [image],
                    extent: cells(image.extent), region: { pixels($1).grown(1) })
                return .drawn(
                    CellKernels.pixellate, grid, inputs: [means], extent: image.extent, region: { cells($1).grown(1) })
            }
        },
        "CIHexagonalPixellate": { a in
            a.image.map { image in
                let size = max(1, a.double("inputScale"))
                let c = a.vector("inputCenter", 2)
                let grid: [KernelArgument] = [.vec2([Float(c[0]), Float(c[1])]), .float(Float(size))]
                // Columns have a width of √3 radii, rows a height of 1.5 radii. Odd rows are half a column farther
                // right.
                let column = 3.0.squareRoot() * size
                let row = 1.5 * size
                @Sendable func cells(_ r: CGRect) -> CGRect {
                    r.isUnbounded ? r : r.offsetBy(dx: -c[0], dy: -c[1]).scaled(1 / column, 1 / row).grown(1)
                }
                @Sendable func pixels(_ r: CGRect) -> CGRect {
                    r.isUnbounded ? r : r.grown(1).scaled(column, row).offsetBy(dx: c[0], dy: c[1]).integral
                }
                let means = CIImage.drawn(
                    CellKernels.hexagonMean, grid + [.vec4(image.extent.centers)], inputs: [image],
                    extent: cells(image.extent).grown(1), region: { pixels($1) })
                return .drawn(
                    CellKernels.hexagons, grid, inputs: [means], extent: image.extent, region: { cells($1).grown(1) })
            }
        },
        "CICrystallize": { a in
            // Worley, *A cellular texture basis function* (1996): the color at the nearest of randomly placed points,
            // one per square.
            a.image.map { image in
                let radius = max(1, a.double("inputRadius"))
                return .drawn(
                    CellKernels.crystals,
                    [.vec2(a.vec2("inputCenter")), .float(Float(1.5 * radius)), .vec4(image.extent.centers)],
                    inputs: [image], extent: image.extent, region: { $1.grown(3 * radius) })
            }
        },
        "CIPointillize": { a in
            // Imitates the look of Core Image, whose formula is unpublished: dots on white, one per square. Where dots
            // overlap, a random number decides which is on top.
            a.image.map { image in
                let radius = max(1, a.double("inputRadius"))
                return .drawn(
                    CellKernels.points,
                    [.vec2(a.vec2("inputCenter")), .float(Float(radius)), .vec4(image.extent.centers)],
                    inputs: [image], extent: image.extent, region: { $1.grown(4 * radius) })
            }
        },
    ]
}

private enum CellKernels {
    static let mean = Kernel(
        "ciCellMean", .general, native: ZT_KERNEL_CELL_MEAN,
        """
        vec4 ciCellMean(vec2 place, vec2 center, float size, int samples, vec4 edges) {
            vec2 corner = center + (place - vec2(0.5)) * size;
            float stride = size / float(samples);
            vec4 sum = vec4(0.0);
            for (int y = 0; y < samples; y++)
                for (int x = 0; x < samples; x++)
                    sum += src0(clamp(corner + stride * (vec2(float(x), float(y)) + 0.5), edges.xy, edges.zw));
            return sum / float(samples * samples);
        }
        """)
    static let pixellate = Kernel(
        "ciPixellate", .general, native: ZT_KERNEL_PIXELLATE,
        """
        vec4 ciPixellate(vec2 place, vec2 center, float size) { return src0(floor((place - center) / size) + 0.5); }
        """)
    static let hexagonMean = Kernel(
        "ciHexagonMean", .general,
        """
        vec4 ciHexagonMean(vec2 place, vec2 center, float size, vec4 edges) {
            vec2 cell = floor(place);
            float odd = mod(cell.y, 2.0);
            vec2 middle = center + size * vec2(sqrt(3.0) * (cell.x + 0.5 * odd), 1.5 * cell.y);
            vec4 sum = vec4(0.0);
            for (int y = 0; y < 4; y++)
                for (int x = 0; x < 4; x++)
                    sum += src0(clamp(middle + size * 1.3 * ((vec2(float(x), float(y)) + 0.5) / 4.0 - 0.5), edges.xy, edges.zw));
            return sum / 16.0;
        }
        """)
    static let hexagons = Kernel(
        "ciHexagons", .general,
        """
        vec4 ciHexagons(vec2 place, vec2 center, float size) {
            vec2 at = (place - center) / size;
            float row = floor(at.y / 1.5), nearest = 1e9;
            vec2 found = vec2(0.0);
            for (int i = 0; i < 2; i++) {
                float y = row + float(i), shift = 0.5 * mod(y, 2.0);
                float x = floor(at.x / sqrt(3.0) - shift + 0.5);
                vec2 away = at - vec2(sqrt(3.0) * (x + shift), 1.5 * y);
                float far = dot(away, away);
                if (far < nearest) { nearest = far; found = vec2(x, y); }
            }
            return src0(found + 0.5);
        }
        """)
    static let crystals = Kernel(
        "ciCrystals", .general,
        """
        vec4 ciCrystals(vec2 place, vec2 center, float size, vec4 edges) {
            vec2 at = (place - center) / size, cell = floor(at), found = at;
            float nearest = 1e9;
            for (int y = -1; y <= 1; y++)
                for (int x = -1; x <= 1; x++) {
                    vec2 other = cell + vec2(float(x), float(y));
                    vec2 seed = other + 0.1 + 0.8 * vec2(random(other), random(other + vec2(37.0, 17.0)));
                    vec2 away = at - seed;
                    float far = dot(away, away);
                    if (far < nearest) { nearest = far; found = seed; }
                }
            return src0(clamp(center + found * size, edges.xy, edges.zw));
        }
        """)
    static let points = Kernel(
        "ciPoints", .general,
        """
        vec4 ciPoints(vec2 place, vec2 center, float radius, vec4 edges) {
            float size = 1.4 * radius, top = -1.0, next = -1.0, cover = 0.0;
            vec2 at = (place - center) / size, cell = floor(at), found = at, under = at;
            for (int y = -1; y <= 1; y++)
                for (int x = -1; x <= 1; x++) {
                    vec2 other = cell + vec2(float(x), float(y));
                    vec2 seed = other + 0.2 + 0.6 * vec2(random(other), random(other + vec2(37.0, 17.0)));
                    float inside = clamp(radius - size * distance(at, seed) + 0.5, 0.0, 1.0), lot = random(other + vec2(71.0, 5.0));
                    if (inside > 0.0 && lot > top) { next = top; under = found; top = lot; found = seed; cover = inside; }
                    else if (inside > 0.0 && lot > next) { next = lot; under = seed; }
                }
            vec4 dot_ = src0(clamp(center + found * size, edges.xy, edges.zw));
            // At the antialiased edge of a dot, the dot below shows through.
            vec4 beneath = cover >= 1.0 ? dot_ : next >= 0.0 ? src0(clamp(center + under * size, edges.xy, edges.zw)) : vec4(dot_.a);
            return mix(beneath, dot_, cover);
        }
        """)
}
