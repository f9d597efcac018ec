import Zoetrope

/// A video with a custom shape.
struct MaskPage: View {
    @State private var radius: CGFloat = 40
    @State private var isRound = false

    var body: some View {
        VStack(spacing: 24) {
            ExtVideoPlayer(
                {
                    VideoSettings {
                        SourceName("zoetrope")
                        Gravity(.resizeAspectFill)
                        Loop()
                        Mute()
                    }
                }, command: .opening
            )
            .frame(maxWidth: 480, maxHeight: 300)
            .mask {
                if isRound { Circle() } else { RoundedRectangle(cornerRadius: radius) }
            }
            .shadow(radius: 10)
            HStack(spacing: 12) {
                Text("Corner Radius")
                Slider(value: $radius, in: 0...150).accessibilityLabel("Corner Radius").frame(maxWidth: 240).disabled(
                    isRound)
                Toggle("Circle", isOn: $isRound)
            }
        }
        .padding(16)
    }
}
