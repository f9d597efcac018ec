import Zoetrope

/// The views that a player shows when a video can't be played.
struct ErrorsPage: View {
    var body: some View {
        VStack(spacing: 16) {
            HStack(spacing: 16) {
                example("File not found") { VideoSettings { SourceName("nowhere") } }
                example("Duplicate setting") {
                    VideoSettings {
                        SourceName("zoetrope")
                        Loop()
                        Loop()
                    }
                }
            }
            HStack(spacing: 16) {
                example("Custom color and size") {
                    VideoSettings {
                        SourceName("nowhere")
                        ErrorGroup {
                            EColor(.red)
                            EFontSize(22)
                        }
                    }
                }
                example("No message: ErrorWidgetOff()") {
                    VideoSettings {
                        SourceName("nowhere")
                        ErrorWidgetOff()
                    }
                }
            }
        }
        .padding(16)
    }

    private func example(_ title: String, _ settings: () -> VideoSettings) -> some View {
        VStack(spacing: 8) {
            ExtVideoPlayer(settings, command: .opening)
            Text(verbatim: title).font(.headline).multilineTextAlignment(.center)
        }
    }
}
