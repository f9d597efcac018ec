import Filters
import Foundation
import GTK
import MediaCore
import MediaEngine
import PlayerControls
import Presentation

/// The context menu of a player, with the actions and choices that are possible now. The menu is created each time it
/// is opened. Main actor.
@MainActor
package final class PlayerMenu {
    private let commands: PlayerCommands
    private var open: Opened?

    private struct Opened {
        let popover: GTKReference<GTKPopover>
        let menu: ActionMenu
        let closed: SignalConnection
    }
    private static let prefix = "player"

    package init(_ commands: PlayerCommands) { self.commands = commands }

    // MARK: entries

    /// An entry of the menu, with its action.
    struct Entry {
        enum Kind {
            case action(@MainActor () -> Void)
            case check(Bool, @MainActor () -> Void)
            case radio(Bool, @MainActor () -> Void)
            case submenu([[Entry]])
        }
        let title: String
        /// The command whose key is shown beside the title.
        var key: PlayerCommand?
        var isEnabled = true
        let kind: Kind
    }

    /// Returns the current entries, in sections.
    func entries() -> [[Entry]] {
        guard let player = commands.player else { return [] }
        func localized(_ text: String) -> String { PlayerWords.localized(text) }
        func command(_ title: String, _ command: PlayerCommand, isEnabled: Bool = true) -> Entry {
            Entry(
                title: localized(title), key: command, isEnabled: isEnabled,
                kind: .action { [commands] in commands.perform(command) })
        }
        let options = commands.options
        let queue = commands.queue
        var sections: [[Entry]] = [
            [
                command(player.rate == 0 ? "Play" : "Pause", .action(.playPause)), command("Open…", .open),
                command("Previous Video", .entry(-1), isEnabled: queue?.canGo(by: -1) ?? false),
                command("Next Video", .entry(1), isEnabled: queue?.canGo(by: 1) ?? false),
            ]
        ]
        var tracks: [Entry] = []
        if let group = options.tracks.audios, !group.options.isEmpty {
            let choices = group.options.map { option in
                Entry(
                    title: option.displayName,
                    kind: .radio(option == options.tracks.audio) { options.tracks.select(option, in: group) })
            }
            tracks.append(Entry(title: localized("Audio"), isEnabled: choices.count > 1, kind: .submenu([choices])))
        }
        let subtitles = commands.subtitles
        let subtitleChoices = subtitles.choices(options)
        let choices = subtitleChoices.map { entry in
            Entry(
                title: entry.title,
                kind: .radio(entry.choice == subtitles.choice) { subtitles.choose(entry.choice, options) })
        }
        tracks.append(Entry(title: localized("Subtitles"), isEnabled: choices.count > 1, kind: .submenu([choices])))
        if options.chapters.count > 1 {
            let now = options.chapter(at: player.currentTime().seconds)
            let all = options.chapters.prefix(60).map { chapter in
                Entry(
                    title: "\(TimeText.clock(chapter.start))  \(chapter.title)",
                    kind: .radio(chapter == now) {
                        player.seek(to: CMTime(seconds: chapter.start, preferredTimescale: 1_000_000))
                    })
            }
            tracks.append(Entry(title: localized("Chapters"), kind: .submenu([Array(all)])))
        }
        sections.append(tracks)
        let speed = commands.control.speed
        let speeds = PlaybackControl.speeds.map { [commands] value in
            Entry(
                title: "\(value == value.rounded() ? String(Int(value)) : String(value))×",
                kind: .radio(abs(value - speed) < 0.01) {
                    commands.control.setSpeed(value)
                    commands.windowActions.showMessage(commands.control.speedText, 1.5)
                })
        }
        let section = localized(
            options.loop.part != nil ? "Clear" : options.loop.start != nil ? "Set End" : "Set Start")
        let gravity = commands.windowActions.gravity()
        let aspects = [
            (AVLayerVideoGravity.resizeAspect, localized("Fit")), (.resizeAspectFill, localized("Fill")),
            (.resize, localized("Stretch")),
        ].map { [commands] value, title in
            Entry(title: title, kind: .radio(value == gravity) { commands.windowActions.setGravity(value) })
        }
        sections.append([
            Entry(title: localized("Speed"), kind: .submenu([speeds])),
            Entry(
                title: localized("Loop"), key: .action(.toggleLoop),
                kind: .check(player.loopsCurrentItem && player.loopedRange == nil) { [commands] in
                    commands.perform(.action(.toggleLoop))
                }),
            Entry(
                title: "\(localized("A–B Loop")): \(section)", key: .loopSection,
                isEnabled: player.currentItem?.duration.seconds.isFinite == true,
                kind: .action { [commands] in commands.perform(.loopSection) }),
            Entry(title: localized("Scaling"), kind: .submenu([aspects])),
        ])
        var window = [
            command("Save Screenshot", .screenshot(withSubtitles: true)), command("Playback Information", .information),
        ]
        if let list = commands.windowActions.list {
            let isShown = list.isShown()
            window.append(Entry(title: localized("Show Playlist"), kind: .check(isShown) { list.show(!isShown) }))
        }
        window += [command("Full Screen", .action(.toggleFullScreen)), command("Keyboard Shortcuts", .help)]
        sections.append(window)
        sections.append([command("Close Window", .action(.close))])
        return sections
    }

    // MARK: widgets

    /// Opens the menu at a point of `widget`. The menu belongs to that widget while it is open.
    package func open(at x: Double, _ y: Double, in widget: GTKWidget) {
        close()
        let menu = ActionMenu(PlayerMenu.items(entries()), prefix: PlayerMenu.prefix)
        let popover = GTKReference(GTKPopover(menu: menu.menu))
        popover.object.insertActions(menu.actions, as: PlayerMenu.prefix)
        popover.object.setParent(widget)
        popover.object.placeMenu(at: CGPoint(x: x, y: y))
        let closed = SignalConnection(popover.object, "closed") { [weak self] in
            // Delayed, because the chosen action is performed after the menu has closed.
            DispatchQueue.main.async { [weak self] in
                MainActor.assumeIsolated { if self?.open?.popover === popover { self?.close() } }
            }
        }
        open = Opened(popover: popover, menu: menu, closed: closed)
        popover.object.open()
    }

    /// Closes the menu. Call it at the latest before the widget is removed.
    package func close() {
        guard let open else { return }
        self.open = nil
        open.closed.disconnect()
        open.popover.object.unparent()
    }

    private static func items(_ sections: [[Entry]]) -> [[ActionMenu.Entry]] {
        sections.map { section in
            section.map { entry in
                ActionMenu.Entry(
                    entry.title.count > 80 ? entry.title.prefix(79) + "…" : entry.title,
                    accelerator: entry.key.flatMap { accelerator($0) }, isEnabled: entry.isEnabled, kind(entry))
            }
        }
    }

    private static func kind(_ entry: Entry) -> ActionMenu.Entry.Kind {
        // Performs the action after the menu has closed.
        func later(_ run: @escaping @MainActor () -> Void) -> @MainActor () -> Void {
            { DispatchQueue.main.async { MainActor.assumeIsolated { run() } } }
        }
        return switch entry.kind {
        case .submenu(let sections): .submenu(items(sections))
        case .action(let run): .action(later(run))
        case .check(let isOn, let run): .check(isOn, later(run))
        case .radio(let isOn, let run): .radio(isOn, later(run))
        }
    }

    /// Returns the first key of a command in GTK's notation.
    private static func accelerator(_ command: PlayerCommand) -> String? {
        KeyTable.keys.keys(for: command).first?.accelerator
    }
}
