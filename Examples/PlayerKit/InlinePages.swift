import MPlayerKit

struct InlineSystemPage: View {
    @Environment(\.playerModel) private var playerModel
    @Environment(\.playerPreviewModel) private var playerPreviewModel

    var body: some View {
        ZStack {
            Color.black
            SystemPlayerView(
                presentation: .inline(autoplay: true),
                onStateChange: { state in logger.info("state \(String(describing: state))") })
        }
        .task {
            await playerModel.load(vod)
            await playerPreviewModel.load(vod)
        }
    }
}

struct InlineCustomPage: View {
    @Environment(\.playerModel) private var playerModel
    @Environment(\.playerPreviewModel) private var playerPreviewModel

    var body: some View {
        ZStack {
            Color.black
            CustomPlayerView(
                controls: { _ in CustomControlsView() },
                presentation: .inline(autoplay: true),
                onStateChange: { state in logger.info("state \(String(describing: state))") })
        }
        .task {
            await playerModel.load(vod)
            await playerPreviewModel.load(vod)
        }
    }
}
