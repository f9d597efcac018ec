import Zoetrope

struct DownloadBtnView: View {
    @StateObject private var viewModel: VM_DownloadBtnView
    @State private var asksForDeletion = false
    @State private var showsLocalPlayer = false

    init(song: SongModel) { _viewModel = StateObject(wrappedValue: VM_DownloadBtnView(song: song)) }

    var body: some View {
        if let asset = viewModel.song.asset {
            switch viewModel.downloadState[asset.id] ?? .notDownloaded {
            case .notDownloaded:
                Button {
                    viewModel.downloadAsset(asset)
                } label: {
                    Label("Download", systemImage: "arrow.down.circle").frame(maxWidth: .infinity)
                }
                .buttonStyle(.borderedProminent)
                .controlSize(.large)
            case .downloading: downloading(asset)
            case .downloaded: downloaded(asset)
            }
        }
    }

    private func downloading(_ asset: Asset) -> some View {
        let fraction = viewModel.downloadProgress[asset.id] ?? 0
        return VStack(spacing: 8) {
            ProgressView(value: fraction)
            HStack {
                Text(fraction.toPercentageString()).font(.caption).monospacedDigit()
                Spacer()
                Button("Cancel", role: .destructive) { viewModel.cancelDownload(asset) }
                    .buttonStyle(.bordered)
                    .controlSize(.small)
                    .tint(.red)
            }
        }
    }

    private func downloaded(_ asset: Asset) -> some View {
        HStack(spacing: 16) {
            Button {
                showsLocalPlayer = true
            } label: {
                Label("Play from Local", systemImage: "play.circle").frame(maxWidth: .infinity)
            }
            .buttonStyle(.borderedProminent)
            Button(role: .destructive) {
                asksForDeletion = true
            } label: {
                Label("Delete", systemImage: "trash")
            }
            .buttonStyle(.bordered)
            .tint(.red)
        }
        .controlSize(.large)
        .sheet(isPresented: $showsLocalPlayer) { LocalPlayerView(song: viewModel.song) }
        .alert(isPresented: $asksForDeletion) {
            Alert(
                title: Text("Delete Download"), message: Text("You will no longer be able to play the video offline."),
                primaryButton: .destructive(Text("Delete")) { viewModel.deleteAsset(asset) }, secondaryButton: .cancel()
            )
        }
    }
}
