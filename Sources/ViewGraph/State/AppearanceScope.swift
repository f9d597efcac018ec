/// A part of the view tree that its container shows and hides as a whole: a row of a lazy container, the page of a tab
/// or a page of a navigation stack.
///
/// `onAppear`, `onDisappear` and `task` follow the scopes around their view. The state of the views in a hidden scope
/// is kept. The content of sheets, covers and popovers is in no scope of the views that present it.
@MainActor
package final class AppearanceScope {
    private let outer: AppearanceScope?
    private var token: Int?
    private var observers: [Int: () -> Void] = [:]
    private var nextToken = 0
    /// Whether the container shows this part, regardless of the scopes around it.
    package var isOn: Bool { didSet { if isOn != oldValue { update() } } }
    /// Whether this part and all scopes around it are shown.
    package private(set) var isShown: Bool

    /// Creates a scope.
    /// - Parameters:
    ///   - outer: The scope around this one; nil for none.
    ///   - isOn: Whether the container shows this part.
    package init(in outer: AppearanceScope?, isOn: Bool) {
        self.outer = outer
        self.isOn = isOn
        isShown = isOn && (outer?.isShown ?? true)
        token = outer?.observe { [weak self] in self?.update() }
    }

    isolated deinit { if let token { outer?.remove(token) } }

    /// Adds an observer of `isShown`.
    /// - Returns: The token for `remove(_:)`.
    func observe(_ changed: @escaping () -> Void) -> Int {
        nextToken += 1
        observers[nextToken] = changed
        return nextToken
    }
    func remove(_ token: Int) { observers[token] = nil }

    private func update() {
        let new = isOn && (outer?.isShown ?? true)
        guard new != isShown else { return }
        isShown = new
        // Views appear in the order of their creation, and disappear in the opposite order.
        for token in observers.keys.sorted(by: new ? (<) : (>)) { observers[token]?() }
    }
}

/// The appearance of one view, for a modifier that responds to it.
///
/// The actions run after the update or the layout that shows or hides the view. A view that is hidden and shown again
/// before that has not disappeared.
@MainActor
final class AppearanceWatch {
    private weak var fiber: _Fiber?
    private let scope: AppearanceScope?
    private var token: Int?
    /// The visibility of the row that contains the view, if no scope represents that row.
    private var row: RowWatch?
    private var isNew = true, isQueued = false, isRemoved = false
    /// Whether the view has appeared and not disappeared since.
    private(set) var hasAppeared = false
    /// Whether the view is visible now. `hasAppeared` follows at the end of the update.
    var isVisible: Bool { !isRemoved && (scope?.isShown ?? true) && (row?.isOn ?? true) }
    /// Called when the view appears and when it disappears.
    var appeared: (() -> Void)?, disappeared: (() -> Void)?

    init(_ fiber: _Fiber) {
        self.fiber = fiber
        scope = fiber.appearanceScope
        token = scope?.observe { [weak self] in self?.queue() }
        queue()
    }

    /// Ends the watch because the view is removed. The view disappears if it has appeared.
    func remove() {
        isRemoved = true
        if let token { scope?.remove(token) }
        row?.end()
        queue()
    }

    private func queue() {
        guard !isQueued, let fiber else { return }
        isQueued = true
        fiber.graph.after { self.check() }
    }

    private func check() {
        isQueued = false
        if isNew, !isRemoved, let fiber {
            isNew = false
            row = RowWatch.watching(fiber) { [weak self] in self?.queue() }
        }
        let isVisible = isVisible
        guard isVisible != hasAppeared else { return }
        hasAppeared = isVisible
        if isVisible { appeared?() } else { disappeared?() }
    }
}

extension View {
    /// Runs an action when this view is removed. Unlike `onDisappear`, the action does not run when a container only
    /// hides the view, for example because another tab is selected.
    package func onRemoval(perform action: @escaping () -> Void) -> some View {
        fiberModifier(RemovalAction(action: action))
    }
}

private struct RemovalAction: FiberModifier {
    let action: () -> Void
    func makeStorage(_ fiber: _Fiber) -> () -> Void { action }
    func updated(_ storage: inout () -> Void, _ fiber: _Fiber) { storage = action }
    func removed(_ storage: @escaping () -> Void, _ fiber: _Fiber) { fiber.graph.after(storage) }
}
