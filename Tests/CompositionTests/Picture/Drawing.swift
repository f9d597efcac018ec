import Filters
import Foundation
import MediaEngine
import TestSupport
import Testing

/// The result of `FrameScaler` for a frame: red, green and blue of each pixel.
struct Drawing {
    let width: Int, height: Int
    private let pixels: [UInt32]

    init(
        _ frame: VideoFrame, width: Int, height: Int, gravity: AVLayerVideoGravity = .resize,
        scaler: FrameScaler = FrameScaler()
    ) throws {
        let placement = VideoPlacement(picture: frame.presentationSize, width: width, height: height, gravity: gravity)
        let (w, h) = (placement.width, placement.height)
        (self.width, self.height) = (w, h)
        var memory = [UInt32](repeating: 0, count: w * h + FrameScaler.slack / 4)
        let isDrawn = memory.withUnsafeMutableBytes { raw in
            raw.baseAddress.map { scaler.draw(frame, placement: placement, into: $0, stride: w * 4) } ?? false
        }
        try #require(isDrawn)
        pixels = memory
    }

    subscript(x: Int, y: Int) -> [Int] {
        let word = pixels[y * width + x]
        return [Int(word >> 16 & 0xff), Int(word >> 8 & 0xff), Int(word & 0xff)]
    }

    /// Writes the image to the folder in `ZOETROPE_PICTURES`, for visual inspection.
    func keep(_ name: String) {
        guard let folder = ProcessInfo.processInfo.environment["ZOETROPE_PICTURES"] else { return }
        var data = Data("P6 \(width) \(height) 255\n".utf8)
        for y in 0..<height { for x in 0..<width { data.append(contentsOf: self[x, y].map { UInt8($0) }) } }
        try? data.write(to: URL(fileURLWithPath: folder).appendingPathComponent(name + ".ppm"))
    }
}

/// Returns the largest difference between the channels of two colors.
func distance(_ a: [Int], _ b: [Int]) -> Int { zip(a, b).map { abs($0 - $1) }.max() ?? 255 }
