import Foundation
import MediaCore
@_spi(Graph) import ViewGraph

/// Words that are there only where nobody else says something: they are not drawn while other words lie over them.
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

    /// What the whole drawing said. Seen in the next one: this one is made.
    private func settle(_ covered: Bool) {
        guard covered != isCovered else { return }
        isCovered = covered
        // Not now: GTK is drawing.
        OnMain.later { [weak self] in
            guard let self else { return }
            // Its buttons are not there for anybody while they are not seen.
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
    /// Shows this view's words only while no other words are drawn over them.
    package func yieldingToWords() -> some View { elementModifier(YieldingWords()) }
}
