import Zoetrope

/// A hint with a looping video, above the button that it explains.
struct HintPage: View {
    @State private var isShown = true

    var body: some View {
        VStack(spacing: 24) {
            // The space is reserved, so that nothing moves when the hint disappears.
            ZStack(alignment: .bottom) {
                if isShown {
                    hint.transition(.scale(scale: 0.8, anchor: .bottom).combined(with: .opacity))
                }
            }
            .frame(height: 256, alignment: .bottom)
            Button(isShown ? "Hide Hint" : "How Does It Work?") {
                withAnimation(.spring(response: 0.35, dampingFraction: 0.75)) { isShown.toggle() }
            }
        }
        .frame(maxWidth: .infinity, maxHeight: .infinity)
    }

    private var hint: some View {
        VStack(spacing: 12) {
            ExtVideoPlayer(
                {
                    VideoSettings {
                        SourceName("zoetrope")
                        Loop()
                        Mute()
                    }
                }, command: .opening
            )
            .frame(width: 320, height: 180)
            .clipShape(RoundedRectangle(cornerRadius: 8))
            Text("Spin the drum and look through the slits.")
        }
        .padding(12)
        .background(RoundedRectangle(cornerRadius: 16).fill(Material.thickMaterial))
        .overlay(RoundedRectangle(cornerRadius: 16).stroke(Color.gray.opacity(0.4)))
        .shadow(radius: 12, y: 4)
    }
}
