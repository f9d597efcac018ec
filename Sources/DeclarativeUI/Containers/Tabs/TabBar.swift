import Foundation
import GTK
import Presentation
@_spi(Graph) import ViewGraph

/// The bar of a tab view: buttons side by side, as in `GtkStackSwitcher`. The button of the shown page is pressed. A
/// button shows the first image and the first text of the tab item.
///
/// On a phone, buttons without frames share the width, and the button of the shown page has the accent color. Symbols
/// have their filled form, and texts have 10 points.
struct TabBar: View {
    let pages: [TabPage]
    let index: Int
    let select: @MainActor (Int) -> Void
    @Environment(\.platformStyle) private var platform
    private var isPhone: Bool { platform == .phone }
    var body: some View {
        HStack(spacing: 0) {
            ForEach(Array(pages.indices), id: \.self) { number in
                TabButton(isOn: number == index, place: place(number), label: label(number)) { select(number) }
            }
        }
        .padding(isPhone ? 0 : Space.snug)
        .frame(maxWidth: .infinity)
        .overlay(alignment: .top) { if isPhone { Divider() } }
        .background { if let ground = UITabBar.appearance().shown.background { Rectangle().fill(ground) } }
    }
}

extension TabBar {
    private func place(_ number: Int) -> TabButton.Place {
        if isPhone { return .phone }
        if pages.count == 1 { return .alone }
        return number == 0 ? .first : number == pages.count - 1 ? .last : .middle
    }
    private func label(_ number: Int) -> AnyView {
        let item = pages[number].label ?? AnyView(Text("\(number + 1)"))
        guard isPhone else {
            return label(TabItemParts(of: item, image: { AnyView($0) }, text: { AnyView($0) })) ?? item
        }
        let style = number == index ? AnyShapeStyle(TintShapeStyle.tint) : AnyShapeStyle(Color.secondary)
        // The innermost modifiers have precedence over those of the app, as on iOS.
        let parts = TabItemParts(
            of: item,
            image: { AnyView($0.font(TabBar.phoneIcon).imageScale(.large).foregroundStyle(style)) },
            text: { AnyView(AnyView($0).font(TabBar.phoneTitle).foregroundStyle(style)) })
        return AnyView(
            (label(parts) ?? item).labelStyle(PhoneTabLabelStyle()).foregroundStyle(style)
                .transformEnvironment(\.symbolVariants) { $0 = $0.joined(.fill) })
    }
    /// Returns the view of a tab item's parts, or nil if there are none.
    private func label(_ parts: TabItemParts) -> AnyView? {
        guard let image = parts.image, let text = parts.text else { return parts.image ?? parts.text }
        return AnyView(
            Label {
                text
            } icon: {
                image
            })
    }
    /// The font of icons and that of titles on a phone.
    fileprivate static let phoneIcon = Font.system(size: IconSize.tab)
    fileprivate static let phoneTitle = Font.system(size: TitleSize.tab, weight: .medium)
}

/// The style of labels in a phone's tab bar: the icon above the title.
private struct PhoneTabLabelStyle: LabelStyle {
    func makeBody(configuration: Configuration) -> some View {
        VStack(spacing: Space.hair) {
            configuration.icon.font(TabBar.phoneIcon).imageScale(.large)
            configuration.title.font(TabBar.phoneTitle)
        }
    }
}

/// The dots over the pages in the page style, one for each page.
struct PageDots: View {
    let count: Int
    let index: Int
    let select: @MainActor (Int) -> Void
    var body: some View {
        let look = UIPageControl.appearance().shown
        let current = look.current ?? Shade.currentDot
        let other = look.others ?? Shade.otherDot
        return HStack(spacing: Space.regular) {
            ForEach(Array(0..<count), id: \.self) { number in
                Button {
                    select(number)
                } label: {
                    Circle().fill(number == index ? current : other).frame(
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
    enum Place { case first, middle, last, alone, phone }
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
        for name in ["zt-first", "zt-middle", "zt-last", "zt-phone"] { widget.removeClass(name) }
        switch view.place {
        case .first: widget.addClass("zt-first")
        case .middle: widget.addClass("zt-middle")
        case .last: widget.addClass("zt-last")
        case .alone: break
        case .phone: widget.addClass("zt-phone")
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
        let width = max(ControlExtent.leastWidth, label.width + 2 * Space.wide)
        // On a phone, the whole share of the bar is the button.
        let share = view?.place == .phone ? proposal.width.flatMap { $0.isFinite ? $0 : nil } : nil
        return CGSize(
            width: max(width, share ?? 0),
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
        button.zt-phone, button.zt-phone:checked { background: none; border: none; box-shadow: none; border-radius: 0; }
        popover.zt-popover > contents { padding: 0; }
        """)
}
