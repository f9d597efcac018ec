import Foundation
@_spi(Graph) import ViewGraph

/// The leading or the trailing edge of something. SwiftUI's type.
@frozen public enum HorizontalEdge: Int8, CaseIterable, Sendable {
    /// In this order, from 0.
    case leading, trailing
}

extension View {
    /// Actions of a list's row. A device shows them when the row is swiped; here they are the row's menu, which opens by
    /// the right button, by holding on a touch screen, or by the Menu key.
    /// - Parameters: `edge` and `allowsFullSwipe` have no effect.
    public func swipeActions<T: View>(
        edge: HorizontalEdge = .trailing, allowsFullSwipe: Bool = true, @ViewBuilder content: () -> T
    ) -> some View { contextMenu(menuItems: content) }

    /// Shows a number at the end of a list's row, or in the corner of another view; nothing for 0.
    public func badge(_ count: Int) -> some View { Badged(content: self, label: count == 0 ? nil : Text("\(count)")) }
    /// Shows a text at the end of a list's row, or in the corner of another view; nothing for nil.
    public func badge(_ label: Text?) -> some View { Badged(content: self, label: label) }
    /// Shows a text at the end of a list's row, or in the corner of another view.
    public func badge(_ key: LocalizedStringKey) -> some View { Badged(content: self, label: Text(key)) }
    /// Shows a text, as it is, at the end of a list's row, or in the corner of another view; nothing for nil.
    @_disfavoredOverload public func badge<S: StringProtocol>(_ label: S?) -> some View {
        Badged(content: self, label: label.map { Text(verbatim: String($0)) })
    }
}

struct Badged<Content: View>: View {
    let content: Content
    let label: Text?
    @Environment(\.isInList) private var isInList
    var body: some View {
        if let label, isInList {
            HStack {
                content
                Spacer()
                label.foregroundColor(.secondary)
            }
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
extension Badged: PageWithModifier {
    var inner: any View { content }
    var said: Any? { nil }
}

/// Loads a view's content again. SwiftUI's type.
public struct RefreshAction: Sendable {
    let action: @MainActor @Sendable () async -> Void
    /// Runs the action, and returns when it is over.
    @MainActor public func callAsFunction() async { await action() }
}
private struct RefreshKey: EnvironmentKey { static let defaultValue: RefreshAction? = nil }
extension EnvironmentValues {
    /// What `refreshable` says above; nil where nothing does.
    public var refresh: RefreshAction? {
        get { self[RefreshKey.self] }
        set { self[RefreshKey.self] = newValue }
    }
}

private struct Refreshable<Content: View>: View {
    let content: Content
    let action: @MainActor @Sendable () async -> Void
    @State private var isRunning = false

    private func run() {
        guard !isRunning else { return }
        isRunning = true
        let action = action
        Task { @MainActor in
            await action()
            isRunning = false
        }
    }
    var body: some View {
        content
            .fiberModifier(EnvironmentWriter(identity: nil) { $0.refresh = RefreshAction(action: action) })
            .background {
                Button("Refresh", action: run).keyboardShortcut("r", modifiers: .command).opacity(0)
                    .frame(width: 0, height: 0).accessibilityHidden(true)
            }
            .overlay(alignment: .top) { if isRunning { ProgressView().padding(Space.regular) } }
    }
}
extension View {
    /// Loads this view's content again when Ctrl+R is pressed: a desktop's pages are not pulled down. A spinner is shown
    /// until `action` returns. Views below find the action as `\.refresh`.
    public func refreshable(action: @escaping @MainActor @Sendable () async -> Void) -> some View {
        Refreshable(content: self, action: action)
    }
}
