import Zoetrope

/// Sixteen players of one file, which is decoded only once.
struct GridPage: View {
    var body: some View {
        VStack(spacing: 4) {
            ForEach(0..<4) { _ in
                HStack(spacing: 4) {
                    ForEach(0..<4) { _ in
                        ExtVideoPlayer(
                            {
                                VideoSettings {
                                    SourceName("zoetrope")
                                    Gravity(.resizeAspectFill)
                                    Loop()
                                    Mute()
                                }
                            }, command: .opening)
                    }
                }
            }
        }
        .padding(4)
    }
}
