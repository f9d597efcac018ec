import Foundation
import Streaming

/// The limits that an app sets for an item's stream. A value that is no limit is 0.
struct ItemLimits {
    /// How far ahead to load, seconds.
    var forwardBufferDuration: TimeInterval = 0 {
        didSet { if !(forwardBufferDuration >= 0) { forwardBufferDuration = 0 } }
    }
    /// Bit/s at a variant's peak.
    var peakBitRate = 0.0 {
        didSet { if !(peakBitRate >= 0) { peakBitRate = 0 } }
    }
    /// Pixels, either way up.
    var maximumResolution = CGSize.zero

    /// `maximumResolution`; nil: no limit.
    var largestSize: Rung.Resolution? {
        let size = maximumResolution
        guard size.width >= 1, size.height >= 1, size.width < 1e6, size.height < 1e6 else { return nil }
        return Rung.Resolution(width: Int(saturating: size.width), height: Int(saturating: size.height))
    }
}
