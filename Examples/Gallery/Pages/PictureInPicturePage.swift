import Zoetrope

/// A video in a small window above all others.
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
                    for event in events { handle(event) }
                }
                Button(isFloating ? "Stop Picture in Picture" : "Start Picture in Picture") {
                    command = isFloating ? .stopPiP : .startPiP
                }
                Text(
                    "Drag the small window to move it, and its edges to resize it. Press Space to play or pause. Press Esc or double-click to return the video here."
                )
                .font(.caption)
                .foregroundColor(.secondary)
                .multilineTextAlignment(.center)
            }
        } side: {
            LogList(lines: lines)
        }
    }

    private func handle(_ event: PlayerEvent) {
        lines.append(event.description)
        switch event {
        case .startedPiP: isFloating = true
        case .stoppedPiP:
            isFloating = false
            // The window may have been closed by the user. Reset the command, so that the next start is a new one.
            command = .idle
        default: break
        }
    }
}
