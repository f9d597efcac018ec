import Foundation

/// The conversion from a frame's mastered colors to displayed ones: BT.709 colors in standard dynamic range, encoded
/// like SDR video (BT.1886), so that HDR and SDR look alike side by side. This is the definition of HDR colors;
/// `ToneTable` draws with them.
///
/// High dynamic range is reduced according to Rec. ITU-R BT.2390-8 (§5.4.1), applied to the maximum of red, green and
/// blue, so that colors keep their hue. Values below a knee keep their brightness. Values between the knee and the
/// mastered peak roll off to white. White is 203 cd/m² (BT.2408-4). Hybrid log-gamma is first converted to a display of
/// 1000 cd/m² (BT.2100-2, gamma 1.2). Colors outside BT.709 lose saturation until they fit. The most saturated colors
/// within BT.709 are reduced slightly, so that differences stay visible.
package struct ToneMap: Sendable, Hashable {
    package let transfer: TransferFunction
    package let primaries: ColorPrimaries
    /// The mastered peak brightness in cd/m², from 203 to 10,000, in whole steps.
    package let peak: Double

    /// The brightness of diffuse white, which is the maximum of SDR, in cd/m².
    package static let white = 203.0
    /// The peak brightness in cd/m² that is assumed if the frame does not specify it. It is that of the most common
    /// mastering displays and the nominal peak of HLG.
    package static let commonPeak = 1000.0

    /// Creates a map.
    ///
    /// - Parameter peak: The mastered peak in cd/m², used for PQ only, because it is fixed for the other functions.
    ///   Clamped to 203…10,000.
    package init(transfer: TransferFunction, primaries: ColorPrimaries, peak: Double = ToneMap.commonPeak) {
        self.transfer = transfer
        self.primaries = primaries
        switch transfer {
        case .gamma: self.peak = ToneMap.white
        case .hlg: self.peak = ToneMap.commonPeak
        case .pq: self.peak = peak.isFinite ? min(10_000, max(ToneMap.white, peak.rounded())) : ToneMap.commonPeak
        }
    }

    /// Returns the displayed color for a mastered one. Both are code values from 0 to 1.
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

    /// The steps of the conversion: a matrix and functions of one number, so that each function can be replaced by a
    /// table.
    package struct Steps: Sendable {
        private let map: ToneMap
        /// The matrix to BT.709.
        package let matrix: ColorPrimaries.Matrix
        /// The luminance weights of the frame's own primaries.
        package let luminance: SIMD3<Double>
        private let rollOff: RollOff

        package init(_ map: ToneMap) {
            self.map = map
            matrix = map.primaries.matrix(to: .bt709)
            luminance = map.primaries.luminance
            rollOff = RollOff(peak: map.peak)
        }

        /// Returns the light of a channel's code value on the display, where 1 is the white of SDR. Light above the
        /// peak is clipped, as on the mastering display. For HLG, the result is the light of the scene, from 0 to 1.
        package func light(_ code: Double) -> Double {
            let light = map.transfer.light(code)
            return map.transfer == .pq ? min(light * 10_000, map.peak) / ToneMap.white : light
        }

        /// Returns the factor of HLG's opto-optical transfer function for a luminance of the scene.
        package func lift(_ luminance: Double) -> Double {
            ToneMap.commonPeak / ToneMap.white * pow(max(0, luminance), 0.2)
        }

        /// Returns the code value of the maximum channel for its light.
        package func top(_ light: Double) -> Double { TransferFunction.gamma.code(rollOff(light)) }

        /// Returns a channel's code value relative to the maximum channel's, for the ratio of their lights. Smaller
        /// values are purer colors; a ratio below 0 is outside BT.709.
        package func share(_ ratio: Double) -> Double {
            let gamma = TransferFunction.gamma
            let share = ratio < 0 ? -gamma.code(-ratio) : gamma.code(ratio)
            let purity = 1 - share
            let knee = 0.95
            guard purity > knee else { return share }
            // The purest cyan of BT.2020 has a purity of 1.8, which is mapped close to the edge.
            let x = (purity - knee) / (1 - knee)
            let farthest = (1.85 - knee) / (1 - knee)
            return (1 - knee) * (1 - min(1, x / (1 + x * (1 - 1 / farthest))))
        }
    }

    /// The EETF of BT.2390-8 from `peak` to white, with black at 0 in both. Light is relative to white.
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
