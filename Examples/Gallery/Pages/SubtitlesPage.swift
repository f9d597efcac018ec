import Foundation
import SampleMedia
import Zoetrope

/// Subtitles from a file, in the author's style or in a custom one.
struct SubtitlesPage: View {
    @State private var command = PlaybackCommand.opening
    @State private var isOn = true
    @State private var isCustom = false
    @State private var size = 6.0
    @State private var position = 90.0
    @State private var edge = "Outline"

    private var style: SubtitleStyle {
        var style = SubtitleStyle()
        guard isCustom else { return style }
        style.overridesAuthor = true
        style.size = .fraction(size / 100)
        style.verticalPosition = position / 100
        style.color = SubtitleStyle.Color(red: 1, green: 0.9, blue: 0.3)
        style.edge = edge == "Outline" ? .outline : edge == "Shadow" ? .dropShadow : SubtitleStyle.Edge.none
        return style
    }

    var body: some View {
        VStack(spacing: 12) {
            ExtVideoPlayer(
                {
                    VideoSettings {
                        SourceName("zoetrope")
                        Subtitles(SampleLoop.subtitles?.path ?? "", style: style)
                        Loop()
                        Mute()
                    }
                }, command: $command)
            FlowRow(spacing: 12) {
                Toggle("Subtitles", isOn: $isOn).onChange(of: isOn) { command = .subtitles(isOn ? "en" : nil) }
                Toggle("Custom Style", isOn: $isCustom)
                Picker("Edge", selection: $edge) {
                    ForEach(["Outline", "Shadow", "None"], id: \.self) { Text(verbatim: $0).tag($0) }
                }
                .disabled(!isCustom)
            }
            .frame(maxWidth: .infinity, alignment: .leading)
            HStack(spacing: 12) {
                Text("Size")
                Slider(value: $size, in: 3...14).accessibilityLabel("Size").disabled(!isCustom)
                Text("Position")
                Slider(value: $position, in: 5...95).accessibilityLabel("Position").disabled(!isCustom)
            }
        }
        .padding(16)
    }
}
