import Foundation
@_spi(Graph) import ViewGraph

struct NativePicker<Options: View>: _PrimitiveView {
    let kind: PickerKind
    /// The selection when the picker's body was evaluated. With another selection, the view differs from the previous
    /// one and is updated.
    let selected: AnyHashable
    /// Closures that read and write the binding.
    let isSelected: @MainActor (Tag) -> Bool
    let accepts: @MainActor (Tag) -> Bool
    let choose: @MainActor (Tag) -> Void
    let options: Options
    /// The look of all segmented pickers. Its font has priority over that of the environment.
    let segments: SegmentLook
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> { PickerFiber(view, inputs) }
}

/// A fiber for a picker and its options. The options are shown on the picker's buttons, or only read for the drop-down.
final class PickerFiber<Options: View>: _ViewFiber<NativePicker<Options>> {
    private let element: PickerElement
    private let entries = EntriesElement()
    private var options: _ViewFiber<Options>?
    private var isShown: Bool { element is ButtonsPickerElement || element is WheelPickerElement }
    private var isScheduled = false

    override init(_ view: NativePicker<Options>, _ inputs: _FiberInputs) {
        element =
            switch view.kind {
            case .segmented: ButtonsPickerElement(.horizontal)
            case .inline: ButtonsPickerElement(.vertical)
            case .wheel: WheelPickerElement()
            case .menu, .automatic: DropDownElement(isSubmenu: view.kind == .menu)
            }
        super.init(view, inputs)
        options = Options._makeFiber(view.options, self.inputs(below(environment, view)))
        entries.onChange = { [weak self] in self?.entriesChanged() }
        collect()
    }

    override var children: [_Fiber] { options.map { [$0] } ?? [] }
    override var elements: [Element] { [element] }

    private func below(_ environment: EnvironmentValues, _ view: NativePicker<Options>) -> EnvironmentValues {
        guard isShown else { return environment.forEntries }
        return with(environment) {
            $0.isLazy = false
            if let font = view.segments.font { $0.font = font }
        }
    }

    override func update(_ view: NativePicker<Options>, _ environment: EnvironmentValues) {
        super.update(view, environment)
        options?.update(view.options, below(environment, view))
        collect()
    }

    override func structureChanged() { collect() }

    private func entriesChanged() {
        guard !isScheduled else { return }
        isScheduled = true
        graph.after { [weak self] in
            guard let self, !isRemoved else { return }
            isScheduled = false
            collect()
        }
    }

    // The picker's body already tracks the selection.
    private func collect() { Dependencies.untracked { collectOptions() } }

    private func collectOptions() {
        guard let options else { return }
        let view = view
        let all = taggedElements(options).filter { view.accepts($0.tag) }
        if isShown { element.setChildren(all.map(\.element)) } else { entries.setChildren(all.map(\.element)) }
        (element as? ButtonsPickerElement)?.segments = view.segments
        element.set(
            all.map { PickerElement.Option(title: $0.element.spokenText, tag: $0.tag, element: $0.element) },
            isSelected: view.isSelected, choose: view.choose, environment.withTint(orElse: view.segments.tint))
    }
}

/// The base class of pickers: the options, the selected option, and the closures that read and write the selection.
class PickerElement: ControlElement {
    struct Option {
        let title: String
        let tag: Tag
        let element: Element
    }
    private(set) var options: [Option] = []
    private var isSelected: @MainActor (Tag) -> Bool = { _ in false }
    private var chooseTag: @MainActor (Tag) -> Void = { _ in }
    /// The index of the selected option, or nil if no option is selected.
    private(set) var selected: Int? { didSet { if selected != oldValue { selectedChanged() } } }
    /// The title of the selected option, or an empty text.
    final var selectedTitle: String {
        selected.flatMap { options.indices.contains($0) ? options[$0].title : nil } ?? ""
    }
    private(set) var isDark = false
    /// Called when another option is selected.
    func selectedChanged() {}

    final func set(
        _ options: [Option], isSelected: @escaping @MainActor (Tag) -> Bool, choose: @escaping @MainActor (Tag) -> Void,
        _ environment: EnvironmentValues
    ) {
        let isSame = options.map(\.title) == self.options.map(\.title)
        self.options = options
        self.isSelected = isSelected
        chooseTag = choose
        follow(environment)
        isDark = environment.colorScheme == .dark
        let old = selected
        selected = options.firstIndex { isSelected($0.tag) }
        if !isSame || old != selected { setNeedsLayout() }
        update()
    }

    /// Selects an option for the user. The binding decides which option is then selected.
    final func choose(_ index: Int) {
        guard isEnabled, options.indices.contains(index) else { return update() }
        if index != selected {
            chooseTag(options[index].tag)
            selected = options.firstIndex { isSelected($0.tag) }
            setNeedsLayout()
        }
        update()
    }
}
