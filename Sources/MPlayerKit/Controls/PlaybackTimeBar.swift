import Zoetrope

/// Where the environment's model stands, as a bar over “elapsed … - remaining”. Letting go of it seeks. Main actor.
public struct PlaybackTimeBar: View {
    @Environment(\.playerModel) private var model
    @Binding private var trackingState: TrackState
    @State private var time = 0.0
    @State private var duration: Double?

    /// - Parameter trackingState: where the user's hand is, also for a `PlaybackPreviewView` beside it.
    public init(trackingState: Binding<TrackState>) { _trackingState = trackingState }

    public var body: some View {
        VStack(spacing: 4) {
            TrackBar(value: Binding(get: { share(time) }, set: { _ in }), state: $trackingState)
            HStack {
                Text(verbatim: KitText.clock(duration.map { _ in shown }))
                Spacer()
                Text(verbatim: "- " + KitText.clock(duration.map { max(0, $0 - shown) }))
            }
            .font(.caption)
            .monospacedDigit()
            .foregroundColor(.accentColor)
        }
        .onReceive(model.$currentTime) { new in
            time = new.map(\.seconds).flatMap { $0.isFinite ? max(0, $0) : nil } ?? 0
        }
        .onReceive(model.$duration) { new in duration = new.map(\.seconds).flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
        }
        .onChange(of: trackingState) { _, new in
            guard case .ended(let value) = new else { return }
            if let duration {
                // At once, so that the bar does not go back on its way.
                time = value * duration
                model.seek(CMTime(seconds: time, preferredTimescale: 600))
            }
            trackingState = .idle
        }
    }

    private func share(_ seconds: Double) -> Double { duration.map { seconds / $0 } ?? 0 }
    /// Seconds: the tracked place, or where it stands.
    private var shown: Double {
        if case .tracking(let value) = trackingState, let duration { return value * duration }
        return time
    }
}
