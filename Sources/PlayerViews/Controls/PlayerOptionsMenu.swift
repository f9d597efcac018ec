import DeclarativeUI
import MediaEngine

/// The options of a player: speed, subtitles, audio, quality, chapters and loops.
struct PlayerOptionsMenu: View {
    let stage: PlayerStage
    private var transport: PlayerTransport { stage.transport }
    private var options: PlayerOptions { stage.transport.options }

    var body: some View {
        OptionsMenu(PlayerText.options, items: items) {
            Image(systemName: "gearshape.fill").font(.system(size: IconSize.control))
        }
        .help(PlayerText.options)
    }

    private func items() -> [OptionsMenuItem] {
        var items: [OptionsMenuItem] = [.menu(PlayerText.speed, items: speeds)]
        if options.tracks.subtitles != nil || !stage.additions.subtitles.isEmpty {
            items.append(.menu(PlayerText.subtitles, items: subtitles))
        }
        if let audios = options.tracks.audios, audios.options.count > 1 {
            items.append(.menu(PlayerText.audio) { choices(audios, options.tracks.audio) })
        }
        if options.quality.all.count > 1 { items.append(.menu(PlayerText.quality, items: qualities)) }
        guard stage.allowsSeeking else { return items }
        if options.chapters.count > 1 { items.append(.menu(PlayerText.chapters, items: chapters)) }
        if transport.duration != nil {
            items.append(.choice(PlayerText.loop, isOn: options.loop.isOn) { options.loop.set(!options.loop.isOn) })
            items.append(.menu(PlayerText.section, items: section))
        }
        return items
    }

    private func speeds() -> [OptionsMenuItem] {
        stage.additions.speeds.map { speed in
            .choice(speed.localizedName, isOn: abs(speed.rate - transport.speed) < 0.01) {
                transport.control?.setSpeed(speed.rate)
            }
        }
    }

    private func subtitles() -> [OptionsMenuItem] {
        let offered = stage.additions.subtitles
        let isOff = options.tracks.shownSubtitle == nil && !offered.contains(where: \.isOn)
        let off = OptionsMenuItem.choice(PlayerText.off, isOn: isOff) {
            if let subtitles = options.tracks.subtitles { options.tracks.select(nil, in: subtitles) }
            for entry in offered where entry.isOn { entry.choose() }
        }
        return [off] + (options.tracks.subtitles.map { choices($0, options.tracks.shownSubtitle) } ?? [])
            + offered.map { entry in .choice(entry.title, isOn: entry.isOn) { entry.choose() } }
    }

    private func choices(_ group: AVMediaSelectionGroup, _ chosen: AVMediaSelectionOption?) -> [OptionsMenuItem] {
        group.options.map { option in
            .choice(option.displayName, isOn: option == chosen) { options.tracks.select(option, in: group) }
        }
    }

    private func qualities() -> [OptionsMenuItem] {
        [.choice(PlayerText.automatic, isOn: options.quality.limit == nil) { options.quality.limit(to: nil) }]
            + options.quality.all.map { quality in
                .choice(quality.name, isOn: quality == options.quality.limit) { options.quality.limit(to: quality) }
            }
    }

    private func chapters() -> [OptionsMenuItem] {
        let current = options.chapter(at: transport.time)
        return options.chapters.map { chapter in
            .choice(chapter.title, isOn: chapter == current) { transport.seek(to: chapter.start) }
        }
    }

    private func section() -> [OptionsMenuItem] {
        var items: [OptionsMenuItem] = [
            .command(PlayerText.setStart) { options.loop.setStart(transport.time) },
            .command(PlayerText.setEnd) { options.loop.setEnd(transport.time) },
        ]
        if options.loop.part != nil || options.loop.start != nil {
            items.append(.command(PlayerText.clearSection) { options.loop.clearPart() })
        }
        return items
    }
}
