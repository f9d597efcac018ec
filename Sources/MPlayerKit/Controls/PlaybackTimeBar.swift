import Zoetrope

/// A bar that shows the position of the environment's model, with “elapsed … - remaining” below it. Releasing the bar
/// seeks.
///
/// A preview of the position is shown above the bar while the bar is dragged:
/// ```swift
/// @State private var trackingState = TrackState.idle
///
/// var body: some View {
///     VStack {
///         PlaybackPreviewView(trackingState: $trackingState).frame(height: 90)
///         PlaybackTimeBar(trackingState: $trackingState)
///     }
/// }
/// ```
public struct PlaybackTimeBar: View {
    @Environment(\.playerModel) private var model
    @Binding private var trackingState: TrackState
    @State private var time = 0.0
    @State private var duration: Double?

    /// Creates a time bar.
    /// - Parameter trackingState: The state of the bar. A `PlaybackPreviewView` can use the same state.
    public init(trackingState: Binding<TrackState>) { _trackingState = trackingState }

    public var body: some View {
        VStack(spacing: 4) {
            TrackBar(value: Binding(get: { fraction(time) }, set: { _ in }), state: $trackingState)
            HStack {
                Text(verbatim: KitText.clock(duration.map { _ in displayedTime }))
                Spacer()
                Text(verbatim: "- " + KitText.clock(duration.map { max(0, $0 - displayedTime) }))
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
                // The time is set at once, so that the bar does not jump back during the seek.
                time = value * duration
                model.seek(CMTime(seconds: time, preferredTimescale: 600))
            }
            trackingState = .idle
        }
    }

    private func fraction(_ seconds: Double) -> Double { duration.map { seconds / $0 } ?? 0 }
    /// The tracked position, or else the current one, in seconds.
    private var displayedTime: Double {
        if case .tracking(let value) = trackingState, let duration { return value * duration }
        return time
    }
}
