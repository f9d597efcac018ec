import DeclarativeUI
import Foundation

/// The state of a seek bar. Values are fractions of the whole, from 0 to 1.
public enum SeekBarState: Equatable, Sendable {
    /// The bar is not being used.
    case idle
    /// The bar is being dragged, and the value is the current one.
    case tracking(value: Double)
    /// A drag or a key press has ended at the value.
    case ended(value: Double)
}

/// A bar that shows a fraction of a whole, such as a position, and sets another one when it is dragged.
///
/// A press anywhere begins a drag. If the drag is canceled, for example because the bar is removed, the state is `.idle`
/// again. The arrow keys, Home and End move a bar with the keyboard focus. The bar takes the width that is offered, and
/// is mirrored in languages that are written from right to left.
///
/// ```swift
/// SeekBar(value: time / duration, state: $state) { fraction, size in
///     Capsule().fill(.gray)
///         .overlay(alignment: .leading) { Capsule().fill(.white).frame(width: fraction * size.width) }
/// }
/// .onChange(of: state) { _, new in
///     guard case .ended(let value) = new else { return }
///     seek(value * duration)
///     state = .idle
/// }
/// ```
public struct SeekBar<Track: View>: View {
    private let value: Double
    @Binding private var state: SeekBarState
    private let height: CGFloat
    private let spokenValue: String?
    private let track: @MainActor (_ fraction: Double, _ size: CGSize) -> Track
    @Environment(\.layoutDirection) private var direction

    /// Creates a seek bar.
    /// - Parameters:
    ///   - value: The fraction that an idle bar shows. It is clamped to 0…1; a value that is not a number is shown as
    ///     0.
    ///   - state: The state, which the bar sets when it is used. Your app sets it back to `.idle`. Until then, the bar
    ///     shows the value of the state.
    ///   - height: The height, in points.
    ///   - spokenValue: The value for assistive technology; nil for a percentage.
    ///   - track: Returns the view of a fraction in a size. The view is mirrored with the bar.
    public init(
        value: Double, state: Binding<SeekBarState>, height: CGFloat = 24, spokenValue: String? = nil,
        @ViewBuilder track: @escaping @MainActor (_ fraction: Double, _ size: CGSize) -> Track
    ) {
        self.value = value
        _state = state
        self.height = height
        self.spokenValue = spokenValue
        self.track = track
    }

    public var body: some View {
        ZStack {
            // The slider serves the keyboard and assistive technology. The pointer does not reach it.
            slider.opacity(0).allowsHitTesting(false)
            GeometryReader { proxy in
                let size = CGSize(width: proxy.size.width, height: height)
                track(shown, size)
                    .frame(width: size.width, height: size.height)
                    .contentShape(Rectangle())
                    .gesture(
                        DragGesture(minimumDistance: 0)
                            .onChanged { state = .tracking(value: Fraction.of($0.location.x, size.width)) }
                            .onEnded { state = .ended(value: Fraction.of($0.location.x, size.width)) }
                            .onCancel { canceled() })
            }
            .frame(height: height)
            // The pointer's coordinates are mirrored with the track.
            .environment(\.layoutDirection, .leftToRight)
            .scaleEffect(x: direction == .rightToLeft ? -1 : 1, y: 1)
        }
        .frame(height: height)
    }

    @ViewBuilder private var slider: some View {
        let slider = Slider(
            value: Binding(get: { shown }, set: { state = .ended(value: Fraction.clamped($0)) }), in: 0...1
        ).accessibilityLabel(PlayerText.position)
        if let spokenValue { slider.accessibilityValue(spokenValue) } else { slider }
    }

    /// Ends a drag that is canceled, for example because the bar is removed. A value at which an earlier drag has ended
    /// stays, because the app may not have used it yet.
    private func canceled() { if case .ended = state {} else { state = .idle } }

    private var shown: Double {
        switch state {
        case .idle: Fraction.clamped(value)
        case .tracking(let value), .ended(let value): Fraction.clamped(value)
        }
    }
}

/// A fraction of a whole, from 0 to 1.
package enum Fraction {
    package static func clamped(_ value: Double) -> Double { value.isNaN ? 0 : min(max(value, 0), 1) }
    /// Returns the fraction of a position in a width, clamped to 0…1; 0 without a width.
    package static func of(_ position: Double, _ width: Double) -> Double {
        width > 0 ? clamped(position / width) : 0
    }
}
