import Foundation
import Streaming

/// The limits that an app sets for an item's stream. An invalid value counts as 0.
struct ItemLimits {
    /// The duration of media to load ahead, in seconds; 0 for the default.
    var forwardBufferDuration: TimeInterval = 0 {
        didSet { if !(forwardBufferDuration >= 0) { forwardBufferDuration = 0 } }
    }
    /// The maximum peak bit rate of a variant, in bit/s; 0 for no limit.
    var peakBitRate = 0.0 {
        didSet { if !(peakBitRate >= 0) { peakBitRate = 0 } }
    }
    /// The maximum frame size in pixels, in either orientation; no limit if a side is less than 1.
    var maximumResolution = CGSize.zero

    /// The maximum frame size in whole pixels; nil without a limit.
    var largestSize: AdaptationVariant.Resolution? {
        let size = maximumResolution
        guard size.width >= 1, size.height >= 1, size.width < 1e6, size.height < 1e6 else { return nil }
        return AdaptationVariant.Resolution(width: Int(saturating: size.width), height: Int(saturating: size.height))
    }
}
