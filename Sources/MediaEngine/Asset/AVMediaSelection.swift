import Foundation
import MediaCore
import Streaming

extension AVMediaType {
    /// Closed captions in the video data: CEA-608 and CEA-708.
    public static let closedCaption = AVMediaType(rawValue: "clcp")
}

extension AVMediaCharacteristic {
    /// The subtitles also describe music and other sounds.
    public static let describesMusicAndSoundForAccessibility = AVMediaCharacteristic(
        rawValue: "public.accessibility.describes-music-and-sound")
    /// The subtitles use simple language.
    public static let easyToRead = AVMediaCharacteristic(rawValue: "public.easy-to-read")
}

/// A track, or a rendition of a stream, that a player can select, such as the audio or subtitles in one language.
///
/// Immutable and safe to use from any thread.
public final class AVMediaSelectionOption: Sendable, Hashable {
    /// The identity of an option. Options are equal if their identities are.
    private enum Choice: Sendable, Hashable {
        case track(ObjectIdentifier)
        case rendition(HLSPresentation.Option, index: Int)
    }
    private let choice: Choice

    /// The track of a file; nil for a rendition of a stream.
    public let track: AVAssetTrack?
    /// The media type: `.audio`, `.video`, `.subtitle` or `.closedCaption`.
    public let mediaType: AVMediaType
    /// The name for a menu: the author's title, else the language's name, else a number such as “Audio 2”.
    public let displayName: String
    /// The language as a BCP 47 tag; nil if unknown.
    public let extendedLanguageTag: String?
    /// Whether the option's track can be decoded. Always true for a rendition of a stream, which is not checked.
    public let isPlayable: Bool
    /// The metadata with a common key: the track's, or the name of a stream's rendition as its title.
    ///
    /// ```swift
    /// let titles = AVMetadataItem.metadataItems(
    ///     from: option.commonMetadata, filteredByIdentifier: .commonIdentifierTitle)
    /// ```
    public let commonMetadata: [AVMetadataItem]
    private let characteristics: Set<AVMediaCharacteristic>
    /// Whether the option plays by default.
    let isDefault: Bool

    init(track: AVAssetTrack, number: Int) {
        choice = .track(ObjectIdentifier(track))
        self.track = track
        mediaType = track.mediaType
        extendedLanguageTag = track.extendedLanguageTag
        isPlayable = track.isPlayable
        commonMetadata = track.metadata.filter { $0.commonKey != nil }
        characteristics = track.characteristics
        isDefault = track.isEnabled
        displayName = Self.name(
            title: track.title, language: track.extendedLanguageTag, kind: track.mediaType.name, number)
    }

    /// Creates an option for a rendition.
    /// - Parameters:
    ///   - index: The index of the rendition in `HLSPresentation.audio`, `.subtitles` or `.captions`.
    ///   - number: The number for `displayName` if the rendition has neither a name nor a language.
    init(rendition: HLSPresentation.Option, index: Int, number: Int) {
        choice = .rendition(rendition, index: index)
        track = nil
        extendedLanguageTag = rendition.language
        isPlayable = true
        let name: String? = rendition.name
        commonMetadata = name.map { [AVMetadataItem(key: "title", text: $0)] } ?? []
        isDefault = rendition.isDefault
        var traits = Set(rendition.characteristics.map(AVMediaCharacteristic.init(rawValue:)))
        switch rendition.kind {
        case .audio:
            mediaType = .audio
            traits.insert(.audible)
        case .video:
            mediaType = .video
            traits.insert(.visual)
        case .subtitles, .closedCaptions:
            mediaType = rendition.kind == .subtitles ? .subtitle : .closedCaption
            traits.insert(.legible)
        }
        if rendition.isForced { traits.insert(.containsOnlyForcedSubtitles) }
        characteristics = traits
        let kind = mediaType == .closedCaption ? "closed captions" : mediaType.name
        displayName = Self.name(title: rendition.name, language: rendition.language, kind: kind, number)
    }

    private static func name(title: String?, language: String?, kind: String, _ number: Int) -> String {
        if let title, !title.isEmpty { return title }
        if let language, let name = Locale.current.localizedString(forIdentifier: language) { return name }
        return "\(kind.capitalized) \(number)"
    }

    /// The locale of `extendedLanguageTag`; nil if the language is unknown.
    public var locale: Locale? { extendedLanguageTag.map(Locale.init(identifier:)) }
    /// Returns whether the option has `trait`, as marked by the container or playlist, or implied by its media type.
    public func hasMediaCharacteristic(_ trait: AVMediaCharacteristic) -> Bool { characteristics.contains(trait) }

    /// The index of the track in libavformat, or of the rendition among the renditions of its kind.
    package var streamIndex: Int {
        if case .rendition(_, let index) = choice { index } else { track?.streamIndex ?? 0 }
    }
    /// The index in `HLSPresentation.subtitles`; nil for any other option.
    var subtitleIndex: Int? {
        if case .rendition(let option, let index) = choice, option.kind == .subtitles { index } else { nil }
    }

    public static func == (lhs: AVMediaSelectionOption, rhs: AVMediaSelectionOption) -> Bool {
        lhs.choice == rhs.choice
    }
    public func hash(into hasher: inout Hasher) { hasher.combine(choice) }
}

/// A group of tracks or renditions of which at most one plays at a time.
///
/// A menu of the group’s options:
/// ```swift
/// Picker("Subtitles", selection: $subtitles) {
///     Text("Off").tag(AVMediaSelectionOption?.none)
///     ForEach(group.options, id: \.self) { option in
///         Text(option.displayName).tag(Optional(option))
///     }
/// }
/// .onChange(of: subtitles) { _, option in item.select(option, in: group) }
/// ```
public final class AVMediaSelectionGroup: Sendable {
    /// The options in the order of the container or playlist. Captions follow subtitles.
    public let options: [AVMediaSelectionOption]
    /// The option that plays by default; nil if none does, for example if no subtitles are marked as default.
    public let defaultOption: AVMediaSelectionOption?
    /// Whether the selection can be empty. True except for audio.
    public let allowsEmptySelection: Bool
    /// The characteristic of the group: `.audible`, `.legible` or `.visual`.
    package let characteristic: AVMediaCharacteristic

    init?(tracks: [AVAssetTrack], for trait: AVMediaCharacteristic) {
        characteristic = trait
        let matching = tracks.filter { $0.hasMediaCharacteristic(trait) }
        guard !matching.isEmpty else { return nil }
        options = matching.enumerated().map { AVMediaSelectionOption(track: $1, number: $0 + 1) }
        defaultOption =
            trait == .legible
            ? Self.automaticSubtitles(in: options)
            : options.first { $0.isDefault && $0.isPlayable } ?? options.first { $0.isPlayable } ?? options.first
        allowsEmptySelection = trait != .audible
    }

    /// Creates a group from a stream's multivariant playlist (RFC 8216 §4.3.4.1); nil if the playlist has no renditions
    /// with the characteristic `trait`.
    package init?(stream: HLSPresentation, for trait: AVMediaCharacteristic) {
        characteristic = trait
        let renditions =
            switch trait {
            case .audible: Array(stream.audio.enumerated())
            case .legible: Array(stream.subtitles.enumerated()) + Array(stream.captions.enumerated())
            default: [(offset: Int, element: HLSPresentation.Option)]()
            }
        guard !renditions.isEmpty else { return nil }
        let options = renditions.enumerated().map {
            AVMediaSelectionOption(rendition: $1.element, index: $1.offset, number: $0 + 1)
        }
        self.options = options
        allowsEmptySelection = trait != .audible
        defaultOption =
            trait == .audible
            ? StreamSelection().audioOption(in: stream.audio).map { options[$0] }
            : Self.automaticSubtitles(in: options)
    }

    /// Returns the subtitles that are shown if none are chosen; nil for none. Forced subtitles do not count. The
    /// captions of a stream are in the video data and are shown only if they are chosen.
    ///
    /// - Parameter ranked: The languages that decide only among tracks of a file that are marked as default.
    static func automaticSubtitles(
        in options: [AVMediaSelectionOption], languages: [String] = [], ranked: [String] = []
    ) -> AVMediaSelectionOption? {
        let options = options.filter { $0.isPlayable && ($0.track != nil || $0.mediaType == .subtitle) }
        let candidates = options.map {
            SubtitleCandidate(
                language: $0.extendedLanguageTag, isDefault: $0.isDefault,
                isForced: $0.hasMediaCharacteristic(.containsOnlyForcedSubtitles))
        }
        let isFile = options.contains { $0.track != nil }
        return SubtitleCandidate.automatic(
            among: candidates, languages: languages, ranked: isFile ? ranked : [], audioLanguage: nil
        ).map { options[$0] }
    }

    /// Returns the options that match one of the preferred languages, best first. Options without a language are left
    /// out.
    ///
    /// ```swift
    /// let preferred = AVMediaSelectionGroup.mediaSelectionOptions(
    ///     from: group.options, filteredAndSortedAccordingToPreferredLanguages: ["fr", "en"])
    /// item.select(preferred.first ?? group.defaultOption, in: group)
    /// ```
    ///
    /// - Parameter languages: BCP 47 tags, best first. `en` also matches `en-US`; `ger` also matches `de`.
    public static func mediaSelectionOptions(
        from options: [AVMediaSelectionOption],
        filteredAndSortedAccordingToPreferredLanguages languages: [String]
    ) -> [AVMediaSelectionOption] {
        LanguageTag.ranking(for: languages, among: options.map(\.extendedLanguageTag)).map { options[$0] }
    }

    /// Returns the options whose `isPlayable` is true, in the same order.
    public static func playableMediaSelectionOptions(from options: [AVMediaSelectionOption]) -> [AVMediaSelectionOption]
    {
        options.filter(\.isPlayable)
    }

    /// Returns the options that have all of `traits`, in the same order. Without traits, returns all options.
    ///
    /// ```swift
    /// let described = AVMediaSelectionGroup.mediaSelectionOptions(
    ///     from: group.options, withMediaCharacteristics: [.describesVideoForAccessibility])
    /// ```
    public static func mediaSelectionOptions(
        from options: [AVMediaSelectionOption], withMediaCharacteristics traits: [AVMediaCharacteristic]
    ) -> [AVMediaSelectionOption] {
        options.filter { option in traits.allSatisfy(option.hasMediaCharacteristic) }
    }
}
