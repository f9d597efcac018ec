import Zoetrope

/// What is seen when there is no video.
struct ErrorsPage: View {
    var body: some View {
        VStack(spacing: 16) {
            HStack(spacing: 16) {
                example("Not found") { VideoSettings { SourceName("nowhere") } }
                example("Given twice") {
                    VideoSettings {
                        SourceName("zoetrope")
                        Loop()
                        Loop()
                    }
                }
            }
            HStack(spacing: 16) {
                example("A colour of its own") {
                    VideoSettings {
                        SourceName("nowhere")
                        ErrorGroup {
                            EColor(.red)
                            EFontSize(22)
                        }
                    }
                }
                example("Silent: ErrorWidgetOff()") {
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
