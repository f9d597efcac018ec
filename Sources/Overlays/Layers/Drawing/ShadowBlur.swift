/// A Gaussian blur, approximated by three box blurs (Wells, 1986). The error is at most 3 % and the time is independent
/// of the radius.
enum ShadowBlur {
    static func blur(_ bytes: UnsafeMutableRawBufferPointer, width: Int, height: Int, stride: Int, sigma: Double) {
        guard sigma >= 0.3, width > 0, height > 0, stride >= width, bytes.count >= stride * height else { return }
        // Odd box widths whose variances add up to the variance of `sigma`.
        let ideal = (12 * sigma * sigma / 3 + 1).squareRoot()
        var small = Int(ideal)
        if small % 2 == 0 { small -= 1 }
        let s = Double(small)
        let count = Int(((12 * sigma * sigma - 3 * s * s - 12 * s - 9) / (-4 * s - 4)).rounded())
        let radii = (0..<3).map { ($0 < count ? small : small + 2) / 2 }
        let longest = max(width, height)
        var line = [UInt8](repeating: 0, count: longest)
        var out = [UInt8](repeating: 0, count: longest)
        func pass(_ start: Int, _ step: Int, _ n: Int) {
            for i in 0..<n { line[i] = bytes[start + i * step] }
            for radius in radii where radius > 0 {
                let size = UInt32(2 * radius + 1)
                var sum: UInt32 = 0
                for i in 0..<min(radius, n) { sum += UInt32(line[i]) }
                for i in 0..<n {
                    if i + radius < n { sum += UInt32(line[i + radius]) }
                    out[i] = UInt8((sum + size / 2) / size)
                    if i - radius >= 0 { sum -= UInt32(line[i - radius]) }
                }
                swap(&line, &out)
            }
            for i in 0..<n { bytes[start + i * step] = line[i] }
        }
        for y in 0..<height { pass(y * stride, 1, width) }
        for x in 0..<width { pass(x, stride, height) }
    }
}
