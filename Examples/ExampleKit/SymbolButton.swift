import Zoetrope

/// A button with a symbol, for use over a video. It is highlighted under the pointer, and more strongly while it is
/// pressed.
public struct SymbolButton: View {
    private let symbol: String
    private let label: LocalizedStringKey
    private let size: CGFloat
    private let action: @MainActor () -> Void

    /// Creates a button.
    /// - Parameters:
    ///   - symbol: The system name of the symbol.
    ///   - label: The accessible name and the tooltip.
    ///   - size: The size of the symbol, in points. The button is twice as large.
    public init(
        _ symbol: String, _ label: LocalizedStringKey, size: CGFloat = 18, action: @escaping @MainActor () -> Void = {}
    ) {
        self.symbol = symbol
        self.label = label
        self.size = size
        self.action = action
    }

    public var body: some View {
        Button(action: action) { Image(systemName: symbol).font(.system(size: size)) }
            .buttonStyle(VideoOverlayStyle(side: size * 2))
            .accessibilityLabel(label)
            .help(label)
    }
}

/// A round style with white content and no background until the pointer is over the button.
public struct VideoOverlayStyle: ButtonStyle {
    let side: CGFloat
    public init(side: CGFloat = 36) { self.side = side }
    public func makeBody(configuration: Configuration) -> some View {
        VideoOverlayBody(configuration: configuration, side: side)
    }
}

private struct VideoOverlayBody: View {
    let configuration: ButtonStyleConfiguration
    let side: CGFloat
    @State private var isUnderPointer = false

    var body: some View {
        configuration.label
            .foregroundColor(.white)
            .frame(width: side, height: side)
            .background {
                Circle().fill(Color.white.opacity(configuration.isPressed ? 0.32 : isUnderPointer ? 0.18 : 0))
            }
            .contentShape(Circle())
            .onHover { isUnderPointer = $0 }
    }
}
