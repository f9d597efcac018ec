import Foundation
@_spi(Graph) import ViewGraph

/// A modifier that hides text while other text is drawn over it.
struct HiddenUnderText: ElementModifier {
    func makeElement() -> HiddenUnderTextElement { HiddenUnderTextElement() }
    func update(_ element: HiddenUnderTextElement, _ fiber: _Fiber) {}
}

final class HiddenUnderTextElement: WrapperElement, DrawnElement {
    private(set) var isCovered = false

    func draw(_ context: DrawContext, _ size: CGSize) {
        if !isCovered { drawChildren(context) }
        var covered = false
        context.yielding(
            CGRect(origin: .zero, size: size), yield: { covered = true },
            settle: { [weak self] in self?.setCovered(covered) })
    }

    /// Stores whether other text covered this text in the drawing that has just ended. The next drawing uses the
    /// result.
    private func setCovered(_ isNowCovered: Bool) {
        guard isNowCovered != isCovered else { return }
        isCovered = isNowCovered
        // Elements must not change while GTK is drawing.
        OnMain.later { [weak self] in
            guard let self else { return }
            // Buttons in hidden text must take no input.
            self.setInert(self.isCovered)
            self.setNeedsDisplay()
        }
    }
}

extension HiddenUnderTextElement: InspectableElement {
    var inspection: String? { nil }
    var showsContent: Bool { !isCovered }
}

extension View {
    /// Shows the text of this view only while no other text is drawn over it.
    package func hiddenUnderText() -> some View { elementModifier(HiddenUnderText()) }
}
