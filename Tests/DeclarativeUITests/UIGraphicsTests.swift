import CGTK
import Foundation
import Overlays
import Testing

@testable import DeclarativeUI

/// Tests of the pixels that UIKit's renderer of images draws.
@MainActor @Suite("UIKit's image renderer")
struct UIGraphicsTests {
    private let one: UIGraphicsImageRendererFormat = {
        let format = UIGraphicsImageRendererFormat()
        format.scale = 1
        return format
    }()
    private func drawn(
        _ side: CGFloat = 20, _ draw: @MainActor (UIGraphicsImageRendererContext) -> Void
    ) -> UIImage {
        UIGraphicsImageRenderer(size: CGSize(width: side, height: side), format: one).image(actions: draw)
    }
    /// Returns red, green, blue and alpha of a pixel, premultiplied.
    private func pixel(_ image: UIImage, _ x: Int, _ y: Int) throws -> [UInt8] {
        let box = try #require(image.box)
        let (width, height) = (
            Int(gdk_texture_get_width(box.texture)), Int(gdk_texture_get_height(box.texture))
        )
        var bytes = [UInt8](repeating: 0, count: width * height * 4)
        gdk_texture_download(box.texture, &bytes, gsize(width * 4))
        let at = (y * width + x) * 4
        try #require(at >= 0 && at + 3 < bytes.count)
        return [bytes[at + 2], bytes[at + 1], bytes[at], bytes[at + 3]]
    }
    private let all = CGRect(x: 0, y: 0, width: 20, height: 20)
    private static let red: [UInt8] = [255, 0, 0, 255], blue: [UInt8] = [0, 0, 255, 255], none: [UInt8] = [0, 0, 0, 0]

    @Test("an image has the size, scale and opacity of its format")
    func formats() throws {
        let format = UIGraphicsImageRendererFormat()
        (format.scale, format.opaque) = (3, true)
        let image = UIGraphicsImageRenderer(size: CGSize(width: 10, height: 4), format: format).image { _ in }
        #expect(image.size == CGSize(width: 10, height: 4) && image.scale == 3)
        #expect(try pixel(image, 29, 11) == [0, 0, 0, 255])
        #expect(try pixel(drawn { _ in }, 5, 5) == Self.none)
        var calls = 0
        let empty = UIGraphicsImageRenderer(size: .zero).image { _ in calls += 1 }
        #expect(calls == 0 && empty.pngData() == nil)
        #expect(UIGraphicsImageRenderer(size: CGSize(width: 1e6, height: 1)).pngData { _ in }.isEmpty)
    }

    @Test("bounds select a part of the drawing")
    func bounds() throws {
        let image = UIGraphicsImageRenderer(bounds: CGRect(x: 10, y: 10, width: 4, height: 4), format: one).image {
            UIColor.red.setFill()
            $0.fill(CGRect(x: 10, y: 10, width: 2, height: 4))
        }
        #expect(try pixel(image, 1, 3) == Self.red && pixel(image, 2, 3) == Self.none)
    }

    @Test("colors, paths and clips of UIKit draw into the current context")
    func current() throws {
        #expect(UIGraphicsGetCurrentContext() == nil)
        UIColor.red.set()
        let image = drawn { context in
            #expect(UIGraphicsGetCurrentContext() === context.cgContext)
            UIColor.red.setFill()
            UIBezierPath(rect: CGRect(x: 0, y: 0, width: 10, height: 20)).fill()
            UIColor.blue.setStroke()
            let line = UIBezierPath()
            line.move(to: CGPoint(x: 0, y: 10))
            line.addLine(to: CGPoint(x: 20, y: 10))
            line.lineWidth = 4
            line.stroke()
            context.cgContext.saveGState()
            UIBezierPath(rect: CGRect(x: 15, y: 0, width: 5, height: 5)).addClip()
            context.fill(all)
            context.cgContext.restoreGState()
        }
        #expect(UIGraphicsGetCurrentContext() == nil)
        #expect(try pixel(image, 5, 3) == Self.red && pixel(image, 5, 10) == Self.blue)
        #expect(try pixel(image, 12, 3) == Self.none && pixel(image, 15, 10) == Self.blue)
        #expect(try pixel(image, 17, 3) == Self.red && pixel(image, 17, 15) == Self.none)
    }

    @Test("images are drawn in their size, stretched, faded and as templates")
    func images() throws {
        let small = drawn(4) { context in
            UIColor.red.setFill()
            context.fill(CGRect(x: 0, y: 0, width: 4, height: 2))
            UIColor.blue.setFill()
            context.fill(CGRect(x: 0, y: 2, width: 4, height: 2))
        }
        let image = drawn { _ in
            small.draw(at: CGPoint(x: 1, y: 1))
            small.draw(in: CGRect(x: 10, y: 0, width: 10, height: 20))
        }
        #expect(try pixel(image, 2, 1) == Self.red && pixel(image, 2, 4) == Self.blue)
        #expect(try pixel(image, 2, 6) == Self.none && pixel(image, 15, 2) == Self.red)
        #expect(try pixel(image, 19, 18) == Self.blue)
        let faded = drawn { _ in small.draw(in: all, blendMode: .normal, alpha: 0.5) }
        #expect(try (126...129).contains(pixel(faded, 10, 2)[3]))
        let symbol = drawn { _ in
            UIImage(systemName: "circle.fill")?.withTintColor(.blue, renderingMode: .alwaysOriginal).draw(in: all)
        }
        #expect(try pixel(symbol, 10, 10) == Self.blue && pixel(symbol, 0, 0) == Self.none)
        let template = drawn { _ in small.withTintColor(.blue).draw(in: all) }
        #expect(try pixel(template, 10, 2) == Self.blue)
    }

    @Test("a context has a state with transform, opacity and blend mode")
    func state() throws {
        let image = drawn { context in
            let cg = context.cgContext
            cg.setFillColor(UIColor.red.cgColor)
            cg.saveGState()
            cg.translateBy(x: 10, y: 0)
            cg.scaleBy(x: 2, y: 1)
            cg.setAlpha(0.5)
            cg.fill(CGRect(x: 0, y: 0, width: 2, height: 20))
            cg.restoreGState()
            cg.restoreGState()
            cg.scaleBy(x: 0, y: 0)
            cg.fill(CGRect(x: 0, y: 0, width: 5, height: 20))
            cg.clear(CGRect(x: 0, y: 10, width: 5, height: 10))
            cg.setBlendMode(.copy)
            cg.setFillColor(UIColor.blue.cgColor)
            cg.fillEllipse(in: CGRect(x: 15, y: 0, width: 4, height: 4))
        }
        #expect(try (126...129).contains(pixel(image, 11, 5)[3]) && pixel(image, 14, 5) == Self.none)
        #expect(try pixel(image, 2, 5) == Self.red && pixel(image, 2, 15) == Self.none)
        #expect(try pixel(image, 17, 2) == Self.blue)
    }

    @Test("older functions draw images, also inside each other")
    func older() throws {
        #expect(UIGraphicsGetImageFromCurrentImageContext() == nil)
        UIGraphicsBeginImageContextWithOptions(CGSize(width: 20, height: 20), false, 1)
        UIColor.red.setFill()
        let inner = drawn { context in
            UIColor.blue.setFill()
            context.fill(all)
        }
        UIGraphicsGetCurrentContext()?.fill(CGRect(x: 0, y: 0, width: 10, height: 20))
        let outer = try #require(UIGraphicsGetImageFromCurrentImageContext())
        UIGraphicsEndImageContext()
        #expect(UIGraphicsGetCurrentContext() == nil)
        #expect(try pixel(inner, 5, 5) == Self.blue && pixel(outer, 5, 5) == Self.red)
        #expect(try pixel(outer, 15, 5) == Self.none)
    }

    @Test("a drawing that can't begin leaves the drawing around it unchanged")
    func failed() throws {
        UIGraphicsBeginImageContextWithOptions(CGSize(width: 20, height: 20), false, 1)
        UIGraphicsBeginImageContext(.zero)
        #expect(UIGraphicsGetCurrentContext() == nil && UIGraphicsGetImageFromCurrentImageContext() == nil)
        UIGraphicsEndImageContext()
        #expect(UIGraphicsGetCurrentContext() != nil)
        UIGraphicsEndImageContext()
        #expect(UIGraphicsGetCurrentContext() == nil)
    }

    @Test("the blend mode of a call replaces that of the context")
    func blendModes() throws {
        let image = drawn { context in
            UIColor.red.setFill()
            context.fill(all)
            context.cgContext.setBlendMode(.clear)
            UIColor.blue.setFill()
            context.fill(CGRect(x: 0, y: 0, width: 10, height: 20), blendMode: .normal)
            context.cgContext.fill(CGRect(x: 10, y: 0, width: 10, height: 20))
        }
        #expect(try pixel(image, 5, 5) == Self.blue && pixel(image, 15, 5) == Self.none)
    }

    @Test("files have the pixels of the image")
    func files() throws {
        let renderer = UIGraphicsImageRenderer(size: CGSize(width: 20, height: 20), format: one)
        let draw: UIGraphicsImageRenderer.DrawingActions = { context in
            UIColor.red.setFill()
            context.fill(CGRect(x: 0, y: 0, width: 20, height: 20))
        }
        let again = try #require(UIImage(data: renderer.pngData(actions: draw)))
        #expect(try pixel(again, 5, 5) == Self.red)
        #expect(renderer.jpegData(withCompressionQuality: 0.9, actions: draw).starts(with: [0xFF, 0xD8, 0xFF]))
    }
}
