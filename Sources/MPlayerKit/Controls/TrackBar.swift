import Zoetrope

/// A track bar in the user's hand. Values are shares of the whole, 0…1.
public enum TrackState: Equatable, Sendable {
    /// Nobody touches it.
    case idle
    /// The hand is on it, at this place.
    case tracking(value: Double)
    /// It was let go at this place, which nobody has taken up yet.
    case ended(value: Double)
}

/// A bar that shows how far something is, and is dragged to another place. Main actor.
///
/// A press anywhere is the beginning of a drag: `.tracking` with each move, `.ended` when it is let go. While `.idle`
/// it shows `value`. With the keyboard on it the arrows move it; Home and End go to its ends. 24 points high, the bar
/// 12.
public struct TrackBar: View {
    @Binding private var value: Double
    @Binding private var state: TrackState
    @FocusState private var isFocused: Bool
    @Environment(\.layoutDirection) private var direction
    static let height = 24.0, bar = 12.0

    /// - Parameters:
    ///   - value: 0…1; what lies outside, or is no number, is shown as the nearest end.
    ///   - state: set by the user's hand; who reads it sets it back to `.idle`.
    public init(value: Binding<Double>, state: Binding<TrackState>) { (_value, _state) = (value, state) }

    public var body: some View {
        GeometryReader { proxy in
            let width = proxy.size.width
            ZStack(alignment: .leading) {
                // For the keyboard and for assistive technology, which know sliders; it is not seen.
                Slider(value: Binding(get: { shown }, set: { state = .ended(value: TrackBar.clamped($0)) }), in: 0...1)
                    .focused($isFocused)
                    .accessibilityLabel(KitText.position)
                    .opacity(0)
                    .allowsHitTesting(false)
                ZStack(alignment: .leading) {
                    Capsule().fill(Color.secondary)
                    Capsule().fill(Color.accentColor).frame(
                        width: max(TrackBar.bar * (shown > 0 ? 1 : 0), width * shown))
                }
                .frame(height: TrackBar.bar)
                .clipShape(Capsule())
                .overlay { if isFocused { Capsule().stroke(Color.accentColor, lineWidth: 2).padding(-3) } }
                .shadow(radius: 2)
            }
            .frame(width: width, height: TrackBar.height)
            .contentShape(Rectangle())
            .gesture(
                DragGesture(minimumDistance: 0)
                    .onChanged { state = .tracking(value: TrackBar.share($0.location.x, of: width)) }
                    .onEnded { state = .ended(value: TrackBar.share($0.location.x, of: width)) })
        }
        .frame(height: TrackBar.height)
        // From right to left all of it is turned round, and the pointer with it.
        .environment(\.layoutDirection, .leftToRight)
        .scaleEffect(x: direction == .rightToLeft ? -1 : 1, y: 1)
    }

    private var shown: Double {
        switch state {
        case .idle: TrackBar.clamped(value)
        case .tracking(let value), .ended(let value): TrackBar.clamped(value)
        }
    }
    static func clamped(_ value: Double) -> Double { value.isNaN ? 0 : min(max(value, 0), 1) }
    static func share(_ x: Double, of width: Double) -> Double { width > 0 ? clamped(x / width) : 0 }
}
