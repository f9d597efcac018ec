import CPixels
import Foundation
import MediaCore
import MediaEngine

/// An executor that draws recipes on the processor, with the same plan as `RecipeExecutor`.
///
/// A row of a part is computed when a later part reads it, so that rows are still in the processor's cache. Values between
/// parts are floats. The vector code of the kernels is in `CPixels`.
final class PixelExecutor {
    private let rows: OpaquePointer
    /// The number of kernels and chains of color steps in the last recipe.
    private(set) var drawCount = 0

    /// Returns nil if the processor lacks the instructions that the kernels need (AVX2 and FMA, or NEON).
    init?() {
        guard let rows = zt_rows_create() else { return nil }
        self.rows = rows
    }

    deinit { zt_rows_free(rows) }

    /// Draws `rect` of `image` (whole pixels in Core Image's coordinates) into memory of the same size.
    ///
    /// - Returns: False, with nothing drawn, if a part of the recipe can be drawn only with OpenGL.
    /// - Throws: `.operationNotSupported` for a pixel format that can't be converted.
    func draw(
        _ image: CIImage, over rect: CGRect, of frame: VideoFrame?, from source: SourcePixels,
        into target: UnsafeMutableRawPointer, stride: Int, _ order: PictureRenderer.Order
    ) throws(AVError) -> Bool {
        let plan = RecipePlan(image, over: rect)
        guard let box = zt_box(rect), plan.isNative else { return false }
        let bitmaps = plan.parts.compactMap(\.image.bitmap)
        var pixels: [ObjectIdentifier: UnsafePointer<UInt8>] = [:]
        func withBitmaps(_ rest: ArraySlice<ImageBitmap>, _ video: UnsafeRawPointer?) -> Bool {
            if let bitmap = rest.first {
                return bitmap.pixels.withUnsafeBufferPointer {
                    pixels[ObjectIdentifier(bitmap)] = $0.baseAddress
                    return withBitmaps(rest.dropFirst(), video)
                }
            }
            guard let recipe = NativeRecipe(rows, plan, over: rect, frame, video, pixels) else { return false }
            drawCount = recipe.drawCount
            return zt_rows_draw(rows, target.assumingMemoryBound(to: UInt8.self), stride, box, order.native) != 0
        }
        guard let frame, plan.parts.contains(where: { $0.image.isWholeSource }) else {
            return withBitmaps(bitmaps[...], nil)
        }
        return try source.load(frame) { base throws(AVError) in withBitmaps(bitmaps[...], base) }
    }
}

extension RecipePlan {
    /// Whether every kernel that is drawn exists as vector code.
    fileprivate var isNative: Bool {
        parts.allSatisfy { part in
            switch part.image.recipe {
            case .kernel(let step): step.kernel.native != ZT_KERNEL_NONE
            case .colors(let step, _): step.kernel.native != ZT_KERNEL_NONE
            default: true
            }
        }
    }
}

/// A recipe as parts of `zt_rows`.
private struct NativeRecipe {
    private let rows: OpaquePointer
    private let plan: RecipePlan
    private let frame: VideoFrame?
    private let video: UnsafeRawPointer?
    private let bitmaps: [ObjectIdentifier: UnsafePointer<UInt8>]
    private(set) var drawCount = 0

    /// Adds the parts. Returns nil if one of them can't be drawn on the processor.
    init?(
        _ rows: OpaquePointer, _ plan: RecipePlan, over rect: CGRect, _ frame: VideoFrame?, _ video: UnsafeRawPointer?,
        _ bitmaps: [ObjectIdentifier: UnsafePointer<UInt8>]
    ) {
        (self.rows, self.plan, self.frame, self.video, self.bitmaps) = (rows, plan, frame, video, bitmaps)
        zt_rows_clear(rows)
        var views = [PictureView?](repeating: nil, count: plan.parts.count)
        for number in plan.parts.indices where !plan.parts[number].isInlined {
            let part = plan.parts[number]
            let isRoot = number == plan.parts.count - 1
            if part.region.isNull {
                views[number] = .nothing
                guard !isRoot || add(ZT_KERNEL_COPY, [], [.nothing], rect) != nil else { return nil }
                continue
            }
            switch part.image.recipe {
            case .colors, .kernel:
                guard let view = drawn(number, views) else { return nil }
                views[number] = view
            default:
                guard let view = isRoot ? drawn(number, views) : view(of: number, views) else { return nil }
                views[number] = view
            }
        }
    }

    private mutating func drawn(_ number: Int, _ views: [PictureView?]) -> PictureView? {
        let chain = RecipePlan.Chain(plan, number)
        let part = plan.parts[number]
        var inputs: [PictureView] = []
        if let kernel = chain.kernel {
            inputs = kernel.inputs.map { plan.number(of: $0).flatMap { views[$0] } ?? .nothing }
        } else if let base = chain.base {
            guard let view = views[base] ?? view(of: base, views) else { return nil }
            inputs = [view]
        }
        guard let numbers = NativeRecipe.numbers(chain.kernel?.arguments ?? []),
            let result = add(chain.kernel?.kernel.native ?? ZT_KERNEL_COPY, numbers, inputs, part.region)
        else { return nil }
        for step in chain.joinedSteps {
            guard let numbers = NativeRecipe.numbers(step.arguments),
                zt_rows_add_color_step(rows, result, step.kernel.native, numbers, Int32(numbers.count)) >= 0
            else { return nil }
        }
        drawCount += 1
        return .part(result, covers: part.region, extent: part.image.extent)
    }

    private func add(_ kernel: zt_kernel, _ numbers: [Float], _ inputs: [PictureView], _ region: CGRect) -> Int32? {
        guard let box = zt_box(region) else { return nil }
        var views: [zt_view] = []
        for input in inputs {
            guard let view = native(input) else { return nil }
            views.append(view)
        }
        let part = zt_rows_add_kernel(rows, kernel, numbers, Int32(numbers.count), views, Int32(views.count), box)
        return part < 0 ? nil : part
    }

    /// Returns nil if an edge is within a pixel.
    private func native(_ view: PictureView) -> zt_view? {
        guard let extent = view.extent.map({ zt_box($0) }) ?? .everything else { return nil }
        switch view.pixels {
        case .texture: return nil
        case .constant(let color):
            let part = withUnsafeBytes(of: color) {
                zt_rows_add_color(rows, $0.baseAddress?.assumingMemoryBound(to: Float.self))
            }
            return part < 0 ? nil : zt_view(part: part, bounds: .everything, extent: extent)
        case .part(let part):
            guard let bounds = zt_box(view.bounds) else { return nil }
            return zt_view(part: part, bounds: bounds, extent: extent)
        }
    }

    private func view(of number: Int, _ views: [PictureView?]) -> PictureView? {
        try? plan.view(of: number, views) { image throws(AVError) in
            var part: Int32 = -1
            var covers = image.extent
            if case .bitmap(let bitmap) = image.recipe {
                guard bitmap.width > 0, bitmap.height > 0 else { return .nothing }
                if covers.size == CGSize(width: bitmap.width, height: bitmap.height), let box = zt_box(covers),
                    let pixels = bitmaps[ObjectIdentifier(bitmap)]
                {
                    part = zt_rows_add_pixels(rows, pixels, bitmap.width * 4, box, ZT_PIXELS_RGBA)
                }
            } else {
                guard let frame, let video else { return .nothing }
                let (width, height) = SourcePixels.size(of: frame)
                covers = image.sourceRect(width: width, height: height)
                if covers.size == CGSize(width: width, height: height), let box = zt_box(covers) {
                    part = zt_rows_add_pixels(
                        rows, video.assumingMemoryBound(to: UInt8.self), width * 4, box,
                        frame.hasAlpha ? ZT_PIXELS_BGRA : ZT_PIXELS_BGRX)
                }
            }
            guard part >= 0 else { throw AVError(.operationNotSupported, at: "", reason: "the image is scaled") }
            return .part(part, covers: covers, extent: covers)
        }
    }

    /// Returns the numbers of all arguments in order. Returns nil if one is a table.
    private static func numbers(_ arguments: [KernelArgument]) -> [Float]? {
        var numbers: [Float] = []
        for argument in arguments {
            switch argument {
            case .cube: return nil
            case .int(let number): numbers.append(Float(number))
            default: numbers += argument.floats
            }
        }
        return numbers
    }
}

extension PictureView {
    /// Returns a view of a part of `PixelExecutor`.
    fileprivate static func part(_ number: Int32, covers: CGRect, extent: CGRect) -> PictureView {
        PictureView(
            pixels: .part(number), extent: extent.isPracticallyInfinite ? nil : extent,
            bounds: extent.intersection(covers))
    }
}

extension zt_box {
    /// A box that contains every pixel.
    fileprivate static let everything = zt_box(x0: -1 << 29, y0: -1 << 29, x1: 1 << 29, y1: 1 << 29)

    /// Returns nil for a rectangle without pixels, or if an edge is within a pixel.
    fileprivate init?(_ rect: CGRect) {
        let rect = rect.bounded
        guard !rect.isNull, rect == rect.integral, rect.width >= 1, rect.height >= 1 else { return nil }
        self.init(x0: Int32(rect.minX), y0: Int32(rect.minY), x1: Int32(rect.maxX), y1: Int32(rect.maxY))
    }
}

extension PictureRenderer.Order {
    fileprivate var native: zt_pixel_order {
        switch self {
        case .rgba: ZT_PIXELS_RGBA
        case .bgra: ZT_PIXELS_BGRA
        case .bgrx: ZT_PIXELS_BGRX
        case .floats: ZT_PIXELS_FLOATS
        }
    }
}
