import Foundation
@_spi(Graph) import ViewGraph

/// A leading or trailing edge. Matches SwiftUI's `HorizontalEdge`.
@frozen public enum HorizontalEdge: Int8, CaseIterable, Sendable {
    /// The leading edge, with the raw value 0, and the trailing edge, with the raw value 1.
    case leading, trailing
}

extension View {
    /// Adds actions to this row of a list.
    ///
    /// ```swift
    /// List {
    ///     ForEach(titles, id: \.self) { title in
    ///         Text(title).swipeActions { Button("Remove", role: .destructive) { remove(title) } }
    ///     }
    /// }
    /// ```
    /// On Linux, the actions are in the row's context menu, together with the entries of the row's `contextMenu` and
    /// other `swipeActions`. The menu opens with the right mouse button, with a long press on a touch screen, and with
    /// the Menu key.
    ///
    /// - Parameters:
    ///   - edge: Has no effect.
    ///   - allowsFullSwipe: Has no effect.
    ///   - content: The actions.
    public func swipeActions<T: View>(
        edge: HorizontalEdge = .trailing, allowsFullSwipe: Bool = true, @ViewBuilder content: () -> T
    ) -> some View { ContextMenuView(content: self, items: content(), areRowActions: true) }

    /// Shows a number at the end of a list row, or in the corner of another view. The number 0 is not shown.
    public func badge(_ count: Int) -> some View { Badged(content: self, label: count == 0 ? nil : Text("\(count)")) }
    /// Shows a text at the end of a list row, or in the corner of another view. Nil shows nothing.
    public func badge(_ label: Text?) -> some View { Badged(content: self, label: label) }
    /// Shows a localized text at the end of a list row, or in the corner of another view. Nil shows nothing.
    public func badge(_ key: LocalizedStringKey?) -> some View {
        Badged(content: self, label: key.map { Text($0) })
    }
    /// Shows a text at the end of a list row, or in the corner of another view. The text is not localized. Nil shows
    /// nothing.
    @_disfavoredOverload public func badge<S: StringProtocol>(_ label: S?) -> some View {
        Badged(content: self, label: label.map { Text(verbatim: String($0)) })
    }
}

struct Badged<Content: View>: View {
    let content: Content
    let label: Text?
    @Environment(\.isInList) private var isInList
    var body: some View {
        if isInList {
            // The content keeps its identity when the badge appears or disappears.
            HStack {
                content
                if let label {
                    Spacer()
                    label.foregroundColor(.secondary)
                }
            }
            .elementModifier(BadgedRowModifier())
        } else {
            content.overlay(alignment: .topTrailing) {
                if let label {
                    label.font(.caption2).foregroundColor(.white).padding(.horizontal, Space.tight).padding(
                        .vertical, Space.line
                    )
                    .background(Color.red).clipShape(Capsule()).allowsHitTesting(false)
                }
            }
        }
    }
}

private struct BadgedRowModifier: ElementModifier {
    func makeElement() -> BadgedRowElement { BadgedRowElement() }
    func update(_ element: BadgedRowElement, _ fiber: _Fiber) {}
}

/// The element around a row and its badge. It has the traits of the row, such as its tag and its link.
private final class BadgedRowElement: WrapperElement {
    override func trait<T>(_ type: T.Type) -> T? { content?.children.first?.trait(type) }
}

extension Badged: ModifiedPage {
    var inner: any View { content }
    var pageModifier: Any? { nil }
}

/// An action that loads a view's content again. Matches SwiftUI's `RefreshAction`.
public struct RefreshAction: Sendable {
    let action: @MainActor @Sendable () async -> Void
    /// Runs the action, and returns when the action has finished.
    @MainActor public func callAsFunction() async { await action() }
}
private struct RefreshKey: EnvironmentKey { static let defaultValue: RefreshAction? = nil }
extension EnvironmentValues {
    /// The action that `refreshable(action:)` has set, or nil if there is none.
    public var refresh: RefreshAction? {
        get { self[RefreshKey.self] }
        set { self[RefreshKey.self] = newValue }
    }
}

private struct Refreshable<Content: View>: View {
    let content: Content
    let action: @MainActor @Sendable () async -> Void
    @State private var running: Task<Void, Never>?

    private func run() {
        guard running == nil else { return }
        let action = action
        running = Task { @MainActor in
            await action()
            running = nil
        }
    }
    var body: some View {
        content
            .fiberModifier(EnvironmentWriter(identity: nil) { $0.refresh = RefreshAction(action: action) })
            .background {
                Button("Refresh", action: run).keyboardShortcut("r", modifiers: .command).opacity(0)
                    .frame(width: 0, height: 0).accessibilityHidden(true)
            }
            .overlay(alignment: .top) { if running != nil { ProgressView().padding(Space.regular) } }
            .onDisappear { running?.cancel() }
    }
}
extension View {
    /// Adds an action that loads this view's content again when the user presses Ctrl+R.
    ///
    /// ```swift
    /// List(titles, id: \.self) { Text($0) }
    ///     .refreshable { await reload() }
    /// ```
    /// A spinner is shown until `action` returns; until then, Ctrl+R has no effect. The task that runs `action` is
    /// canceled when this view disappears. Views in this view can read the action from the environment as `\.refresh`.
    /// Calling it shows no spinner.
    public func refreshable(action: @escaping @MainActor @Sendable () async -> Void) -> some View {
        Refreshable(content: self, action: action)
    }
}
