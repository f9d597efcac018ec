@_spi(Graph) import ViewGraph

/// A menu, or a part of a menu.
struct CommandPart: _PrimitiveView {
    let part: CommandElement.Part
    let content: AnyView
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        ContainerFiber(
            view, inputs, CommandElement(view.part), content: { $0.content },
            environment: { environment, _ in environment.forEntries }
        ) { element, view, _ in
            element.part = view.part
        }
    }
}

/// The element whose children become menu entries.
final class CommandElement: Element {
    enum Side { case before, replacing, after }
    enum Part {
        case menu(String)
        case group(CommandGroupPlacement, Side)
    }
    var part: Part
    init(_ part: Part) { self.part = part }
    override var isHidden: Bool { true }
}

/// The app's commands, evaluated once for all windows. It adds no element to its parent.
struct CommandsHost: _PrimitiveView {
    let content: AnyView
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> { CommandsFiber(view, inputs) }
}

final class CommandsFiber: _ViewFiber<CommandsHost> {
    private let entries = EntriesElement()
    private var content: _ViewFiber<AnyView>?

    override init(_ view: CommandsHost, _ inputs: _FiberInputs) {
        super.init(view, inputs)
        content = AnyView._makeFiber(view.content, self.inputs())
        structureChanged()
        CommandMenus.add(self)
    }

    override var children: [_Fiber] { content.map { [$0] } ?? [] }
    override var elements: [Element] { [] }

    override func update(_ view: CommandsHost, _ environment: EnvironmentValues) {
        super.update(view, environment)
        content?.update(view.content, environment)
    }
    override func structureChanged() {
        entries.setChildren(content?.elements ?? [])
        CommandMenus.invalidate()
    }
    override func removed() { CommandMenus.remove(self) }

    /// The parts of menus in the order of their declaration.
    var parts: [CommandElement] {
        func collect(_ element: Element) -> [CommandElement] {
            (element as? CommandElement).map { [$0] } ?? element.children.flatMap(collect)
        }
        return collect(entries)
    }
}
