import Zoetrope

/// A preview of the tracked position, from the environment's preview model. It is hidden while no position is tracked.
public struct PlaybackPreviewView: View {
    @Environment(\.playerPreviewModel) private var preview
    @Binding private var trackingState: TrackState
    @State private var aspectRatio: CGFloat = 16 / 9
    @State private var isKnown = false

    /// Creates a preview.
    /// - Parameter trackingState: The state of the bar whose position is shown. The preview is visible while the state
    ///   is `.tracking`.
    public init(trackingState: Binding<TrackState>) { _trackingState = trackingState }

    public var body: some View {
        GeometryReader { geometry in
            if case .tracking(let value) = trackingState, isKnown {
                let size = previewSize(geometry: geometry)
                let position = offset(geometrySize: geometry.size, previewSize: size, progress: value)
                PreviewRenderView()
                    .frame(width: size.width, height: size.height)
                    .clipShape(RoundedRectangle(cornerRadius: 6))
                    .offset(x: position.x, y: position.y)
                    .allowsHitTesting(false)
            }
        }
        .onReceive(preview.$aspectRatio) { aspectRatio = $0 }
        .onReceive(preview.$duration) { isKnown = $0 != nil }
        .onChange(of: trackingState) { _, new in
            // Seek only while the preview is paused. If the app plays it, the app decides about its position.
            guard case .tracking(let value) = new, let duration = preview.duration,
                preview.player.timeControlStatus == .paused
            else { return }
            preview.seek(CMTime(seconds: Fraction.clamped(value) * duration.seconds, preferredTimescale: 600))
        }
    }

    /// Returns the size of the preview: the available height, and the width that the aspect ratio requires.
    public func previewSize(geometry: GeometryProxy) -> CGSize {
        CGSize(width: aspectRatio * geometry.size.height, height: geometry.size.height)
    }

    /// Returns the offset of the preview, which is centered over `progress` and stays inside. A preview that is too
    /// wide starts at 0.
    /// - Parameters:
    ///   - geometrySize: The available size.
    ///   - previewSize: The size of the preview.
    ///   - progress: The position, clamped to 0…1.
    /// - Returns: The offset in points; y is always 0.
    public func offset(geometrySize: CGSize, previewSize: CGSize, progress: Double) -> CGPoint {
        let centeredX = geometrySize.width * Fraction.clamped(progress) - previewSize.width / 2
        return CGPoint(x: max(0, min(centeredX, geometrySize.width - previewSize.width)), y: 0)
    }
}
