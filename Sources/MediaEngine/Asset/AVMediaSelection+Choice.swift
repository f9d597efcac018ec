import Foundation
import MediaCore
import Streaming
import Synchronization

/// Which option of each group a player item plays, or a download takes. Options never chosen stand at the group's
/// default. Immutable, but for `AVMutableMediaSelection`; any thread.
public class AVMediaSelection: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    // Unchecked because the compiler checks final classes only: both stored properties are constants of `Sendable`
    // types, and the mutable subclass writes under the mutex.
    fileprivate enum Choice: Sendable, Hashable {
        /// Nil where “none” was chosen.
        case option(AVMediaSelectionOption?)
        /// What it is called in a menu: of a selection kept over a start of the program, whose options nobody has read
        /// yet.
        case named(String)
    }
    fileprivate let chosen: Mutex<[AVMediaCharacteristic: Choice]>
    /// What is chosen in; nil for a selection of nothing in particular.
    public let asset: AVAsset?

    package init(asset: AVAsset? = nil) {
        chosen = Mutex([:])
        self.asset = asset
    }
    fileprivate init(_ choices: [AVMediaCharacteristic: Choice], _ asset: AVAsset?) {
        chosen = Mutex(choices)
        self.asset = asset
    }

    fileprivate final var choices: [AVMediaCharacteristic: Choice] { chosen.withLock { $0 } }

    /// The option that plays; nil when none does.
    public final func selectedMediaOption(in group: AVMediaSelectionGroup) -> AVMediaSelectionOption? {
        switch choices[group.characteristic] {
        case .option(let option): option
        case .named(let name): group.options.first { $0.displayName == name } ?? group.defaultOption
        case nil: group.defaultOption
        }
    }

    /// Nobody has chosen in `group` yet: its default, or the preferred languages, decide.
    public final func mediaSelectionCriteriaCanBeAppliedAutomatically(to group: AVMediaSelectionGroup) -> Bool {
        choices[group.characteristic] == nil
    }

    // MARK: values

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVMediaSelection else { return false }
        return self === other || asset == other.asset && choices == other.choices
    }
    public override var hash: Int { asset.hashValue }
    /// One that nothing changes any more.
    public func copy(with zone: NSZone? = nil) -> Any { AVMediaSelection(choices, asset) }
    /// An `AVMutableMediaSelection`.
    public func mutableCopy(with zone: NSZone? = nil) -> Any { AVMutableMediaSelection(choices, asset) }

    /// The same with `option` chosen in `group`. None is ignored where the group must have one, and so
    /// is an option of another group.
    package final func selecting(_ option: AVMediaSelectionOption?, in group: AVMediaSelectionGroup) -> AVMediaSelection
    {
        let changed = AVMutableMediaSelection(choices, asset)
        changed.select(option, in: group)
        return AVMediaSelection(changed.choices, asset)
    }

    // MARK: what is kept over a start

    /// What was chosen of sound or subtitles. Outer nil: nothing, so that the default plays; inner nil: none, or
    /// captions, which are in the picture.
    package final func chosenName(_ trait: AVMediaCharacteristic) -> String?? {
        switch choices[trait] {
        case .option(let option): .some(option.flatMap { $0.mediaType == .closedCaption ? nil : $0.displayName })
        case .named(let name): .some(name)
        case nil: nil
        }
    }
    /// As `chosenName` told it. Nothing is read: which option that is its group tells.
    package static func named(_ names: [AVMediaCharacteristic: String?], in asset: AVAsset?) -> AVMediaSelection {
        AVMediaSelection(names.mapValues { $0.map(Choice.named) ?? .option(nil) }, asset)
    }

    // MARK: for the player

    private final func option(_ trait: AVMediaCharacteristic) -> AVMediaSelectionOption? {
        if case .option(let option)? = choices[trait] { option } else { nil }
    }
    /// libavformat's index of the chosen sound; nil when none was chosen.
    package final var audibleStreamIndex: Int? { option(.audible)?.streamIndex }
    /// libavformat's index of the chosen subtitles; nil when none were chosen.
    package final var legibleStreamIndex: Int? { option(.legible)?.streamIndex }
    /// Somebody has chosen subtitles, or none.
    final var isLegibleChosen: Bool { choices[.legible] != nil }
    /// Captions in the picture were chosen.
    final var wantsCaptions: Bool {
        option(.legible).map { $0.mediaType == .closedCaption && $0.track == nil } ?? false
    }
    /// The chosen subtitles of a stream, their place in `HLSPresentation.subtitles`. Inner nil: none, or captions;
    /// outer nil: nobody has chosen.
    final var subtitleRendition: Int?? {
        guard isLegibleChosen else { return nil }
        return .some(option(.legible)?.subtitleIndex)
    }
}

/// A selection that can be changed; made by `mutableCopy()`. Any thread.
public final class AVMutableMediaSelection: AVMediaSelection, @unchecked Sendable {
    // Unchecked because its superclass is: it adds no stored property.

    /// - Parameter option: nil: none. Ignored where the group must have one, and so is an option of another group.
    public func select(_ option: AVMediaSelectionOption?, in group: AVMediaSelectionGroup) {
        guard option.map(group.options.contains) ?? group.allowsEmptySelection else { return }
        chosen.withLock { $0[group.characteristic] = .option(option) }
    }
}
