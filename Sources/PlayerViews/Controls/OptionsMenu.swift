import DeclarativeUI

/// A menu of a player's options, such as its speed, subtitles and quality.
///
/// ```swift
/// OptionsMenu("Speed") {
///     [.choice("Normal", isOn: speed == 1) { speed = 1 }, .choice("Double", isOn: speed == 2) { speed = 2 }]
/// } label: {
///     Image(systemName: "speedometer")
/// }
/// ```
public struct OptionsMenu<Label: View>: View {
    /// A closure that returns the items of an options menu. It is called again when observed state that it reads
    /// changes. Main actor.
    public typealias Items = @MainActor () -> [OptionsMenuItem]
    private let title: String
    private let items: Items
    private let label: Label

    /// Creates a menu.
    /// - Parameters:
    ///   - title: The name for assistive technology.
    ///   - items: Returns the items.
    ///   - label: The view of the button that opens the menu.
    public init(_ title: String, items: @escaping Items, @ViewBuilder label: () -> Label) {
        self.title = title
        self.items = items
        self.label = label()
    }

    public var body: some View {
        Menu {
            OptionsMenuItems(items: items)
        } label: {
            label
        }
        .menuIndicator(.hidden)
        .menuStyle(.borderlessButton)
        .accessibilityLabel(title)
    }
}

/// An item of an options menu.
///
/// ```swift
/// OptionsMenu("More") {
///     [
///         .command("Copy link") { copyLink() },
///         .menu("Quality", symbol: "tv") {
///             qualities.map { quality in .choice(quality, isOn: quality == selected) { select(quality) } }
///         },
///     ]
/// } label: {
///     Image(systemName: "ellipsis")
/// }
/// ```
public enum OptionsMenuItem {
    /// An option that can be chosen, with a mark if it is the current one.
    case choice(_ title: String, isOn: Bool, action: @MainActor () -> Void)
    /// A command without a mark.
    case command(_ title: String, action: @MainActor () -> Void)
    /// A menu of other items, with the name of a system symbol; nil for no symbol.
    case menu(_ title: String, symbol: String? = nil, items: @MainActor () -> [OptionsMenuItem])
}

private struct OptionsMenuItems: View {
    let items: @MainActor () -> [OptionsMenuItem]
    var body: some View {
        ForEach(Array(items().enumerated()), id: \.offset) { _, item in
            switch item {
            case .choice(let title, let isOn, let action):
                Toggle(isOn: Binding(get: { isOn }, set: { _ in action() })) { Text(verbatim: title) }
            case .command(let title, let action): Button(title) { action() }
            case .menu(let title, let symbol, let items):
                Menu {
                    AnyView(OptionsMenuItems(items: items))
                } label: {
                    if let symbol {
                        DeclarativeUI.Label(LocalizedStringKey(title), systemImage: symbol)
                    } else {
                        Text(verbatim: title)
                    }
                }
            }
        }
    }
}
