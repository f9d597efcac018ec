import Zoetrope

struct PlayerView: View {
    @StateObject private var viewModel = VM_PlayerView()

    var body: some View {
        NavigationView {
            ScrollView(showsIndicators: false) {
                VStack(spacing: 24) {
                    VideoPlayer(player: viewModel.player)
                        .aspectRatio(16 / 9, contentMode: .fit)
                        .cornerRadius(12)
                        .shadow(radius: 4)
                    Text(viewModel.playerStatus.title).font(.headline)
                    HStack(spacing: 16) {
                        Button {
                            viewModel.play()
                        } label: {
                            Label("Play", systemImage: "play.fill").frame(maxWidth: .infinity)
                        }
                        Button {
                            viewModel.pause()
                        } label: {
                            Label("Pause", systemImage: "pause.fill").frame(maxWidth: .infinity)
                        }
                    }
                    .buttonStyle(.borderedProminent)
                    .controlSize(.large)
                    position
                    Text(
                        "Buffered: \((viewModel.bufferProgress * viewModel.totalDuration).toReadableTime()) (\(viewModel.bufferProgress.toPercentageString()))"
                    )
                    .font(.footnote)
                    .foregroundColor(.secondary)
                    DownloadBtnView(song: viewModel.song)
                }
                .padding()
            }
            .background(Color(.systemGroupedBackground))
            .navigationTitle("Player")
            .navigationBarTitleDisplayMode(.inline)
        }
        // `Player41 --play` starts playback at launch.
        .onAppear { if CommandLine.arguments.contains("--play") { viewModel.play() } }
    }

    private var position: some View {
        VStack(spacing: 8) {
            HStack {
                Text(viewModel.currentTime.toReadableTime())
                Spacer()
                Text(viewModel.totalDuration.toReadableTime())
            }
            .font(.caption)
            .monospacedDigit()
            Slider(
                value: $viewModel.currentTime, in: 0...(viewModel.totalDuration > 0 ? viewModel.totalDuration : 1),
                onEditingChanged: { isDragging in
                    if isDragging {
                        viewModel.pause()
                    } else {
                        viewModel.seek(to: viewModel.currentTime)
                        viewModel.play()
                    }
                }
            )
            .accessibilityLabel("Position")
        }
    }
}
