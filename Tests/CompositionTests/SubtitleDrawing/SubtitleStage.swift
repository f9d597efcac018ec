import CFFmpeg
import Foundation
import MediaCore
import MediaEngine
import TestSupport

@testable import Overlays

/// A view of a fixed size with subtitles, whose pixels a test can examine.
final class SubtitleStage {
    let overlay = SubtitleOverlay()
    var geometry: OverlayGeometry
    /// The content of the last `draw`.
    private(set) var content = OverlayContent.nothing

    init(width: Int = 640, height: Int = 360) {
        geometry = OverlayGeometry(
            width: width, height: height, frameX: 0, frameY: 0, frameWidth: width, frameHeight: height, scale: 1
        )
    }

    convenience init(_ text: String, width: Int = 640, height: Int = 360) throws {
        self.init(width: width, height: height)
        overlay.show(try SubtitleStage.document(text))
    }

    static func document(_ text: String, name: String = "test.txt") throws -> SubtitleDocument {
        try SubtitleDocument(Array(text.utf8), url: URL(fileURLWithPath: "/subtitles/\(name)"))
    }

    /// Returns the pixels of the whole view, 0xAARRGGBB, premultiplied.
    @discardableResult
    func draw(_ seconds: Double) -> [UInt32] {
        content = overlay.content(
            at: CMTime(nanoseconds: Int64((seconds * 1e9).rounded())), hostTime: .zero, in: geometry)
        var pixels = [UInt32](repeating: 0, count: geometry.width * geometry.height)
        for bitmap in content.bitmaps {
            for y in 0..<bitmap.height where (0..<geometry.height).contains(bitmap.y + y) {
                for x in 0..<bitmap.width where (0..<geometry.width).contains(bitmap.x + x) {
                    let new = bitmap.pixels[y * bitmap.width + x]
                    let index = (bitmap.y + y) * geometry.width + bitmap.x + x
                    if new >> 24 == 255 || pixels[index] == 0 {
                        pixels[index] = new
                    } else if new != 0 {
                        pixels[index] = new
                    }
                }
            }
        }
        return pixels
    }

    struct Box: Equatable {
        var left: Int, top: Int, right: Int, bottom: Int
        var width: Int { right - left }
        var height: Int { bottom - top }
        var middle: Int { (left + right) / 2 }
        var center: Int { (top + bottom) / 2 }
    }

    /// Returns the bounding box of the pixels for which `isInk` returns true, or nil.
    func ink(_ pixels: [UInt32], _ isInk: (_ alpha: Int, _ red: Int, _ green: Int, _ blue: Int) -> Bool) -> Box? {
        var box: Box?
        for (index, pixel) in pixels.enumerated() {
            guard isInk(Int(pixel >> 24), Int(pixel >> 16 & 255), Int(pixel >> 8 & 255), Int(pixel & 255)) else {
                continue
            }
            let x = index % geometry.width
            let y = index / geometry.width
            box =
                box.map {
                    Box(
                        left: min($0.left, x), top: min($0.top, y), right: max($0.right, x + 1),
                        bottom: max($0.bottom, y + 1))
                }
                ?? Box(left: x, top: y, right: x + 1, bottom: y + 1)
        }
        return box
    }

    /// Returns the bounding box of all visible pixels, or nil.
    func all(_ seconds: Double) -> Box? { ink(draw(seconds)) { alpha, _, _, _ in alpha > 0 } }
    /// Returns the bounding box of the letters, which are brighter than their background, or nil.
    func letters(_ seconds: Double) -> Box? {
        ink(draw(seconds)) { _, red, green, blue in max(red, green, blue) > 160 }
    }
    /// Returns the bounding box of the red pixels, or nil.
    func red(_ seconds: Double) -> Box? {
        ink(draw(seconds)) { _, red, green, blue in red > 150 && green < 80 && blue < 80 }
    }
    func green(_ seconds: Double) -> Box? {
        ink(draw(seconds)) { _, red, green, blue in green > 110 && red < 80 && blue < 80 }
    }
    func blue(_ seconds: Double) -> Box? {
        ink(draw(seconds)) { _, red, green, blue in blue > 150 && red < 80 && green < 80 }
    }

    /// Writes the view at `seconds` over gray to the folder in `ZT_SUBTITLE_PICTURES`, for visual inspection.
    func save(_ seconds: Double, _ name: String) {
        guard let folder = ProcessInfo.processInfo.environment["ZT_SUBTITLE_PICTURES"] else { return }
        let pixels = draw(seconds)
        var bytes = Array("P6 \(geometry.width) \(geometry.height) 255\n".utf8)
        for (index, pixel) in pixels.enumerated() {
            let keep = 255 - Int(pixel >> 24)
            let x = index % geometry.width
            let ground = 90 + x * 60 / geometry.width
            for shift in [16, 8, 0] as [UInt32] {
                bytes.append(UInt8(min(255, Int(pixel >> shift & 255) + ground * keep / 255)))
            }
        }
        try? Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(name).ppm"))
    }
}
