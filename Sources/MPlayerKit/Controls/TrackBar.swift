import Zoetrope

/// How a track bar is used. Values are fractions of the whole, from 0 to 1.
public typealias TrackState = SeekBarState

/// A bar that shows how far something is, and is dragged to another place. Main actor.
///
/// A press anywhere is the beginning of a drag: `.tracking` with each move, `.ended` when it is let go. While `.idle`
/// it shows `value`. With the keyboard on it the arrows move it; Home and End go to its ends. 24 points high, the bar
/// 12.
public struct TrackBar: View {
    @Binding private var value: Double
    @Binding private var state: TrackState
    @FocusState private var isFocused: Bool
    private static let height = 24.0, bar = 12.0

    /// - Parameters:
    ///   - value: 0…1; what lies outside, or is no number, is shown as the nearest end.
    ///   - state: set by the user's hand; who reads it sets it back to `.idle`.
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
