import Foundation
import MediaEngine
import Synchronization

/// Which of a stream's variants may be loaded; after Apple's class of that name. Immutable; any thread.
public final class AVAssetVariantQualifier: Sendable {
    enum Rule: Sendable {
        /// Needs no list of variants, and is kept over a start of the program.
        case quality(DownloadOptions.Quality)
        case test(@Sendable (AVAssetVariant) -> Bool)
    }
    let rule: Rule

    /// That one, or, where it is no longer offered, the one whose bit rate is nearest.
    public init(variant: AVAssetVariant) { rule = .quality(AVAssetVariantQualifier.quality(of: variant)) }

    /// Those for which `predicate` is true. The stream's playlist is loaded for it when the task is resumed; a task
    /// that is restored at the next start before that playlist came loads the most demanding one, as nobody knows what
    /// was asked any more.
    ///
    /// - Parameter predicate: of an `AVAssetVariant`: made with `NSPredicate(block:)`, as Foundation has no formats
    ///   here.
    public convenience init(predicate: sending NSPredicate) {
        let predicate = Mutex(predicate)
        self.init { variant in predicate.withLock { $0.evaluate(with: variant) } }
    }

    /// Ours: as `init(predicate:)`.
    public init(where test: @escaping @Sendable (AVAssetVariant) -> Bool) { rule = .test(test) }

    private init(_ quality: DownloadOptions.Quality) { rule = .quality(quality) }

    /// Ours: no more bits a second at their peak.
    public static func maximumPeakBitRate(_ bitRate: Int) -> AVAssetVariantQualifier {
        AVAssetVariantQualifier(.peakBitRate(bitRate))
    }
    /// Ours: no higher, pixels.
    public static func maximumHeight(_ height: Int) -> AVAssetVariantQualifier {
        AVAssetVariantQualifier(.height(height))
    }

    static func quality(of variant: AVAssetVariant) -> DownloadOptions.Quality {
        let height = variant.videoAttributes?.presentationSize.height ?? 0
        return .exactly(peakBitRate: Int(variant.peakBitRate ?? 0), height: height > 0 ? Int(height) : nil)
    }

    // MARK: choosing

    /// What they say without a list of variants; nil: it takes one.
    static func quality(of all: [AVAssetVariantQualifier]) -> DownloadOptions.Quality? {
        guard let first = all.first else { return .best }
        if all.count == 1, case .quality(let quality) = first.rule { return quality }
        return nil
    }

    /// See `AVAssetDownloadContentConfiguration.variantQualifiers`.
    static func quality(of all: [AVAssetVariantQualifier], among variants: [AVAssetVariant]) -> DownloadOptions.Quality
    {
        for qualifier in all {
            switch qualifier.rule {
            case .quality(let quality):
                if variants.contains(where: { satisfies($0, quality) }) { return quality }
            case .test(let test):
                if let best = variants.filter(test).max(by: { ($0.peakBitRate ?? 0) < ($1.peakBitRate ?? 0) }) {
                    return quality(of: best)
                }
            }
        }
        return .best
    }

    private static func satisfies(_ variant: AVAssetVariant, _ quality: DownloadOptions.Quality) -> Bool {
        let size = variant.videoAttributes?.presentationSize ?? .zero
        switch quality {
        case .peakBitRate(let most): return (variant.peakBitRate ?? .infinity) <= Double(most)
        case .height(let most): return size.height > 0 && size.height <= Double(most)
        case .exactly: return self.quality(of: variant) == quality
        default: return true
        }
    }
}
