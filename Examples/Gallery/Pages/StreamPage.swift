import Foundation
import Zoetrope

/// A stream or a film: where it is and what has come, its languages and its subtitles.
struct StreamPage: View {
    private struct Choice: Identifiable, Hashable {
        let id: String
        let name: String
    }
    /// `--url` on the command line; else the sample, which has one language and no subtitles.
    @State private var source = StreamPage.argument ?? "zoetrope"
    @State private var typed = StreamPage.argument ?? ""
    @State private var command = PlaybackCommand.opening
    @State private var time = 0.0
    @State private var duration = 0.0
    @State private var loaded = 0.0
    @State private var isSeeking = false
    @State private var audio: [Choice] = []
    @State private var texts: [Choice] = []
    @State private var language = ""
    @State private var subtitles = StreamPage.automatic
    @State private var trouble = ""

    /// What the stream marks as its default, until the viewer says otherwise; and none. No language has such a tag.
    private static let automatic = "", off = "-"

    private static var argument: String? { Launch.url }

    var body: some View {
        VStack(spacing: 12) {
            ExtVideoPlayer(
                {
                    VideoSettings {
                        SourceName(source)
                        TimePublishing(CMTime(seconds: 0.2, preferredTimescale: 600))
                        Events([.currentItemChangedAny, .durationAny, .bufferChangedAny, .errorAny], interval: 0.2)
                    }
                }, command: $command
            )
            .onPlayerTimeChange { if !isSeeking { time = $0 } }
            .onPlayerEventChange { events in for event in events { told(event) } }
            .overlay(alignment: .bottomLeading) { ProblemNote(text: trouble) }

            ProgressView(value: min(loaded, max(duration, 0.1)), total: max(duration, 0.1)).accessibilityLabel("Loaded")
            Slider(value: $time, in: 0...max(duration, 0.1)) { editing in
                isSeeking = editing
                if !editing { command = .seek(to: time) }
            }
            .accessibilityLabel("Position")
            .accessibilityValue(SpokenTime.text(time, of: duration))
            HStack(spacing: 12) {
                Picker(
                    "Audio",
                    selection: Binding(
                        get: { language },
                        set: {
                            language = $0
                            command = .audioTrack(languageCode: $0)
                        })
                ) {
                    // None that has a name: one sound at most.
                    if audio.isEmpty { Text("–").tag("") }
                    ForEach(audio) { Text(verbatim: $0.name).tag($0.id) }
                }
                .disabled(audio.count < 2)
                Picker("Subtitles", selection: $subtitles) {
                    // No command brings it back.
                    if subtitles == StreamPage.automatic { Text("Automatic").tag(StreamPage.automatic) }
                    Text("Off").tag(StreamPage.off)
                    ForEach(texts) { Text(verbatim: $0.name).tag($0.id) }
                }
                .disabled(texts.isEmpty)
                .onChange(of: subtitles) {
                    if subtitles != StreamPage.automatic {
                        command = .subtitles(subtitles == StreamPage.off ? nil : subtitles)
                    }
                }
                Spacer()
            }
            HStack(spacing: 8) {
                TextField("URL of a stream, or a file", text: $typed).onSubmit(open)
                Button("Open", action: open).disabled(typed.isEmpty)
            }
        }
        .padding(16)
    }

    private func open() {
        (time, duration, loaded, trouble) = (0, 0, 0, "")
        source = typed
        // What was chosen for the one before may be chosen again.
        command = .idle
    }

    private func told(_ event: PlayerEvent) {
        switch event {
        case .currentItemChanged(let item): if let item { Task { await choices(item) } }
        case .duration(let value): duration = value.isNumeric ? value.seconds : 0
        case .bufferChanged(let seconds): loaded = seconds
        case .error(let error): trouble = error.description
        default: break
        }
    }

    private func choices(_ item: AVPlayerItem) async {
        let asset = item.asset
        func of(_ trait: AVMediaCharacteristic) async -> [Choice] {
            var found: [Choice] = []
            for option in (try? await asset.loadMediaSelectionGroup(for: trait))?.options ?? [] {
                guard let tag = option.extendedLanguageTag, !found.contains(where: { $0.id == tag }) else { continue }
                found.append(Choice(id: tag, name: option.displayName))
            }
            return found
        }
        audio = await of(.audible)
        texts = await of(.legible)
        subtitles = StreamPage.automatic
        language = ""
        guard let group = try? await asset.loadMediaSelectionGroup(for: .audible) else { return }
        language = item.currentMediaSelection.selectedMediaOption(in: group)?.extendedLanguageTag ?? ""
    }
}
