import Zoetrope

/// A loop that fills the window, with text over it.
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
                Text("The Wheel of Life").font(.largeTitle).bold()
                Text("A short loop is decoded once and then played from memory.").font(.title3)
            }
            .foregroundColor(.white)
            .padding(32)
            .frame(maxWidth: .infinity, alignment: .leading)
        }
        .ignoresSafeArea()
    }
}
