import Foundation
import MediaEngine
import Synchronization

/// A condition for the variants of a stream that may be loaded. Corresponds to Apple's class of the same name.
/// Immutable; any thread.
public final class AVAssetVariantQualifier: Sendable {
    enum Rule: Sendable {
        /// A rule that is stored with the task, because it does not need the stream's list of variants.
        case quality(DownloadOptions.Quality)
        case test(@Sendable (AVAssetVariant) -> Bool)
    }
    let rule: Rule

    /// Creates a qualifier for `variant`, or for the variant with the nearest bit rate if the stream no longer contains
    /// it.
    public init(variant: AVAssetVariant) { rule = .quality(AVAssetVariantQualifier.quality(of: variant)) }

    /// Creates a qualifier for variants that satisfy a predicate.
    ///
    /// The stream's playlist is loaded when the task is resumed. The predicate is then evaluated on the queue
    /// `zt-downloads`. It is not stored: if the process ends before the playlist is loaded, the restored task loads the
    /// most demanding variant.
    ///
    /// - Parameter predicate: A predicate of an `AVAssetVariant`, made with `NSPredicate(block:)`, because Foundation
    ///   on Linux does not support format strings.
    public convenience init(predicate: sending NSPredicate) {
        let predicate = Mutex(predicate)
        self.init { variant in predicate.withLock { $0.evaluate(with: variant) } }
    }

    /// Creates a qualifier for variants that pass `test`, as `init(predicate:)` does.
    ///
    /// An addition of Zoetrope; Apple's class does not have this initializer.
    ///
    /// ```swift
    /// let qualifier = AVAssetVariantQualifier { variant in
    ///     variant.videoAttributes?.codecTypes.contains("avc1") ?? false
    /// }
    /// configuration.primaryContentConfiguration.variantQualifiers = [qualifier]
    /// ```
    public init(where test: @escaping @Sendable (AVAssetVariant) -> Bool) { rule = .test(test) }

    private init(_ quality: DownloadOptions.Quality) { rule = .quality(quality) }

    /// Returns a qualifier for variants with at most `bitRate` bits per second at their peak. If all are above, the
    /// least demanding variant is loaded.
    ///
    /// An addition of Zoetrope; Apple's class does not have this method.
    public static func maximumPeakBitRate(_ bitRate: Int) -> AVAssetVariantQualifier {
        AVAssetVariantQualifier(.peakBitRate(bitRate))
    }
    /// Returns a qualifier for variants of at most `height` pixels. If all are higher, the least demanding variant is
    /// loaded.
    ///
    /// An addition of Zoetrope; Apple's class does not have this method.
    public static func maximumHeight(_ height: Int) -> AVAssetVariantQualifier {
        AVAssetVariantQualifier(.height(height))
    }

    static func quality(of variant: AVAssetVariant) -> DownloadOptions.Quality {
        let height = variant.videoAttributes?.presentationSize.height ?? 0
        return .exactly(peakBitRate: Int(variant.peakBitRate ?? 0), height: height > 0 ? Int(height) : nil)
    }

    // MARK: choice of a quality

    /// Returns the quality of the qualifiers, or nil if it depends on the stream's list of variants.
    static func quality(of all: [AVAssetVariantQualifier]) -> DownloadOptions.Quality? {
        guard let first = all.first else { return .best }
        return all.count == 1 ? first.storedQuality : nil
    }

    private var storedQuality: DownloadOptions.Quality? {
        if case .quality(let quality) = rule { quality } else { nil }
    }

    /// Returns the quality of the first qualifier that one of `variants` satisfies. If there is none, returns the first
    /// stored quality, which then decides which variant is loaded, or else `.best`. See
    /// `AVAssetDownloadContentConfiguration.variantQualifiers`.
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
        return all.lazy.compactMap(\.storedQuality).first ?? .best
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
