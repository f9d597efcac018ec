import Zoetrope

/// The picture in a window of its own, over all others.
struct PictureInPicturePage: View {
    private struct Line: Identifiable {
        let id: Int
        let text: String
    }
    @State private var command = PlaybackCommand.play
    @State private var isFloating = false
    @State private var lines: [Line] = []

    var body: some View {
        HStack(spacing: 16) {
            VStack(spacing: 12) {
                ExtVideoPlayer(
                    {
                        VideoSettings {
                            SourceName("zoetrope")
                            Loop()
                            PictureInPicture()
                            Events([.startedPiP, .stoppedPiP, .playing, .paused, .errorAny], interval: 0.1)
                        }
                    },
                    command: $command
                )
                .onPlayerEventChange { events in
                    for event in events { told(event) }
                }
                Button(isFloating ? "Stop Picture in Picture" : "Start Picture in Picture") {
                    command = isFloating ? .stopPiP : .startPiP
                }
                Text(
                    "Drag the small window anywhere, its edges to resize it. Space plays and pauses, Esc or a double click brings the picture back."
                )
                .font(.caption)
                .foregroundColor(.secondary)
                .multilineTextAlignment(.center)
            }
            ScrollView {
                LazyVStack(alignment: .leading, spacing: 2) {
                    ForEach(lines.reversed()) { Text(verbatim: $0.text).font(.system(.caption, design: .monospaced)) }
                }
                .padding(8)
            }
            .frame(width: 240)
            .background(RoundedRectangle(cornerRadius: 8).fill(Color.gray.opacity(0.12)))
        }
        .padding(16)
    }

    private func told(_ event: PlayerEvent) {
        lines.append(Line(id: lines.count, text: event.description))
        switch event {
        case .startedPiP: isFloating = true
        case .stoppedPiP:
            isFloating = false
            // Stopped by the window itself: the next start is a new command.
            command = .idle
        default: break
        }
    }
}
