import Foundation
import MediaCore
import MediaEngine
import Synchronization
import Testing

@testable import Filters

private let gain = Kernel("gain", .color, "vec4 gain(vec4 c, float by) { return vec4(c.rgb * by, c.a); }")
private let add = Kernel("addTo", .color, "vec4 addTo(vec4 c, vec3 what) { return vec4(c.rgb + what, c.a); }")
private let shift = Kernel("shiftBy", .general, "vec4 shiftBy(vec2 place, vec2 by) { return src0(place - by); }")
private let places = Kernel(
    "places", .general, "vec4 places(vec2 place, vec2 size) { return vec4(place / size, 0.0, 1.0); }")

private func colors(_ kernel: Kernel, _ arguments: [KernelArgument], _ image: CIImage) -> CIImage {
    CIImage(recipe: .colors(ColorStep(kernel, arguments), of: image), extent: image.extent)
}
private func moved(_ image: CIImage, _ x: Float, _ y: Float) -> CIImage {
    CIImage(
        recipe: .kernel(
            KernelStep(shift, [.vec2([x, y])], inputs: [image]) { _, r in r.offsetBy(dx: CGFloat(-x), dy: CGFloat(-y)) }
        ),
        extent: image.extent.offsetBy(dx: CGFloat(x), dy: CGFloat(y)))
}

@Suite("The executor of recipes")
struct ExecutorTests {
    private let renderer: PictureRenderer
    init() throws { renderer = try PictureRenderer() }

    private func ramp(_ width: Int, _ height: Int, rotation: Int = 0, aspect: Double = 1) throws -> VideoFrame {
        try Pictures.frame(width, height, rotation: rotation, aspect: aspect) { ($0 * 10 % 256, $1 * 20 % 256, 77) }
    }

    @Test(
        "the unfiltered video keeps its pixels, size and timestamps",
        arguments: [(1, 1), (3, 5), (17, 9), (64, 2)])
    func identity(size: (Int, Int)) throws {
        let frame = try ramp(size.0, size.1)
        let result = try renderer.render(.source(frame.presentationSize), of: frame)
        #expect(
            result.width == size.0 && result.height == size.1 && result.rotation == 0 && result.pixelAspectRatio == 1)
        #expect(result.presentationTime == frame.presentationTime && result.duration == frame.duration)
        for y in 0..<size.1 {
            for x in 0..<size.0 { #expect(Pictures.pixel(result, x, y) == [x * 10 % 256, y * 20 % 256, 77]) }
        }
    }

    @Test("the video is drawn upright with square pixels", arguments: [0, 90, 180, 270])
    func upright(rotation: Int) throws {
        let frame = try Pictures.frame(8, 4, rotation: rotation) { x, y in (x == 0 && y == 0 ? 255 : 0, 0, 0) }
        let result = try renderer.render(.source(frame.presentationSize), of: frame)
        let corner = [0: (0, 0), 90: (3, 0), 180: (7, 3), 270: (0, 7)][rotation]
        let place = try #require(corner)
        #expect((result.width, result.height) == (rotation % 180 == 0 ? (8, 4) : (4, 8)))
        #expect(Pictures.pixel(result, place.0, place.1) == [255, 0, 0])
        let wide = try renderer.render(.source(CGSize(width: 16, height: 4)), of: ramp(8, 4, aspect: 2))
        #expect(wide.width == 16 && wide.height == 4)
    }

    @Test("the origin is at the lower left, pixel centers at a half")
    func coordinates() throws {
        let image = CIImage(
            recipe: .kernel(KernelStep(places, [.vec2([8, 4])], inputs: [])),
            extent: CGRect(x: 0, y: 0, width: 8, height: 4))
        let values = try renderer.values(of: image, in: image.extent)
        #expect(abs(values[0].x - 0.5 / 8) < 1e-3 && abs(values[0].y - 3.5 / 4) < 1e-3)
        #expect(abs(values[31].x - 7.5 / 8) < 1e-3 && abs(values[31].y - 0.5 / 4) < 1e-3)
    }

    /// Values above white are kept between steps.
    @Test("consecutive color steps are drawn in one pass and keep large values")
    func fusion() throws {
        let frame = try ramp(6, 6)
        var image = CIImage.source(frame.presentationSize)
        for _ in 0..<4 { image = colors(gain, [.float(2)], image) }
        image = colors(gain, [.float(1.0 / 16)], image)
        let result = try renderer.render(image, of: frame)
        #expect(renderer.drawCount == 1)
        #expect(Pictures.pixel(result, 5, 3) == [50, 60, 77])
        let later = colors(
            add, [.vec3([0.2, 0, 0])],
            colors(gain, [.float(1.0 / 8)], moved(colors(gain, [.float(8)], .source(frame.presentationSize)), 1, 0)))
        let shifted = try renderer.render(later, of: frame)
        #expect(renderer.drawCount == 2)
        #expect(Pictures.pixel(shifted, 3, 2) == [71, 40, 77])
        #expect(Pictures.pixel(shifted, 0, 2) == [0, 0, 0])
    }

    @Test("transparent pixels give no color to the next filter", arguments: [false, true])
    func transparency(usesShaders: Bool) throws {
        let inverted = Pictures.row([[0, 0, 0, 0], [0, 0, 0, 1]]).applyingFilter("CIColorInvert")
        let red = CIVector(x: 1, y: 0, z: 0, w: 0)
        let image = inverted.applyingFilter("CIColorMatrix", parameters: ["inputAVector": red])
        let values = try renderer.values(
            of: usesShaders ? colors(gain, [.float(1)], image) : image, in: CGRect(x: 0, y: 0, width: 2, height: 1))
        #expect(values == [.zero, .one])
    }

    @Test("a step that is used twice is drawn once")
    func shared() throws {
        let base = moved(.source(CGSize(width: 8, height: 8)), 1, 1)
        var image = base
        // Each step uses the previous one twice. Without sharing there would be 2^12 draw calls.
        for _ in 0..<12 { image = moved(image, 1, 0).composited(over: image) }
        _ = try renderer.render(image, of: ramp(8, 8))
        #expect(renderer.drawCount == 25)
    }

    @Test("hundreds of color and geometry steps are drawn")
    func depth() throws {
        let frame = try ramp(5, 5)
        var image = CIImage.source(frame.presentationSize)
        for _ in 0..<400 { image = colors(add, [.vec3([0.001, 0, 0])], image) }
        #expect(abs(Pictures.pixel(try renderer.render(image, of: frame), 0, 0)[0] - 102) <= 2)
        #expect(renderer.drawCount < 20)
        for step in 0..<300 { image = moved(image, step.isMultiple(of: 2) ? 1 : -1, 0) }
        #expect(abs(Pictures.pixel(try renderer.render(image, of: frame), 2, 0)[0] - 122) <= 2)
    }

    @Test("images are transparent outside their extent and clamped edges continue")
    func extents() throws {
        let red = CIImage(color: .red)
        let cut = red.cropped(to: CGRect(x: 2, y: 0, width: 2, height: 1))
        let row = try renderer.values(of: cut, in: CGRect(x: 0, y: 0, width: 6, height: 1))
        #expect(row.map(\.w) == [0, 0, 1, 1, 0, 0])
        let dots = Pictures.row([[1, 0, 0, 1], [0, 1, 0, 1]])
        let far = try renderer.values(of: dots.clampedToExtent(), in: CGRect(x: -2, y: 3, width: 6, height: 1))
        #expect(far.map(\.x) == [1, 1, 1, 0, 0, 0] && far.map(\.y) == [0, 0, 0, 1, 1, 1])
        // With linear interpolation and transparency outside, an edge fades over one pixel.
        let half = try renderer.values(of: moved(dots, 0.5, 0), in: CGRect(x: 0, y: 0, width: 3, height: 1))
        #expect(half.map(\.w) == [0.5, 1, 0.5])
        // A clamped crop repeats the edge of the crop, not the pixels outside it.
        let inner = Pictures.row([[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1]]).cropped(
            to: CGRect(x: 1, y: 0, width: 1, height: 1)
        ).clampedToExtent()
        #expect(
            try renderer.values(of: moved(inner, 0.5, 0), in: CGRect(x: 0, y: 0, width: 3, height: 1)).allSatisfy {
                $0 == [0, 1, 0, 1]
            })
        #expect(try renderer.values(of: .empty(), in: CGRect(x: 0, y: 0, width: 2, height: 1)) == [.zero, .zero])
    }

    @Test("bitmaps keep the order of their rows and can be transformed")
    func bitmaps() throws {
        let image = CIImage(
            bitmapData: Data([0, 0, 255, 255, 255, 0, 0, 255]), bytesPerRow: 4, size: CGSize(width: 1, height: 2),
            format: .BGRA8)
        #expect(try renderer.bitmap(of: image, in: image.extent).pixels == [255, 0, 0, 255, 0, 0, 255, 255])
        let big = image.transformed(by: CGAffineTransform(a: 4, b: 0, c: 0, d: 4, tx: 2, ty: 1))
        #expect(big.extent == CGRect(x: 2, y: 1, width: 4, height: 8))
        let values = try renderer.values(of: big, in: CGRect(x: 4, y: 1, width: 1, height: 8))
        #expect(values[2].x > 0.6 && values[2].z < 0.2 && values[5].z > 0.6 && values[5].x < 0.2)
    }

    @Test("a tiny scale has a tiny extent, an overflow an infinite one")
    func tiny() {
        let image = CIImage(
            bitmapData: Data([0, 0, 255, 255, 255, 0, 0, 255]), bytesPerRow: 4, size: CGSize(width: 1, height: 2),
            format: .BGRA8)
        let small = image.transformed(by: CGAffineTransform(scaleX: 1e-6, y: 1e-6))
        #expect(small.extent == CGRect(x: 0, y: 0, width: 1e-6, height: 2e-6))
        #expect(image.transformed(by: CGAffineTransform(scaleX: 0, y: 1)).extent.isNull)
        let wide = image.transformed(by: CGAffineTransform(scaleX: 1, y: 1.5e308))
        #expect(wide.extent == .infinite)
    }

    @Test("an error names its kernel and line; later recipes still draw")
    func mistakes() throws {
        let frame = try ramp(4, 4)
        let broken = Kernel("broken", .color, "vec4 broken(vec4 c) {\n    float x = 1.0;\n    return c * nonsense;\n}")
        let image = colors(broken, [], colors(gain, [.float(1)], .source(frame.presentationSize)))
        for _ in 0..<2 {
            let error = #expect(throws: AVError.self) { try renderer.render(image, of: frame) }
            #expect(error?.code == .invalidArgument && error?.location == "broken", "\(error?.description ?? "")")
            #expect(error?.reason.hasPrefix("line 3:") == true && error?.reason.contains("nonsense") == true)
        }
        let called = #expect(throws: AVError.self) {
            try renderer.render(colors(gain, [.vec3(.zero)], .source(frame.presentationSize)), of: frame)
        }
        #expect(called?.location == "gain" && called?.reason.contains("arguments") == true)
        #expect(Pictures.pixel(try renderer.render(.source(frame.presentationSize), of: frame), 3, 0) == [30, 0, 77])
    }

    @Test("each thread draws with its own renderer; another's renderer is an error")
    func threads() throws {
        let results = Mutex<[[Int]]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { number in
            do {
                let renderer = try PictureRenderer()
                for _ in 0..<5 {
                    let frame = try Pictures.frame(16, 16) { x, y in (x, y, number) }
                    let drawn = try renderer.render(
                        colors(gain, [.float(2)], .source(frame.presentationSize)), of: frame)
                    results.withLock { $0.append(Pictures.pixel(drawn, 3, 5)) }
                }
            } catch {
                results.withLock { $0.append([-1]) }
            }
        }
        #expect(results.withLock { $0.map { Array($0.prefix(2)) } } == [[Int]](repeating: [6, 10], count: 20))
        nonisolated(unsafe) let renderer = renderer
        let error = Mutex<AVError?>(nil)
        let thread = Thread {
            do throws(AVError) {
                _ = try renderer.values(of: CIImage(color: .red), in: CGRect(x: 0, y: 0, width: 1, height: 1))
                error.withLock { $0 = AVError(.unknown, at: "test", reason: "it drew") }
            } catch let thrown {
                error.withLock { $0 = thrown }
            }
        }
        thread.start()
        while error.withLock({ $0 == nil }) { sched_yield() }
        #expect(error.withLock { $0?.code } == .operationNotSupported)
    }

    @Test("a step larger than a texture is an error with its size")
    func limits() throws {
        let huge = moved(
            colors(gain, [.float(1)], CIImage(color: .red).cropped(to: CGRect(x: 0, y: 0, width: 900_000, height: 4))),
            0, 0)
        let step = KernelStep(shift, [.vec2(.zero)], inputs: [huge]) { _, _ in
            CGRect(x: 0, y: 0, width: 900_000, height: 4)
        }
        let image = CIImage(recipe: .kernel(step), extent: CGRect(x: 0, y: 0, width: 4, height: 4))
        let error = #expect(throws: AVError.self) { try renderer.render(image, of: ramp(4, 4)) }
        #expect(error?.code == .operationNotSupported && error?.reason.contains("900") == true)
    }
}
