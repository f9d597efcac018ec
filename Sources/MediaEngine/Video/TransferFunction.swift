import Foundation

/// The function between code values and light, both from 0 to 1 unless stated otherwise.
package enum TransferFunction: Sendable, Hashable {
    /// The transfer function of standard dynamic range: a power of 2.4 (Rec. ITU-R BT.1886 with black at 0).
    case gamma
    /// SMPTE ST 2084, “perceptual quantizer”: absolute, 1 is 10,000 cd/m².
    case pq
    /// ARIB STD-B67, “hybrid log-gamma”: relative to the scene.
    case hlg

    /// Returns the light of a code value, which is clamped to 0…1.
    package func light(_ code: Double) -> Double {
        let e = min(1, max(0, code))
        switch self {
        case .gamma:
            return pow(e, 2.4)
        case .pq:
            let root = pow(e, 1 / PQ.m2)
            return pow(max(0, root - PQ.c1) / (PQ.c2 - PQ.c3 * root), 1 / PQ.m1)
        case .hlg:
            return e <= 0.5 ? e * e / 3 : (exp((e - HLG.c) / HLG.a) + HLG.b) / 12
        }
    }

    /// Returns the code value of a light, which is clamped to 0…1.
    package func code(_ light: Double) -> Double {
        let l = min(1, max(0, light))
        switch self {
        case .gamma:
            return pow(l, 1 / 2.4)
        case .pq:
            let y = pow(l, PQ.m1)
            return pow((PQ.c1 + PQ.c2 * y) / (1 + PQ.c3 * y), PQ.m2)
        case .hlg:
            return l <= 1.0 / 12 ? (3 * l).squareRoot() : HLG.a * log(12 * l - HLG.b) + HLG.c
        }
    }

    /// Rec. ITU-R BT.2100-2, table 4.
    private enum PQ {
        static let m1 = 2610.0 / 16384, m2 = 2523.0 / 4096 * 128
        static let c1 = 3424.0 / 4096, c2 = 2413.0 / 4096 * 32, c3 = 2392.0 / 4096 * 32
    }

    /// Rec. ITU-R BT.2100-2, table 5.
    private enum HLG {
        static let a = 0.17883277, b = 1 - 4 * a, c = 0.5 - a * log(4 * a)
    }
}
