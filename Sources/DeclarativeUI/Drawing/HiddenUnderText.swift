import Foundation
import MediaCore
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

    /// Stores the result of a complete drawing. It takes effect in the next one, because this one is finished.
    private func setCovered(_ covered: Bool) {
        guard covered != isCovered else { return }
        isCovered = covered
        // GTK is drawing now, and must not be given changes.
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
