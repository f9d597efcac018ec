import Zoetrope

/// The route button, `AVRoutePickerView`: nothing while there is no other route. Main actor.
public struct AirPlayPickerView: UIViewRepresentable {
    /// The button as it is; the player is the one that began to play last.
    public init() {}
    public func makeUIView(context: Context) -> AVRoutePickerView { AVRoutePickerView() }
    public func updateUIView(_ uiView: AVRoutePickerView, context: Context) {}
    /// No room where there is nothing to choose.
    public func sizeThatFits(_ proposal: ProposedViewSize, uiView: AVRoutePickerView, context: Context) -> CGSize? {
        uiView.intrinsicContentSize
    }
}
