import GTK
import CGTK
import Foundation
import MediaCore
@_spi(Graph) import ViewGraph

/// An element that lays out the rows of a list below each other.
///
/// It draws separators, the hovered row and the selection, and handles clicks and keys.
final class ListElement: LazyLinesElement, DrawnElement {
    private var look = ListLook(kind: .plain), table = TableLook()
    private(set) var chosen: Set<AnyHashable> = []
    private var selection: ListSelection?
    private var isDark = false, isPhone = false, tint: Color?, ring: FocusRing.Look?
    /// The number of rows up to and with each child. Headers and footers don't count. Nil if the children have changed.
    private var rowNumbers: [Int]?
    private var hovered: Int?
    /// The row whose only button is pressed, in the phone style, or nil for none.
    private(set) weak var pressedRow: Element? { didSet { if pressedRow !== oldValue { setNeedsDisplay() } } }
    /// The button of the row in which the pointer was pressed beside all controls, or nil for none.
    private weak var pressedButton: ButtonElement?
    /// The y coordinate of the line that shows where a dragged row is dropped, or nil for none.
    var dropLine: CGFloat? { didSet { if dropLine != oldValue { setNeedsDisplay() } } }
    private var controllers: [EventController] = []
    /// The minimum heights of rows, and of headers and footers, in points.
    private var minRowHeight = EnvironmentValues.usualRowHeight, minHeaderHeight: CGFloat = 0
    static let insets = EdgeInsets(top: Space.snug, leading: Space.edge, bottom: Space.snug, trailing: Space.edge)

    func set(
        look: ListLook, table: TableLook, chosen: Set<AnyHashable>, selection: ListSelection?, isDark: Bool,
        isPhone: Bool, tint: Color?, ring: FocusRing.Look?
    ) {
        let isOther = look != self.look
        let isColored =
            isDark != self.isDark || isPhone != self.isPhone || tint != self.tint || ring != self.ring
            || table != self.table
        let hasOtherHeaders = table.headerPadding != self.table.headerPadding
        self.ring = ring
        self.table = table
        self.look = look
        self.selection = selection
        self.isDark = isDark
        self.isPhone = isPhone
        self.tint = tint
        if isOther || hasOtherHeaders { setNeedsLayout() }
        if isOther || isColored || chosen != self.chosen {
            self.chosen = chosen
            setNeedsDisplay()
            updateAccessibleRows()
        }
    }

    func set(minRowHeight: CGFloat, minHeaderHeight: CGFloat?) {
        let row = max(0, minRowHeight.bounded)
        let header = max(0, (minHeaderHeight ?? 0).bounded)
        guard row != self.minRowHeight || header != self.minHeaderHeight else { return }
        self.minRowHeight = row
        self.minHeaderHeight = header
        setNeedsLayout()
    }

    // MARK: Layout

    override func forgetArrangement(of child: Element?) {
        super.forgetArrangement(of: child)
        // The numbers stay as long as each child stays a row, or a header or footer.
        if let child, let rowNumbers, let index = index(of: child), rowNumbers.count == children.count,
            isRow(index) == (rowNumbers[index] > (index > 0 ? rowNumbers[index - 1] : 0))
        {
            return
        }
        rowNumbers = nil
    }

    private func insets(_ row: Element) -> EdgeInsets {
        var insets = plainInsets(row)
        if let space = row.trait(RowEditing.self)?.element?.edit?.space {
            insets.leading += space.leading
            insets.trailing += space.trailing
        }
        return insets
    }

    /// Returns the insets of a row without the space for its edit controls.
    private func plainInsets(_ row: Element) -> EdgeInsets {
        let kind = row.trait(RowKind.self)
        if kind == .end { return EdgeInsets() }
        if let own = row.trait(RowInsets.self) { return own.insets }
        var insets = ListElement.insets
        if look.kind != .plain {
            let margin: CGFloat = look.kind == .grouped ? ListElement.cardMargin : ListElement.boxMargin
            insets.leading += margin
            insets.trailing += margin
        }
        if kind != nil { insets.top = Space.wide }
        if kind == .header, let padding = table.headerPadding { insets.top = Space.snug + padding }
        if let edge = row.trait(SectionEdge.self) { insets = EdgeInsets(top: edge == .start ? Space.edge : 0) }
        return insets
    }

    private func offered(_ row: Element, _ width: CGFloat?) -> ProposedViewSize {
        ProposedViewSize(width: width.map { max(0, $0 - insets(row).horizontal) }, height: nil)
    }

    override var usualLength: CGFloat { minRowHeight }
    override func length(ofChild index: Int, _ breadth: CGFloat?) -> CGFloat {
        let row = children[index]
        return max(leastHeight(row), row.sizeThatFits(offered(row, breadth)).height + insets(row).vertical)
    }
    /// Headers and footers must not change the estimate of row heights.
    override func isSample(_ index: Int) -> Bool { isRow(index) }

    private func leastHeight(_ row: Element) -> CGFloat {
        guard let kind = row.trait(RowKind.self) else { return minRowHeight }
        return kind == .end || row.trait(SectionEdge.self) != nil ? 0 : minHeaderHeight
    }

    /// The list takes the full width that is offered. Without one, it takes that of the widest of its first created
    /// rows.
    override func breadth(_ offered: CGFloat?) -> CGFloat {
        offered
            ?? createdChildren(nil, limit: 50).reduce(0) {
                max($0, children[$1].sizeThatFits(.unspecified).width + insets(children[$1]).horizontal)
            }
    }

    override func linesChanged() { updateAccessibleRows() }

    override func place(_ index: Int, start: CGFloat, length: CGFloat, in size: CGSize) {
        place(index, CGRect(x: 0, y: start, width: size.width, height: length))
    }

    private func place(_ index: Int, _ rect: CGRect) {
        let row = children[index]
        let insets = insets(row)
        let offered = offered(row, rect.width)
        let size = row.sizeThatFits(offered)
        let y = rect.minY + insets.top + max(0, rect.height - insets.vertical - size.height) / 2
        let own = CGRect(x: insets.leading, y: y, width: size.width, height: size.height)
        let background = row.trait(RowBackground.self)?.element
        let sides = row.trait(RowEditing.self)?.element
        background?.isInRow = true
        sides?.isInRow = true
        row.place(own, offered)
        if let background {
            // The background fills the whole row, or the part of the row that is on the card, whatever the content's
            // size. Headers and footers have no background.
            let ground = look.kind == .grouped ? rect.insetBy(dx: ListElement.cardMargin, dy: 0) : rect
            let origin = origin(of: background, in: row, at: own.origin)
            let card = card(around: index, rect).map { card in
                with(card) { $0.rect = $0.rect.offsetBy(dx: -origin.x, dy: -origin.y) }
            }
            background.fill(isRow(index) ? ground.offsetBy(dx: -origin.x, dy: -origin.y) : nil, on: card)
        }
        if let sides {
            let plain = plainInsets(row)
            let origin = origin(of: sides, in: row, at: own.origin)
            sides.placeControls(
                in: CGRect(
                    x: plain.leading - origin.x, y: rect.minY - origin.y, width: max(0, rect.width - plain.horizontal),
                    height: rect.height))
        }
    }

    /// Returns the position of a part of a row, such as a background that has padding around it.
    ///
    /// - Parameters:
    ///   - part: The row's element or a descendant.
    ///   - row: The row's element, which has been placed.
    ///   - origin: The position of the row's element. Both positions are measured from the list's leading edge.
    private func origin(of part: Element, in row: Element, at origin: CGPoint) -> CGPoint {
        var origin = origin
        var element = part
        while element !== row, let parent = element.parent {
            origin.x += parent.isMirrored ? parent.frame.width - element.frame.maxX : element.frame.minX
            origin.y += element.frame.minY
            element = parent
        }
        return origin
    }

    /// Returns the frame of the row at `index`, or nil before the row's first layout.
    func rowFrame(_ index: Int) -> CGRect? {
        line(ofChild: index).map { cell(ofChild: index, start: $0.start, length: $0.length) }
    }

    /// Returns the frame of the whole row, from edge to edge, in the host's coordinates.
    func rectInHost(of child: Element) -> CGRect? {
        let origin = frameInHost.origin
        return estimatedFrame(of: child)?.offsetBy(dx: origin.x, dy: origin.y)
    }

    // MARK: Accessibility

    private let accessibleRows = RowAccessibility()

    /// Returns whether a row is read aloud as a whole. A link is read through its own button. Without selection, a row
    /// with controls is read through its controls.
    override func includesText(of child: Element) -> Bool {
        guard child.trait(RowKind.self) == nil, child.trait(RowLink.self)?.button == nil else { return false }
        return selection != nil || !child.hasControls
    }

    private func updateAccessibleRows() {
        guard host?.container != nil else { return }
        let numbers = knownRowNumbers()
        accessibleRows.show(
            shownChildren.compactMap { row in
                guard let index = index(of: row), isRow(index), let rect = rowFrame(index),
                    row.lazyRow.map({ $0.isCreated && !$0.isOffscreen }) ?? true
                else { return nil }
                return RowAccessibility.Row(
                    element: row, isWhole: includesText(of: row), rect: rect,
                    isChosen: selection == nil ? nil : selectionValue(at: index).map { chosen.contains($0) } ?? false,
                    position: numbers[index], count: numbers.last ?? 0)
            }, host)
    }

    private func knownRowNumbers() -> [Int] {
        if let rowNumbers { return rowNumbers }
        var count = 0
        let new = children.indices.map { index in
            if isRow(index) { count += 1 }
            return count
        }
        rowNumbers = new
        return new
    }

    // The row's accessibility item is placed before the row's contents, so that assistive technology reads it first.
    override func locating(_ child: Element, _ transform: CGAffineTransform) { accessibleRows.locate(child, transform) }

    // MARK: Selection

    private func isRow(_ index: Int) -> Bool { children[index].trait(RowKind.self) == nil }
    /// Returns whether the child at `index` is a header or a footer with content.
    private func isHeaderOrFooter(_ index: Int) -> Bool {
        let kind = children[index].trait(RowKind.self)
        return (kind == .header || kind == .footer) && children[index].trait(SectionEdge.self) == nil
    }

    /// Returns the value that identifies the row in the selection: its tag, or else its id in the `ForEach`.
    func selectionValue(at index: Int) -> AnyHashable? {
        children[index].trait(Tag.self)?.plain ?? children[index].lazyRow?.id.map { Tag.plain($0) }
    }

    var hasChosenRow: Bool { children.indices.contains { selectionValue(at: $0).map { chosen.contains($0) } ?? false } }
    func isChosen(_ child: Element) -> Bool {
        guard let index = index(of: child) else { return false }
        return selectionValue(at: index).map { chosen.contains($0) } ?? false
    }

    override func contains(_ point: CGPoint) -> Bool { bounds.contains(point) }

    override func attached(to host: any ElementHost) {
        guard let container = host.container else { return }
        let click = EventController(GTKClickGesture(), on: container)
        click.onClick("pressed") { [weak self] _, x, y in self?.press(CGPoint(x: x, y: y)) }
        click.on("cancel") { [weak self] in _ = self?.endPress() }
        click.onClick("released") { [weak self, weak click] _, x, y in
            guard let self else { return }
            let button = endPress()
            guard let index = line(at: y - frameInHost.minY), isRow(index) else { return }
            let row = children[index]
            let isAdding = (click?.modifiers.rawValue ?? 0) & GDK_CONTROL_MASK.rawValue != 0
            // No control inside the row has handled this click, so the list takes the focus and selects the row.
            (self.host?.enclosing as? ScrollElement)?.takeFocus()
            choose(index, adding: isAdding)
            activate(index)
            // A button is pressed only if the pointer was also pressed in its row.
            if let button, rowButton(row) === button { button.widget?.activate() }
        }
        let motion = EventController(GTKController.motion(), on: container)
        motion.onPoint("motion") { [weak self] _, y in self?.hover(at: y) }
        motion.onPoint("enter") { [weak self] _, y in self?.hover(at: y) }
        motion.on("leave") { [weak self] in self?.setHovered(nil) }
        controllers += [click, motion]
        (host.enclosing as? ScrollElement)?.input.onKey = { [weak self] key, modifiers in
            self?.pressed(key, modifiers) ?? false
        }
    }

    override func detached(from host: any ElementHost) {
        for controller in controllers { controller.remove() }
        controllers = []
        accessibleRows.remove()
        (host.enclosing as? ScrollElement)?.input.onKey = nil
    }

    private func hover(at y: Double) {
        let index = line(at: y - frameInHost.minY)
        setHovered(
            index.flatMap {
                isRow($0) && (selection != nil || link($0) != nil || rowButton(children[$0]) != nil) ? $0 : nil
            })
    }
    private func setHovered(_ index: Int?) {
        guard index != hovered else { return }
        hovered = index
        setNeedsDisplay()
    }

    func choose(_ index: Int, adding: Bool = false) {
        guard let selection, children.indices.contains(index), let value = selectionValue(at: index) else { return }
        var next = selection.get()
        if adding, selection.isMultiple {
            if next.remove(value) == nil { next.insert(value) }
        } else {
            next = [value]
        }
        selection.set(next)
    }

    /// Returns the button of the link that fills the row, or nil if the row is not a link.
    private func link(_ index: Int) -> ButtonElement? { children[index].trait(RowLink.self)?.button }

    private func activate(_ index: Int) {
        link(index)?.widget?.activate()
    }

    /// Returns the button that a click anywhere in `row` presses: the row's only button with the default style of a
    /// phone. Nil if there is none, or if the row is a link, a header or a footer.
    func rowButton(_ row: Element) -> ButtonElement? {
        guard isPhone, row.trait(RowKind.self) == nil, row.trait(RowLink.self)?.button == nil else { return nil }
        var found: [ButtonElement] = []
        func search(_ element: Element) {
            guard !element.isHidden else { return }
            if let button = element as? ButtonElement, button.fillsRow { found.append(button) }
            element.children.forEach(search)
        }
        search(row)
        return found.count == 1 && found[0].isEnabled ? found[0] : nil
    }

    /// Presses the button of the row at a point of the host, unless a control is there, which handles the click itself.
    private func press(_ point: CGPoint) {
        func hasControl(_ element: Element) -> Bool {
            (element as? WidgetElement)?.hit(point) != nil || element.children.contains(where: hasControl)
        }
        guard let index = line(at: point.y - frameInHost.minY), let button = rowButton(children[index]),
            !hasControl(children[index])
        else { return }
        pressedButton = button
        pressedRow = children[index]
    }

    /// Ends the press of a row, and returns the button that `press` has found, or nil.
    private func endPress() -> ButtonElement? {
        defer {
            pressedButton = nil
            pressedRow = nil
        }
        return pressedButton
    }

    /// Responds to a press or release of `button` itself. A row is marked while its only button is pressed.
    func buttonChanged(_ button: ButtonElement, isPressed: Bool) {
        var row: Element = button
        while let parent = row.parent, parent !== self { row = parent }
        guard row.parent === self else { return }
        if !isPressed {
            if pressedRow === row { pressedRow = nil }
        } else if rowButton(row) === button {
            pressedRow = row
        }
    }

    /// Handles a key, and returns whether the list uses it. Keys move the selection; without rows to select, GTK
    /// scrolls and moves the focus.
    func pressed(_ key: UInt32, _ modifiers: GdkModifierType) -> Bool {
        guard selection != nil, modifiers.rawValue & (GDK_CONTROL_MASK.rawValue | GDK_ALT_MASK.rawValue) == 0 else {
            return false
        }
        let rows = children.indices.filter { isRow($0) && selectionValue(at: $0) != nil }
        guard let first = rows.first, let last = rows.last else { return false }
        let chosenRows = rows.filter { selectionValue(at: $0).map { chosen.contains($0) } ?? false }
        switch KeyEquivalent(symbol: key) {
        case .upArrow:
            step(to: chosenRows.first.flatMap { now in rows.last { $0 < now } } ?? (chosenRows.first ?? last))
        case .downArrow:
            step(to: chosenRows.last.flatMap { now in rows.first { $0 > now } } ?? (chosenRows.last ?? first))
        case .delete, .deleteForward: return deleteChosen()
        case .home: step(to: first)
        case .end: step(to: last)
        case .return, .space:
            guard let index = chosenRows.first, link(index) != nil else { return false }
            activate(index)
        default: return false
        }
        return true
    }

    private func step(to index: Int) {
        choose(index)
        (host?.enclosing as? ScrollElement)?.show(children[index], nil)
    }

    // MARK: Drawing

    /// The color of separators without a color of their own.
    private var separator: Color { table.separator ?? Shade.line }
    /// The color of selected rows.
    private var selectionColor: Color { table.selection ?? Shade.selection }

    func draw(_ context: DrawContext, _ size: CGSize) {
        let visibleRange = visiblePart(.vertical).rangeToCreate(in: size.height)
        let line = separator
        let hoverColor = Shade.hover.resolved(dark: isDark, accent: tint)
        let mark = selectionColor.resolved(dark: isDark, accent: tint)
        let listShowsFocus = (host?.enclosing as? ScrollElement)?.showsFocus == true
        var focused: RoundedRect?
        var index = self.line(at: max(0, visibleRange.lowerBound)) ?? 0
        if look.kind == .grouped { drawCards(context, from: index, to: visibleRange.upperBound) }
        while let rect = rowFrame(index), rect.minY <= visibleRange.upperBound {
            if look.kind != .grouped, isRow(index), let ground = table.rowBackground {
                context.color(ground.resolved(dark: isDark, accent: tint), rect)
            }
            if let ground = table.headerBackground, isHeaderOrFooter(index) {
                context.color(ground.resolved(dark: isDark, accent: tint), rect)
            }
            let isChosen = isRow(index) && (selectionValue(at: index).map { chosen.contains($0) } ?? false)
            if let pressedRow, pressedRow === children[index] {
                box(context, ListGround.pressed.resolved(dark: isDark, accent: tint), index, rect)
            } else if isChosen {
                if table.marksSelection { box(context, mark, index, rect) }
            } else if index == hovered {
                box(context, hoverColor, index, rect)
            }
            // The focus ring marks the row that keys act on: the selected row, or a link with the keyboard focus.
            if focused == nil, listShowsFocus ? isChosen : link(index)?.showsFocus == true { focused = outline(rect) }
            if look.kind != .sidebar, index + 1 < children.count, isRow(index), isRow(index + 1),
                RowSeparators.isShown(children[index], children[index + 1], byDefault: table.hasSeparators)
            {
                let margin: CGFloat =
                    look.kind == .plain ? 0 : look.kind == .grouped ? ListElement.cardMargin : ListElement.boxMargin
                let span = RowSeparators.span(
                    below: children[index],
                    RowSeparators.Limits(
                        width: rect.width, margin: margin, content: insets(children[index]).leading,
                        insets: table.separatorInset))
                let line = RowSeparators.tint(children[index], children[index + 1]) ?? line
                context.color(
                    line.resolved(dark: isDark, accent: tint),
                    CGRect(
                        x: isMirrored ? rect.width - span.end : span.start, y: rect.maxY - Space.line,
                        width: span.end - span.start, height: Space.line))
            }
            index += 1
        }
        drawChildren(context)
        if let ring, let focused { FocusRing.draw(ring, around: focused, context) }
        if let dropLine {
            context.color(
                Color.accentColor.resolved(dark: isDark, accent: tint),
                CGRect(x: 0, y: dropLine - Space.hair / 2, width: size.width, height: Space.hair))
        }
    }

    /// Returns the part of a row that is highlighted: the full width, the card's part, or a rounded box.
    private func outline(_ rect: CGRect) -> RoundedRect {
        switch look.kind {
        case .plain: return RoundedRect(rect: rect, radii: .zero)
        case .grouped: return RoundedRect(rect: rect.insetBy(dx: ListElement.cardMargin, dy: 0), radii: .zero)
        case .inset, .sidebar:
            return RoundedRect(
                rect: rect.insetBy(dx: ListElement.boxMargin, dy: Space.line),
                radii: CGSize(width: Radius.control, height: Radius.control))
        }
    }

    private func box(_ context: DrawContext, _ color: Color.Components, _ index: Int, _ rect: CGRect) {
        let box = outline(rect)
        let edge = card(around: index, rect) ?? box
        guard edge.radii != .zero else { return context.color(color, box.rect) }
        context.clipped(edge) { context.color(color, box.rect) }
    }

    // MARK: Cards

    /// Returns the outline of the card around its first or last row, or nil for other rows and lists without cards.
    ///
    /// Where the card continues, the outline ends `Radius.card` beyond the row, so that only the card's own corners are
    /// round.
    /// - Parameters:
    ///   - index: The index of the row.
    ///   - rect: The frame of the row, from edge to edge.
    private func card(around index: Int, _ rect: CGRect) -> RoundedRect? {
        guard look.kind == .grouped, isRow(index) else { return nil }
        let isFirst = index == 0 || !isRow(index - 1)
        let isLast = index + 1 == children.count || !isRow(index + 1)
        guard isFirst || isLast else { return nil }
        var card = rect.insetBy(dx: ListElement.cardMargin, dy: 0)
        if !isFirst { card.origin.y -= Radius.card }
        card.size.height += (isFirst ? 0 : Radius.card) + (isLast ? 0 : Radius.card)
        return RoundedRect(rect: card, radii: CGSize(width: Radius.card, height: Radius.card))
    }

    /// The space beside a card, and beside the box of a selected row, in points.
    static let cardMargin = Space.edge, boxMargin = Space.regular

    /// Draws the rounded backgrounds of the cards, from the row `first` down to the y coordinate `end`.
    private func drawCards(_ context: DrawContext, from first: Int, to end: CGFloat) {
        let ground = (table.rowBackground ?? ListGround.card(isPhone: isPhone)).resolved(dark: isDark, accent: tint)
        var index = first
        // Between `first` and the visible area is a margin, in which the corners of a card that begins above are drawn.
        while let first = rowFrame(index), first.minY <= end {
            guard isRow(index) else {
                index += 1
                continue
            }
            var bottom = first.maxY
            while bottom <= end, let next = rowFrame(index + 1), isRow(index + 1) {
                index += 1
                bottom = next.maxY
            }
            index += 1
            let rect = CGRect(
                x: ListElement.cardMargin, y: first.minY, width: max(0, frame.width - 2 * ListElement.cardMargin),
                height: bottom - first.minY)
            context.clipped(RoundedRect(rect: rect, radii: CGSize(width: Radius.card, height: Radius.card))) {
                context.color(ground, rect)
            }
        }
    }
}

extension ListElement: InspectableElement {
    var inspection: String? {
        let marked = children.indices.filter {
            isRow($0) && (selectionValue(at: $0).map { chosen.contains($0) } ?? false)
        }
        let line = separator.resolved(dark: isDark, accent: tint).inspection
        let mark = selectionColor.resolved(dark: isDark, accent: tint).inspection
        return "\(look.kind) line \(line)" + (marked.isEmpty ? "" : " chosen \(marked) \(mark)")
    }
}
