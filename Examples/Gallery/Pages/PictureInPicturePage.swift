import Zoetrope

/// The picture in a window of its own, over all others.
struct PictureInPicturePage: View {
    @State private var command = PlaybackCommand.opening
    @State private var isFloating = false
    @State private var lines: [String] = []

    var body: some View {
        Beside(width: 240, height: 140) {
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
        } side: {
            LogList(lines: lines)
        }
    }

    private func told(_ event: PlayerEvent) {
        lines.append(event.description)
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
