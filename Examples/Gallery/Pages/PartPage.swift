import Foundation
import SampleMedia
import Zoetrope

/// A section of a video that repeats (A–B loop), and an image shown until playback starts (poster).
struct PartPage: View {
    @State private var start = 0.5
    @State private var end = 1.5
    @State private var loops = 0
    @State private var time = 0.0
    @State private var poster: Image?
    @State private var command = PlaybackCommand.idle
    @State private var isPlaying = false

    var body: some View {
        VStack(spacing: 12) {
            HStack(spacing: 16) {
                VStack(spacing: 8) {
                    ExtVideoPlayer(
                        {
                            VideoSettings {
                                SourceName("zoetrope")
                                Loop(from: min(start, end - 0.1), to: max(end, start + 0.1))
                                Mute()
                                TimePublishing(CMTime(seconds: 0.05, preferredTimescale: 600))
                                Events([.currentItemChangedAny], interval: 0.1)
                            }
                        }, command: .opening
                    )
                    .onPlayerTimeChange { time = $0 }
                    .onPlayerEventChange { loops += $0.count }
                    Text("Loops: \(loops), position: \(time, specifier: "%.2f") s")
                        .monospacedDigit().multilineTextAlignment(.center).frame(height: 44)
                }
                VStack(spacing: 8) {
                    if let poster {
                        ExtVideoPlayer(
                            {
                                VideoSettings {
                                    SourceName("zoetrope")
                                    Poster(poster)
                                    Loop()
                                    Mute()
                                    NotAutoPlay()
                                }
                            }, command: $command)
                    } else {
                        ProgressView().frame(maxWidth: .infinity, maxHeight: .infinity)
                    }
                    Button(isPlaying ? "Pause" : "Play") {
                        isPlaying.toggle()
                        command = isPlaying ? .play : .pause
                    }
                    .frame(height: 44)
                }
            }
            HStack(spacing: 12) {
                Text("Start")
                Slider(value: $start, in: 0...5).accessibilityLabel("Loop Start").accessibilityValue(
                    SpokenTime.text(start, of: 5))
                Text("End")
                Slider(value: $end, in: 0...5).accessibilityLabel("Loop End").accessibilityValue(
                    SpokenTime.text(end, of: 5))
            }
        }
        .padding(16)
        .task {
            guard let url = SampleLoop.url else { return }
            let generator = AVAssetImageGenerator(asset: AVURLAsset(url: url))
            if let frame = try? await generator.image(at: CMTime(seconds: 1, preferredTimescale: 600)).image {
                poster = Image(frame, scale: 1, label: Text("A frame from the middle of the loop"))
            }
        }
    }
}
