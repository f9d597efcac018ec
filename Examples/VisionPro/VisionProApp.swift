import ExampleKit
import VideoPlayerContainer
import Zoetrope

/// A video without overlays. All controls are in an ornament below it. They are widgets of the same context, outside
/// the container.
@main struct VisionProApp: App {
    var body: some Scene {
        WindowGroup("Vision Pro") { ContentView().frame(minWidth: 340, minHeight: 280) }.defaultSize(
            width: 1100, height: 700)
    }
}

struct ContentView: View {
    @StateObject private var context = Context()

    var body: some View {
        PlayerWidget(context)
            .background(Color.black)
            .onAppear {
                context.container.enable(overlays: [.render, .plugin, .toast])
                context.render.player.replaceCurrentItem(with: AVPlayerItem(url: ExampleMedia.url("wide-2")))
                context.render.player.play()
            }
            .toolbar {
                ToolbarItem(placement: .bottomOrnament) {
                    // The ornament is outside the container, so it needs the context.
                    OrnamentView().environmentObject(context)
                }
            }
    }
}

private struct OrnamentView: View {
    var body: some View {
        HStack(spacing: 14) {
            PlaybackWidget()
            TimeWidget()
            SeekBarWidget().frame(maxWidth: 500)
            DurationWidget()
            RateWidget()
        }
        .padding(.horizontal, 16).padding(.vertical, 8)
        .background { Capsule().fill(.regularMaterial) }
        .overlay { Capsule().strokeBorder(Color.gray.opacity(0.25), lineWidth: 1) }
        .padding(.vertical, 10).padding(.horizontal, 12)
        .frame(maxWidth: .infinity)
    }
}
