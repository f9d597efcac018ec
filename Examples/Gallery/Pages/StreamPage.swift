import Foundation
import Zoetrope

/// A stream or a file: its position, the buffered part, its audio tracks and its subtitles.
struct StreamPage: View {
    private struct Choice: Identifiable, Hashable {
        let id: String
        let name: String
    }
    /// The `--url` of the command line, else the sample, which has one audio track and no subtitles.
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
    @State private var problem = ""

    /// Picker values that are not language tags: the stream's default subtitles, and none.
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
            .onPlayerEventChange { events in for event in events { handle(event) } }
            .overlay(alignment: .bottomLeading) { ProblemNote(text: problem) }

            ProgressView(value: min(loaded, max(duration, 0.1)), total: max(duration, 0.1)).accessibilityLabel(
                "Buffered")
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
                    // The tracks have no language: there is at most one.
                    if audio.isEmpty { Text("–").tag("") }
                    ForEach(audio) { Text(verbatim: $0.name).tag($0.id) }
                }
                .disabled(audio.count < 2)
                Picker("Subtitles", selection: $subtitles) {
                    // No command returns to the default: the choice is offered only until another one is made.
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
                TextField("Stream URL or file", text: $typed).onSubmit(open)
                Button("Open", action: open).disabled(typed.isEmpty)
            }
        }
        .padding(16)
    }

    private func open() {
        (time, duration, loaded, problem) = (0, 0, 0, "")
        source = typed
        // Reset the command, so that the choice of the previous source can be made again.
        command = .idle
    }

    private func handle(_ event: PlayerEvent) {
        switch event {
        case .currentItemChanged(let item): if let item { Task { await choices(item) } }
        case .duration(let value): duration = value.isNumeric ? value.seconds : 0
        case .bufferChanged(let seconds): loaded = seconds
        case .error(let error): problem = error.description
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
