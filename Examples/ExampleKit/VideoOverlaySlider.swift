import Zoetrope

/// A slider with good contrast over a video. The theme's slider may be dark on dark there.
///
/// An invisible standard slider above it handles the pointer, keys and assistive technology.
public struct VideoOverlaySlider: View {
    private let value: Binding<Double>
    private let color: Color
    private let label: LocalizedStringKey
    private let spoken: String
    private let onEditingChanged: @MainActor (Bool) -> Void
    @State private var isUnderPointer = false
    @State private var isHeld = false

    /// Creates a slider.
    /// - Parameters:
    ///   - value: The value, from 0 to 1.
    ///   - label: The accessible name.
    ///   - spoken: The value as assistive technology reads it.
    ///   - onEditingChanged: Called with true when a drag begins, and with false when it ends.
    public init(
        value: Binding<Double>, color: Color, label: LocalizedStringKey, spoken: String,
        onEditingChanged: @escaping @MainActor (Bool) -> Void = { _ in }
    ) {
        self.value = value
        self.color = color
        self.label = label
        self.spoken = spoken
        self.onEditingChanged = onEditingChanged
    }

    public var body: some View {
        let isTouched = isUnderPointer || isHeld
        ZStack {
            GeometryReader { proxy in
                // The inset matches that of the standard slider's track.
                let length = max(0, proxy.size.width - 2 * inset)
                let filled = length * min(max(0, value.wrappedValue), 1)
                ZStack(alignment: .leading) {
                    Capsule().fill(Color.white.opacity(0.35)).frame(width: length, height: isTouched ? 5 : 3)
                    Capsule().fill(color).frame(width: filled, height: isTouched ? 5 : 3)
                    Circle().fill(color).frame(width: 14, height: 14)
                        .scaleEffect(isTouched ? 1 : 0.6)
                        .offset(x: filled - 7)
                }
                .padding(.horizontal, inset)
                .frame(width: proxy.size.width, height: proxy.size.height, alignment: .leading)
            }
            .animation(.easeOut(duration: 0.12), value: isTouched)
            .allowsHitTesting(false)
            .accessibilityHidden(true)
            Slider(value: value) { isHeld in
                self.isHeld = isHeld
                onEditingChanged(isHeld)
            }
            .accessibilityLabel(label)
            .accessibilityValue(spoken)
            .opacity(0.01)
        }
        .frame(height: 28)
        .frame(maxWidth: .infinity)
        .onHover { isUnderPointer = $0 }
    }

    private let inset: CGFloat = 12
}
