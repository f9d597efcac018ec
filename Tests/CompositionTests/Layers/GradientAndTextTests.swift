import Foundation
import MediaCore
import Testing

@testable import Filters
@testable import Overlays

@Suite("Gradients")
struct GradientTests {
    private func gradient(_ type: CAGradientLayerType, from: CGPoint, to: CGPoint, _ colors: [CGColor] = [.red, .blue])
        -> CAGradientLayer
    {
        let layer = CAGradientLayer()
        layer.frame = CGRect(x: 0, y: 0, width: 100, height: 100)
        layer.type = type
        layer.colors = colors
        layer.startPoint = from
        layer.endPoint = to
        return layer
    }

    @Test("axial gradients follow their line and locations, and extend beyond")
    func axial() {
        let layer = gradient(.axial, from: CGPoint(x: 0, y: 0.5), to: CGPoint(x: 1, y: 0.5))
        let drawn = LayerCanvas(layer)
        #expect(
            drawn[0, 50].isNear(.red, 4) && drawn[99, 50].isNear(.blue, 4)
                && drawn[50, 10].isNear(Pixel(127, 0, 128), 4) && drawn[25, 90].isNear(Pixel(190, 0, 65), 4))
        layer.locations = [0.5, 0.5]
        #expect(LayerCanvas(layer)[48, 50].isNear(.red, 4) && LayerCanvas(layer)[52, 50].isNear(.blue, 4))
        layer.locations = nil
        layer.endPoint = CGPoint(x: 0.5, y: 0.5)
        #expect(LayerCanvas(layer)[75, 50].isNear(.blue))
        layer.endPoint = layer.startPoint
        #expect(LayerCanvas(layer)[75, 50].isNear(.blue))
    }

    @Test("radial gradients reach from their center to their end point")
    func radial() {
        let layer = gradient(.radial, from: CGPoint(x: 0.5, y: 0.5), to: CGPoint(x: 1, y: 0.75))
        let drawn = LayerCanvas(layer)
        #expect(
            drawn[50, 50].isNear(.red, 12) && drawn[75, 50].isNear(Pixel(127, 0, 128), 8)
                && drawn[50, 62].isNear(Pixel(127, 0, 128), 12) && drawn[50, 80].isNear(.blue))
    }

    @Test("conic gradients run clockwise from their end point's direction")
    func conic() {
        let layer = gradient(.conic, from: CGPoint(x: 0.5, y: 0.5), to: CGPoint(x: 1, y: 0.5))
        for scale in [1, 2] {
            let drawn = LayerCanvas(layer, width: 100 * scale, height: 100 * scale, scale: CGFloat(scale))
            let at: (Int, Int) -> Pixel = { drawn[$0 * scale, $1 * scale] }
            #expect(
                at(90, 51).isNear(.red, 4) && at(50, 90).isNear(Pixel(191, 0, 64), 4)
                    && at(10, 50).isNear(Pixel(127, 0, 128), 4) && at(90, 49).isNear(.blue, 4))
        }
    }

    @Test("gradients follow rounded corners and ignore values that are not colors")
    func odd() {
        let layer = gradient(.axial, from: .zero, to: CGPoint(x: 1, y: 1), [.green])
        layer.cornerRadius = 50
        #expect(LayerCanvas(layer)[50, 50].isNear(.green) && LayerCanvas(layer)[2, 2] == .clear)
        layer.colors = ["red", CGColor.blue, 7]
        #expect(layer.colors?.count == 1)
        layer.colors = nil
        #expect(LayerCanvas(layer).bitmap == nil)
    }
}

@Suite("Text")
struct TextLayerTests {
    private func text(_ string: Any?, _ size: CGFloat = 20) -> CATextLayer {
        let layer = CATextLayer()
        layer.frame = CGRect(x: 0, y: 0, width: 300, height: 100)
        layer.string = string
        layer.font = "DejaVu Sans"
        layer.fontSize = size
        layer.foregroundColor = .red
        return layer
    }
    private func draw(_ layer: CATextLayer, scale: CGFloat = 1) -> LayerCanvas {
        LayerCanvas(layer, width: Int(300 * scale), height: Int(100 * scale), scale: scale)
    }

    @Test("text is drawn at the top, aligned, in its color")
    func places() {
        let layer = text("Hill")
        let left = draw(layer).box
        #expect(left.minX < 5 && left.minY > 1 && left.maxY < 25 && left.height > 12 && left.height < 18)
        #expect(draw(layer).bitmap?.pixels.contains { $0 == 0xFFFF_0000 } == true)
        layer.alignmentMode = .center
        #expect(abs(draw(layer).box.midX - 150) < 2)
        layer.alignmentMode = .right
        #expect(draw(layer).box.maxX > 295 && draw(layer).box.maxX <= 300)
        layer.bounds.origin = CGPoint(x: 0, y: -30)
        // The bounds' origin scrolls the sublayers, but not the layer's own text.
        #expect(draw(layer).box.minY == left.minY)
    }

    @Test("text doubles in size at twice the scale or font size")
    func sizes() {
        let layer = text("Zoe")
        let once = draw(layer).box
        let twice = draw(layer, scale: 2).box
        #expect(abs(twice.width - 2 * once.width) < 3 && abs(twice.height - 2 * once.height) < 3)
        layer.fontSize = 40
        #expect(abs(draw(layer).box.height - 2 * once.height) < 3)
        #expect(abs(layer.preferredFrameSize().height - 46.5) < 3)
    }

    @Test("text wraps or truncates only when requested")
    func wrapping() {
        let layer = text("several words that need more room than there is")
        layer.frame = CGRect(x: 0, y: 0, width: 120, height: 100)
        #expect(draw(layer).box.maxX > 250)
        layer.isWrapped = true
        #expect(draw(layer).box.maxX <= 121 && draw(layer).box.height > 60)
        layer.isWrapped = false
        layer.truncationMode = .end
        #expect(draw(layer).box.maxX <= 121 && draw(layer).box.height < 25)
    }

    @Test("text accepts several string types; empty or invalid text draws nothing")
    func kinds() {
        for string in ["Hill", AttributedString("Hill"), NSAttributedString(string: "Hill"), "Hillside".prefix(4)]
            as [Any]
        {
            #expect(text(string).string as? String == "Hill")
        }
        #expect(draw(text(7)).bitmap == nil && draw(text("")).bitmap == nil && draw(text("   ")).bitmap == nil)
        #expect(draw(text("a\0b")).bitmap != nil)
        #expect(draw(text("x", 0)).bitmap == nil)
        let unknown = text("Hill")
        unknown.font = "No such font anywhere-BoldItalic"
        #expect(draw(unknown).bitmap != nil)
        let bold = text("Hill")
        bold.font = "DejaVuSans-Bold"
        #expect(draw(bold).area > 1.2 * draw(text("Hill")).area)
        unknown.font = 12
        #expect(unknown.font as? String == "Helvetica")
    }

    @Test("right-to-left text is right-aligned by default")
    func direction() {
        let layer = text("שלום")
        #expect(draw(layer).box.minX > 200)
        layer.alignmentMode = .left
        #expect(draw(layer).box.minX < 10)
    }
}
