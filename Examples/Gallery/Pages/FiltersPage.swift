import Foundation
import SampleMedia
import Zoetrope

/// Filters whose parameters can be changed while the video plays.
struct FiltersPage: View {
    @State private var name = "CIVibrance"
    @State private var values: [String: Double] = [:]
    @State private var brightness = 0.0
    @State private var contrast = 1.0
    /// The center of the video, in pixels.
    @State private var center: CGPoint?
    @State private var problem = ""
    @State private var command = PlaybackCommand.opening

    private static let none = ""
    private static let choice = [
        "CIVibrance", "CISepiaTone", "CIHueAdjust", "CIPhotoEffectNoir", "CIColorPosterize", "CIVignette",
        "CIGaussianBlur", "CIZoomBlur",
        "CIBloom", "CIEdges", "CIPixellate", "CICrystallize", "CIComicEffect", "CIDotScreen", "CICMYKHalftone",
        "CIBumpDistortion",
        "CITwirlDistortion", "CIKaleidoscope",
    ]

    var body: some View {
        Beside(width: 232, height: 350) {
            ExtVideoPlayer(
                {
                    VideoSettings {
                        SourceName("zoetrope")
                        Loop()
                        Mute()
                        Events([.errorAny])
                    }
                }, command: $command
            )
            .onPlayerEventChange { events in
                for case .error(let error) in events { problem = error.description }
            }
            .overlay(alignment: .bottomLeading) { ProblemNote(text: problem) }
        } side: {
            ScrollView { controls }
        }
        .onAppear { apply(first: .opening) }
        .task {
            guard let url = SampleLoop.url,
                let track = try? await AVURLAsset(url: url).loadTracks(withMediaType: .video).first
            else { return }
            center = CGPoint(x: track.naturalSize.width / 2, y: track.naturalSize.height / 2)
            apply(first: .opening)
        }
    }

    private var controls: some View {
        VStack(alignment: .leading, spacing: 12) {
            Picker("Filter", selection: $name) {
                Text("None").tag(FiltersPage.none)
                ForEach(FiltersPage.choice, id: \.self) {
                    Text(verbatim: CIFilter.localizedName(forFilterName: $0) ?? $0).tag($0)
                }
            }
            .onChange(of: name) {
                values = [:]
                apply()
            }
            ForEach(parameters, id: \.key) { parameter in
                VStack(alignment: .leading, spacing: 4) {
                    Text(verbatim: parameter.title).font(.caption)
                    Slider(value: value(parameter), in: parameter.range).accessibilityLabel(parameter.title)
                }
            }
            Divider()
            VStack(alignment: .leading, spacing: 4) {
                Text("Brightness").font(.caption)
                Slider(value: $brightness, in: -1...1)
                    .accessibilityLabel("Brightness")
                    .onChange(of: brightness) { apply() }
            }
            VStack(alignment: .leading, spacing: 4) {
                Text("Contrast").font(.caption)
                Slider(value: $contrast, in: 0...4)
                    .accessibilityLabel("Contrast")
                    .onChange(of: contrast) { apply() }
            }
            Button("Remove All Filters") { removeAll() }
        }
        .frame(maxWidth: .infinity, alignment: .leading)
    }

    private struct Parameter {
        var key: String
        var title: String
        var standard: Double
        var range: ClosedRange<Double>
    }

    /// The filter's numeric parameters that have a range.
    private var parameters: [Parameter] {
        guard let filter = CIFilter(name: name) else { return [] }
        return filter.inputKeys.compactMap { key in
            guard let attributes = filter.attributes[key] as? [String: Any],
                let standard = attributes[kCIAttributeDefault] as? Double,
                let low = attributes[kCIAttributeSliderMin] as? Double,
                let high = attributes[kCIAttributeSliderMax] as? Double, low < high
            else { return nil }
            return Parameter(
                key: key, title: String(key.dropFirst("input".count)), standard: standard, range: low...high)
        }
    }

    private func value(_ parameter: Parameter) -> Binding<Double> {
        Binding(
            get: { values[parameter.key] ?? parameter.standard },
            set: {
                values[parameter.key] = $0
                apply()
            })
    }

    /// Applies all settings with one command: of several commands in one update only the last is run.
    private func apply(first: PlaybackCommand = .idle) {
        problem = ""
        var commands = [first, .removeAllFilters, .brightness(Float(brightness)), .contrast(Float(contrast))]
        if let filter = CIFilter(name: name) {
            for (key, value) in values { filter.setValue(value, forKey: key) }
            if let center, filter.inputKeys.contains(kCIInputCenterKey) {
                filter.setValue(CIVector(x: center.x, y: center.y), forKey: kCIInputCenterKey)
            }
            commands.append(.filter(filter, clear: false))
        }
        command = .batch(commands)
    }

    /// Removes the filters and resets the picker and the sliders.
    private func removeAll() {
        (name, values, brightness, contrast) = (FiltersPage.none, [:], 0, 1)
        apply()
    }
}
