import Foundation
import GTK
import Presentation
@_spi(Graph) import ViewGraph

/// The bar of a tab view: buttons side by side, as in `GtkStackSwitcher`. The button of the shown page is pressed.
struct TabBar: View {
    let pages: [TabPage]
    let index: Int
    let select: @MainActor (Int) -> Void
    var body: some View {
        HStack(spacing: 0) {
            ForEach(Array(pages.indices), id: \.self) { number in
                TabButton(
                    isOn: number == index,
                    place: number == 0
                        ? (pages.count == 1 ? .alone : .first) : number == pages.count - 1 ? .last : .middle,
                    label: pages[number].label ?? AnyView(Text("\(number + 1)"))
                ) { select(number) }
            }
        }
        .padding(Space.snug)
        .frame(maxWidth: .infinity)
        .background { if let ground = UITabBar.appearance().shown.background { Rectangle().fill(ground) } }
    }
}

/// The dots over the pages in the page style, one for each page.
struct PageDots: View {
    let count: Int
    let index: Int
    let select: @MainActor (Int) -> Void
    var body: some View {
        HStack(spacing: Space.regular) {
            ForEach(Array(0..<count), id: \.self) { number in
                Button {
                    select(number)
                } label: {
                    Circle().fill(Color.primary.opacity(number == index ? 0.9 : 0.3)).frame(
                        width: Space.regular, height: Space.regular)
                }
                .accessibilityLabel(PlayerWords.localized("Page %@ of %@", "\(number + 1)", "\(count)"))
            }
        }
        .buttonStyle(.plain)
        .padding(Space.snug)
        .background(Capsule().fill(Shade.track))
        .padding(Space.regular)
    }
}

struct TabButton: _PrimitiveView {
    enum Place { case first, middle, last, alone }
    let isOn: Bool
    let place: Place
    let label: AnyView
    let action: @MainActor () -> Void
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        ContainerFiber(view, inputs, TabButtonElement(), content: { $0.label }) { element, view, fiber in
            element.isEnabled = fiber.environment.isEnabled
            element.set(view)
        }
    }
}

/// An element with a `GtkToggleButton` that is pressed while its page is shown. Zoetrope draws the label over it.
final class TabButtonElement: WidgetElement {
    private var view: TabButton?

    func set(_ view: TabButton) {
        self.view = view
        update()
        setNeedsDisplay()
    }

    override func makeWidget() -> GTKWidget? {
        let button = GTKToggleButton()
        connect(button, "clicked") { [weak self] in
            guard let self else { return }
            view?.action()
            // GTK toggles a button that is clicked, but the button must be pressed only while its page is shown.
            update()
        }
        return button.widget
    }

    override func configure(_ widget: GTKWidget) {
        guard let view else { return }
        Stylesheet.bare.ensure()
        Stylesheet.containers.ensure()
        silently { widget.as(GTKToggleButton.self)?.isActive = view.isOn }
        for name in ["zt-first", "zt-middle", "zt-last"] { widget.removeClass(name) }
        switch view.place {
        case .first: widget.addClass("zt-first")
        case .middle: widget.addClass("zt-middle")
        case .last: widget.addClass("zt-last")
        case .alone: break
        }
        name(widget)
    }

    override func includesText(of child: Element) -> Bool { true }
    /// Sets the label's text as the button's name for assistive technology.
    private func name(_ widget: GTKWidget) {
        guard accessibility.label == nil else { return }
        widget.setAccessibleLabel(spokenText)
    }

    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        let label = children.first?.sizeThatFits(.unspecified) ?? .zero
        return CGSize(
            width: max(ControlExtent.leastWidth, label.width + 2 * Space.wide),
            height: max(ControlExtent.regular, label.height + 2 * ControlExtent.reach))
    }
    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        for child in children {
            let label = child.sizeThatFits(.unspecified)
            child.place(
                CGRect(
                    x: (size.width - label.width) / 2, y: (size.height - label.height) / 2, width: label.width,
                    height: label.height), .unspecified)
        }
        if let widget { name(widget) }
    }
}

extension Stylesheet {
    /// The style rules for containers.
    static let containers = Stylesheet(
        """
        button.zt-first { border-top-right-radius: 0; border-bottom-right-radius: 0; border-right-width: 0; }
        button.zt-middle { border-radius: 0; border-right-width: 0; }
        button.zt-last { border-top-left-radius: 0; border-bottom-left-radius: 0; }
        popover.zt-popover > contents { padding: 0; }
        """)
}
