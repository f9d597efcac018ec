import Foundation
import MediaCore
import MediaEngine
import Observation

/// The qualities of a player's stream. Main actor.
@MainActor @Observable
final class QualityOptions {
    /// A quality of a stream.
    struct Quality: Hashable {
        let name: String
        let size: CGSize
        /// The peak bit rate, in bit/s.
        let bitRate: Double
        static func == (a: Quality, b: Quality) -> Bool { a.name == b.name && a.bitRate == b.bitRate }
        func hash(into hasher: inout Hasher) {
            hasher.combine(name)
            hasher.combine(bitRate)
        }
    }
    /// The qualities, from the highest to the lowest.
    private(set) var all: [Quality] = []
    /// The highest quality that is allowed; nil for automatic.
    private(set) var limit: Quality?
    @ObservationIgnored private weak var item: AVPlayerItem?

    nonisolated init() {}

    func access<Member>(keyPath: KeyPath<QualityOptions, Member>) {
        ObservationScope.access(_$observationRegistrar, self, keyPath)
    }

    func begin(_ item: AVPlayerItem?) {
        self.item = item
        (all, limit) = ([], nil)
    }

    func offer(_ variants: [AVAssetVariant]) {
        var best: [Int: Quality] = [:]
        for variant in variants {
            guard let size = variant.videoAttributes?.presentationSize, size.height > 0, let rate = variant.peakBitRate,
                rate > 0
            else { continue }
            let height = Int(min(size.height, 1e5))
            // Each quality is an upper limit, so the better of two variants with the same height represents both.
            if best[height].map({ $0.bitRate >= rate }) != true {
                best[height] = Quality(name: "\(height)p", size: size, bitRate: rate)
            }
        }
        all = best.values.sorted { $0.size.height > $1.size.height }
    }

    func limit(to quality: Quality?) {
        limit = quality
        item?.preferredPeakBitRate = quality.map { $0.bitRate } ?? 0
        item?.preferredMaximumResolution = quality?.size ?? .zero
    }
}
