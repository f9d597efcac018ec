import Foundation
import MediaCore
import Streaming
import Synchronization

/// Something that can be played: its tracks, duration and metadata, read when first asked for.
///
/// Immutable from outside and safe on any thread. Reading runs on a background thread, once, shared by
/// everyone who asks meanwhile; cancelling the task of the last one who waits interrupts it.
public class AVAsset: @unchecked Sendable {
    // Unchecked because the compiler checks final classes only: this class has one constant, which is `Sendable`.
    let loader: AssetLoader

    init(loader: AssetLoader) { self.loader = loader }

    /// Reads (unless that has been done) and returns a property.
    ///
    /// - Throws: why the file cannot be read at all. A file that opens but that no installed decoder can
    ///   play does load; its `isPlayable` is false.
    public func load<A: Sendable>(_ property: AVAsyncProperty<AVAsset, A>) async throws(AVError) -> A {
        if case .asset(let told) = property.source { return told(self) }
        if let told = property.toldByPlaylist {
            do throws(AVError) {
                if let stream = try await loader.streamPresentation() { return told(stream) }
            } catch {
                // What nobody can decode here is told of all the same.
                guard error.code == .decoderNotFound else { throw error }
            }
        }
        return try value(of: property, try await loader.details())
    }
    /// Reads once and returns both.
    ///
    /// - Throws: as `load(_:)` of one property.
    public func load<A: Sendable, B: Sendable>(
        _ a: AVAsyncProperty<AVAsset, A>, _ b: AVAsyncProperty<AVAsset, B>
    ) async throws(AVError) -> (A, B) {
        let details = try await loader.details()
        return (try value(of: a, details), try value(of: b, details))
    }
    /// Reads once and returns all three.
    ///
    /// - Throws: as `load(_:)` of one property.
    public func load<A: Sendable, B: Sendable, C: Sendable>(
        _ a: AVAsyncProperty<AVAsset, A>, _ b: AVAsyncProperty<AVAsset, B>, _ c: AVAsyncProperty<AVAsset, C>
    ) async throws(AVError) -> (A, B, C) {
        let details = try await loader.details()
        return (try value(of: a, details), try value(of: b, details), try value(of: c, details))
    }
    func value<A: Sendable>(of property: AVAsyncProperty<AVAsset, A>, _ details: AssetDetails) throws(AVError) -> A {
        switch property.source {
        case .details(let read): try read(details)
        case .asset(let told): told(self)
        }
    }

    /// The tracks of one kind, in the container's order. Cover pictures are metadata, not tracks.
    public func loadTracks(withMediaType type: AVMediaType) async throws(AVError) -> [AVAssetTrack] {
        try await loader.details().knownTracks.filter { $0.mediaType == type }
    }
    /// The tracks that have `trait`, in the container's order.
    ///
    /// - Throws: why the asset cannot be read at all.
    public func loadTracks(withMediaCharacteristic trait: AVMediaCharacteristic) async throws(AVError) -> [AVAssetTrack]
    {
        try await loader.details().knownTracks.filter { $0.hasMediaCharacteristic(trait) }
    }
    /// Nil when there is no such track.
    public func loadTrack(withTrackID id: Int32) async throws(AVError) -> AVAssetTrack? {
        try await loader.details().knownTracks.first { $0.trackID == id }
    }

    /// The alternatives among which a player chooses: `.audible` or `.legible` (or `.visual`) tracks of a file, or
    /// renditions of a stream, for which its multivariant playlist alone is loaded. Nil when there are none.
    public func loadMediaSelectionGroup(for trait: AVMediaCharacteristic) async throws(AVError)
        -> AVMediaSelectionGroup?
    {
        if let stream = try await loader.streamPresentation() {
            return AVMediaSelectionGroup(stream: stream, for: trait)
        }
        return AVMediaSelectionGroup(tracks: try await loader.details().tracks, for: trait)
    }

    /// The chapters, in order. Containers that FFmpeg reads have one list of chapters without a language,
    /// so the preferences choose among the languages of each chapter's titles only.
    public func loadChapterMetadataGroups(
        bestMatchingPreferredLanguages languages: [String]
    ) async throws(AVError) -> [AVTimedMetadataGroup] {
        try await loader.details().chapters.map { chapter in
            let order = LanguageTag.ranking(for: languages, among: chapter.items.map(\.extendedLanguageTag))
            let rest = chapter.items.indices.filter { !order.contains($0) }
            return AVTimedMetadataGroup(items: (order + rest).map { chapter.items[$0] }, timeRange: chapter.timeRange)
        }
    }

    /// Interrupts a reading that is under way; those who wait get `.cancelled`.
    public func cancelLoading() { loader.cancel() }
}

/// An asset at a URL: a local file, an http(s) resource, or anything else libavformat opens.
public final class AVURLAsset: AVAsset, @unchecked Sendable {
    // Unchecked because its superclass is: all stored properties are constants of `Sendable` types.
    /// Where it was said to lie.
    public let url: URL
    /// Options as given. `AVURLAssetPreferPreciseDurationAndTimingKey` and others are accepted and have
    /// no effect: timing is always as precise as the container allows.
    public let optionKeys: Set<String>

    private let givenOptions: HTTPOptions
    private let downloaded = Mutex<LocalCopies?>(nil)
    /// How it is asked for over http(s), and what of it is read from the disk instead, for who begins now.
    package var httpOptions: HTTPOptions {
        var options = givenOptions
        if let copies = downloaded.withLock({ $0 }) { options.copies = copies }
        return options
    }
    /// A download has, or will have, some of it. What was opened before reads on as it did.
    package func read(from copies: LocalCopies) { downloaded.withLock { $0 = copies } }
    /// An option of the wrong type or out of its range: nothing can be loaded.
    package let optionsProblem: AVError?
    /// Where pictures of an HLS stream come from; what it has learnt serves the next one.
    let pictures: StreamPictures

    /// Touches nothing: errors come from `load(_:)`; an option of the wrong type or out of its range is
    /// `.invalidArgument` there.
    public init(url: URL, options: [String: any Sendable]? = nil) {
        let (http, problem) = AVURLAsset.httpOptions(from: options ?? [:], url: url)
        self.url = url
        optionKeys = Set((options ?? [:]).keys)
        (givenOptions, optionsProblem) = (http, problem)
        pictures = StreamPictures(url: url.inPackage, options: http)
        super.init(loader: AssetLoader(url: url.inPackage, options: http, problem: problem))
    }

    /// Asked for as another part of ours says.
    package init(url: URL, http: HTTPOptions) {
        var http = http
        if http.origin == nil { http.origin = HTTPOrigin(url) }
        self.url = url
        optionKeys = []
        (givenOptions, optionsProblem) = (http, nil)
        pictures = StreamPictures(url: url.inPackage, options: http)
        super.init(loader: AssetLoader(url: url.inPackage, options: http, problem: nil))
    }

    /// What is opened: of a download's package the playlist in it.
    package var mediaURL: URL { loader.url }
}

extension URL {
    /// A downloaded stream is a folder, `….movpkg`, whose playlist is called `index.m3u8`; anything else is itself.
    package var inPackage: URL {
        isFileURL && pathExtension.lowercased() == "movpkg"
            ? appendingPathComponent("index.m3u8", isDirectory: false) : self
    }
}

/// A property of `Root` that takes time to read; see `AVAsset.load(_:)`.
public struct AVAsyncProperty<Root, Value: Sendable>: Sendable {
    enum Source: Sendable {
        case details(@Sendable (AssetDetails) throws(AVError) -> Value)
        /// Nothing has to be read for it.
        case asset(@Sendable (AVAsset) -> Value)
    }
    let source: Source
    /// Of a stream, what its multivariant playlist says without a segment being loaded; nil when it takes one.
    var toldByPlaylist: (@Sendable (HLSPresentation) -> Value)?

    init(
        value: @escaping @Sendable (AssetDetails) throws(AVError) -> Value,
        toldByPlaylist: (@Sendable (HLSPresentation) -> Value)? = nil
    ) {
        source = .details(value)
        self.toldByPlaylist = toldByPlaylist
    }
    init(source: Source) { self.source = source }
}

extension AVAsyncProperty where Root: AVAsset, Value == CMTime {
    /// From the container, edit lists applied; of an HLS stream the sum of its segments. `.indefinite` when it
    /// cannot be told, and for a live stream.
    public static var duration: AVAsyncProperty<AVAsset, CMTime> { .init { $0.duration } }
}
extension AVAsyncProperty where Root: AVAsset, Value == [AVAssetTrack] {
    /// All tracks, in the container's order. Of an HLS stream those of the variant that would play first, and its
    /// default sound's; a stream protected by a key system throws `.unsupportedKeySystem`.
    public static var tracks: AVAsyncProperty<AVAsset, [AVAssetTrack]> {
        .init { (details) throws(AVError) in try details.knownTracks }
    }
}
extension AVAsyncProperty where Root: AVAsset, Value == [AVMetadataItem] {
    /// Everything the file says about itself, artwork included.
    public static var metadata: AVAsyncProperty<AVAsset, [AVMetadataItem]> { .init { $0.metadata } }
    /// What of it has a meaning across formats.
    public static var commonMetadata: AVAsyncProperty<AVAsset, [AVMetadataItem]> {
        .init { $0.metadata.filter { $0.commonKey != nil } }
    }
}
extension AVAsyncProperty where Root: AVAsset, Value == Bool {
    /// At least one audio or video track has a decoder, and no key system keeps it locked.
    public static var isPlayable: AVAsyncProperty<AVAsset, Bool> { .init { $0.unplayable == nil } }
    /// It is encrypted: by a key system that this player does not have (FairPlay, Widevine, PlayReady), or a file with
    /// keys of its own.
    public static var hasProtectedContent: AVAsyncProperty<AVAsset, Bool> {
        .init { $0.unplayable?.code == .unsupportedKeySystem }
    }
    /// The duration is known.
    public static var providesPreciseDurationAndTiming: AVAsyncProperty<AVAsset, Bool> {
        .init { $0.duration.isNumeric }
    }
}
extension AVAsyncProperty where Root: AVAsset, Value == [Locale] {
    /// One locale, undetermined, if there are chapters: FFmpeg knows no chapter languages.
    public static var availableChapterLocales: AVAsyncProperty<AVAsset, [Locale]> {
        .init { $0.chapters.isEmpty ? [] : [Locale(identifier: "und")] }
    }
}
extension AVAsyncProperty where Root: AVAsset, Value == CGAffineTransform {
    /// The first video track's.
    public static var preferredTransform: AVAsyncProperty<AVAsset, CGAffineTransform> {
        .init { $0.tracks.first { $0.mediaType == .video }?.preferredTransform ?? .identity }
    }
}
extension AVAsyncProperty where Root: AVAsset, Value == [AVMediaCharacteristic] {
    /// The characteristics for which `loadMediaSelectionGroup(for:)` has a group. Of a stream its multivariant
    /// playlist alone is loaded.
    public static var availableMediaCharacteristicsWithMediaSelectionOptions:
        AVAsyncProperty<AVAsset, [AVMediaCharacteristic]>
    {
        let told: @Sendable (HLSPresentation) -> [AVMediaCharacteristic] = { stream in
            selectable.filter { AVMediaSelectionGroup(stream: stream, for: $0) != nil }
        }
        return .init(
            value: { details in
                if let stream = details.stream { return told(stream.presentation) }
                return selectable.filter { trait in details.tracks.contains { $0.hasMediaCharacteristic(trait) } }
            }, toldByPlaylist: told)
    }
    private static var selectable: [AVMediaCharacteristic] { [.visual, .audible, .legible] }
}

extension AVAsyncProperty where Root: AVAsset, Value == AVMediaSelection {
    /// Each group's default; nothing is read for it.
    public static var preferredMediaSelection: AVAsyncProperty<AVAsset, AVMediaSelection> {
        .init(source: .asset { AVMediaSelection(asset: $0) })
    }
}
extension AVAsyncProperty where Root: AVAsset, Value == [AVAssetVariant] {
    /// What an HLS stream is offered in, as its playlist lists them; empty for anything else.
    public static var variants: AVAsyncProperty<AVAsset, [AVAssetVariant]> {
        .init(
            value: { $0.stream?.variants ?? [] },
            toldByPlaylist: { $0.multivariant.map { AVAssetVariant.all(of: $0) } ?? [] })
    }
}

extension AVAsset {
    /// How often the file has been opened and read.
    package var readsStarted: Int { loader.readsStarted }
}
