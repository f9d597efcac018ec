import Foundation

/// From what a picture was mastered for to what is shown here: BT.709 colours in standard dynamic range, in the
/// encoding that SDR video has (BT.1886), so that both look alike side by side. The one definition of the colours
/// of HDR; `ToneTable` is what it is drawn with.
///
/// High dynamic range is brought down as Rec. ITU-R BT.2390-8 (§5.4.1) says, on the greatest of red, green and blue,
/// so that a colour keeps its hue: all below a knee stays as bright as it is, what lies between the knee and the
/// brightest that was mastered rolls off below white. White is 203 cd/m² (BT.2408-4). Hybrid log-gamma is
/// first shown on a screen of 1000 cd/m² (BT.2100-2, gamma 1.2). Colours outside BT.709 lose saturation until
/// they fit; the outermost of those within give way a little, so that differences stay visible.
package struct ToneMap: Sendable, Hashable {
    package let transfer: TransferFunction
    package let primaries: ColorPrimaries
    /// The brightest the picture was mastered with, cd/m². 203…10 000, in whole steps.
    package let peak: Double

    /// Diffuse white, and the brightest of SDR, cd/m².
    package static let white = 203.0
    /// What is assumed of a picture that does not tell: the commonest mastering display; HLG's nominal one.
    package static let commonPeak = 1000.0

    /// - Parameter peak: cd/m², of PQ alone: the others' follows from what they are. Clamped to 203…10 000.
    package init(transfer: TransferFunction, primaries: ColorPrimaries, peak: Double = ToneMap.commonPeak) {
        self.transfer = transfer
        self.primaries = primaries
        switch transfer {
        case .gamma: self.peak = ToneMap.white
        case .hlg: self.peak = ToneMap.commonPeak
        case .pq: self.peak = peak.isFinite ? min(10_000, max(ToneMap.white, peak.rounded())) : ToneMap.commonPeak
        }
    }

    /// The colour as it is shown; code values 0…1 in and out.
    package func callAsFunction(_ code: SIMD3<Double>) -> SIMD3<Double> {
        let steps = Steps(self)
        var light = SIMD3(steps.light(code.x), steps.light(code.y), steps.light(code.z))
        if transfer == .hlg { light *= steps.lift((light * steps.luminance).sum()) }
        let color = ColorPrimaries.apply(steps.matrix, light)
        let brightest = color.max()
        guard brightest > 0 else { return .zero }
        let ratio = color / brightest
        return SIMD3(steps.share(ratio.x), steps.share(ratio.y), steps.share(ratio.z)) * steps.top(brightest)
    }

    /// The steps on the way: a matrix, and functions of one number each, so that a table can stand for every one.
    package struct Steps: Sendable {
        private let map: ToneMap
        /// To BT.709.
        package let matrix: ColorPrimaries.Matrix
        /// Weights of the picture's own primaries.
        package let luminance: SIMD3<Double>
        private let rollOff: RollOff

        package init(_ map: ToneMap) {
            self.map = map
            matrix = map.primaries.matrix(to: .bt709)
            luminance = map.primaries.luminance
            rollOff = RollOff(peak: map.peak)
        }

        /// Light of a channel's code value, of the display; 1 is SDR's white. What is brighter than the peak ends
        /// there, as on the display it was mastered on. HLG's: of the scene, 0…1.
        package func light(_ code: Double) -> Double {
            let light = map.transfer.light(code)
            return map.transfer == .pq ? min(light * 10_000, map.peak) / ToneMap.white : light
        }

        /// HLG's opto-optical transfer: what the scene's light is multiplied with, by its luminance.
        package func lift(_ luminance: Double) -> Double {
            ToneMap.commonPeak / ToneMap.white * pow(max(0, luminance), 0.2)
        }

        /// The code value of the greatest channel, by its light.
        package func top(_ light: Double) -> Double { TransferFunction.gamma.code(rollOff(light)) }

        /// A channel's code value as a share of the greatest one's, by the ratio of their lights. The smaller, the
        /// purer the colour; light below 0 lies outside BT.709.
        package func share(_ ratio: Double) -> Double {
            let gamma = TransferFunction.gamma
            let share = ratio < 0 ? -gamma.code(-ratio) : gamma.code(ratio)
            let purity = 1 - share
            let knee = 0.95
            guard purity > knee else { return share }
            // BT.2020's purest cyan has 1.8; that comes to the very edge.
            let x = (purity - knee) / (1 - knee)
            let farthest = (1.85 - knee) / (1 - knee)
            return (1 - knee) * (1 - min(1, x / (1 + x * (1 - 1 / farthest))))
        }
    }

    /// The EETF of BT.2390-8, from `peak` to white, black at 0 in both; light with 1 as white in and out.
    private struct RollOff: Sendable {
        private let top: Double, end: Double, knee: Double
        private let unit = ToneMap.white / 10_000

        init(peak: Double) {
            let pq = TransferFunction.pq
            top = pq.code(peak / 10_000)
            end = pq.code(ToneMap.white / 10_000) / top
            knee = 1.5 * end - 0.5
        }

        func callAsFunction(_ light: Double) -> Double {
            guard end < 1 else { return min(1, light) }
            let pq = TransferFunction.pq
            let e = min(1, pq.code(light * unit) / top)
            guard e > knee else { return light }
            let t = (e - knee) / (1 - knee)
            let t2 = t * t
            let t3 = t2 * t
            let p = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (-2 * t3 + 3 * t2) * end
            return min(1, pq.light(p * top) / unit)
        }
    }
}
