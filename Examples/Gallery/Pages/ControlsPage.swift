import Foundation
import Zoetrope

/// A player with custom controls.
struct ControlsPage: View {
    @State private var command = PlaybackCommand.opening
    @State private var isPlaying = true
    @State private var isMuted = false
    @State private var loops = true
    @State private var speed = 1.0
    @State private var time = 0.0
    @State private var duration = 0.0
    @State private var isSeeking = false

    var body: some View {
        VStack(spacing: 12) {
            ExtVideoPlayer(
                {
                    VideoSettings {
                        SourceName("zoetrope")
                        Loop()
                        TimePublishing(CMTime(seconds: 0.1, preferredTimescale: 600))
                        Events([.durationAny, .playing, .paused], interval: 0.2)
                    }
                }, command: $command
            )
            .onPlayerTimeChange { if !isSeeking { time = $0 } }
            .onPlayerEventChange { events in
                for event in events {
                    switch event {
                    case .duration(let value): duration = value.seconds
                    case .playing: isPlaying = true
                    case .paused: isPlaying = false
                    default: break
                    }
                }
            }
            .frame(maxHeight: .infinity)

            HStack(spacing: 12) {
                Button {
                    isPlaying.toggle()
                    command = isPlaying ? .play : .pause
                } label: {
                    Image(systemName: isPlaying ? "pause.fill" : "play.fill")
                }
                .keyboardShortcut(.space, modifiers: [])
                .help(isPlaying ? "Pause (Space)" : "Play (Space)")
                .accessibilityLabel(isPlaying ? "Pause" : "Play")
                Text(verbatim: clock(time)).monospacedDigit()
                Slider(value: $time, in: 0...max(duration, 0.1)) { editing in
                    isSeeking = editing
                    if !editing { command = .batch([.seek(to: time, play: isPlaying)]) }
                }
                .accessibilityLabel("Position")
                .accessibilityValue(SpokenTime.text(time, of: duration))
                Text(verbatim: clock(duration)).monospacedDigit()
                Button {
                    isMuted.toggle()
                    command = isMuted ? .mute : .unmute
                } label: {
                    Image(systemName: isMuted ? "speaker.slash.fill" : "speaker.wave.2.fill")
                }
                .help(isMuted ? "Unmute" : "Mute")
                .accessibilityLabel(isMuted ? "Unmute" : "Mute")
            }
            HStack(spacing: 12) {
                Toggle("Loop", isOn: $loops).onChange(of: loops) { command = loops ? .loop : .unloop }
                Spacer()
                Picker("Speed", selection: $speed) {
                    ForEach([0.5, 1, 1.5, 2], id: \.self) { Text(verbatim: "\($0)×").tag($0) }
                }
                .onChange(of: speed) { command = .playbackSpeed(Float(speed)) }
            }
        }
        .padding(16)
    }

    private func clock(_ seconds: Double) -> String {
        guard seconds.isFinite else { return "–" }
        return String(format: "%d:%04.1f", Int(seconds) / 60, seconds.truncatingRemainder(dividingBy: 60))
    }
}
