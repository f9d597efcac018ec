import Zoetrope

/// A view that plays a downloaded video.
struct LocalPlayerView: View {
    let song: SongModel
    @State private var player: AVPlayer?

    var body: some View {
        Group {
            if song.isDownloaded {
                VideoPlayer(player: player)
            } else {
                Text("Unable to load video.").foregroundColor(.red)
            }
        }
        .frame(minWidth: 480, minHeight: 270)
        .onAppear {
            player = song.localURL.map { AVPlayer(url: $0) }
            player?.play()
        }
        .onDisappear { player?.pause() }
    }
}
