import DeclarativeUI
import Foundation
import Presentation

/// Why there is no video, and a button to try again: legible over whatever is behind. Without room for all of it, the
/// words alone. Main actor.
package struct PlayerProblem: View {
    private let text: String
    private let ink, mark: Color
    private let size: CGFloat?
    private let bars: CGFloat
    private let retry: @MainActor () -> Void

    /// - Parameters:
    ///   - ink: of the words.
    ///   - mark: of the symbol over them.
    ///   - size: of the words, points; nil is the interface's.
    ///   - bars: points at the upper and the lower edge that controls may write in.
    ///   - retry: the user wants it tried again.
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
                let least = PlayerProblem.least
                if proxy.size.width >= least.width, proxy.size.height - 2 * bars >= least.height {
                    whole
                } else {
                    words.padding(Space.regular)
                        .background(RoundedRectangle(cornerRadius: Radius.control).fill(Shade.panel))
                }
            }
            .yieldingToWords()
            .frame(width: proxy.size.width, height: proxy.size.height)
        }
        .colorScheme(.dark)
    }

    private var whole: some View {
        VStack(spacing: Space.wide) {
            Image(systemName: "exclamationmark.triangle").font(.system(size: IconSize.hero)).foregroundColor(mark)
                .accessibilityHidden(true)
            words
            PlayerTextButton(text: PlayerText.retry, symbol: "arrow.clockwise", action: retry)
        }
        .padding(Space.page)
        .background(RoundedRectangle(cornerRadius: Radius.card).fill(Shade.panel).elevation(.floating))
        .padding(Space.regular)
    }

    private var words: some View {
        Text(verbatim: PlayerWords.onScreen(text)).font(size.map { .system(size: $0) } ?? .body).foregroundColor(ink)
            .multilineTextAlignment(.center).frame(maxWidth: PlayerProblem.widest)
    }
    /// Points: longer lines are hard to read.
    private static let widest: CGFloat = 420
    /// Points: what all of it takes.
    private static let least = CGSize(width: 260, height: 190)
}

/// A button of words over a picture. A desktop's own may be of any colour: this one is dark.
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
