import Foundation
import Zoetrope

extension UIBench {
    // Views over videos, similar to those of apps.

    struct LoopView: View {
        var body: some View {
            ExtVideoPlayer {
                VideoSettings {
                    SourceName(UIBench.file)
                    Loop()
                    Mute()
                }
            }
        }
    }

    /// A static overlay with a title, a bar and a message.
    struct ControlsView: View {
        var body: some View {
            VStack {
                HStack {
                    Image(systemName: "chevron.left")
                    Text(verbatim: "A film of the benchmark").font(.title2).bold()
                    Spacer()
                }
                .foregroundStyle(.white).padding()
                Spacer()
                Text(verbatim: "Added to the list").foregroundStyle(.white).padding(.horizontal, 16).padding(
                    .vertical, 10
                )
                .background(Color.black.opacity(0.7), in: Capsule()).padding(.bottom, 12)
                BarView()
            }
        }
    }

    struct BarView: View {
        @State private var place = 0.3
        var body: some View {
            HStack(spacing: 16) {
                Button {
                } label: {
                    Image(systemName: "play.fill")
                }
                Button {
                } label: {
                    Image(systemName: "forward.end.fill")
                }
                Text(verbatim: "0:03").monospacedDigit()
                Slider(value: $place)
                Text(verbatim: "0:10").monospacedDigit()
                Image(systemName: "speaker.wave.2.fill")
                Image(systemName: "arrow.up.left.and.arrow.down.right")
            }
            .buttonStyle(.plain).foregroundStyle(.white).padding(.horizontal, 20).padding(.vertical, 12)
            .background(
                LinearGradient(colors: [.black.opacity(0), .black.opacity(0.8)], startPoint: .top, endPoint: .bottom))
        }
    }

    /// A bar that repeatedly fades out for a second and in for a second.
    struct FadingView: View {
        @State private var isShown = true
        var body: some View {
            VStack {
                Spacer()
                BarView().opacity(isShown ? 1 : 0)
            }
            .onAppear { Task { @MainActor in await fade() } }
        }

        private func fade() async {
            while true {
                withAnimation(.easeInOut(duration: 1)) { isShown.toggle() }
                try? await Task.sleep(nanoseconds: 1_000_000_000)
            }
        }
    }
}
