import Foundation
import MediaCore
import MediaEngine
import Overlays
import PlayerViews
import Presentation

/// The choice of subtitles: those of the video, separate files with its name, or a file from the command line. Main
/// actor.
@MainActor
package final class PlayerSubtitles {
    package enum Choice: Equatable {
        case none
        /// A track of the video.
        case own(AVMediaSelectionOption)
        case file(URL)
    }
    package var choice: Choice { chosen.current }
    private var chosen = ChosenSubtitles()
    /// The subtitle files with the name of the video.
    package private(set) var sidecars: [SubtitleSidecar] = [] { didSet { if sidecars != oldValue { onChange?() } } }
    /// Called when the choices or the selected choice have changed.
    package var onChange: (() -> Void)?
    /// The subtitles from the command line, for all items. They have priority over files with the name of the video.
    package var named: SubtitleDocument?
    /// Whether this object shows no subtitles, because another object does.
    package var isOff = false
    /// The composition that draws the subtitles.
    var composition: () -> PictureComposition? = { nil }
    var problem: (String) -> Void = { _ in }

    private let languages: [String]?
    private var overlay = DelayedOverlay()
    private weak var item: AVPlayerItem?
    private var loading: Task<Void, Never>?
    private var selection: NSKeyValueObservation?
    private var status: NSKeyValueObservation?
    private var isChoosing = false

    init(languages: [String]?) { self.languages = languages }

    /// Searches for subtitle files of a new item, and shows the subtitles that are visible from the start.
    func follow(_ new: AVPlayerItem?) {
        guard new !== item, !isOff else { return }
        loading?.cancel()
        (selection, status) = (nil, nil)
        item = new
        sidecars = []
        chosen.forgetLast()
        if choice != .none { show(.none) }
        guard let new else { return }
        let url = new.asset.url
        let named = named
        let languages = languages
        loading = Task { [weak self] in
            // Searching a slow disk must not block the main thread.
            let found = await Task.detached { url.isFileURL ? SubtitleSidecar.of(url) : [] }.value
            guard !Task.isCancelled, let self, item === new else { return }
            sidecars = found
            if let named { return show(.file(named.url)) }
            // A track in a requested language has priority over files.
            if let languages, let own = await PlayerSubtitles.own(new, languages) {
                guard !Task.isCancelled, item === new else { return }
                return choose(own.option, in: own.group)
            }
            guard !Task.isCancelled, item === new, choice == .none else { return }
            let best = SubtitleSidecar.best(of: found, for: languages ?? PlayerWords.languages)
            if let best { return show(.file(best.url)) }
            status = new.observe(\.status, options: [.initial]) { [weak self] item, _ in self?.showAutomatic(item) }
        }
        selection = new.observe(\.currentMediaSelection) { [weak self] item, _ in self?.selected(item) }
    }

    private static func own(_ item: AVPlayerItem, _ languages: [String]) async -> (
        option: AVMediaSelectionOption, group: AVMediaSelectionGroup
    )? {
        guard let group = try? await item.asset.loadMediaSelectionGroup(for: .legible) else { return nil }
        let fitting = AVMediaSelectionGroup.mediaSelectionOptions(
            from: group.options, filteredAndSortedAccordingToPreferredLanguages: languages)
        return fitting.first.map { ($0, group) }
    }

    /// Shows the track that the item shows if nothing is selected, as other views do: the default or a forced one.
    private func showAutomatic(_ item: AVPlayerItem) {
        // Reading the tracks before the item is open would open its source a second time.
        guard item === self.item, item.status == .readyToPlay else { return }
        loading = Task { [weak self] in
            guard let group = try? await item.asset.loadMediaSelectionGroup(for: .legible), !Task.isCancelled, let self,
                item === self.item, choice == .none,
                item.currentMediaSelection.mediaSelectionCriteriaCanBeAppliedAutomatically(to: group),
                let option = item.shownSubtitles(in: group)
            else { return }
            show(.own(option))
        }
    }

    /// Follows a selection by the on-screen controls.
    private func selected(_ item: AVPlayerItem) {
        guard !isChoosing, item === self.item else { return }
        Task { [weak self] in
            guard let group = try? await item.asset.loadMediaSelectionGroup(for: .legible), let self,
                item === self.item
            else { return }
            if let option = item.currentMediaSelection.selectedMediaOption(in: group) {
                if choice != .own(option) { show(.own(option)) }
            } else if case .own = choice {
                show(.none)
            }
        }
    }

    // MARK: choices

    /// Returns the choices in the order in which keys select them: off, the tracks of the video, then files.
    package func choices(_ options: PlayerOptions) -> [(choice: Choice, title: String)] {
        var all: [(Choice, String)] = [(.none, PlayerWords.localized("Off"))]
        all += (options.tracks.subtitles?.options ?? []).map { (.own($0), $0.displayName) }
        if let named { all.append((.file(named.url), MediaList.Entry(named.url).displayTitle)) }
        all += sidecars.filter { $0.url != named?.url }.map { (.file($0.url), $0.title) }
        return all.map { (choice: $0.0, title: $0.1) }
    }

    /// Returns the subtitle files, for a menu that already has the tracks. Choosing the displayed file hides it.
    package func offered(_ options: PlayerOptions) -> [OfferedSubtitle] {
        choices(options).compactMap { entry in
            guard case .file = entry.choice else { return nil }
            let isOn = entry.choice == choice
            return OfferedSubtitle(title: entry.title, isOn: isOn) { [weak self] in
                self?.choose(isOn ? .none : entry.choice, options)
            }
        }
    }

    package func choose(_ new: Choice, _ options: PlayerOptions) {
        if case .own(let option) = new, let group = options.tracks.subtitles { return choose(option, in: group) }
        if case .own = choice, let group = options.tracks.subtitles {
            isChoosing = true
            options.tracks.select(nil, in: group)
            isChoosing = false
        }
        show(new)
    }
    private func choose(_ option: AVMediaSelectionOption, in group: AVMediaSelectionGroup) {
        isChoosing = true
        item?.select(option, in: group)
        isChoosing = false
        show(.own(option))
    }

    /// Selects the next or previous choice.
    /// - Returns: A message for the user.
    func cycle(by step: Int, _ options: PlayerOptions) -> String {
        let all = choices(options)
        guard all.count > 1 else { return PlayerWords.localized("No subtitles available") }
        let now = all.firstIndex { $0.choice == choice } ?? 0
        let next = all[((now + step) % all.count + all.count) % all.count]
        choose(next.choice, options)
        return "\(PlayerWords.localized("Subtitles")): \(next.title)"
    }

    /// Hides the subtitles, or shows the last ones again.
    func toggle(_ options: PlayerOptions) -> String {
        let all = choices(options)
        guard all.count > 1 else { return PlayerWords.localized("No subtitles available") }
        choose(chosen.toggled(first: all[1].choice), options)
        let title = all.first { $0.choice == choice }?.title ?? ""
        return "\(PlayerWords.localized("Subtitles")): \(title)"
    }

    func shift(by seconds: Double) -> String {
        overlay.shift(by: seconds)
        return "\(PlayerWords.localized("Subtitle delay")): \(String(format: "%+.1f s", overlay.delay))"
    }

    private func setChoice(_ new: Choice) { if chosen.choose(new) { onChange?() } }

    private func show(_ new: Choice) {
        setChoice(new)
        if case .none = new {
            overlay.show(nil)
            return
        }
        if !overlay.exists {
            guard let composition = composition() else { return }
            composition.add(overlay.create())
        }
        switch new {
        case .none: break
        case .own: overlay.show(item?.subtitleSource)
        case .file(let url):
            if let named, named.url == url {
                overlay.show(named)
                return
            }
            overlay.show(nil)
            Task { [weak self] in
                do throws(AVError) {
                    let document = try await SubtitleDocument.load(from: url)
                    guard let self, choice == .file(url) else { return }
                    overlay.show(document)
                } catch {
                    guard let self, choice == .file(url) else { return }
                    setChoice(.none)
                    chosen.forgetLast()
                    problem(PlayerWords.onScreen("\(error)"))
                }
            }
        }
    }
}
