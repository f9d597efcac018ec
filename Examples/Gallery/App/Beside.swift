import Zoetrope

/// A picture and what belongs to it: beside it where there is room for both, else below it.
struct Beside<Main: View, Side: View>: View {
    /// Points that what belongs to it takes beside the picture, and below it.
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
                // A small window leaves some of it to the picture.
                side.frame(
                    maxWidth: isWide ? width : .infinity, minHeight: isWide ? nil : below,
                    maxHeight: isWide ? .infinity : below)
            }
            .padding(16)
            .frame(width: room.size.width, height: room.size.height)
        }
    }
}
