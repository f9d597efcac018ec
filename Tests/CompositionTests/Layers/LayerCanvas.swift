import Foundation
import MediaCore

@testable import Filters
@testable import Overlays

/// Converts seconds to a host time.
func seconds(_ s: Double) -> HostTime { HostTime(nanoseconds: Int64((s * 1e9).rounded())) }

/// A rendered layer whose pixels a test can examine.
struct LayerCanvas {
    let width: Int, height: Int
    let bitmap: OverlayBitmap?

    /// Renders a layer with the painter, without an overlay. Animations begin at 0.
    init(_ layer: CALayer, width: Int = 100, height: Int = 100, scale: CGFloat = 1, at time: Double = 0) {
        let snapshot = LayerSnapshot(layer)
        var begins: [UInt64: Double] = [:]
        snapshot.visit { record, _ in begins[record.token] = 0 }
        self.width = width
        self.height = height
        bitmap = LayerPainter.bitmap(
            of: snapshot.presented(at: time, begins: begins), scale: scale, width: width, height: height)
    }
    init(_ bitmap: OverlayBitmap?, width: Int, height: Int) {
        self.bitmap = bitmap
        self.width = width
        self.height = height
    }

    /// Draws several bitmaps over each other, in order.
    init(_ bitmaps: [OverlayBitmap], width: Int, height: Int) {
        var pixels = [UInt32](repeating: 0, count: width * height)
        for bitmap in bitmaps {
            for y in 0..<bitmap.height {
                for x in 0..<bitmap.width {
                    let over = bitmap.pixels[y * bitmap.width + x]
                    let at = (bitmap.y + y) * width + bitmap.x + x
                    let rest = 255 - over >> 24
                    var sum: UInt32 = 0
                    for shift: UInt32 in [0, 8, 16, 24] {
                        sum |= min(255, over >> shift & 255 + ((pixels[at] >> shift & 255) * rest + 127) / 255) << shift
                    }
                    pixels[at] = sum
                }
            }
        }
        self.init(OverlayBitmap(x: 0, y: 0, width: width, height: height, pixels: pixels), width: width, height: height)
    }

    /// The premultiplied color of a pixel, 0…255. Pixels outside the bitmap are transparent.
    subscript(_ x: Int, _ y: Int) -> Pixel {
        guard let bitmap, x >= bitmap.x, y >= bitmap.y, x < bitmap.x + bitmap.width, y < bitmap.y + bitmap.height else {
            return Pixel(0)
        }
        return Pixel(bitmap.pixels[(y - bitmap.y) * bitmap.width + x - bitmap.x])
    }
    /// The covered area in pixels: the sum of alpha.
    var area: Double { bitmap.map { $0.pixels.reduce(0.0) { $0 + Double($1 >> 24) / 255 } } ?? 0 }
    /// The bounding box of all pixels with an alpha above 100.
    var box: CGRect {
        var rect = CGRect.null
        for y in 0..<height {
            for x in 0..<width where self[x, y].a > 100 { rect = rect.union(CGRect(x: x, y: y, width: 1, height: 1)) }
        }
        return rect
    }
}

struct Pixel: Equatable, CustomStringConvertible {
    let r: Int, g: Int, b: Int, a: Int
    init(_ word: UInt32) {
        (a, r, g, b) = (Int(word >> 24), Int(word >> 16 & 255), Int(word >> 8 & 255), Int(word & 255))
    }
    init(_ r: Int, _ g: Int, _ b: Int, _ a: Int = 255) { (self.r, self.g, self.b, self.a) = (r, g, b, a) }
    static let clear = Pixel(0, 0, 0, 0), red = Pixel(255, 0, 0), green = Pixel(0, 255, 0), blue = Pixel(0, 0, 255)
    func isNear(_ other: Pixel, _ tolerance: Int = 2) -> Bool {
        abs(r - other.r) <= tolerance && abs(g - other.g) <= tolerance && abs(b - other.b) <= tolerance
            && abs(a - other.a) <= tolerance
    }
    var description: String { "(\(r) \(g) \(b) \(a))" }
}

extension CGColor {
    static let red = CGColor(red: 1, green: 0, blue: 0, alpha: 1)
    static let green = CGColor(red: 0, green: 1, blue: 0, alpha: 1)
    static let blue = CGColor(red: 0, green: 0, blue: 1, alpha: 1)
}

func shape(_ path: CGPath?, fill: CGColor? = .red, stroke: CGColor? = nil, width: CGFloat = 1) -> CAShapeLayer {
    let layer = CAShapeLayer()
    layer.path = path
    layer.fillColor = fill
    layer.strokeColor = stroke
    layer.lineWidth = width
    return layer
}

func line(_ points: CGPoint...) -> CGPath {
    let path = CGMutablePath()
    path.addLines(between: points)
    return path
}

func isNear(_ a: CGFloat, _ b: CGFloat, _ tolerance: CGFloat = 1e-6) -> Bool { abs(a - b) <= tolerance }
func isNear(_ a: CGPoint, _ b: CGPoint, _ tolerance: CGFloat = 1e-6) -> Bool {
    isNear(a.x, b.x, tolerance) && isNear(a.y, b.y, tolerance)
}
func isNear(_ a: CGRect, _ b: CGRect, _ tolerance: CGFloat = 1e-6) -> Bool {
    isNear(a.origin, b.origin, tolerance) && isNear(a.width, b.width, tolerance)
        && isNear(a.height, b.height, tolerance)
}
