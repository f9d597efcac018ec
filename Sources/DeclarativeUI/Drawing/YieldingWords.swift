import Foundation
import MediaCore
@_spi(Graph) import ViewGraph

/// A modifier that hides text while other text is drawn over it.
struct YieldingWords: ElementModifier {
    func makeElement() -> YieldingElement { YieldingElement() }
    func update(_ element: YieldingElement, _ fiber: _Fiber) {}
}

final class YieldingElement: WrapperElement, DrawnElement {
    private(set) var isCovered = false

    func draw(_ context: DrawContext, _ size: CGSize) {
        if !isCovered { drawChildren(context) }
        var covered = false
        context.yielding(
            CGRect(origin: .zero, size: size), yield: { covered = true },
            settle: { [weak self] in self?.settle(covered) })
    }

    /// Stores the result of a complete drawing. It takes effect in the next one, because this one is finished.
    private func settle(_ covered: Bool) {
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

extension YieldingElement: InspectableElement {
    var inspection: String? { nil }
    var showsContent: Bool { !isCovered }
}

extension View {
    /// Shows the text of this view only while no other text is drawn over it.
    package func yieldingToWords() -> some View { elementModifier(YieldingWords()) }
}
