import DeclarativeUI
import Foundation
import Presentation

/// An error text over a video, with a Retry button, legible on any background. Main actor.
///
/// If there is not enough space for the symbol, the text and the button, only the text is shown.
package struct PlayerProblem: View {
    private let text: String
    private let ink, mark: Color
    private let size: CGFloat?
    private let bars: CGFloat
    private let retry: @MainActor () -> Void

    /// Creates an error text.
    /// - Parameters:
    ///   - text: The text.
    ///   - ink: The color of the text.
    ///   - mark: The color of the symbol above the text.
    ///   - size: The size of the text, in points; nil for the size of body text.
    ///   - bars: The height at the upper and the lower edge that controls may cover, in points.
    ///   - retry: Called when the user clicks Retry.
    package init(
        _ text: String, ink: Color = Shade.ink, mark: Color = Shade.faintInk, size: CGFloat? = nil,
        bars: CGFloat = 0,
        retry: @escaping @MainActor () -> Void
    ) {
        (self.text, self.ink, self.mark, self.size, self.bars, self.retry) = (text, ink, mark, size, bars, retry)
    }

    package var body: some View {
        GeometryReader { proxy in
            ZStack {
                let minimumSize = PlayerProblem.minimumSize
                if proxy.size.width >= minimumSize.width, proxy.size.height - 2 * bars >= minimumSize.height {
                    whole
                } else {
                    message.padding(Space.regular)
                        .background(RoundedRectangle(cornerRadius: Radius.control).fill(Shade.panel))
                }
            }
            .hiddenUnderText()
            .frame(width: proxy.size.width, height: proxy.size.height)
        }
        .colorScheme(.dark)
    }

    private var whole: some View {
        VStack(spacing: Space.wide) {
            Image(systemName: "exclamationmark.triangle").font(.system(size: IconSize.hero)).foregroundColor(mark)
                .accessibilityHidden(true)
            message
            PlayerTextButton(text: PlayerText.retry, symbol: "arrow.clockwise", action: retry)
        }
        .padding(Space.page)
        .background(RoundedRectangle(cornerRadius: Radius.card).fill(Shade.panel).elevation(.floating))
        .padding(Space.regular)
    }

    private var message: some View {
        Text(verbatim: PlayerWords.onScreen(text)).font(size.map { .system(size: $0) } ?? .body).foregroundColor(ink)
            .multilineTextAlignment(.center).frame(maxWidth: PlayerProblem.maximumWidth)
    }
    /// The maximum width of the text, in points. Longer lines are hard to read.
    private static let maximumWidth: CGFloat = 420
    /// The minimum space for the symbol, the text and the button, in points.
    private static let minimumSize = CGSize(width: 260, height: 190)
}

/// A button with a text over a video. It is always dark, while the desktop's own buttons may have any color.
struct PlayerTextButton: View {
    let text: String
    let symbol: String
    let action: @MainActor () -> Void
    @State private var isHovered = false
    var body: some View {
        Button(action: action) {
            Label(text, systemImage: symbol).padding(.horizontal, Space.edge).padding(.vertical, Space.regular)
                .background(
                    RoundedRectangle(cornerRadius: Radius.control).fill(
                        isHovered ? Shade.pictureLoaded : Shade.pictureTrack))
        }
        .buttonStyle(.plain)
        .foregroundColor(Shade.ink)
        .onHover { isHovered = $0 }
        .animation(Motion.quick, value: isHovered)
    }
}
