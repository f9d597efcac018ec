import DeclarativeUI
import Foundation

/// The title of the current item at the upper left, with its artwork and byline. Nothing is shown for an item without a
/// title.
struct PlayerTitle: View {
    let transport: PlayerTransport
    /// The width in points that stays free before the title.
    let inset: CGFloat
    /// The side length of the artwork, in points.
    private static let artwork: CGFloat = 40
    var body: some View {
        let options = transport.options
        if !options.info.title.isEmpty {
            VStack {
                HStack(spacing: Space.wide) {
                    if let artwork = options.info.artwork {
                        Image(uiImage: artwork).resizable().aspectRatio(contentMode: .fill).frame(
                            width: PlayerTitle.artwork, height: PlayerTitle.artwork
                        )
                        .clipShape(RoundedRectangle(cornerRadius: Radius.small))
                    }
                    VStack(alignment: .leading, spacing: Space.hair) {
                        Text(verbatim: options.info.title).font(.headline).lineLimit(1)
                        if !options.info.byline.isEmpty {
                            Text(verbatim: options.info.byline).font(.subheadline).foregroundColor(Shade.faintInk)
                                .lineLimit(
                                    1)
                        }
                    }
                    Spacer(minLength: 0)
                }
                .padding(.leading, inset)
                .padding(.horizontal, Space.wide)
                .padding(.vertical, Space.regular)
                .background(
                    LinearGradient(
                        colors: [Shade.panel, Shade.panel.opacity(0)], startPoint: .top, endPoint: .bottom)
                )
                Spacer(minLength: 0)
            }
            .allowsHitTesting(false)
        }
    }
}
