import Foundation
import MediaCore
import Streaming
import Synchronization

/// A media asset with tracks, duration and metadata, which are read when they are first requested.
///
/// ```swift
/// let asset = AVURLAsset(url: url)
/// do {
///     let (duration, isPlayable) = try await asset.load(.duration, .isPlayable)
///     print(duration.seconds, isPlayable)
/// } catch {
///     print(error.localizedDescription)
/// }
/// ```
/// Assets are immutable and safe to use from any thread. A background thread reads the asset once for all concurrent
/// requests. When the task of the last waiting request is cancelled, the reading is interrupted.
public class AVAsset: @unchecked Sendable {
    // Unchecked because the compiler checks only final classes. This class has one constant, which is `Sendable`.
    let loader: AssetLoader

    init(loader: AssetLoader) {
        self.loader = loader
        loader.setOwner(self)
    }

    /// Returns a property, and reads the asset if needed.
    ///
    /// ```swift
    /// let duration = try await asset.load(.duration)
    /// ```
    ///
    /// - Throws: The reason why the asset cannot be read; `.timedOut` if reading takes longer than 60 s, `.cancelled`
    ///   if the task or the loading is cancelled. No error is thrown for a file that opens but has no installed
    ///   decoder; its `isPlayable` is false.
    public func load<A: Sendable>(_ property: AVAsyncProperty<AVAsset, A>) async throws(AVError) -> A {
        if case .asset(let read) = property.source { return read(self) }
        if let read = property.valueFromPlaylist, let stream = try await loader.streamPresentation() {
            return read(stream)
        }
        return try value(of: property, try await loader.details())
    }
    /// Returns two properties, and reads the asset at most once.
    ///
    /// - Throws: The same errors as `load(_:)` of one property.
    public func load<A: Sendable, B: Sendable>(
        _ a: AVAsyncProperty<AVAsset, A>, _ b: AVAsyncProperty<AVAsset, B>
    ) async throws(AVError) -> (A, B) {
        guard a.requiresDetails || b.requiresDetails else { return (try await load(a), try await load(b)) }
        let details = try await loader.details()
        return (try value(of: a, details), try value(of: b, details))
    }
    /// Returns three properties, and reads the asset at most once.
    ///
    /// - Throws: The same errors as `load(_:)` of one property.
    public func load<A: Sendable, B: Sendable, C: Sendable>(
        _ a: AVAsyncProperty<AVAsset, A>, _ b: AVAsyncProperty<AVAsset, B>, _ c: AVAsyncProperty<AVAsset, C>
    ) async throws(AVError) -> (A, B, C) {
        guard a.requiresDetails || b.requiresDetails || c.requiresDetails else {
            return (try await load(a), try await load(b), try await load(c))
        }
        let details = try await loader.details()
        return (try value(of: a, details), try value(of: b, details), try value(of: c, details))
    }
    func value<A: Sendable>(of property: AVAsyncProperty<AVAsset, A>, _ details: AssetDetails) throws(AVError) -> A {
        switch property.source {
        case .details(let read): try read(details)
        case .asset(let read): read(self)
        }
    }

    /// Returns the tracks of `type`, in the container's order. Artwork is metadata, not a track.
    ///
    /// ```swift
    /// let audioTracks = try await asset.loadTracks(withMediaType: .audio)
    /// let languages = audioTracks.compactMap(\.extendedLanguageTag)
    /// ```
    ///
    /// - Throws: The reason why the asset cannot be read.
    public func loadTracks(withMediaType type: AVMediaType) async throws(AVError) -> [AVAssetTrack] {
        try await loader.details().knownTracks.filter { $0.mediaType == type }
    }
    /// Returns the tracks with the characteristic `trait`, in the container's order.
    ///
    /// ```swift
    /// let subtitles = try await asset.loadTracks(withMediaCharacteristic: .legible)
    /// ```
    ///
    /// - Throws: The reason why the asset cannot be read.
    public func loadTracks(withMediaCharacteristic trait: AVMediaCharacteristic) async throws(AVError) -> [AVAssetTrack]
    {
        try await loader.details().knownTracks.filter { $0.hasMediaCharacteristic(trait) }
    }
    /// Returns the track with the identifier `id`; nil if there is none.
    ///
    /// - Throws: The reason why the asset cannot be read.
    public func loadTrack(withTrackID id: Int32) async throws(AVError) -> AVAssetTrack? {
        try await loader.details().knownTracks.first { $0.trackID == id }
    }

    /// Returns the group of options with the characteristic `trait`: `.audible`, `.legible` or `.visual`. Nil if there
    /// are no options.
    ///
    /// ```swift
    /// if let group = try await item.asset.loadMediaSelectionGroup(for: .audible) {
    ///     for option in group.options {
    ///         print(option.displayName, option.extendedLanguageTag ?? "unknown language")
    ///     }
    /// }
    /// ```
    /// Options are the tracks of a file or the renditions of a stream. For a stream, only the multivariant playlist is
    /// loaded.
    ///
    /// - Throws: The reason why the asset cannot be read.
    public func loadMediaSelectionGroup(for trait: AVMediaCharacteristic) async throws(AVError)
        -> AVMediaSelectionGroup?
    {
        if let stream = try await loader.streamPresentation() {
            return AVMediaSelectionGroup(stream: stream, for: trait)
        }
        return AVMediaSelectionGroup(tracks: try await loader.details().selectableTracks, for: trait)
    }

    /// Returns the chapters in order.
    ///
    /// ```swift
    /// let chapters = try await asset.loadChapterMetadataGroups(
    ///     bestMatchingPreferredLanguages: Locale.preferredLanguages)
    /// for chapter in chapters {
    ///     let title = chapter.items.first { $0.commonKey == .commonKeyTitle }?.stringValue
    ///     print(chapter.timeRange.start.seconds, title ?? "")
    /// }
    /// ```
    /// FFmpeg reads one list of chapters, which has no language. The preferred languages therefore sort only the titles
    /// of each chapter.
    ///
    /// - Throws: The reason why the asset cannot be read.
    public func loadChapterMetadataGroups(
        bestMatchingPreferredLanguages languages: [String]
    ) async throws(AVError) -> [AVTimedMetadataGroup] {
        try await loader.details().chapters.map { $0.sorted(for: languages) }
    }

    /// Cancels reading; waiting requests fail with `.cancelled`.
    public func cancelLoading() { loader.cancel() }
}

/// An asset at a URL: a local file, an HTTP(S) resource, or any other URL that libavformat opens.
///
/// ```swift
/// let asset = AVURLAsset(url: URL(fileURLWithPath: "film.mkv"))
/// let player = AVPlayer(playerItem: AVPlayerItem(asset: asset))
/// player.play()
/// ```
public final class AVURLAsset: AVAsset, @unchecked Sendable {
    // Unchecked because its superclass is unchecked. All stored properties are constants of `Sendable` types.
    /// The URL with which the asset was created.
    public let url: URL
    /// The keys of the options with which the asset was created.
    ///
    /// Options without effect are accepted, such as `AVURLAssetPreferPreciseDurationAndTimingKey`: timing is always as
    /// precise as the container allows.
    public let optionKeys: Set<String>

    private let options: AssetOptions
    /// The HTTP options of new requests. They include the downloaded parts, which are read from disk instead of the
    /// network.
    package var httpOptions: HTTPOptions { options.http }
    /// Makes new readers use the downloaded parts in `copies`, which can still grow. Readers that are already open do
    /// not change.
    package func read(from copies: LocalCopies) { options.read(from: copies) }
    /// Returns the source of responses for URLs whose schemes the engine does not load. The first call makes it.
    package func customSource(_ make: () -> any CustomTransferSource) -> any CustomTransferSource {
        options.custom(make)
    }
    /// The error for an option with the wrong type or an invalid value, with which every request fails. Nil if the
    /// options are valid.
    package let optionsProblem: AVError?
    /// The source of a stream's images. It caches data for later images.
    let streamFrames: StreamFrames

    /// Creates an asset without opening it.
    ///
    /// ```swift
    /// let asset = AVURLAsset(
    ///     url: url,
    ///     options: [
    ///         AVURLAssetHTTPHeaderFieldsKey: ["Authorization": "Bearer \(token)"],
    ///         AVURLAssetTimeoutKey: 30.0,
    ///     ])
    /// ```
    /// Errors are thrown by `load(_:)`. An option with the wrong type or an invalid value causes `.invalidArgument`
    /// there.
    public init(url: URL, options: [String: any Sendable]? = nil) {
        let (http, problem) = AVURLAsset.httpOptions(from: options ?? [:], url: url)
        self.url = url
        optionKeys = Set((options ?? [:]).keys)
        let shared = AssetOptions(http)
        (self.options, optionsProblem) = (shared, problem)
        streamFrames = StreamFrames(url: url.inPackage, options: shared)
        super.init(loader: AssetLoader(url: url.inPackage, options: shared, problem: problem))
    }

    /// Creates an asset with the HTTP options of another component.
    package init(url: URL, http: HTTPOptions) {
        var http = http
        if http.origin == nil { http.origin = HTTPOrigin(url) }
        self.url = url
        optionKeys = []
        let shared = AssetOptions(http)
        (options, optionsProblem) = (shared, nil)
        streamFrames = StreamFrames(url: url.inPackage, options: shared)
        super.init(loader: AssetLoader(url: url.inPackage, options: shared, problem: nil))
    }

    /// The URL that is opened; for a downloaded package, its playlist.
    package var mediaURL: URL { loader.url }
}

extension URL {
    /// The URL of the playlist `index.m3u8` if this URL is a downloaded stream, which is a `.movpkg` folder. Otherwise
    /// the same URL.
    package var inPackage: URL {
        isFileURL && pathExtension.lowercased() == "movpkg"
            ? appendingPathComponent("index.m3u8", isDirectory: false) : self
    }
}

/// A property of `Root` that takes time to read; see `AVAsset.load(_:)`.
public struct AVAsyncProperty<Root, Value: Sendable>: Sendable {
    enum Source: Sendable {
        case details(@Sendable (AssetDetails) throws(AVError) -> Value)
        /// A value that requires no reading.
        case asset(@Sendable (AVAsset) -> Value)
    }
    let source: Source
    /// A function that returns the value from a stream's multivariant playlist; nil if the value requires a segment.
    var valueFromPlaylist: (@Sendable (HLSPresentation) -> Value)?
    /// Whether the asset must be opened for the value. False if a stream's multivariant playlist contains the value, or
    /// if it requires no reading.
    var requiresDetails: Bool {
        switch source {
        case .details: valueFromPlaylist == nil
        case .asset: false
        }
    }

    init(
        value: @escaping @Sendable (AssetDetails) throws(AVError) -> Value,
        valueFromPlaylist: (@Sendable (HLSPresentation) -> Value)? = nil
    ) {
        source = .details(value)
        self.valueFromPlaylist = valueFromPlaylist
    }
    init(source: Source) { self.source = source }
}

extension AVAsyncProperty where Root: AVAsset, Value == CMTime {
    /// The duration from the container, after edit lists; for an HLS stream, the sum of its segments. `.indefinite` if
    /// it is unknown or the stream is live.
    public static var duration: AVAsyncProperty<AVAsset, CMTime> { .init { $0.duration } }
}
extension AVAsyncProperty where Root: AVAsset, Value == String? {
    /// The lyrics in the metadata of the file; nil if there are none.
    public static var lyrics: AVAsyncProperty<AVAsset, String?> { .init { $0.lyrics } }
}
extension AVAsyncProperty where Root: AVAsset, Value == [AVAssetTrack] {
    /// All tracks, in the container's order.
    ///
    /// For an HLS stream, the tracks of the variant that would play first, and of its default audio. A stream that is
    /// protected by a key system throws `.unsupportedKeySystem`.
    public static var tracks: AVAsyncProperty<AVAsset, [AVAssetTrack]> {
        .init { (details) throws(AVError) in try details.knownTracks }
    }
}
extension AVAsyncProperty where Root: AVAsset, Value == [AVMetadataItem] {
    /// All metadata of the file, including artwork.
    public static var metadata: AVAsyncProperty<AVAsset, [AVMetadataItem]> { .init { $0.metadata } }
    /// The metadata whose keys have a meaning across formats.
    ///
    /// ```swift
    /// let metadata = try await asset.load(.commonMetadata)
    /// let title = metadata.first { $0.commonKey == .commonKeyTitle }?.stringValue
    /// ```
    public static var commonMetadata: AVAsyncProperty<AVAsset, [AVMetadataItem]> {
        .init { $0.metadata.filter { $0.commonKey != nil } }
    }
}
extension AVAsyncProperty where Root: AVAsset, Value == Bool {
    /// Whether at least one audio or video track has an installed decoder, and no encryption prevents playback
    /// (`hasProtectedContent`).
    public static var isPlayable: AVAsyncProperty<AVAsset, Bool> { .init { $0.unplayable == nil } }
    /// Whether the asset cannot be played because it is encrypted: a stream with an unsupported key system (FairPlay,
    /// Widevine, PlayReady), or an encrypted file.
    public static var hasProtectedContent: AVAsyncProperty<AVAsset, Bool> {
        .init { $0.unplayable?.code == .unsupportedKeySystem }
    }
    /// Whether the duration is known.
    public static var providesPreciseDurationAndTiming: AVAsyncProperty<AVAsset, Bool> {
        .init { $0.duration.isNumeric }
    }
}
extension AVAsyncProperty where Root: AVAsset, Value == [Locale] {
    /// The locales of the chapters: one undetermined locale if there are chapters, because FFmpeg reads no languages of
    /// chapters.
    public static var availableChapterLocales: AVAsyncProperty<AVAsset, [Locale]> {
        .init { $0.chapterLocales }
    }
}
extension AVAsyncProperty where Root: AVAsset, Value == CGAffineTransform {
    /// The transform of the first video track for display; the identity if there is none.
    public static var preferredTransform: AVAsyncProperty<AVAsset, CGAffineTransform> {
        .init { $0.tracks.first { $0.mediaType == .video }?.preferredTransform ?? .identity }
    }
}
extension AVAsyncProperty where Root: AVAsset, Value == [AVMediaCharacteristic] {
    /// The characteristics for which `loadMediaSelectionGroup(for:)` returns a group. For a stream, only the
    /// multivariant playlist is loaded.
    public static var availableMediaCharacteristicsWithMediaSelectionOptions:
        AVAsyncProperty<AVAsset, [AVMediaCharacteristic]>
    {
        let selectableTraits: @Sendable (HLSPresentation) -> [AVMediaCharacteristic] = { stream in
            selectable.filter { AVMediaSelectionGroup(stream: stream, for: $0) != nil }
        }
        return .init(
            value: { details in
                if let stream = details.stream { return selectableTraits(stream.presentation) }
                return selectable.filter { trait in
                    details.selectableTracks.contains { $0.hasMediaCharacteristic(trait) }
                }
            }, valueFromPlaylist: selectableTraits)
    }
    private static var selectable: [AVMediaCharacteristic] { [.visual, .audible, .legible] }
}

extension AVAsyncProperty where Root: AVAsset, Value == AVMediaSelection {
    /// The default option of each group, which is available without reading the asset.
    public static var preferredMediaSelection: AVAsyncProperty<AVAsset, AVMediaSelection> {
        .init(source: .asset { AVMediaSelection(asset: $0) })
    }
}
extension AVAsyncProperty where Root: AVAsset, Value == [AVAssetVariant] {
    /// The variants of an HLS stream, in the playlist's order; empty for any other asset.
    ///
    /// ```swift
    /// let variants = try await asset.load(.variants)
    /// let heights = variants.compactMap { $0.videoAttributes?.presentationSize.height }
    /// ```
    public static var variants: AVAsyncProperty<AVAsset, [AVAssetVariant]> {
        .init(
            value: { $0.stream?.variants ?? [] },
            valueFromPlaylist: { $0.multivariant.map { AVAssetVariant.all(of: $0) } ?? [] })
    }
}

extension AVAsset {
    /// The number of times that the file has been opened and read.
    package var readsStarted: Int { loader.readsStarted }
}
