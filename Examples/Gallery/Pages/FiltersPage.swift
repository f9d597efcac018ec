import Zoetrope

/// Filters with their parameters on sliders, live.
struct FiltersPage: View {
    @State private var name = "CIVibrance"
    @State private var values: [String: Double] = [:]
    @State private var brightness = 0.0
    @State private var contrast = 1.0
    @State private var problem = ""
    @State private var command = PlaybackCommand.play

    private static let choice = [
        "CIVibrance", "CISepiaTone", "CIHueAdjust", "CIPhotoEffectNoir", "CIColorPosterize", "CIVignette",
        "CIGaussianBlur", "CIZoomBlur",
        "CIBloom", "CIEdges", "CIPixellate", "CICrystallize", "CIComicEffect", "CIDotScreen", "CICMYKHalftone",
        "CIBumpDistortion",
        "CITwirlDistortion", "CIKaleidoscope",
    ]

    var body: some View {
        HStack(spacing: 16) {
            VStack(spacing: 8) {
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
                Text(verbatim: problem).foregroundColor(.red)
            }
            .frame(maxWidth: .infinity, maxHeight: .infinity)
            VStack(alignment: .leading, spacing: 10) {
                Picker("Filter", selection: $name) {
                    ForEach(FiltersPage.choice, id: \.self) {
                        Text(verbatim: CIFilter.localizedName(forFilterName: $0) ?? $0).tag($0)
                    }
                }
                .onChange(of: name) {
                    values = [:]
                    filter()
                }
                ForEach(parameters, id: \.key) { parameter in
                    VStack(alignment: .leading, spacing: 2) {
                        Text(verbatim: parameter.title).font(.caption)
                        Slider(value: value(parameter), in: parameter.range).accessibilityLabel(parameter.title)
                    }
                }
                Divider()
                Text("Brightness").font(.caption)
                Slider(value: $brightness, in: -1...1)
                    .accessibilityLabel("Brightness")
                    .onChange(of: brightness) { command = .brightness(Float(brightness)) }
                Text("Contrast").font(.caption)
                Slider(value: $contrast, in: 0...4)
                    .accessibilityLabel("Contrast")
                    .onChange(of: contrast) { command = .contrast(Float(contrast)) }
                Button("Remove all filters") { command = .removeAllFilters }
                Spacer()
            }
            .frame(width: 230)
        }
        .padding(16)
        .onAppear { filter() }
    }

    private struct Parameter {
        var key: String
        var title: String
        var standard: Double
        var range: ClosedRange<Double>
    }

    /// Those that are numbers with ends.
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
                filter()
            })
    }

    private func filter() {
        guard let filter = CIFilter(name: name) else { return }
        for (key, value) in values { filter.setValue(value, forKey: key) }
        // Centres are given in the video's own pixels.
        if filter.inputKeys.contains(kCIInputCenterKey) {
            filter.setValue(CIVector(x: 480, y: 270), forKey: kCIInputCenterKey)
        }
        problem = ""
        command = .filter(filter, clear: true)
    }
}
