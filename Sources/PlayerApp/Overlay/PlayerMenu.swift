import CGTK
import Filters
import Foundation
import GLibSupport
import GTKSupport
import MediaCore
import MediaEngine
import PlayerControls
import Presentation

/// The menu of a right click: what can be done and chosen now. Made anew each time it opens. Main actor.
@MainActor
package final class PlayerMenu {
    private let desk: PlayerDesk
    private var open: Opened?

    private struct Opened {
        let popover: UnsafeMutablePointer<GtkWidget>
        let parent: UnsafeMutablePointer<GtkWidget>
        let signals: Signals
    }
    private static let prefix = "player"

    package init(_ desk: PlayerDesk) { self.desk = desk }

    // MARK: what is in it

    /// An entry, with what it does.
    struct Entry {
        enum Kind {
            case action(@MainActor () -> Void)
            case check(Bool, @MainActor () -> Void)
            case radio(Bool, @MainActor () -> Void)
            case submenu([[Entry]])
        }
        let title: String
        /// Shown at its side.
        var key: PlayerCommand?
        var isEnabled = true
        let kind: Kind
    }

    /// Sections of entries, as they would be now.
    func entries() -> [[Entry]] {
        guard let player = desk.player else { return [] }
        func local(_ words: String) -> String { PlayerWords.localized(words) }
        func command(_ title: String, _ command: PlayerCommand, isEnabled: Bool = true) -> Entry {
            Entry(
                title: local(title), key: command, isEnabled: isEnabled,
                kind: .action { [desk] in desk.perform(command) })
        }
        let options = desk.options
        let queue = desk.queue
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
            tracks.append(Entry(title: local("Audio"), isEnabled: choices.count > 1, kind: .submenu([choices])))
        }
        let subtitles = desk.subtitles
        let words = subtitles.choices(options)
        let choices = words.map { entry in
            Entry(
                title: entry.title,
                kind: .radio(entry.choice == subtitles.choice) { subtitles.choose(entry.choice, options) })
        }
        tracks.append(Entry(title: local("Subtitles"), isEnabled: choices.count > 1, kind: .submenu([choices])))
        if options.chapters.count > 1 {
            let now = options.chapter(at: player.currentTime().seconds)
            let all = options.chapters.prefix(60).map { chapter in
                Entry(
                    title: "\(TimeText.clock(chapter.start))  \(chapter.title)",
                    kind: .radio(chapter == now) {
                        player.seek(to: CMTime(seconds: chapter.start, preferredTimescale: 1_000_000))
                    })
            }
            tracks.append(Entry(title: local("Chapters"), kind: .submenu([Array(all)])))
        }
        sections.append(tracks)
        let speed = desk.control.speed
        let speeds = PlaybackControl.speeds.map { [desk] value in
            Entry(
                title: "\(value == value.rounded() ? String(Int(value)) : String(value))×",
                kind: .radio(abs(value - speed) < 0.01) {
                    desk.control.setSpeed(value)
                    desk.surroundings.say(desk.control.speedText, 1.5)
                })
        }
        let section = local(options.loop.part != nil ? "Clear" : options.loop.start != nil ? "Set End" : "Set Start")
        let gravity = desk.surroundings.gravity()
        let aspects = [
            (AVLayerVideoGravity.resizeAspect, local("Fit")), (.resizeAspectFill, local("Fill")),
            (.resize, local("Stretch")),
        ].map { [desk] value, title in
            Entry(title: title, kind: .radio(value == gravity) { desk.surroundings.setGravity(value) })
        }
        sections.append([
            Entry(title: local("Speed"), kind: .submenu([speeds])),
            Entry(
                title: local("Loop"), key: .action(.toggleLoop),
                kind: .check(player.loopsCurrentItem && player.loopedRange == nil) { [desk] in
                    desk.perform(.action(.toggleLoop))
                }),
            Entry(
                title: "\(local("A–B Loop")): \(section)", key: .loopSection,
                isEnabled: player.currentItem?.duration.seconds.isFinite == true,
                kind: .action { [desk] in desk.perform(.loopSection) }),
            Entry(title: local("Scaling"), kind: .submenu([aspects])),
        ])
        var window = [
            command("Save Screenshot", .picture(withSubtitles: true)), command("Playback Information", .information),
        ]
        if let list = desk.surroundings.list {
            let isShown = list.isShown()
            window.append(Entry(title: local("Show Playlist"), kind: .check(isShown) { list.show(!isShown) }))
        }
        window += [command("Full Screen", .action(.toggleFullScreen)), command("Keyboard Shortcuts", .help)]
        sections.append(window)
        sections.append([command("Close Window", .action(.close))])
        return sections
    }

    // MARK: as widgets

    /// Opens it at a point of `widget`, to which it belongs meanwhile.
    package func open(at x: Double, _ y: Double, in widget: UnsafeMutablePointer<GtkWidget>) {
        close()
        let signals = Signals()
        guard let group = g_simple_action_group_new(), let menu = g_menu_new() else { return }
        defer {
            g_object_unref(UnsafeMutableRawPointer(group))
            g_object_unref(UnsafeMutableRawPointer(menu))
        }
        var count = 0
        fill(menu, entries(), OpaquePointer(group), &count, signals)
        let model = UnsafeMutableRawPointer(menu).assumingMemoryBound(to: GMenuModel.self)
        guard let popover = gtk_popover_menu_new_from_model_full(model, GTK_POPOVER_MENU_NESTED) else { return }
        gtk_widget_insert_action_group(popover, PlayerMenu.prefix, OpaquePointer(group))
        g_object_ref_sink(popover)
        gtk_widget_set_parent(popover, widget)
        let native = UnsafeMutablePointer<GtkPopover>(OpaquePointer(popover))
        MenuPlacement.place(native, at: x, y)
        signals.on(popover, "closed") { [weak self] in
            // Not now: what was chosen is done after the menu is closed.
            DispatchQueue.main.async { [weak self] in
                MainActor.assumeIsolated { if self?.open?.popover == popover { self?.close() } }
            }
        }
        open = Opened(popover: popover, parent: widget, signals: signals)
        gtk_popover_popup(native)
    }

    package var isOpen: Bool { open != nil }

    /// Before the widget goes at the latest.
    package func close() {
        guard let open else { return }
        self.open = nil
        open.signals.disconnect()
        gtk_widget_unparent(open.popover)
        g_object_unref(open.popover)
    }

    private func fill(
        _ menu: OpaquePointer, _ sections: [[Entry]], _ group: OpaquePointer, _ count: inout Int, _ signals: Signals
    ) {
        for section in sections where !section.isEmpty {
            guard let part = g_menu_new() else { continue }
            for entry in section { add(entry, to: part, group, &count, signals) }
            g_menu_append_section(menu, nil, UnsafeMutableRawPointer(part).assumingMemoryBound(to: GMenuModel.self))
            g_object_unref(UnsafeMutableRawPointer(part))
        }
    }

    private func add(
        _ entry: Entry, to menu: OpaquePointer, _ group: OpaquePointer, _ count: inout Int, _ signals: Signals
    ) {
        // An underscore marks a key in GTK's labels.
        let title = entry.title.count > 80 ? entry.title.prefix(79) + "…" : entry.title[...]
        guard let item = g_menu_item_new(title.replacingOccurrences(of: "_", with: "__"), nil) else { return }
        defer {
            g_menu_append_item(menu, item)
            g_object_unref(UnsafeMutableRawPointer(item))
        }
        if let key = entry.key, let words = PlayerMenu.accelerator(key) {
            g_menu_item_set_attribute_value(item, "accel", g_variant_new_string(words))
        }
        count += 1
        let name = "e\(count)"
        let text = g_variant_type_new("s")
        defer { g_variant_type_free(text) }
        var target: OpaquePointer?
        let made: OpaquePointer?
        let run: @MainActor () -> Void
        switch entry.kind {
        case .submenu(let sections):
            // One that cannot be opened is an entry that does nothing.
            if entry.isEnabled {
                guard let below = g_menu_new() else { return }
                fill(below, sections, group, &count, signals)
                g_menu_item_set_submenu(item, UnsafeMutableRawPointer(below).assumingMemoryBound(to: GMenuModel.self))
                g_object_unref(UnsafeMutableRawPointer(below))
                return
            }
            made = g_simple_action_new(name, nil)
            run = {}
        case .action(let action):
            made = g_simple_action_new(name, nil)
            run = action
        case .check(let isOn, let action):
            made = g_simple_action_new_stateful(name, nil, g_variant_new_boolean(isOn ? 1 : 0))
            run = action
        case .radio(let isOn, let action):
            made = g_simple_action_new_stateful(name, text, g_variant_new_string(isOn ? "1" : "0"))
            target = g_variant_new_string("1")
            run = action
        }
        guard let made else { return }
        g_simple_action_set_enabled(made, entry.isEnabled ? 1 : 0)
        signals.on(made, "activate") {
            // When the menu has gone.
            DispatchQueue.main.async { MainActor.assumeIsolated { run() } }
        }
        g_action_map_add_action(group, made)
        g_object_unref(UnsafeMutableRawPointer(made))
        g_menu_item_set_action_and_target_value(item, "\(PlayerMenu.prefix).\(name)", target)
    }

    /// The first key of a command, as GTK writes it.
    private static func accelerator(_ command: PlayerCommand) -> String? {
        KeyTable.keys.keys(for: command).first?.accelerator
    }
}
