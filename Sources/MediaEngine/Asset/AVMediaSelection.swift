import Foundation
import MediaCore

/// One of several tracks a player can choose: a language's sound, a language's subtitles.
public final class AVMediaSelectionOption: Sendable, Hashable {
    public let track: AVAssetTrack
    /// For a menu: the track's own title, else its language's name, else “Audio 2”.
    public let displayName: String

    init(track: AVAssetTrack, number: Int) {
        self.track = track
        if let title = track.title, !title.isEmpty {
            displayName = title
        } else if let tag = track.extendedLanguageTag, let name = Locale.current.localizedString(forIdentifier: tag) {
            displayName = name
        } else {
            displayName = "\(track.mediaType.name.capitalized) \(number)"
        }
    }

    public var mediaType: AVMediaType { track.mediaType }
    /// BCP 47; nil if the track names no language.
    public var extendedLanguageTag: String? { track.extendedLanguageTag }
    public var locale: Locale? { extendedLanguageTag.map(Locale.init(identifier:)) }
    public var isPlayable: Bool { track.isPlayable }
    public func hasMediaCharacteristic(_ trait: AVMediaCharacteristic) -> Bool { track.hasMediaCharacteristic(trait) }
    package var streamIndex: Int { track.streamIndex }

    public static func == (lhs: AVMediaSelectionOption, rhs: AVMediaSelectionOption) -> Bool { lhs.track === rhs.track }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(track)) }
}

/// Tracks of which at most one plays at a time.
public final class AVMediaSelectionGroup: Sendable {
    /// In the container's order.
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
        let marked = options.first { $0.track.isEnabled && $0.isPlayable }
        let first = trait == .legible ? nil : options.first { $0.isPlayable } ?? options.first
        defaultOption = marked ?? first
        allowsEmptySelection = trait != .audible
    }

    /// Options whose language answers a preference, best first. `languages` are BCP 47 tags, dearest first;
    /// `en` finds `en-US`, `ger` finds `de`. Options without a language answer none.
    public static func mediaSelectionOptions(
        from options: [AVMediaSelectionOption],
        filteredAndSortedAccordingToPreferredLanguages languages: [String]
    ) -> [AVMediaSelectionOption] {
        LanguageTag.ranking(for: languages, among: options.map(\.extendedLanguageTag)).map { options[$0] }
    }

    public static func playableMediaSelectionOptions(from options: [AVMediaSelectionOption]) -> [AVMediaSelectionOption] {
        options.filter(\.isPlayable)
    }

    public static func mediaSelectionOptions(
        from options: [AVMediaSelectionOption], withMediaCharacteristics traits: [AVMediaCharacteristic]
    ) -> [AVMediaSelectionOption] {
        options.filter { option in traits.allSatisfy(option.hasMediaCharacteristic) }
    }
}

/// Which option of each group a player item plays. Options never chosen stand at the group's default.
public struct AVMediaSelection: Sendable, Hashable {
    /// What was chosen, nil where “none” was.
    private var chosen: [AVMediaCharacteristic: AVMediaSelectionOption?] = [:]

    package init() {}

    /// The option that plays; nil when none does.
    public func selectedMediaOption(in group: AVMediaSelectionGroup) -> AVMediaSelectionOption? {
        chosen[group.characteristic] ?? group.defaultOption
    }

    /// Nobody has chosen in `group` yet: its default, or the preferred languages, decide.
    public func mediaSelectionCriteriaCanBeAppliedAutomatically(to group: AVMediaSelectionGroup) -> Bool {
        chosen[group.characteristic] == nil
    }

    /// The same with `option` chosen in `group`. None is ignored where the group must have one, and so
    /// is an option of another group.
    package func selecting(_ option: AVMediaSelectionOption?, in group: AVMediaSelectionGroup) -> AVMediaSelection {
        guard option.map(group.options.contains) ?? group.allowsEmptySelection else { return self }
        var changed = self
        changed.chosen.updateValue(option, forKey: group.characteristic)
        return changed
    }

    /// libavformat's index of the chosen sound; nil when none was chosen.
    package var audibleStreamIndex: Int? { chosen[.audible]??.streamIndex }
    /// libavformat's index of the chosen subtitles; nil when none were chosen.
    package var legibleStreamIndex: Int? { chosen[.legible]??.streamIndex }
}
