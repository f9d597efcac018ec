import Zoetrope

/// The state of a track bar. Values are fractions of the whole, from 0 to 1.
public typealias TrackState = SeekBarState

/// A bar that shows a fraction of a whole, and sets another one when it is dragged.
///
/// ```swift
/// @State private var fraction = 0.5
/// @State private var state = TrackState.idle
///
/// var body: some View {
///     TrackBar(value: $fraction, state: $state)
///         .onChange(of: state) { _, new in
///             guard case .ended(let value) = new else { return }
///             fraction = value
///             state = .idle
///         }
/// }
/// ```
/// A press anywhere begins a drag. The state is `.tracking` with each move, and `.ended` when the bar is released.
/// While it is `.idle`, the bar shows `value`. The arrow keys, Home and End move a bar with the keyboard focus. The
/// view is 24 points high, and the visible bar 12.
public struct TrackBar: View {
    @Binding private var value: Double
    @Binding private var state: TrackState
    @FocusState private var isFocused: Bool
    private static let height = 24.0, bar = 12.0

    /// Creates a bar.
    /// - Parameters:
    ///   - value: The fraction, clamped to 0…1. A value that is not a number is shown as 0.
    ///   - state: The state, which the bar sets when it is used. Your app sets it back to `.idle`.
    public init(value: Binding<Double>, state: Binding<TrackState>) { (_value, _state) = (value, state) }

    public var body: some View {
        SeekBar(value: value, state: $state, height: TrackBar.height) { fraction, size in
            ZStack(alignment: .leading) {
                Capsule().fill(Color.secondary)
                Capsule().fill(Color.accentColor).frame(
                    width: max(TrackBar.bar * (fraction > 0 ? 1 : 0), size.width * fraction))
            }
            .frame(height: TrackBar.bar)
            .clipShape(Capsule())
            .overlay { if isFocused { Capsule().stroke(Color.accentColor, lineWidth: 2).padding(-3) } }
            .shadow(radius: 2)
        }
        .focused($isFocused)
    }
}
