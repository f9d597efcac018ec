import Foundation
import MediaCore
import Synchronization

/// A selection of one option for each media selection group, for a player item or a download. In a group without a
/// choice, the option in a preferred language of the player item applies, or else the default option.
///
/// ```swift
/// let selected = item.currentMediaSelection.selectedMediaOption(in: group)
/// print(selected?.displayName ?? "Off")
/// ```
/// Immutable, except for `AVMutableMediaSelection`. Safe to use from any thread.
public class AVMediaSelection: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    // Unchecked because the compiler checks only final classes. All stored properties are constants of `Sendable` types,
    // and the mutable subclass writes under the mutex.
    fileprivate enum Choice: Sendable, Hashable {
        /// The chosen option; nil if the app chose to have none.
        case option(AVMediaSelectionOption?)
        /// The display name of an option. Used for a selection restored after a relaunch, when the options have not
        /// been read yet.
        case named(String)
    }
    /// The preferred languages of a player item, which apply in groups without a choice. BCP 47 tags, best first.
    struct Criteria: Sendable, Hashable {
        var audio: [String] = []
        var subtitles: [String] = []
        /// The languages that decide only among subtitle tracks marked as the default.
        var defaultSubtitles: [String] = []
    }
    fileprivate let chosen: Mutex<[AVMediaCharacteristic: Choice]>
    fileprivate let criteria: Criteria
    /// The asset to which the selection applies; nil for a selection without an asset.
    public let asset: AVAsset?

    package init(asset: AVAsset? = nil) {
        chosen = Mutex([:])
        criteria = Criteria()
        self.asset = asset
    }
    fileprivate init(_ choices: [AVMediaCharacteristic: Choice], _ criteria: Criteria, _ asset: AVAsset?) {
        chosen = Mutex(choices)
        self.criteria = criteria
        self.asset = asset
    }

    /// Returns a copy in which `criteria` apply in groups without a choice.
    final func applying(_ criteria: Criteria) -> AVMediaSelection {
        criteria == self.criteria ? self : AVMediaSelection(choices, criteria, asset)
    }

    fileprivate final var choices: [AVMediaCharacteristic: Choice] { chosen.withLock { $0 } }

    /// Returns the option that is selected in `group`. If nothing was chosen, returns the option in a preferred language
    /// of the player item, or else the default option. Nil if the app selected none, or if the group has no default.
    public final func selectedMediaOption(in group: AVMediaSelectionGroup) -> AVMediaSelectionOption? {
        switch choices[group.characteristic] {
        case .option(let option): option
        case .named(let name): group.options.first { $0.displayName == name } ?? automaticOption(in: group)
        case nil: automaticOption(in: group)
        }
    }

    /// Returns the option that plays without a choice: the one that the item's reader chooses. Subtitles that are shown
    /// only because they are forced do not count as selected.
    private final func automaticOption(in group: AVMediaSelectionGroup) -> AVMediaSelectionOption? {
        switch group.characteristic {
        case .audible:
            let options = group.options.filter(\.isPlayable)
            let best = LanguageTag.bestMatch(for: criteria.audio, among: options.map(\.extendedLanguageTag))
            return best.map { options[$0] } ?? group.defaultOption
        case .legible:
            return AVMediaSelectionGroup.automaticSubtitles(
                in: group.options, languages: criteria.subtitles, ranked: criteria.defaultSubtitles)
        default: return group.defaultOption
        }
    }

    /// Returns whether nothing has been chosen in `group`, so that its default or the preferred languages apply.
    public final func mediaSelectionCriteriaCanBeAppliedAutomatically(to group: AVMediaSelectionGroup) -> Bool {
        choices[group.characteristic] == nil
    }

    // MARK: Values

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVMediaSelection else { return false }
        return self === other || asset == other.asset && criteria == other.criteria && choices == other.choices
    }
    public override var hash: Int { asset.hashValue }
    /// Returns an immutable copy.
    public func copy(with zone: NSZone? = nil) -> Any { AVMediaSelection(choices, criteria, asset) }
    /// Returns an `AVMutableMediaSelection` with the same choices.
    public func mutableCopy(with zone: NSZone? = nil) -> Any {
        AVMutableMediaSelection(choices, criteria, asset)
    }

    /// Returns a copy in which `option` is selected in `group`. Ignores an option of another group, and nil if the
    /// group requires an option.
    package final func selecting(_ option: AVMediaSelectionOption?, in group: AVMediaSelectionGroup) -> AVMediaSelection
    {
        let changed = AVMutableMediaSelection(choices, criteria, asset)
        changed.select(option, in: group)
        return AVMediaSelection(changed.choices, criteria, asset)
    }

    /// Returns a copy without a choice in `group`, so that the preferred languages or the default apply.
    final func withoutChoice(in group: AVMediaSelectionGroup) -> AVMediaSelection {
        var kept = choices
        kept[group.characteristic] = nil
        return AVMediaSelection(kept, criteria, asset)
    }

    // MARK: Persistence

    /// Returns the display name of the chosen audio or subtitles, to be stored.
    ///
    /// The outer optional is nil if nothing was chosen, so that the default plays. The inner optional is nil if the app
    /// chose to have none. It is also nil for captions, which are part of the video data.
    package final func chosenName(_ trait: AVMediaCharacteristic) -> String?? {
        switch choices[trait] {
        case .option(let option): .some(option.flatMap { $0.mediaType == .closedCaption ? nil : $0.displayName })
        case .named(let name): .some(name)
        case nil: nil
        }
    }
    /// Creates a selection from names that `chosenName(_:)` has returned, without reading the asset.
    /// `selectedMediaOption(in:)` later finds the option with the name.
    package static func named(_ names: [AVMediaCharacteristic: String?], in asset: AVAsset?) -> AVMediaSelection {
        AVMediaSelection(names.mapValues { $0.map(Choice.named) ?? .option(nil) }, Criteria(), asset)
    }

    // MARK: For the player

    private final func option(_ trait: AVMediaCharacteristic) -> AVMediaSelectionOption? {
        if case .option(let option)? = choices[trait] { option } else { nil }
    }
    /// The index of the selected audio, as in `AVMediaSelectionOption.streamIndex`; nil if none was selected.
    package final var audibleStreamIndex: Int? { option(.audible)?.streamIndex }
    /// The index of the selected subtitles, as in `AVMediaSelectionOption.streamIndex`; nil if none were selected.
    package final var legibleStreamIndex: Int? { option(.legible)?.streamIndex }
    /// Whether the app has explicitly selected subtitles or turned them off.
    final var isLegibleChosen: Bool { choices[.legible] != nil }
    /// Whether captions in the video data are selected.
    final var wantsCaptions: Bool {
        option(.legible).map { $0.mediaType == .closedCaption && $0.track == nil } ?? false
    }
    /// The index of the selected subtitles in `HLSPresentation.subtitles`, for a stream.
    ///
    /// The outer optional is nil if nothing was chosen. The inner optional is nil if subtitles were turned off, or
    /// captions were chosen.
    final var subtitleRendition: Int?? {
        guard isLegibleChosen else { return nil }
        return .some(option(.legible)?.subtitleIndex)
    }
}

/// A media selection that can be changed. Created by `mutableCopy()`. Safe to use from any thread.
///
/// For example, to download the audio of `option`:
/// ```swift
/// if let selection = asset.preferredMediaSelection.mutableCopy() as? AVMutableMediaSelection {
///     selection.select(option, in: group)
///     configuration.primaryContentConfiguration.mediaSelections = [selection]
/// }
/// ```
public final class AVMutableMediaSelection: AVMediaSelection, @unchecked Sendable {
    // Unchecked because its superclass is unchecked. It adds no stored property.

    /// Selects `option` in `group`.
    /// - Parameter option: The option; nil for none. Ignored if it belongs to another group, or if it is nil and the
    ///   group requires an option.
    public func select(_ option: AVMediaSelectionOption?, in group: AVMediaSelectionGroup) {
        guard option.map(group.options.contains) ?? group.allowsEmptySelection else { return }
        chosen.withLock { $0[group.characteristic] = .option(option) }
    }
}
