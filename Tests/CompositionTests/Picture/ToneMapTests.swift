import CFFmpeg
import Foundation
import MediaEngine
import TestSupport
import Testing

/// A second implementation of the formulas, as printed in the recommendations, for colors well inside BT.709.
enum Reference {
    /// Returns the light of a PQ code by SMPTE ST 2084, in cd/m².
    static func pqLight(_ e: Double) -> Double {
        let root = pow(e, 32 / 2523.0)
        return 10_000 * pow(max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root), 8192 / 1305.0)
    }
    static func pqCode(_ nits: Double) -> Double {
        let y = pow(nits / 10_000, 0.1593017578125)
        return pow((0.8359375 + 18.8515625 * y) / (1 + 18.6875 * y), 78.84375)
    }
    static func hlgScene(_ e: Double) -> Double {
        e <= 0.5 ? e * e / 3 : (exp((e - 0.55991073) / 0.17883277) + 0.28466892) / 12
    }
    static func hlgCode(_ scene: Double) -> Double {
        scene <= 1.0 / 12 ? sqrt(3 * scene) : 0.17883277 * log(12 * scene - 0.28466892) + 0.55991073
    }

    /// Returns the tone-mapped light by BT.2390-8 §5.4.1, in cd/m², for a black of 0 and a white of 203 cd/m².
    static func eetf(_ nits: Double, peak: Double) -> Double {
        if peak <= 203 { return min(nits, 203) }
        let top = pqCode(peak)
        let e1 = min(1, pqCode(nits) / top)
        let maxLum = pqCode(203) / top
        let ks = 1.5 * maxLum - 0.5
        guard e1 >= ks else { return nits }
        let t = (e1 - ks) / (1 - ks)
        let e2 =
            (2 * t * t * t - 3 * t * t + 1) * ks + (t * t * t - 2 * t * t + t) * (1 - ks) + (-2 * t * t * t + 3 * t * t)
            * maxLum
        return pqLight(e2 * top)
    }

    /// Converts BT.2020 to BT.709 with the matrix of BT.2087-0, rounded as printed there. The inverse is rounded
    /// likewise.
    static func to709(_ c: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(
            1.6605 * c.x - 0.5876 * c.y - 0.0728 * c.z, -0.1246 * c.x + 1.1329 * c.y - 0.0083 * c.z,
            -0.0182 * c.x - 0.1006 * c.y + 1.1187 * c.z)
    }
    static func from709(_ c: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(
            0.6274 * c.x + 0.3293 * c.y + 0.0433 * c.z, 0.0691 * c.x + 0.9195 * c.y + 0.0114 * c.z,
            0.0164 * c.x + 0.0880 * c.y + 0.8956 * c.z)
    }

    /// Converts display light in BT.2020, in cd/m², to 8-bit codes.
    static func shown(_ nits: SIMD3<Double>, peak: Double) -> [Int] {
        let c = to709(nits)
        let brightest = c.max()
        guard brightest > 0 else { return [0, 0, 0] }
        let scaled = c * (eetf(brightest, peak: peak) / brightest)
        return [scaled.x, scaled.y, scaled.z].map { Int((255 * pow(max(0, $0) / 203, 1 / 2.4)).rounded()) }
    }
    static func hlgLight(_ e: SIMD3<Double>) -> SIMD3<Double> {
        let scene = SIMD3(hlgScene(e.x), hlgScene(e.y), hlgScene(e.z))
        return scene * (1000 * pow(0.2627 * scene.x + 0.6780 * scene.y + 0.0593 * scene.z, 0.2))
    }
}

@Suite("Tone mapping")
struct ToneMapTests {
    private func codes(_ map: ToneMap, _ code: SIMD3<Double>) -> [Int] {
        let shown = map(code)
        return [shown.x, shown.y, shown.z].map { Int(($0 * 255).rounded()) }
    }
    private func pq(_ nits: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(Reference.pqCode(nits.x), Reference.pqCode(nits.y), Reference.pqCode(nits.z))
    }
    private let film = ToneMap(transfer: .pq, primaries: .bt2020)

    @Test("levels match BT.2408: white at 58 % PQ and 75 % HLG")
    func levels() {
        #expect(abs(TransferFunction.pq.code(203.0 / 10_000) - 0.58) < 0.002)
        #expect(abs(TransferFunction.pq.code(1000.0 / 10_000) - 0.7518) < 0.0005)
        #expect(abs(TransferFunction.pq.code(100.0 / 10_000) - 0.5081) < 0.0005)
        let scene = TransferFunction.hlg.light(0.75)
        #expect(abs(1000 * pow(scene, 1.2) - 203) < 1)
        for function in [TransferFunction.pq, .hlg, .gamma] {
            for step in 0...50 {
                #expect(abs(function.code(function.light(Double(step) / 50)) - Double(step) / 50) < 1e-5)
            }
        }
    }

    @Test(
        "black stays black, grays stay gray and ordered, the end is white",
        arguments: [TransferFunction.pq, .hlg, .gamma])
    func grays(transfer: TransferFunction) {
        let map = ToneMap(transfer: transfer, primaries: .bt2020)
        var last = -1.0
        for step in 0...1000 {
            let shown = map(SIMD3(repeating: Double(step) / 1000))
            #expect(abs(shown.x - shown.y) < 1e-6 && abs(shown.y - shown.z) < 1e-6)
            #expect(shown.x >= last, "\(step)")
            last = shown.x
        }
        #expect(map(.zero) == .zero && abs(last - 1) < 1e-9)
    }

    @Test("diffuse white is near white and dark values keep their brightness")
    func knee() {
        let white = codes(film, pq(SIMD3(repeating: 203)))[0]
        let peak = codes(film, pq(SIMD3(repeating: 1000)))[0]
        #expect(white == 230 && peak == 255)
        for nits in [0.05, 1, 10, 50] {
            #expect(abs(film(pq(SIMD3(repeating: nits))).x - pow(nits / 203, 1 / 2.4)) < 1e-6)
        }
    }

    @Test(
        "a higher mastering peak compresses earlier; a peak at white changes nothing",
        arguments: [203.0, 400, 1000, 4000, 10_000])
    func peaks(peak: Double) {
        let map = ToneMap(transfer: .pq, primaries: .bt2020, peak: peak)
        for nits in [1.0, 30, 100, 150, 203, 350, 700, 2000, 9000] {
            #expect(
                distance(codes(map, pq(SIMD3(repeating: nits))), Reference.shown(SIMD3(repeating: nits), peak: peak))
                    <= 1, "\(nits) of \(peak)")
        }
    }

    @Test("colors brighter than the metadata's peak turn white")
    func beyond() {
        let shown = film(pq(SIMD3(9000, 5000, 1000)))
        #expect((shown - SIMD3(repeating: 1)).min() > -1e-6)
    }

    @Test("colors inside BT.709 match the formulas and keep their hue")
    func colors() {
        for nits in [5.0, 80, 300, 900] {
            for color in [
                SIMD3(1, 0.3, 0.2), SIMD3(0.3, 1, 0.4), SIMD3(0.2, 0.3, 1), SIMD3(1, 0.9, 0.3), SIMD3(0.3, 1, 1),
            ] {
                let light = Reference.from709(color * nits)
                #expect(distance(codes(film, pq(light)), Reference.shown(light, peak: 1000)) <= 1, "\(color) \(nits)")
                let shown = film(pq(light))
                let linear = SIMD3(pow(shown.x, 2.4), pow(shown.y, 2.4), pow(shown.z, 2.4))
                #expect((linear / linear.max() - color).max() < 0.003, "\(color) \(nits)")
            }
            let code = SIMD3(0.7, 0.6, 0.5) * min(1, nits / 300)
            let hlg = ToneMap(transfer: .hlg, primaries: .bt2020)
            #expect(distance(codes(hlg, code), Reference.shown(Reference.hlgLight(code), peak: 1000)) <= 1)
        }
    }

    @Test("pure BT.2020 colors stay in range and remain different", arguments: 0..<6)
    func gamut(corner: Int) {
        let full = [SIMD3(1.0, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1), SIMD3(1, 1, 0), SIMD3(0, 1, 1), SIMD3(1, 0, 1)][
            corner]
        // From the purest color towards gray of the same largest channel.
        var last: SIMD3<Double>?
        for step in 0...20 {
            let light = full + (SIMD3(repeating: 1) - full) * Double(step) / 100
            let shown = film(pq(light * 100))
            #expect(shown.min() >= 0 && shown.max() <= 1)
            if let last { #expect(shown != last) }
            last = shown
        }
        let map = ToneMap(transfer: .gamma, primaries: .bt2020)
        let sdr = map(full)
        #expect(sdr.min() >= 0 && sdr.max() <= 1)
    }

    @Test("BT.709 content in BT.2020 is shown unchanged except for pure colors")
    func container() {
        let map = ToneMap(transfer: .gamma, primaries: .bt2020)
        for red in stride(from: 0.0, through: 1, by: 0.25) {
            for green in stride(from: 0.0, through: 1, by: 0.25) {
                for blue in stride(from: 0.0, through: 1, by: 0.25) {
                    let color = SIMD3(red, green, blue)
                    let light = Reference.from709(SIMD3(pow(red, 2.4), pow(green, 2.4), pow(blue, 2.4)))
                    let shown = codes(map, SIMD3(pow(light.x, 1 / 2.4), pow(light.y, 1 / 2.4), pow(light.z, 1 / 2.4)))
                    #expect(
                        distance(shown, [red, green, blue].map { Int(($0 * 255).rounded()) })
                            <= (color.min() < 0.05 ? 9 : 1), "\(color)")
                }
            }
        }
    }

    /// Colors at which the formula changes abruptly may differ by up to eight codes.
    @Test(
        "the table matches the formula to one code almost everywhere",
        arguments: [
            ToneMap(transfer: .pq, primaries: .bt2020), ToneMap(transfer: .pq, primaries: .bt2020, peak: 4000),
            ToneMap(transfer: .hlg, primaries: .bt2020),
            ToneMap(transfer: .gamma, primaries: .bt2020), ToneMap(transfer: .gamma, primaries: .p3),
            ToneMap(transfer: .pq, primaries: .bt709),
        ])
    func table(map: ToneMap) {
        var seed: UInt64 = 1
        func random() -> UInt16 {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt16(truncatingIfNeeded: seed >> 40)
        }
        // The count is not a multiple of the four pixels that are processed at once.
        let count = 3001
        let red = (0..<count).map { _ in random() }
        let green = (0..<count).map { $0 % 3 == 0 ? red[$0] : random() }
        let blue = (0..<count).map { $0 % 3 == 0 ? red[$0] : random() }
        var drawn = [UInt32](repeating: 0xffff_ffff, count: count + 1)
        ToneTable.shared(map).draw(red: red, green: green, blue: blue, count: count, into: &drawn)
        #expect(drawn[count] == 0xffff_ffff)
        var far = 0
        for i in 0..<count {
            let wanted = codes(map, SIMD3(Double(red[i]), Double(green[i]), Double(blue[i])) / 65535)
            let got = [Int(drawn[i] >> 16 & 0xff), Int(drawn[i] >> 8 & 0xff), Int(drawn[i] & 0xff)]
            #expect(drawn[i] >> 24 == 0xff)
            #expect(distance(got, wanted) <= 8, "\(red[i]) \(green[i]) \(blue[i])")
            if distance(got, wanted) > 1 { far += 1 }
            if red[i] == green[i], green[i] == blue[i] { #expect(got[0] == got[1] && got[1] == got[2]) }
        }
        #expect(far * 500 <= count, "\(far) of \(count)")
    }

    @Test("equal tone maps share one table")
    func shared() {
        #expect(ToneTable.shared(film) === ToneTable.shared(ToneMap(transfer: .pq, primaries: .bt2020, peak: 1000.3)))
        #expect(ToneTable.shared(film) !== ToneTable.shared(ToneMap(transfer: .pq, primaries: .bt2020, peak: 1200)))
    }
}
