import Filters
import MediaEngine
import Testing

@Suite struct CIColorTests {
    @Test func aColourOfCoreGraphicsIsTheSameColour() {
        let color = CGColor(red: 0.25, green: 0.5, blue: 0.75, alpha: 0.5)
        #expect(CIColor(color: color) == CIColor(red: 0.25, green: 0.5, blue: 0.75, alpha: 0.5))
        #expect(CIColor(cgColor: .white) == .white)
    }

    @Test("an image keeps its pixels and time in device RGB")
    func deviceRGB() throws {
        let image = try VideoFrame.bgra(width: 2, height: 1, presentationTime: .zero) { pixels, _ in
            for (offset, byte) in [0, 0, 255, 255, 255, 0, 0, 255].enumerated() { pixels[offset] = UInt8(byte) }
        }
        #expect(CGColorSpaceCreateDeviceRGB() == CGColorSpaceCreateDeviceRGB())
        let copy = try #require(image.copy(colorSpace: CGColorSpaceCreateDeviceRGB()))
        #expect(copy.presentationTime == .zero && copy.presentationSize == image.presentationSize)
        #expect(try copy.pngData == image.pngData)
    }

    /// Every input key constant names a parameter of some filter.
    @Test func keysNameParameters() throws {
        let known = Set(CIFilter.filterNames(inCategory: nil).flatMap { CIFilter(name: $0)?.inputKeys ?? [] })
        for key in [
            kCIInputColor0Key, kCIInputColor1Key, kCIInputPoint0Key, kCIInputPoint1Key, kCIInputRadius0Key,
            kCIInputRadius1Key,
        ] {
            #expect(known.contains(key), "\(key)")
        }
    }
}
