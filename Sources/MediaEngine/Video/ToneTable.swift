import Synchronization

/// The tables with which a `ToneMap` is drawn on the CPU. Each step is a table of one number.
///
/// The error is at most one 8-bit code. A color cube, which is no faster, had errors of up to 46 codes with 33³ colors
/// and up to 32 with 65³. The reason is that a matrix between two gamma curves bends sharply for pure colors. Immutable
/// and thread-safe.
package final class ToneTable: Sendable {
    package let map: ToneMap
    private let matrix: [Float], luminance: [Float]
    /// The light for each 12-bit code. A step is at most a fourteenth of an 8-bit code.
    private let light: [Float]
    private let tops: FloatTable, lifts: FloatTable
    /// The shares of ratios from 0 on, followed by those of negative ratios.
    private let shares: FloatTable

    private static let kept = Mutex<[ToneTable]>([])

    /// Returns the table of `map`: a recently used one, or a new one, which takes a millisecond. Thread-safe.
    package static func shared(_ map: ToneMap) -> ToneTable {
        kept.withLock { tables in
            if let index = tables.firstIndex(where: { $0.map == map }) {
                if index > 0 { tables.insert(tables.remove(at: index), at: 0) }
                return tables[0]
            }
            tables.insert(ToneTable(map), at: 0)
            // A video needs one table; a row of items needs a few.
            if tables.count > 4 { tables.removeLast() }
            return tables[0]
        }
    }

    private init(_ map: ToneMap) {
        self.map = map
        let steps = ToneMap.Steps(map)
        let m = steps.matrix
        matrix = [m.0, m.1, m.2].flatMap { [Float($0.x), Float($0.y), Float($0.z)] }
        luminance = [Float(steps.luminance.x), Float(steps.luminance.y), Float(steps.luminance.z)]
        light = (0..<4096).map { Float(steps.light(Double($0) / 4095)) }
        // The peak of PQ is 49 times white, and 1.7 times that in BT.709.
        tops = FloatTable(from: -16, to: 7) { steps.top($0) * 255 }
        shares = FloatTable(from: -16, to: 0) {
            steps.share($0)
        } below: {
            steps.share($0)
        }
        lifts = FloatTable(from: -16, to: 0) { steps.lift($0) }
    }

    /// Draws a row: converts `count` pixels with 16 bits per channel to 32-bit words, 0x00RRGGBB.
    package func draw(
        red: UnsafePointer<UInt16>, green: UnsafePointer<UInt16>, blue: UnsafePointer<UInt16>, count: Int,
        into target: UnsafeMutablePointer<UInt32>
    ) {
        light.withUnsafeBufferPointer { light in
            tops.values.withUnsafeBufferPointer { tops in
                shares.values.withUnsafeBufferPointer { shares in
                    lifts.values.withUnsafeBufferPointer { lifts in
                        guard let light = light.baseAddress, let tops = tops.baseAddress,
                            let shares = shares.baseAddress, let lifts = lifts.baseAddress
                        else { return }
                        let pointers = Pointers(light: light, tops: tops, shares: shares, lifts: lifts)
                        var x = 0
                        while x + 4 <= count {
                            let colors = colors(pointers, load(red + x), load(green + x), load(blue + x))
                            UnsafeMutableRawPointer(target + x).storeBytes(of: colors, as: SIMD4<UInt32>.self)
                            x += 4
                        }
                        guard x < count else { return }
                        var codes = (SIMD4<UInt16>.zero, SIMD4<UInt16>.zero, SIMD4<UInt16>.zero)
                        for i in x..<count {
                            (codes.0[i - x], codes.1[i - x], codes.2[i - x]) = (red[i], green[i], blue[i])
                        }
                        let rest = colors(pointers, codes.0, codes.1, codes.2)
                        for i in x..<count { target[i] = rest[i - x] }
                    }
                }
            }
        }
    }

    private struct Pointers { let light, tops, shares, lifts: UnsafePointer<Float> }

    @inline(__always) private func load(_ codes: UnsafePointer<UInt16>) -> SIMD4<UInt16> {
        UnsafeRawPointer(codes).loadUnaligned(as: SIMD4<UInt16>.self)
    }

    /// Converts four pixels at once: arithmetic with vectors, table lookups one by one.
    @inline(__always) private func colors(
        _ tables: Pointers, _ red: SIMD4<UInt16>, _ green: SIMD4<UInt16>, _ blue: SIMD4<UInt16>
    ) -> SIMD4<UInt32> {
        var r = light(tables.light, red)
        var g = light(tables.light, green)
        var b = light(tables.light, blue)
        if map.transfer == .hlg {
            let y = r * luminance[0] + g * luminance[1] + b * luminance[2]
            let lift = lookUp(tables.lifts, lifts.indices(y))
            r *= lift
            g *= lift
            b *= lift
        }
        let m = matrix
        (r, g, b) = (r * m[0] + g * m[3] + b * m[6], r * m[1] + g * m[4] + b * m[7], r * m[2] + g * m[5] + b * m[8])
        let brightest = larger(larger(r, g), larger(b, SIMD4(repeating: 1e-9)))
        let top = lookUp(tables.tops, tops.indices(brightest))
        let part = 1 / brightest
        let red8 = whole(lookUp(tables.shares, shares.signedIndices(r * part)) * top)
        let green8 = whole(lookUp(tables.shares, shares.signedIndices(g * part)) * top)
        let blue8 = whole(lookUp(tables.shares, shares.signedIndices(b * part)) * top)
        return SIMD4(repeating: 0xFF00_0000) | red8 &<< 16 | green8 &<< 8 | blue8
    }

    @inline(__always) private func light(_ light: UnsafePointer<Float>, _ code: SIMD4<UInt16>) -> SIMD4<Float> {
        // Converts 16 bits to 0…4095, rounded.
        let index = (code &- (code &>> 12) &+ 8) &>> 4
        return SIMD4(light[Int(index.x)], light[Int(index.y)], light[Int(index.z)], light[Int(index.w)])
    }

    @inline(__always) private func lookUp(_ table: UnsafePointer<Float>, _ index: SIMD4<UInt32>) -> SIMD4<Float> {
        SIMD4(table[Int(index.x)], table[Int(index.y)], table[Int(index.z)], table[Int(index.w)])
    }

    @inline(__always) private func larger(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD4<Float> {
        a.replacing(with: b, where: b .> a)
    }

    /// Rounds numbers from 0 to 2²². Adding 2²³ removes the fraction and leaves the whole number in the lowest bits.
    @inline(__always) private func whole(_ x: SIMD4<Float>) -> SIMD4<UInt32> {
        unsafeBitCast(x + 8_388_608, to: SIMD4<UInt32>.self) & 0x7f_ffff
    }
}

/// A function of a number as a table, indexed by the number's bits: 128 entries per power of two.
private struct FloatTable: Sendable {
    let values: [Float]
    private let least: Float, greatest: Float
    private let first: UInt32, count: UInt32

    /// Creates a table from 0 to 2^`high`, above which the value is constant. 2^`low` is added to every number, so that
    /// 0 can be looked up.
    ///
    /// - Parameter below: The function for negative numbers. Its entries follow the others.
    init(from low: Int, to high: Int, _ value: (Double) -> Double, below: ((Double) -> Double)? = nil) {
        let least = Float(sign: .plus, exponent: low, significand: 1)
        let greatest = Float(sign: .plus, exponent: high, significand: 1)
        let first = least.bitPattern >> 16
        let count = (greatest.bitPattern >> 16) - first + 1
        let numbers = (first..<first + count).map { Double(Float(bitPattern: $0 << 16)) - Double(least) }
        values = numbers.map { Float(value($0)) } + (below.map { below in numbers.map { Float(below(-$0)) } } ?? [])
        (self.least, self.greatest, self.first, self.count) = (least, greatest, first, count)
    }

    /// Returns the indices of the entries closest to `x`, which must not be negative.
    @inline(__always) func indices(_ x: SIMD4<Float>) -> SIMD4<UInt32> {
        let moved = x + least
        let end = SIMD4<Float>(repeating: greatest)
        return (unsafeBitCast(moved.replacing(with: end, where: moved .> end), to: SIMD4<UInt32>.self) &+ 0x8000) &>> 16
            &- first
    }

    @inline(__always) func signedIndices(_ x: SIMD4<Float>) -> SIMD4<UInt32> {
        let bits = unsafeBitCast(x, to: SIMD4<UInt32>.self)
        // All bits are set for negative numbers.
        let isBelow = SIMD4<UInt32>.zero &- (bits &>> 31)
        return indices(unsafeBitCast(bits & 0x7fff_ffff, to: SIMD4<Float>.self)) &+ (isBelow & count)
    }
}
