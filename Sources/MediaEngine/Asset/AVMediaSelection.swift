import Foundation
import MediaCore
import Streaming

extension AVMediaType {
    /// Captions in the picture's own data: CEA-608 and 708.
    public static let closedCaption = AVMediaType(rawValue: "clcp")
}

extension AVMediaCharacteristic {
    /// Subtitles that also tell of music and other sounds.
    public static let describesMusicAndSoundForAccessibility = AVMediaCharacteristic(
        rawValue: "public.accessibility.describes-music-and-sound")
    /// Subtitles in simpler words.
    public static let easyToRead = AVMediaCharacteristic(rawValue: "public.easy-to-read")
}

/// One of several tracks, or renditions of a stream, a player can choose: a language's sound, a language's subtitles.
/// Immutable; any thread.
public final class AVMediaSelectionOption: Sendable, Hashable {
    /// What is chosen between: equal options stand for the same.
    private enum Choice: Sendable, Hashable {
        case track(ObjectIdentifier)
        case rendition(HLSPresentation.Option, index: Int)
    }
    private let choice: Choice

    /// The file's track; nil for a rendition of a stream.
    public let track: AVAssetTrack?
    /// `.audio` or `.subtitle`.
    public let mediaType: AVMediaType
    /// For a menu: the author's own title, else the language's name, else “Audio 2”.
    public let displayName: String
    /// BCP 47; nil if no language is named.
    public let extendedLanguageTag: String?
    /// What it is made of can be decoded.
    public let isPlayable: Bool
    private let characteristics: Set<AVMediaCharacteristic>
    /// It plays without being asked for.
    let isDefault: Bool

    init(track: AVAssetTrack, number: Int) {
        choice = .track(ObjectIdentifier(track))
        self.track = track
        mediaType = track.mediaType
        extendedLanguageTag = track.extendedLanguageTag
        isPlayable = track.isPlayable
        characteristics = track.characteristics
        isDefault = track.isEnabled
        displayName = Self.name(
            title: track.title, language: track.extendedLanguageTag, kind: track.mediaType.name, number)
    }

    /// - Parameter index: its place in `HLSPresentation.audio`, `.subtitles` or `.captions`.
    init(rendition: HLSPresentation.Option, index: Int, number: Int) {
        choice = .rendition(rendition, index: index)
        track = nil
        extendedLanguageTag = rendition.language
        isPlayable = true
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

    /// The locale of `extendedLanguageTag`; nil if no language is named.
    public var locale: Locale? { extendedLanguageTag.map(Locale.init(identifier:)) }
    /// The container or playlist marks it so, or it follows from its kind.
    public func hasMediaCharacteristic(_ trait: AVMediaCharacteristic) -> Bool { characteristics.contains(trait) }

    /// libavformat's index of the track, or the rendition's place among those of its kind.
    package var streamIndex: Int {
        if case .rendition(_, let index) = choice { index } else { track?.streamIndex ?? 0 }
    }
    /// Its place in `HLSPresentation.subtitles`; nil for anything else.
    var subtitleIndex: Int? {
        if case .rendition(let option, let index) = choice, option.kind == .subtitles { index } else { nil }
    }

    public static func == (lhs: AVMediaSelectionOption, rhs: AVMediaSelectionOption) -> Bool {
        lhs.choice == rhs.choice
    }
    public func hash(into hasher: inout Hasher) { hasher.combine(choice) }
}

/// Tracks or renditions of which at most one plays at a time.
public final class AVMediaSelectionGroup: Sendable {
    /// In the container's or the playlist's order; captions after subtitles.
    public let options: [AVMediaSelectionOption]
    /// What plays unless asked otherwise; nil if that is nothing (subtitles not marked as default).
    public let defaultOption: AVMediaSelectionOption?
    /// Choosing none makes sense: true for all but the sound.
    public let allowsEmptySelection: Bool
    /// What the group is a choice of: `.audible`, `.legible` or `.visual`.
    package let characteristic: AVMediaCharacteristic

    init?(tracks: [AVAssetTrack], for trait: AVMediaCharacteristic) {
        characteristic = trait
        let mine = tracks.filter { $0.hasMediaCharacteristic(trait) }
        guard !mine.isEmpty else { return nil }
        options = mine.enumerated().map { AVMediaSelectionOption(track: $1, number: $0 + 1) }
        let marked = options.first { $0.isDefault && $0.isPlayable }
        let first = trait == .legible ? nil : options.first { $0.isPlayable } ?? options.first
        defaultOption = marked ?? first
        allowsEmptySelection = trait != .audible
    }

    /// What a stream's multivariant playlist offers (RFC 8216 §4.3.4.1); nil where it offers no alternatives.
    package init?(stream: HLSPresentation, for trait: AVMediaCharacteristic) {
        characteristic = trait
        let renditions =
            switch trait {
            case .audible: Array(stream.audio.enumerated())
            case .legible: Array(stream.subtitles.enumerated()) + Array(stream.captions.enumerated())
            default: [(offset: Int, element: HLSPresentation.Option)]()
            }
        guard !renditions.isEmpty else { return nil }
        options = renditions.enumerated().map {
            AVMediaSelectionOption(rendition: $1.element, index: $1.offset, number: $0 + 1)
        }
        allowsEmptySelection = trait != .audible
        if trait == .audible {
            // As the session chooses.
            let index =
                stream.audio.firstIndex(where: \.isDefault) ?? stream.audio.firstIndex(where: \.isAutoselect) ?? 0
            defaultOption = options[index]
        } else {
            defaultOption = options.first {
                $0.isDefault && $0.mediaType == .subtitle && !$0.hasMediaCharacteristic(.containsOnlyForcedSubtitles)
            }
        }
    }

    /// Options whose language answers a preference, best first. `languages` are BCP 47 tags, dearest first;
    /// `en` finds `en-US`, `ger` finds `de`. Options without a language answer none.
    public static func mediaSelectionOptions(
        from options: [AVMediaSelectionOption],
        filteredAndSortedAccordingToPreferredLanguages languages: [String]
    ) -> [AVMediaSelectionOption] {
        LanguageTag.ranking(for: languages, among: options.map(\.extendedLanguageTag)).map { options[$0] }
    }

    /// Those that some installed decoder takes, in the same order.
    public static func playableMediaSelectionOptions(from options: [AVMediaSelectionOption]) -> [AVMediaSelectionOption]
    {
        options.filter(\.isPlayable)
    }

    /// Those that have all of `traits`, in the same order; of no traits all.
    public static func mediaSelectionOptions(
        from options: [AVMediaSelectionOption], withMediaCharacteristics traits: [AVMediaCharacteristic]
    ) -> [AVMediaSelectionOption] {
        options.filter { option in traits.allSatisfy(option.hasMediaCharacteristic) }
    }
}
