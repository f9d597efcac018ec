import Foundation
import MediaCore
import Testing

@testable import Filters
@testable import Overlays

@Suite("What layers draw")
struct LayerDrawingTests {
    @Test("a shape is drawn exactly in place at every scale", arguments: [1, 2])
    func places(scale: Int) {
        let layer = shape(CGPath(rect: CGRect(x: 10, y: 20, width: 30, height: 15)))
        let drawn = LayerCanvas(layer, width: 100 * scale, height: 100 * scale, scale: CGFloat(scale))
        #expect(drawn.box == CGRect(x: 10 * scale, y: 20 * scale, width: 30 * scale, height: 15 * scale))
        #expect(drawn.area == Double(450 * scale * scale))
        #expect(drawn[10 * scale, 20 * scale] == .red && drawn[10 * scale - 1, 20 * scale] == .clear)
        // The bitmap has the size of the shape, plus a margin of one pixel for antialiasing.
        let bitmap = drawn.bitmap
        #expect(bitmap?.width == 30 * scale + 2 && bitmap?.height == 15 * scale + 2)
    }

    @Test("a half-covered pixel is half opaque; double scale resolves it")
    func smoothing() {
        let layer = shape(CGPath(rect: CGRect(x: 10.5, y: 10, width: 10, height: 10)))
        let drawn = LayerCanvas(layer)
        #expect(abs(drawn[10, 15].a - 128) <= 3 && abs(drawn[20, 15].a - 128) <= 3 && drawn[15, 15] == .red)
        let twice = LayerCanvas(layer, width: 200, height: 200, scale: 2)
        #expect(twice[21, 30] == .red && twice[20, 30] == .clear)
    }

    @Test("a stroke is centered on its path and has its exact width")
    func strokes() {
        let drawn = LayerCanvas(
            shape(CGPath(rect: CGRect(x: 20, y: 20, width: 40, height: 40)), fill: .green, stroke: .blue, width: 6))
        #expect(drawn[17, 40] == .blue && drawn[22, 40] == .blue && drawn[23, 40] == .green && drawn[16, 40] == .clear)
        #expect(drawn[17, 17] == .blue)
        #expect(abs(drawn.area - 46 * 46) < 1)
        let circle = LayerCanvas(shape(CGPath(ellipseIn: CGRect(x: 20, y: 20, width: 60, height: 60))))
        #expect(abs(circle.area - .pi * 900) < 5)
    }

    @Test("line caps and joins have their exact areas")
    func joins() {
        func area(_ cap: CAShapeLayerLineCap, _ join: CAShapeLayerLineJoin, _ path: CGPath) -> Double {
            let layer = shape(path, fill: nil, stroke: .red, width: 10)
            layer.lineCap = cap
            layer.lineJoin = join
            return LayerCanvas(layer).area
        }
        let straight = line(CGPoint(x: 20, y: 50), CGPoint(x: 80, y: 50))
        #expect(abs(area(.butt, .miter, straight) - 600) < 1)
        #expect(abs(area(.square, .miter, straight) - 700) < 1)
        #expect(abs(area(.round, .miter, straight) - 600 - 25 * .pi) < 1)
        let corner = line(CGPoint(x: 20, y: 20), CGPoint(x: 80, y: 20), CGPoint(x: 80, y: 80))
        #expect(abs(area(.butt, .miter, corner) - 1200) < 1)
        #expect(abs(area(.butt, .bevel, corner) - 1187.5) < 1)
        #expect(abs(area(.butt, .round, corner) - 1175 - 25 * .pi / 4) < 1)
    }

    @Test("a sharp corner extends to its miter, up to the miter limit")
    func miters() {
        let layer = shape(
            line(CGPoint(x: 10, y: 50), CGPoint(x: 60, y: 55), CGPoint(x: 10, y: 60)), fill: nil, stroke: .red, width: 4
        )
        layer.miterLimit = 20
        #expect(LayerCanvas(layer).box.maxX > 75)
        layer.miterLimit = 5
        #expect(LayerCanvas(layer).box.maxX < 65)
    }

    @Test("strokeStart and strokeEnd select a part of the path")
    func halves() {
        let layer = shape(line(CGPoint(x: 10, y: 50), CGPoint(x: 90, y: 50)), fill: nil, stroke: .red, width: 4)
        layer.strokeEnd = 0.5
        #expect(LayerCanvas(layer).box == CGRect(x: 10, y: 48, width: 40, height: 4))
        layer.strokeEnd = 1
        layer.strokeStart = 0.75
        #expect(LayerCanvas(layer).box == CGRect(x: 70, y: 48, width: 20, height: 4))
        layer.strokeEnd = 0.75
        #expect(LayerCanvas(layer).bitmap == nil)
        let circle = shape(
            CGPath(ellipseIn: CGRect(x: 10, y: 10, width: 80, height: 80)), fill: nil, stroke: .red, width: 4)
        circle.strokeEnd = 0.25
        // The path begins at the right and runs clockwise as displayed.
        #expect(abs(LayerCanvas(circle).area - .pi * 80) < 2)
        #expect(LayerCanvas(circle)[78, 78].a > 200 && LayerCanvas(circle)[21, 21].a == 0)
    }

    @Test("dashes follow pattern and phase; extremely short dashes become a line")
    func dashes() {
        let layer = shape(line(CGPoint(x: 10, y: 50), CGPoint(x: 90, y: 50)), fill: nil, stroke: .red, width: 2)
        layer.lineDashPattern = [10, 5]
        let drawn = LayerCanvas(layer)
        #expect(
            drawn[10, 50] == .red && drawn[19, 50] == .red && drawn[20, 50] == .clear && drawn[24, 50] == .clear
                && drawn[25, 50] == .red)
        layer.lineDashPhase = 10
        #expect(LayerCanvas(layer)[10, 50] == .clear && LayerCanvas(layer)[15, 50] == .red)
        layer.lineDashPhase = -5
        #expect(LayerCanvas(layer)[14, 50] == .clear && LayerCanvas(layer)[15, 50] == .red)
        layer.lineDashPattern = [0.00001]
        #expect(abs(LayerCanvas(layer).area - 160) < 1)
        layer.lineDashPattern = [0, 0]
        #expect(layer.lineDashPattern == nil)
    }

    @Test("the fill rule decides what is inside a shape")
    func rules() {
        let path = CGMutablePath()
        path.addRect(CGRect(x: 10, y: 10, width: 60, height: 60))
        path.addRect(CGRect(x: 30, y: 30, width: 20, height: 20))
        let layer = shape(path)
        #expect(LayerCanvas(layer)[40, 40] == .red)
        layer.fillRule = .evenOdd
        #expect(LayerCanvas(layer)[40, 40] == .clear && LayerCanvas(layer)[20, 40] == .red)
    }

    @Test("a layer draws its background, rounded corners and inner border")
    func looks() {
        let layer = CALayer()
        layer.frame = CGRect(x: 10, y: 10, width: 80, height: 60)
        layer.backgroundColor = .red
        layer.borderColor = .blue
        layer.borderWidth = 5
        layer.cornerRadius = 20
        let drawn = LayerCanvas(layer)
        #expect(drawn.box == CGRect(x: 10, y: 10, width: 80, height: 60))
        #expect(drawn[10, 10] == .clear && drawn[14, 40] == .blue && drawn[15, 40] == .red && drawn[50, 40] == .red)
        #expect(abs(drawn.area - (80 * 60 - (4 - .pi) * 400)) < 4)
        layer.cornerRadius = 1000
        #expect(abs(LayerCanvas(layer).area - (20 * 60 + .pi * 900)) < 5)
        layer.borderWidth = 100
        layer.backgroundColor = nil
        #expect(LayerCanvas(layer)[50, 40] == .blue)
    }

    @Test("opacity applies to a layer and its sublayers as a group")
    func groups() {
        let layer = shape(CGPath(rect: CGRect(x: 10, y: 10, width: 40, height: 40)))
        let over = shape(CGPath(rect: CGRect(x: 30, y: 30, width: 40, height: 40)), fill: .green)
        layer.addSublayer(over)
        layer.opacity = 0.5
        let drawn = LayerCanvas(layer)
        #expect(
            drawn[20, 20].isNear(Pixel(128, 0, 0, 128)) && drawn[40, 40].isNear(Pixel(0, 128, 0, 128))
                && drawn[60, 60].isNear(Pixel(0, 128, 0, 128)))
        over.opacity = 0.5
        #expect(
            LayerCanvas(layer)[60, 60].isNear(Pixel(0, 64, 0, 64))
                && LayerCanvas(layer)[40, 40].isNear(Pixel(64, 64, 0, 128)))
        over.isHidden = true
        #expect(LayerCanvas(layer)[60, 60] == .clear)
        layer.opacity = 0
        #expect(LayerCanvas(layer).bitmap == nil)
    }

    @Test("a mask shows a layer only where the mask is opaque")
    func masks() {
        let layer = shape(CGPath(rect: CGRect(x: 10, y: 10, width: 60, height: 60)))
        layer.frame.origin = CGPoint(x: 5, y: 0)
        let mask = shape(CGPath(rect: CGRect(x: 20, y: 20, width: 10, height: 100)), fill: .black)
        layer.mask = mask
        let drawn = LayerCanvas(layer)
        #expect(drawn.box == CGRect(x: 25, y: 20, width: 10, height: 50) && drawn[26, 30] == .red)
        mask.opacity = 0.5
        #expect(LayerCanvas(layer)[26, 30].isNear(Pixel(128, 0, 0, 128)))
        layer.opacity = 0.5
        #expect(LayerCanvas(layer)[26, 30].isNear(Pixel(64, 0, 0, 64)))
        layer.mask = CALayer()
        #expect(LayerCanvas(layer).bitmap == nil)
    }

    @Test("masksToBounds clips sublayers and shapes to the rounded bounds")
    func cutting() {
        let layer = CALayer()
        layer.frame = CGRect(x: 20, y: 20, width: 40, height: 40)
        layer.addSublayer(shape(CGPath(rect: CGRect(x: -100, y: -100, width: 300, height: 300))))
        #expect(LayerCanvas(layer).area == 10000)
        layer.masksToBounds = true
        #expect(LayerCanvas(layer).box == CGRect(x: 20, y: 20, width: 40, height: 40))
        layer.cornerRadius = 20
        #expect(LayerCanvas(layer)[21, 21] == .clear && LayerCanvas(layer)[40, 40] == .red)
        layer.bounds.size = .zero
        #expect(LayerCanvas(layer).bitmap == nil)
    }

    @Test("sublayers follow their superlayer's transform and bounds, ordered by zPosition")
    func nesting() {
        let root = CALayer()
        root.frame = CGRect(x: 0, y: 0, width: 100, height: 100)
        root.bounds.origin = CGPoint(x: 10, y: 0)
        let a = CALayer()
        let b = CALayer()
        a.frame = CGRect(x: 30, y: 20, width: 20, height: 40)
        a.backgroundColor = .red
        a.setAffineTransform(CGAffineTransform(rotationAngle: .pi / 2))
        b.frame = CGRect(x: 0, y: 0, width: 10, height: 10)
        b.backgroundColor = .blue
        a.addSublayer(b)
        root.addSublayer(a)
        let drawn = LayerCanvas(root)
        // The center stays, and left and right are exchanged. The former top left corner is at the top right.
        #expect(drawn.box == CGRect(x: 10, y: 30, width: 40, height: 20))
        #expect(drawn[49, 30].isNear(.blue) && drawn[41, 38].isNear(.blue) && drawn[11, 31].isNear(.red))
        let c = CALayer()
        c.frame = CGRect(x: 30, y: 30, width: 20, height: 20)
        c.backgroundColor = .green
        c.zPosition = -1
        root.addSublayer(c)
        #expect(LayerCanvas(root)[30, 40].isNear(.red))
        c.zPosition = 1
        #expect(LayerCanvas(root)[30, 40] == .green)
    }

    @Test("a layer with a degenerate transform draws nothing, others still draw")
    func flat() {
        let root = CALayer()
        let good = shape(CGPath(rect: CGRect(x: 0, y: 0, width: 10, height: 10)))
        for transform in [
            CGAffineTransform(scaleX: 0, y: 1), CGAffineTransform(scaleX: 0, y: 0),
            CGAffineTransform(scaleX: 1e300, y: 1e300),
        ] {
            let bad = shape(CGPath(rect: CGRect(x: 0, y: 0, width: 50, height: 50)), fill: .blue, stroke: .blue)
            bad.setAffineTransform(transform)
            root.addSublayer(bad)
        }
        root.addSublayer(good)
        #expect(LayerCanvas(root)[5, 5] == .red && LayerCanvas(root)[30, 30] == .clear)
    }

    @Test("extremely large text does not remove earlier drawing")
    func hugeText() {
        let root = shape(CGPath(rect: CGRect(x: 0, y: 0, width: 10, height: 10)))
        let text = CATextLayer()
        text.frame = CGRect(x: 0, y: 0, width: 100, height: 100)
        text.string = "A"
        text.fontSize = 1e9
        for scale in [1.0, 1e3, 1e6] as [CGFloat] {
            text.setAffineTransform(CGAffineTransform(scaleX: scale, y: scale))
            root.addSublayer(text)
            let pixel = LayerCanvas(root)[5, 5]
            #expect(pixel == .red || pixel == Pixel(255, 255, 255))
        }
    }

    @Test("paths far beyond all pixels are drawn where visible")
    func huge() {
        let layer = shape(CGPath(rect: CGRect(x: -1e9, y: 40, width: 2e9, height: 20)))
        let drawn = LayerCanvas(layer, scale: 1)
        #expect(drawn.box == CGRect(x: 0, y: 40, width: 100, height: 20))
        layer.path = CGPath(rect: CGRect(x: 1e12, y: 1e12, width: 1e300, height: 5))
        #expect(LayerCanvas(layer).bitmap == nil)
        layer.path = CGPath(rect: CGRect(x: -1e18, y: -1e18, width: 2e18, height: 2e18))
        layer.strokeColor = .blue
        layer.lineWidth = 1e18
        #expect(LayerCanvas(layer).area == 10000)
    }

    @Test("a path of ten thousand points is drawn correctly")
    func long() {
        let path = CGMutablePath()
        path.addLines(
            between: (0..<10_000).map {
                CGPoint(
                    x: 50 + 40 * cos(Double($0) / 10_000 * 2 * .pi), y: 50 + 40 * sin(Double($0) / 10_000 * 2 * .pi))
            })
        path.closeSubpath()
        let layer = shape(path, fill: .red, stroke: .blue, width: 2)
        layer.strokeEnd = 0.5
        let drawn = LayerCanvas(layer)
        #expect(drawn[50, 50] == .red && drawn[50, 90].b > 200 && drawn[50, 10].b < 50)
        #expect(abs(drawn.area - .pi * 1600 - .pi * 40) < 8)
    }

    @Test("custom contents are drawn in the bounds by contentsGravity")
    func contents() {
        let layer = CALayer()
        layer.frame = CGRect(x: 10, y: 10, width: 40, height: 20)
        let pixels = ImageBitmap(width: 2, height: 1, pixels: [255, 0, 0, 255, 0, 0, 255, 255])
        layer.contents = CIImage(recipe: .bitmap(pixels), extent: CGRect(x: 0, y: 0, width: 2, height: 1))
        let drawn = LayerCanvas(layer)
        #expect(
            drawn.box == CGRect(x: 10, y: 10, width: 40, height: 20) && drawn[12, 12].isNear(.red)
                && drawn[48, 28].isNear(.blue))
        layer.contentsGravity = .center
        #expect(
            LayerCanvas(layer).box
                == CGRect(x: 29, y: 19, width: 2, height: 1).union(CGRect(x: 29, y: 20, width: 2, height: 1))
                || LayerCanvas(layer).area == 2)
        layer.contents = "no picture"
        #expect(LayerCanvas(layer).bitmap == nil && layer.contents == nil)
    }

    @Test("a shadow has the layer's shape, blurred, offset and drawn below")
    func shadows() {
        let layer = shape(CGPath(rect: CGRect(x: 30, y: 30, width: 40, height: 40)))
        layer.shadowColor = .blue
        layer.shadowOpacity = 1
        layer.shadowRadius = 0
        layer.shadowOffset = CGSize(width: 10, height: 5)
        let sharp = LayerCanvas(layer)
        #expect(
            sharp.box == CGRect(x: 30, y: 30, width: 50, height: 45) && sharp[50, 50] == .red
                && sharp[75, 50].isNear(.blue) && sharp[75, 32] == .clear)
        layer.shadowRadius = 5
        let soft = LayerCanvas(layer, width: 140, height: 140)
        // The shadow's alpha is a half at its edge and a sixth at a distance of one standard deviation.
        #expect(abs(soft[79, 55].a - 133) < 12 && abs(soft[84, 55].a - 43) < 10 && soft[98, 55].a == 0)
        layer.shadowPath = CGPath(rect: CGRect(x: 0, y: 80, width: 10, height: 10))
        layer.shadowRadius = 0
        #expect(LayerCanvas(layer)[15, 90].isNear(.blue) && LayerCanvas(layer)[75, 50] == .clear)
        layer.masksToBounds = true
        #expect(LayerCanvas(layer)[15, 90] == .clear)
    }

    @Test("a layer outside the view casts its shadow into the view")
    func shadowFromOutside() {
        let layer = shape(CGPath(rect: CGRect(x: -60, y: 20, width: 50, height: 20)))
        layer.shadowColor = .black
        layer.shadowOpacity = 1
        layer.shadowRadius = 0
        layer.shadowOffset = CGSize(width: 80, height: 0)
        #expect(LayerCanvas(layer).box == CGRect(x: 20, y: 20, width: 50, height: 20))
    }
}
