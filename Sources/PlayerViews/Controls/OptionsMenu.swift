import DeclarativeUI
import Foundation
import MediaEngine

/// What can be chosen of a player: speed, subtitles, sound, quality, chapters, what goes round.
struct OptionsMenu: View {
    let stage: PlayerStage

    var body: some View {
        let transport = stage.transport
        let options = transport.options
        Menu {
            Menu {
                ForEach(stage.speeds, id: \.self) { speed in
                    MenuChoice(title: speed.localizedName, isOn: abs(speed.rate - transport.speed) < 0.01) {
                        transport.control?.setSpeed(speed.rate)
                    }
                }
            } label: {
                Text(verbatim: PlayerText.speed)
            }
            let offered = stage.offeredSubtitles
            if options.subtitles != nil || !offered.isEmpty {
                Menu {
                    MenuChoice(
                        title: PlayerText.off, isOn: options.subtitle == nil && !offered.contains(where: \.isOn)
                    ) {
                        if let subtitles = options.subtitles { options.select(nil, in: subtitles) }
                        for one in offered where one.isOn { one.choose() }
                    }
                    if let subtitles = options.subtitles {
                        ForEach(subtitles.options, id: \.self) { option in
                            MenuChoice(title: option.displayName, isOn: option == options.subtitle) {
                                options.select(option, in: subtitles)
                            }
                        }
                    }
                    ForEach(Array(offered.enumerated()), id: \.offset) { _, one in
                        MenuChoice(title: one.title, isOn: one.isOn) { one.choose() }
                    }
                } label: {
                    Text(verbatim: PlayerText.subtitles)
                }
            }
            if let audios = options.audios, audios.options.count > 1 {
                Menu {
                    ForEach(audios.options, id: \.self) { option in
                        MenuChoice(title: option.displayName, isOn: option == options.audio) {
                            options.select(option, in: audios)
                        }
                    }
                } label: {
                    Text(verbatim: PlayerText.audio)
                }
            }
            if options.rungs.count > 1 {
                Menu {
                    MenuChoice(title: PlayerText.automatic, isOn: options.rung == nil) { options.limit(to: nil) }
                    ForEach(options.rungs, id: \.self) { rung in
                        MenuChoice(title: rung.name, isOn: rung == options.rung) { options.limit(to: rung) }
                    }
                } label: {
                    Text(verbatim: PlayerText.quality)
                }
            }
            if stage.allowsSeeking, options.chapters.count > 1 {
                Menu {
                    ForEach(options.chapters, id: \.self) { chapter in
                        MenuChoice(title: chapter.title, isOn: chapter == options.chapter(at: transport.time)) {
                            transport.seek(to: chapter.start)
                        }
                    }
                } label: {
                    Text(verbatim: PlayerText.chapters)
                }
            }
            if stage.allowsSeeking, transport.duration != nil {
                MenuChoice(title: PlayerText.loop, isOn: options.loops) { options.setLoops(!options.loops) }
                Menu {
                    Button(PlayerText.setStart) { options.setStart(transport.time) }
                    Button(PlayerText.setEnd) { options.setEnd(transport.time) }
                    if options.part != nil || options.start != nil {
                        Button(PlayerText.clearSection) { options.clearPart() }
                    }
                } label: {
                    Text(verbatim: PlayerText.section)
                }
            }
        } label: {
            Image(systemName: "gearshape.fill").font(.system(size: IconSize.control))
        }
        .menuIndicator(.hidden)
        .menuStyle(.borderlessButton)
        .accessibilityLabel(PlayerText.options)
        .help(PlayerText.options)
    }
}

/// One of a menu's choices, with a mark where it is chosen.
struct MenuChoice: View {
    let title: String
    let isOn: Bool
    let action: @MainActor () -> Void
    var body: some View { Toggle(isOn: Binding(get: { isOn }, set: { _ in action() })) { Text(verbatim: title) } }
}
