import CDrawing
import Foundation
import MediaCore
import Testing

@testable import Filters
@testable import Overlays

@Suite("A complex example") @MainActor
struct ExampleTests {
    /// Builds a badge with a gauge, text, a gradient, a shadow and a mask, with all animations.
    private func build(_ bounds: CGRect) -> CAShapeLayer {
        let root = CAShapeLayer()
        root.frame = bounds
        let card = CAGradientLayer()
        card.frame = CGRect(x: 20, y: 20, width: 280, height: 140)
        card.colors = [
            CGColor(red: 0.1, green: 0.2, blue: 0.6, alpha: 0.95),
            CGColor(red: 0.6, green: 0.1, blue: 0.5, alpha: 0.95),
        ]
        card.startPoint = .zero
        card.endPoint = CGPoint(x: 1, y: 1)
        card.cornerRadius = 24
        card.borderWidth = 2
        card.borderColor = CGColor(gray: 1, alpha: 0.7)
        card.shadowOpacity = 0.8
        card.shadowRadius = 10
        card.shadowOffset = CGSize(width: 0, height: 8)
        root.addSublayer(card)
        let title = CATextLayer()
        title.frame = CGRect(x: 130, y: 24, width: 140, height: 34)
        title.string = "Zoetrope"
        title.font = "DejaVu Sans Bold"
        title.fontSize = 24
        card.addSublayer(title)
        let words = CATextLayer()
        words.frame = CGRect(x: 130, y: 60, width: 136, height: 66)
        words.string = "Layers drawn by cairo — שלום, مرحبا"
        words.fontSize = 14
        words.isWrapped = true
        card.addSublayer(words)
        let track = shape(
            CGPath(ellipseIn: CGRect(x: -42, y: -42, width: 84, height: 84)), fill: nil,
            stroke: CGColor(gray: 1, alpha: 0.25), width: 12)
        track.position = CGPoint(x: 68, y: 70)
        card.addSublayer(track)
        let gauge = shape(
            UIBezierPath(arcCenter: .zero, radius: 42, startAngle: -.pi / 2, endAngle: 1.5 * .pi, clockwise: true)
                .cgPath, fill: nil, stroke: .green, width: 12)
        gauge.lineCap = .round
        let grow = CABasicAnimation(keyPath: "strokeEnd")
        grow.fromValue = 0
        grow.duration = 2
        gauge.add(grow, forKey: nil)
        track.addSublayer(gauge)
        let star = UIBezierPath()
        for i in 0..<10 {
            let r = i % 2 == 0 ? 50.0 : 22.0
            let a = Double(i) * .pi / 5 - .pi / 2
            let p = CGPoint(x: r * cos(a), y: r * sin(a))
            if i == 0 { star.move(to: p) } else { star.addLine(to: p) }
        }
        star.close()
        let gem = CAGradientLayer()
        gem.type = .conic
        gem.startPoint = CGPoint(x: 0.5, y: 0.5)
        gem.endPoint = CGPoint(x: 1, y: 0.5)
        gem.colors = [
            CGColor.red, CGColor(red: 1, green: 1, blue: 0, alpha: 1), CGColor.green, CGColor.blue, CGColor.red,
        ]
        gem.frame = CGRect(x: 320, y: 30, width: 110, height: 110)
        let hole = shape(star.cgPath, fill: .black)
        hole.position = CGPoint(x: 55, y: 55)
        let spin = CABasicAnimation(keyPath: "transform.rotation")
        spin.toValue = 0.6
        spin.duration = 2
        hole.add(spin, forKey: nil)
        gem.mask = hole
        root.addSublayer(gem)
        let wave = CGMutablePath()
        wave.move(to: CGPoint(x: 20, y: 200))
        for i in 0..<6 {
            wave.addQuadCurve(
                to: CGPoint(x: 20 + 70 * Double(i + 1), y: 200),
                control: CGPoint(x: 55 + 70 * Double(i), y: i % 2 == 0 ? 160 : 240))
        }
        let dashed = shape(wave, fill: nil, stroke: CGColor(red: 1, green: 0.7, blue: 0, alpha: 1), width: 5)
        dashed.lineDashPattern = [12, 8]
        dashed.lineCap = .round
        root.addSublayer(dashed)
        let plane = shape(
            UIBezierPath(roundedRect: CGRect(x: -16, y: -8, width: 32, height: 16), cornerRadius: 6).cgPath,
            fill: CGColor.white, stroke: .black, width: 1.5)
        let flight = CAKeyframeAnimation(keyPath: "position")
        flight.path = wave
        flight.calculationMode = .paced
        flight.rotationMode = .rotateAuto
        flight.duration = 2
        plane.add(flight, forKey: nil)
        root.addSublayer(plane)
        return root
    }

    private struct Example: ShapeLayerBuilderProtocol {
        let id = UUID()
        let make: @MainActor (CGRect) -> CAShapeLayer
        func build(with geometry: (frame: CGRect, bounds: CGRect)) -> CAShapeLayer { make(geometry.bounds) }
    }

    @Test("the example is drawn completely during its animations")
    func picture() {
        let bounds = CGRect(x: 0, y: 0, width: 460, height: 260)
        let log = LogLines()
        let overlay = VectorOverlay(beginning: .zero, logger: log.logger)
        overlay.update(vectors: [Example { self.build($0) }], frame: bounds, bounds: bounds)
        let geometry = OverlayGeometry(
            width: 920, height: 520, frameX: 0, frameY: 0, frameWidth: 920, frameHeight: 520, scale: 2)
        _ = overlay.content(at: .zero, hostTime: .zero, in: geometry)
        let content = overlay.content(at: .zero, hostTime: seconds(1.4), in: geometry)
        // One bitmap for card and gem, which move next to each other, one for the still wave, and one for the plane
        // above it.
        #expect(content.bitmaps.count == 3 && log.all.isEmpty)
        let canvas = LayerCanvas(content.bitmaps, width: 920, height: 520)
        // The gauge shows 70 %: green at the bottom, not yet at the upper left.
        #expect(canvas[2 * 88, 2 * (90 + 42)].isNear(.green, 4) && !canvas[2 * 58, 2 * 61].isNear(.green, 60))
        // The gem is visible only within its star. The shadow is below the card.
        #expect(canvas[2 * 375, 2 * 85].a == 255 && canvas[2 * 322, 2 * 32].a == 0 && canvas[2 * 160, 2 * 170].a > 20)
        if let path = ProcessInfo.processInfo.environment["ZOETROPE_EXAMPLE_PNG"] { write(canvas, to: path) }
    }

    /// Writes the canvas as a PNG over a checkerboard, for visual inspection.
    private func write(_ canvas: LayerCanvas, to path: String) {
        guard let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(canvas.width), Int32(canvas.height)),
            let data = cairo_image_surface_get_data(surface)
        else { return }
        defer { cairo_surface_destroy(surface) }
        let stride = Int(cairo_image_surface_get_stride(surface))
        for y in 0..<canvas.height {
            for x in 0..<canvas.width {
                let p = canvas[x, y]
                let ground = (x / 20 + y / 20) % 2 == 0 ? 200 : 160
                let mix: (Int) -> UInt8 = { UInt8(min(255, $0 + ground * (255 - p.a) / 255)) }
                data[y * stride + x * 4] = mix(p.b)
                data[y * stride + x * 4 + 1] = mix(p.g)
                data[y * stride + x * 4 + 2] = mix(p.r)
                data[y * stride + x * 4 + 3] = 255
            }
        }
        cairo_surface_mark_dirty(surface)
        cairo_surface_write_to_png(surface, path)
    }
}
