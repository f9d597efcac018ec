import Zoetrope

/// A video with a second view: side by side in a wide window, stacked in a narrow one.
struct Beside<Main: View, Side: View>: View {
    /// The size of the second view, in points: its width beside the video, its height below it.
    let width: CGFloat, height: CGFloat
    @ViewBuilder let main: Main
    @ViewBuilder let side: Side

    var body: some View {
        GeometryReader { room in
            let isWide = room.size.width >= width + 420
            let below = min(height, room.size.height * 0.6)
            let layout =
                isWide
                ? AnyLayout(HStackLayout(spacing: 16)) : AnyLayout(VStackLayout(alignment: .leading, spacing: 12))
            layout {
                main.frame(maxWidth: .infinity, maxHeight: .infinity)
                // Leave space for the video in a small window.
                side.frame(
                    maxWidth: isWide ? width : .infinity, minHeight: isWide ? nil : below,
                    maxHeight: isWide ? .infinity : below)
            }
            .padding(16)
            .frame(width: room.size.width, height: room.size.height)
        }
    }
}
