import Zoetrope

/// A button that selects a cast device, an `AVRoutePickerView`. It is hidden while there is no cast device.
public struct AirPlayPickerView: UIViewRepresentable {
    /// Creates the button. It controls the player that has started last.
    public init() {}
    public func makeUIView(context: Context) -> AVRoutePickerView { AVRoutePickerView() }
    public func updateUIView(_ uiView: AVRoutePickerView, context: Context) {}
    /// Returns no size while there is no cast device.
    public func sizeThatFits(_ proposal: ProposedViewSize, uiView: AVRoutePickerView, context: Context) -> CGSize? {
        uiView.intrinsicContentSize
    }
}
