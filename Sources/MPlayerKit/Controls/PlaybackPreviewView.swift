import Zoetrope

/// The picture of the place that is tracked, from the environment's preview model; nothing while nobody tracks. Main
/// actor.
public struct PlaybackPreviewView: View {
    @Environment(\.playerPreviewModel) private var preview
    @Binding private var trackingState: TrackState
    @State private var aspectRatio: CGFloat = 16 / 9
    @State private var isKnown = false

    /// - Parameter trackingState: the bar's whose place is shown; a picture is there while it is `.tracking`.
    public init(trackingState: Binding<TrackState>) { _trackingState = trackingState }

    public var body: some View {
        GeometryReader { geometry in
            if case .tracking(let value) = trackingState, isKnown {
                let size = previewSize(geometry: geometry)
                let place = offset(geometrySize: geometry.size, previewSize: size, progress: value)
                PreviewRenderView()
                    .frame(width: size.width, height: size.height)
                    .clipShape(RoundedRectangle(cornerRadius: 6))
                    .offset(x: place.x, y: place.y)
                    .allowsHitTesting(false)
            }
        }
        .onReceive(preview.$aspectRatio) { aspectRatio = $0 }
        .onReceive(preview.$duration) { isKnown = $0 != nil }
        .onChange(of: trackingState) { _, new in
            // Only while it stands: whoever plays it has other plans.
            guard case .tracking(let value) = new, let duration = preview.duration,
                preview.player.timeControlStatus == .paused
            else { return }
            preview.seek(CMTime(seconds: Fraction.clamped(value) * duration.seconds, preferredTimescale: 600))
        }
    }

    /// As high as there is room, as wide as the picture is then.
    public func previewSize(geometry: GeometryProxy) -> CGSize {
        CGSize(width: aspectRatio * geometry.size.height, height: geometry.size.height)
    }

    /// Centred over `progress` (0…1), and inside; y 0. What is wider than its place stands at 0.
    public func offset(geometrySize: CGSize, previewSize: CGSize, progress: Double) -> CGPoint {
        let centred = geometrySize.width * Fraction.clamped(progress) - previewSize.width / 2
        return CGPoint(x: max(0, min(centred, geometrySize.width - previewSize.width)), y: 0)
    }
}
