import MPlayerKit

/// A poster that opens the player in full screen when it is clicked.
private struct PosterButton: View {
    @Environment(\.playerModel) private var playerModel
    @Environment(\.playerPreviewModel) private var playerPreviewModel

    var body: some View {
        Button {
            Task {
                await playerModel.load(vod)
                playerModel.presentation = .fullscreen(autoplay: true)
                await playerPreviewModel.load(vod)
            }
        } label: {
            ZStack {
                // The background makes the button visible even if the poster is missing.
                Color.secondary.opacity(0.2)
                AsyncImage(url: vod.poster?.landscapeUrl) { phase in
                    phase.image?.resizable().aspectRatio(contentMode: .fit)
                }
            }
            .frame(width: 200, height: 300)
            .clipShape(RoundedRectangle(cornerRadius: 8))
        }
        .buttonStyle(.plain)
        .accessibilityLabel("Play \(vod.title)")
        .frame(maxWidth: .infinity, maxHeight: .infinity)
    }
}

struct FullScreenSystemPage: View {
    @Environment(\.playerModel) private var playerModel
    @State private var isFavourite = false
    @State private var loops = false

    var body: some View {
        PosterButton()
            .systemPlayerFullScreenPresenter(
                prepare: { controller in controller.transportBarCustomMenuItems = items(controller) },
                onTimeChange: { time in logger.info("time \(time.seconds)") },
                onStateChange: { state in logger.info("state \(String(describing: state))") }
            )
            .onReceive(playerModel.$presentation.receive(on: DispatchQueue.main)) { newValue in
                logger.info("presentation \(String(describing: newValue))")
            }
    }

    /// Returns a heart button and a menu.
    private func items(_ controller: AVPlayerViewController) -> [UIMenuElement] {
        let favourite = UIAction(
            title: "Favorite", image: UIImage(systemName: isFavourite ? "heart.fill" : "heart"),
            state: isFavourite ? .on : .off
        ) { _ in
            isFavourite.toggle()
            controller.transportBarCustomMenuItems = items(controller)
        }
        let loop = UIAction(title: "Loop", image: UIImage(systemName: "infinity"), state: loops ? .on : .off) { _ in
            loops.toggle()
            controller.transportBarCustomMenuItems = items(controller)
        }
        return [favourite, UIMenu(title: "Preferences", image: UIImage(systemName: "gearshape"), children: [loop])]
    }
}

struct FullScreenCustomPage: View {
    var body: some View {
        PosterButton()
            .customPlayerFullScreenPresenter(
                controls: { _ in CustomControlsView() },
                prepare: { layer in layer.videoGravity = .resizeAspect },
                onTimeChange: { time in logger.info("time \(time.seconds)") },
                onStateChange: { state in logger.info("state \(String(describing: state))") })
    }
}
