import DeclarativeUI
import Foundation
import MediaEngine

/// What plays, at the upper left: artwork, title, and what is said beside it. Nothing for what has no words of its own.
struct PlayerTitle: View {
    let transport: PlayerTransport
    var body: some View {
        let options = transport.options
        if !options.title.isEmpty {
            VStack {
                HStack(spacing: 10) {
                    if let artwork = options.artwork {
                        Image(uiImage: artwork).resizable().aspectRatio(contentMode: .fill).frame(width: 40, height: 40)
                            .clipShape(RoundedRectangle(cornerRadius: 5))
                    }
                    VStack(alignment: .leading, spacing: 1) {
                        Text(verbatim: options.title).font(.system(size: 15, weight: .semibold)).lineLimit(1)
                        if !options.byline.isEmpty {
                            Text(verbatim: options.byline).font(.system(size: 12)).opacity(0.8).lineLimit(1)
                        }
                    }
                    Spacer(minLength: 0)
                }
                .padding(.horizontal, 12)
                .padding(.vertical, 8)
                .background(
                    LinearGradient(
                        colors: [Color.black.opacity(0.6), Color.black.opacity(0)], startPoint: .top, endPoint: .bottom)
                )
                Spacer(minLength: 0)
            }
            .allowsHitTesting(false)
        }
    }
}
