import Foundation
import MediaCore

/// The state of a property that is loaded by its name.
public enum AVKeyValueStatus: Int, Sendable {
    /// Loading has not been requested.
    case unknown = 0
    /// `loading`: the asset is being read. `loaded`: the value is available. `failed`: the asset could not be read.
    /// `cancelled`: `cancelLoading()` was called.
    case loading, loaded, failed, cancelled
}

/// Loading of properties by their names, AVFoundation's older alternative to `load(_:)`.
extension AVAsset {
    /// Reads the asset, and calls `handler` when it has been read or cannot be read.
    ///
    /// ```swift
    /// asset.loadValuesAsynchronously(forKeys: ["playable", "duration"]) {
    ///     var error: NSError?
    ///     guard asset.statusOfValue(forKey: "duration", error: &error) == .loaded else { return }
    ///     print(asset.duration.seconds)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - keys: The names of the properties. All properties are read together, so their names have no effect.
    ///   - handler: Called once, on an arbitrary thread.
    public func loadValuesAsynchronously(
        forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)? = nil
    ) {
        Task {
            _ = try? await loader.details()
            handler?()
        }
    }

    /// Returns whether the property `key` has been loaded. All properties of an asset are loaded together.
    ///
    /// - Parameter outError: Receives the reason why the asset was not read, if the status is `.failed` or
    ///   `.cancelled`.
    public func statusOfValue(forKey key: String, error outError: UnsafeMutablePointer<NSError?>? = nil)
        -> AVKeyValueStatus
    {
        let status = loader.status
        if case .failed(let error) = status {
            let problem: any Error = error
            outError?.pointee = problem as NSError
        }
        return switch status {
        case .unknown: .unknown
        case .loading: .loading
        case .loaded: .loaded
        case .failed(let error): error.code == .cancelled ? .cancelled : .failed
        }
    }

    /// Whether an `AVAssetExportSession` can export the asset: it can be played, and it is not a live stream. Blocks
    /// the calling thread if the asset has not been read yet.
    public var isExportable: Bool { loadedDetails?.isExportable ?? false }
    /// Whether the tracks of the asset can be inserted into an `AVMutableComposition`: it can be played, and it is not
    /// an HLS stream. Blocks the calling thread if the asset has not been read yet.
    public var isComposable: Bool { loadedDetails?.isComposable ?? false }
    /// The date at which the media was recorded or created; nil if the metadata has none. Blocks the calling thread if
    /// the asset has not been read yet.
    public var creationDate: AVMetadataItem? { loadedDetails?.creationDate }
    /// The locales of the chapters; see `load(.availableChapterLocales)`. Blocks the calling thread if the asset has
    /// not been read yet.
    public var availableChapterLocales: [Locale] {
        loadedDetails?.chapterLocales ?? []
    }

    /// Returns four properties, and reads the asset at most once.
    ///
    /// - Throws: The same errors as `load(_:)` of one property.
    public func load<A: Sendable, B: Sendable, C: Sendable, D: Sendable>(
        _ a: AVAsyncProperty<AVAsset, A>, _ b: AVAsyncProperty<AVAsset, B>, _ c: AVAsyncProperty<AVAsset, C>,
        _ d: AVAsyncProperty<AVAsset, D>
    ) async throws(AVError) -> (A, B, C, D) {
        let (first, second) = try await load(a, b)
        let (third, fourth) = try await load(c, d)
        return (first, second, third, fourth)
    }
    /// Returns five properties, and reads the asset at most once.
    ///
    /// - Throws: The same errors as `load(_:)` of one property.
    public func load<A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable>(
        _ a: AVAsyncProperty<AVAsset, A>, _ b: AVAsyncProperty<AVAsset, B>, _ c: AVAsyncProperty<AVAsset, C>,
        _ d: AVAsyncProperty<AVAsset, D>, _ e: AVAsyncProperty<AVAsset, E>
    ) async throws(AVError) -> (A, B, C, D, E) {
        let (first, second) = try await load(a, b)
        let (third, fourth, fifth) = try await load(c, d, e)
        return (first, second, third, fourth, fifth)
    }

    /// Returns the chapters that have a title in `locale`, with only those items that have one of the common keys.
    ///
    /// FFmpeg reads one list of chapters, which has no language, so `locale` has no effect.
    ///
    /// - Parameter keys: The common keys of the items to return; nil or empty for all items. Titles are always
    /// returned.
    /// - Throws: The reason why the asset cannot be read.
    public func loadChapterMetadataGroups(
        withTitleLocale locale: Locale, containingItemsWithCommonKeys keys: [AVMetadataKey]? = nil
    ) async throws(AVError) -> [AVTimedMetadataGroup] {
        try await loader.details().chapters.map { $0.keeping(keys ?? []) }
    }
    /// Returns the chapters, as `loadChapterMetadataGroups(withTitleLocale:containingItemsWithCommonKeys:)` does.
    /// Blocks the calling thread if the asset has not been read yet.
    public func chapterMetadataGroups(
        withTitleLocale locale: Locale, containingItemsWithCommonKeys keys: [AVMetadataKey]? = nil
    ) -> [AVTimedMetadataGroup] {
        (loadedDetails?.chapters ?? []).map { $0.keeping(keys ?? []) }
    }
    /// Returns the chapters, as `loadChapterMetadataGroups(bestMatchingPreferredLanguages:)` does. Blocks the calling
    /// thread if the asset has not been read yet.
    public func chapterMetadataGroups(bestMatchingPreferredLanguages languages: [String]) -> [AVTimedMetadataGroup] {
        (loadedDetails?.chapters ?? []).map { $0.sorted(for: languages) }
    }
}

extension AVAsyncProperty where Root: AVAsset, Value == Bool {
    /// Whether an `AVAssetExportSession` can export the asset: it can be played, and it is not a live stream.
    public static var isExportable: AVAsyncProperty<AVAsset, Bool> { .init { $0.isExportable } }
    /// Whether the tracks of the asset can be inserted into an `AVMutableComposition`: it can be played, and it is not
    /// an HLS stream.
    public static var isComposable: AVAsyncProperty<AVAsset, Bool> { .init { $0.isComposable } }
}
extension AVAsyncProperty where Root: AVAsset, Value == AVMetadataItem? {
    /// The date at which the media was recorded or created; nil if the metadata has none.
    ///
    /// ```swift
    /// let date = try await asset.load(.creationDate)?.dateValue
    /// ```
    public static var creationDate: AVAsyncProperty<AVAsset, AVMetadataItem?> { .init { $0.creationDate } }
}

extension AssetDetails {
    /// The locales of the chapters: an undetermined one if there are chapters.
    var chapterLocales: [Locale] { chapters.isEmpty ? [] : [Locale(identifier: "und")] }
    fileprivate var isExportable: Bool { unplayable == nil && stream?.isLive != true }
    fileprivate var isComposable: Bool { unplayable == nil && stream == nil }
    fileprivate var creationDate: AVMetadataItem? { metadata.first { $0.commonKey == .commonKeyCreationDate } }
}

extension AVTimedMetadataGroup {
    /// Returns the group with only its titles and the items with one of the common keys. Without keys, keeps all items.
    fileprivate func keeping(_ keys: [AVMetadataKey]) -> AVTimedMetadataGroup {
        guard !keys.isEmpty else { return self }
        let kept = items.filter { item in
            item.commonKey.map { $0 == .commonKeyTitle || keys.contains($0) } ?? false
        }
        return AVTimedMetadataGroup(items: kept, timeRange: timeRange)
    }
    /// Returns the group with its items in the order of the preferred languages, then the remaining items.
    func sorted(for languages: [String]) -> AVTimedMetadataGroup {
        let order = LanguageTag.ranking(for: languages, among: items.map(\.extendedLanguageTag))
        let rest = items.indices.filter { !order.contains($0) }
        return AVTimedMetadataGroup(items: (order + rest).map { items[$0] }, timeRange: timeRange)
    }
}
