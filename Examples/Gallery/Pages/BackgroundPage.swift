import Zoetrope

/// A loop that fills the room, with words over it.
struct BackgroundPage: View {
    var body: some View {
        ZStack {
            ExtVideoPlayer(
                {
                    VideoSettings {
                        SourceName("zoetrope")
                        Gravity(.resizeAspectFill)
                        Loop()
                        Mute()
                    }
                }, command: .opening)
            LinearGradient(colors: [.black.opacity(0.0), .black.opacity(0.75)], startPoint: .center, endPoint: .bottom)
            VStack(alignment: .leading, spacing: 8) {
                Spacer()
                Text("A wheel of life").font(.largeTitle).bold()
                Text("A short loop is decoded once and kept: playing it costs less than decoding it.").font(.title3)
            }
            .foregroundColor(.white)
            .padding(32)
            .frame(maxWidth: .infinity, alignment: .leading)
        }
        .ignoresSafeArea()
    }
}
