import Zoetrope

/// The picture in a shape.
struct MaskPage: View {
    @State private var radius: CGFloat = 40
    @State private var isRound = false

    var body: some View {
        VStack(spacing: 20) {
            ExtVideoPlayer {
                VideoSettings {
                    SourceName("zoetrope")
                    Gravity(.resizeAspectFill)
                    Loop()
                    Mute()
                }
            }
            .frame(width: 480, height: 300)
            .mask {
                if isRound { Circle() } else { RoundedRectangle(cornerRadius: radius) }
            }
            .shadow(radius: 10)
            HStack {
                Text("Radius")
                Slider(value: $radius, in: 0...150).frame(width: 240).disabled(isRound)
                Toggle("Circle", isOn: $isRound)
            }
        }
        .padding()
    }
}
