/// A color table for 8-bit pixels.
///
/// Entries have a wider range (−1…2) than displayed values, so that a curve that leaves 0…1 has no corner between two
/// entries. Only the result is clamped. A color between entries is in one of six tetrahedra, whose four corners
/// determine it (tetrahedral interpolation). Each corner needs one multiplication for all three channels, which are
/// 21-bit lanes of a 64-bit integer.
struct ColorCube: Sendable {
    /// The number of entries per side.
    static let size = 33
    /// The entries. Red is in the lowest lane; 12 bits represent −1…2.
    private let entries: [UInt64]

    private static let low: Float = -1, high: Float = 2, levels: Float = 4095

    /// The lookup keys for the 256 values of each channel.
    ///
    /// Bits 0 to 15 have the distance to the next entry in the channel's direction. Bits 16 to 31 have the fraction,
    /// 0…256. The bits from 32 on have the index of the first entry. The sum of three keys has the common first entry.
    private static let red = keys(1), green = keys(size), blue = keys(size * size)
    private static func keys(_ stride: Int) -> [UInt64] {
        (0..<256).map { value in
            let position = Double(value) * Double(size - 1) / 255
            // The last entry is the end of the cell before it.
            let cell = min(Int(position), size - 2)
            let part = Int(((position - Double(cell)) * 256).rounded())
            return UInt64(cell * stride) << 32 | UInt64(part << 16 | stride)
        }
    }
    /// The displayed value for each 12-bit value.
    private static let displayed: [UInt8] = (0..<4096).map { level in
        let value = low + Float(level) / levels * (high - low)
        return UInt8((min(max(value, 0), 1) * 255).rounded())
    }

    /// - Parameter colors: `size`³ colors. Red changes fastest.
    init(_ colors: [SIMD4<Float>]) {
        func level(_ value: Float) -> UInt64 {
            let part = (value - ColorCube.low) / (ColorCube.high - ColorCube.low)
            return UInt64((min(max(part.isNaN ? 0 : part, 0), 1) * ColorCube.levels).rounded())
        }
        entries = colors.map { level($0.x) | level($0.y) << 21 | level($0.z) << 42 }
    }

    /// Changes 32-bit BGRX pixels in place. `stride` is in bytes.
    func apply(to pixels: UnsafeMutableRawPointer, width: Int, height: Int, stride: Int) {
        entries.withUnsafeBufferPointer { entries in
            ColorCube.red.withUnsafeBufferPointer { red in
                ColorCube.green.withUnsafeBufferPointer { green in
                    ColorCube.blue.withUnsafeBufferPointer { blue in
                        ColorCube.displayed.withUnsafeBufferPointer { displayed in
                            guard let entries = entries.baseAddress, let red = red.baseAddress,
                                let green = green.baseAddress,
                                let blue = blue.baseAddress, let displayed = displayed.baseAddress
                            else { return }
                            for y in 0..<height {
                                let row = (pixels + y * stride).assumingMemoryBound(to: UInt32.self)
                                for x in 0..<width {
                                    row[x] = ColorCube.lookUp(row[x], entries, red, green, blue, displayed)
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    @inline(__always)
    private static func lookUp(
        _ pixel: UInt32, _ entries: UnsafePointer<UInt64>, _ red: UnsafePointer<UInt64>, _ green: UnsafePointer<UInt64>,
        _ blue: UnsafePointer<UInt64>, _ displayed: UnsafePointer<UInt8>
    ) -> UInt32 {
        let b = blue[Int(pixel & 255)]
        let g = green[Int(pixel >> 8 & 255)]
        let r = red[Int(pixel >> 16 & 255)]
        let all = r &+ g &+ b
        // Sort the fractions in descending order, without branches, because a processor can't predict them.
        let rk = UInt32(truncatingIfNeeded: r)
        let gk = UInt32(truncatingIfNeeded: g)
        let bk = UInt32(truncatingIfNeeded: b)
        let high = rk > gk ? rk : gk
        let low = rk > gk ? gk : rk
        let first = high > bk ? high : bk
        let third = low < bk ? low : bk
        let second = UInt32(truncatingIfNeeded: all) &- first &- third
        let a = UInt64(first >> 16)
        let m = UInt64(second >> 16)
        let z = UInt64(third >> 16)
        let start = entries + Int(all >> 32)
        let next = start + Int(first & 0xFFFF)
        let further = next + Int(second & 0xFFFF)
        let last = further + Int(third & 0xFFFF)
        // Separate expressions with types: as a single expression, the compiler needs three seconds.
        let half: UInt64 = 128 | 128 << 21 | 128 << 42
        let near: UInt64 = start.pointee &* (256 &- a) &+ next.pointee &* (a &- m)
        let far: UInt64 = further.pointee &* (m &- z) &+ last.pointee &* z
        let sum: UInt64 = near &+ far &+ half
        let newRed = UInt32(displayed[Int(sum >> 8 & 4095)])
        let newGreen = UInt32(displayed[Int(sum >> 29 & 4095)])
        let newBlue = UInt32(displayed[Int(sum >> 50 & 4095)])
        return newBlue | newGreen << 8 | newRed << 16 | 0xFF00_0000
    }
}
