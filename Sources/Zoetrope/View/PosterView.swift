import DeclarativeUI

/// The image in place of the first frame.
struct PosterView: View {
    let poster: Poster
    let gravity: AVLayerVideoGravity

    var body: some View {
        switch poster.content {
        case .image(let image): fitted(image)
        case .url(let url): AsyncImage(url: url) { phase in if let image = phase.image { fitted(image) } }
        }
    }

    @ViewBuilder private func fitted(_ image: Image) -> some View {
        switch gravity {
        case .resize: image.resizable()
        case .resizeAspectFill: image.resizable().scaledToFill().clipped()
        default: image.resizable().scaledToFit()
        }
    }
}
