import Foundation
@_spi(Graph) import ViewGraph

/// A button that pushes a page onto the navigation stack around it. Matches SwiftUI's `NavigationLink`.
///
/// ```swift
/// NavigationLink {
///     ExtVideoPlayer(fileName: "film.mp4")
/// } label: {
///     Label("Watch", systemImage: "play.fill")
/// }
/// ```
/// Outside a navigation stack, the button is disabled.
public struct NavigationLink<Label: View, Destination: View>: View {
    private let label: Label
    private let destination: (@MainActor () -> Destination)?
    private let value: AnyHashable?
    private var isActive: Binding<Bool>?
    @State private var token = LinkToken()
    @Environment(\.navigation) private var navigation
    @Environment(\.isInList) private var isInList

    /// Creates a link to a page.
    ///
    /// - Parameters:
    ///   - destination: The page. The closure runs when the user follows the link.
    ///   - label: The content of the button.
    public init(@ViewBuilder destination: @escaping @MainActor () -> Destination, @ViewBuilder label: () -> Label) {
        self.destination = destination
        self.label = label()
        value = nil
    }
    /// Creates a link to the page `destination`. This is an older form of `init(destination:label:)`.
    public init(destination: Destination, @ViewBuilder label: () -> Label) {
        self.destination = { destination }
        self.label = label()
        value = nil
    }
    /// Creates a link to the page `destination`, which is shown while `isActive` is true. This is an older form.
    ///
    /// - Parameters:
    ///   - destination: The page.
    ///   - isActive: Whether the page is shown. The link sets the value to true, and going back sets it to false.
    ///   - label: The content of the button.
    public init(destination: Destination, isActive: Binding<Bool>, @ViewBuilder label: () -> Label) {
        self.init(destination: destination, label: label)
        self.isActive = isActive
    }
    /// Creates a link to a page that is shown while `isActive` is true. This is an older form.
    ///
    /// - Parameters:
    ///   - isActive: Whether the page is shown. The link sets the value to true, and going back sets it to false.
    ///   - destination: The page. The closure runs when the page is shown.
    ///   - label: The content of the button.
    public init(
        isActive: Binding<Bool>, @ViewBuilder destination: @escaping @MainActor () -> Destination,
        @ViewBuilder label: () -> Label
    ) {
        self.init(destination: destination, label: label)
        self.isActive = isActive
    }
    /// Creates a link to the page `destination`, which is shown while `selection` is `tag`. This is an older form.
    ///
    /// - Parameters:
    ///   - destination: The page.
    ///   - tag: The value that identifies the link.
    ///   - selection: The tag of the link whose page is shown. The link sets its own tag, and going back sets nil.
    ///   - label: The content of the button.
    public init<V: Hashable>(
        destination: Destination, tag: V, selection: Binding<V?>, @ViewBuilder label: () -> Label
    ) {
        self.init(destination: destination, isActive: selection.isTag(tag), label: label)
    }
    /// Creates a link to a page that is shown while `selection` is `tag`. This is an older form.
    ///
    /// - Parameters:
    ///   - tag: The value that identifies the link.
    ///   - selection: The tag of the link whose page is shown. The link sets its own tag, and going back sets nil.
    ///   - destination: The page. The closure runs when the page is shown.
    ///   - label: The content of the button.
    public init<V: Hashable>(
        tag: V, selection: Binding<V?>, @ViewBuilder destination: @escaping @MainActor () -> Destination,
        @ViewBuilder label: () -> Label
    ) {
        self.init(isActive: selection.isTag(tag), destination: destination, label: label)
    }
    private init(_ value: AnyHashable?, _ label: Label) {
        self.value = value
        self.label = label
        destination = nil
    }

    public var body: some View {
        if isActive != nil, Label.self == EmptyView.self {
            // Apps place such links behind other views and follow them by the binding only.
            EmptyView().fiberModifier(link)
        } else if isInList {
            Button(action: push) {
                HStack {
                    label
                    Spacer()
                    Image(systemName: "chevron.right").foregroundStyle(.secondary).imageScale(.small)
                }
            }
            .buttonStyle(.plain)
            .elementModifier(RowLinkModifier())
            .disabled(isDisabled)
            .fiberModifier(link)
        } else {
            Button(action: push) { label }
                .disabled(isDisabled)
                .fiberModifier(link)
        }
    }

    private var isDisabled: Bool { navigation == nil || (destination == nil && value == nil) }
    private var page: (@MainActor () -> AnyView)? {
        guard let destination else { return nil }
        return { AnyView(BuiltPage { AnyView(destination()) }) }
    }
    private var link: LinkDestination {
        guard let isActive else { return LinkDestination(token: token, view: page) }
        let pushed = PushModifier(
            token: token, page: isActive.wrappedValue ? page?() : nil,
            onRemove: { if isActive.wrappedValue { isActive.wrappedValue = false } })
        return LinkDestination(token: token, view: page, pushed: pushed)
    }
    private func push() {
        if let isActive {
            isActive.wrappedValue = true
        } else if let value {
            navigation?.push(value)
        } else if let page {
            navigation?.push(page(), token)
        }
    }
}

extension NavigationLink where Destination == Never {
    /// Creates a link to the page that `navigationDestination(for:destination:)` declares for a value.
    ///
    /// - Parameters:
    ///   - value: The value. Nil disables the link.
    ///   - label: The content of the button.
    public init<V: Hashable>(value: V?, @ViewBuilder label: () -> Label) {
        self.init(value.map { AnyHashable($0) }, label())
    }
}
extension NavigationLink where Label == Text, Destination == Never {
    /// Creates a link with a localized title to the page that is declared for `value`. Nil disables the link.
    public init<V: Hashable>(_ titleKey: LocalizedStringKey, value: V?) {
        self.init(value.map { AnyHashable($0) }, Text(titleKey))
    }
    /// Creates a link to the page that is declared for `value`, with a title that is not localized. Nil disables the
    /// link.
    @_disfavoredOverload public init<S: StringProtocol, V: Hashable>(_ title: S, value: V?) {
        self.init(value.map { AnyHashable($0) }, Text(title))
    }
}
extension NavigationLink where Label == Text {
    /// Creates a link with a localized title. The closure for the page runs when the user follows the link.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder destination: @escaping @MainActor () -> Destination) {
        self.init(destination: destination) { Text(titleKey) }
    }
    /// Creates a link with a localized title to the page `destination`. This is an older form.
    public init(_ titleKey: LocalizedStringKey, destination: Destination) {
        self.init(destination: destination) { Text(titleKey) }
    }
    /// Creates a link with a title that is not localized. The closure for the page runs when the user follows the link.
    @_disfavoredOverload public init<S: StringProtocol>(
        _ title: S, @ViewBuilder destination: @escaping @MainActor () -> Destination
    ) { self.init(destination: destination) { Text(title) } }
    /// Creates a link to the page `destination`, with a title that is not localized. This is an older form.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, destination: Destination) {
        self.init(destination: destination) { Text(title) }
    }
    /// Creates a link with a localized title to a page that is shown while `isActive` is true. This is an older form.
    public init(_ titleKey: LocalizedStringKey, destination: Destination, isActive: Binding<Bool>) {
        self.init(destination: destination, isActive: isActive) { Text(titleKey) }
    }
    /// Creates a link to a page that is shown while `isActive` is true, with a title that is not localized. This is an
    /// older form.
    @_disfavoredOverload public init<S: StringProtocol>(
        _ title: S, destination: Destination, isActive: Binding<Bool>
    ) {
        self.init(destination: destination, isActive: isActive) { Text(title) }
    }
    /// Creates a link with a localized title to a page that is shown while `isActive` is true. This is an older form.
    public init(
        _ titleKey: LocalizedStringKey, isActive: Binding<Bool>,
        @ViewBuilder destination: @escaping @MainActor () -> Destination
    ) {
        self.init(isActive: isActive, destination: destination) { Text(titleKey) }
    }
    /// Creates a link to a page that is shown while `isActive` is true, with a title that is not localized. This is an
    /// older form.
    @_disfavoredOverload public init<S: StringProtocol>(
        _ title: S, isActive: Binding<Bool>, @ViewBuilder destination: @escaping @MainActor () -> Destination
    ) {
        self.init(isActive: isActive, destination: destination) { Text(title) }
    }
    /// Creates a link with a localized title to the page `destination`, which is shown while `selection` is `tag`. This
    /// is an older form.
    public init<V: Hashable>(
        _ titleKey: LocalizedStringKey, destination: Destination, tag: V, selection: Binding<V?>
    ) {
        self.init(destination: destination, tag: tag, selection: selection) { Text(titleKey) }
    }
    /// Creates a link to the page `destination`, which is shown while `selection` is `tag`, with a title that is not
    /// localized. This is an older form.
    @_disfavoredOverload public init<S: StringProtocol, V: Hashable>(
        _ title: S, destination: Destination, tag: V, selection: Binding<V?>
    ) {
        self.init(destination: destination, tag: tag, selection: selection) { Text(title) }
    }
    /// Creates a link with a localized title to a page that is shown while `selection` is `tag`. This is an older form.
    public init<V: Hashable>(
        _ titleKey: LocalizedStringKey, tag: V, selection: Binding<V?>,
        @ViewBuilder destination: @escaping @MainActor () -> Destination
    ) {
        self.init(tag: tag, selection: selection, destination: destination) { Text(titleKey) }
    }
    /// Creates a link to a page that is shown while `selection` is `tag`, with a title that is not localized. This is
    /// an older form.
    @_disfavoredOverload public init<S: StringProtocol, V: Hashable>(
        _ title: S, tag: V, selection: Binding<V?>, @ViewBuilder destination: @escaping @MainActor () -> Destination
    ) {
        self.init(tag: tag, selection: selection, destination: destination) { Text(title) }
    }
}

extension Binding {
    /// Returns a binding that is true while the value is `tag`. Setting it to true sets the tag; setting it to false
    /// sets nil, unless another tag has been set.
    @MainActor fileprivate func isTag<V: Hashable>(_ tag: V) -> Binding<Bool> where Value == V? {
        Binding<Bool>(
            get: { wrappedValue == tag },
            set: { isOn in
                if isOn { wrappedValue = tag } else if wrappedValue == tag { wrappedValue = nil }
            })
    }
}

/// The identity of a link, by which a navigation stack finds the page that the link has pushed.
@MainActor
final class LinkToken {
    nonisolated init() {}
}

/// A modifier that updates the page of a link whenever the link's view changes, while the page is shown.
struct LinkDestination: FiberModifier {
    let token: LinkToken
    let view: (@MainActor () -> AnyView)?
    /// The state of a link whose page a binding shows.
    var pushed: PushModifier?
    func makeStorage(_ fiber: _Fiber) {}
    func removed(_ storage: Void, _ fiber: _Fiber) { pushed?.removed(storage, fiber) }
    func updated(_ storage: inout Void, _ fiber: _Fiber) {
        if let pushed { return pushed.updated(&storage, fiber) }
        guard let view, let navigation = fiber.environment.navigation, navigation.isShowing(token) else { return }
        navigation.refresh(token, view())
    }
}

/// A modifier that makes a click anywhere in a list row follow the link.
struct RowLinkModifier: ElementModifier {
    func makeElement() -> RowLinkElement { RowLinkElement() }
    func update(_ element: RowLinkElement, _ fiber: _Fiber) {}
}
final class RowLinkElement: WrapperElement {
    override func trait<T>(_ type: T.Type) -> T? {
        if type == RowLink.self, let button = children.first as? ButtonElement { return RowLink(button: button) as? T }
        return super.trait(type)
    }
    /// The link takes the full width of its row.
    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        let size = super.measure(proposal)
        return CGSize(width: proposal.width.flatMap { $0.isFinite ? $0 : nil } ?? size.width, height: size.height)
    }
}

extension View {
    /// Declares the page for values of the type `data` that links push or that the stack's path contains.
    ///
    /// If several views declare a page for the same type, the declaration nearest to the stack's first page is used.
    public func navigationDestination<D: Hashable, C: View>(
        for data: D.Type, @ViewBuilder destination: @escaping (D) -> C
    ) -> some View {
        fiberModifier(
            DestinationBuilder(
                type: ObjectIdentifier(data),
                build: { value in (value.base as? D).map { value in AnyView(BuiltPage { AnyView(destination(value)) }) }
                }))
    }
    /// Pushes a page while `isPresented` is true, and sets `isPresented` to false when the page is removed.
    ///
    /// Outside a navigation stack, the modifier has no effect.
    public func navigationDestination<V: View>(isPresented: Binding<Bool>, @ViewBuilder destination: @escaping () -> V)
        -> some View
    {
        PushedWhile(content: self, isPresented: isPresented, destination: { AnyView(destination()) })
    }
    /// Pushes a page while `item` has a value, and sets `item` to nil when the page is removed.
    ///
    /// If `item` gets another value, the same page shows that value. Outside a navigation stack, the modifier has no
    /// effect.
    public func navigationDestination<D: Hashable, C: View>(
        item: Binding<D?>, @ViewBuilder destination: @escaping (D) -> C
    ) -> some View {
        PushedWhile(
            content: self,
            isPresented: Binding(get: { item.wrappedValue != nil }, set: { if !$0 { item.wrappedValue = nil } }),
            destination: { item.wrappedValue.map { AnyView(destination($0)) } ?? AnyView(EmptyView()) })
    }
    /// Hides the bar's back button while this page is on top. The keys that go back have no effect then either.
    public func navigationBarBackButtonHidden(_ hidesBackButton: Bool = true) -> some View {
        preference(key: BackHiddenKey.self, value: hidesBackButton)
    }
    /// Hides the whole bar while this page is on top. The keys that go back still work.
    public func navigationBarHidden(_ hidden: Bool = true) -> some View {
        preference(key: BarHiddenKey.self, value: hidden)
    }
}

struct BackHiddenKey: PreferenceKey {
    static let defaultValue = false
    static func reduce(value: inout Bool, nextValue: () -> Bool) { value = value || nextValue() }
}
struct BarHiddenKey: PreferenceKey {
    static let defaultValue = false
    static func reduce(value: inout Bool, nextValue: () -> Bool) { value = value || nextValue() }
}

/// A view that calls a page's closure in its own body. If a value that the closure reads changes, the page updates.
struct BuiltPage: View {
    let build: @MainActor () -> AnyView
    var body: AnyView { build() }
}

struct DestinationBuilder: FiberModifier {
    let type: ObjectIdentifier
    let build: @MainActor (AnyHashable) -> AnyView?
    final class Storage {}
    func makeStorage(_ fiber: _Fiber) -> Storage { Storage() }
    func updated(_ storage: inout Storage, _ fiber: _Fiber) {
        fiber.environment.navigation?.register(type, storage, build)
    }
    func removed(_ storage: Storage, _ fiber: _Fiber) { fiber.environment.navigation?.unregister(type, storage) }
}

struct PushedWhile<Content: View>: View {
    let content: Content
    let isPresented: Binding<Bool>
    let destination: @MainActor () -> AnyView
    @State private var token = LinkToken()
    var body: some View {
        content.fiberModifier(
            PushModifier(
                token: token, page: isPresented.wrappedValue ? destination() : nil,
                onRemove: { if isPresented.wrappedValue { isPresented.wrappedValue = false } }))
    }
}

struct PushModifier: FiberModifier {
    let token: LinkToken
    let page: AnyView?
    let onRemove: @MainActor () -> Void
    func makeStorage(_ fiber: _Fiber) {}
    func updated(_ storage: inout Void, _ fiber: _Fiber) {
        let navigation = fiber.environment.navigation
        if let page {
            if navigation?.isShowing(token) == true {
                navigation?.refresh(token, page)
            } else {
                fiber.graph.after { navigation?.push(page, token, onRemove) }
            }
        } else if navigation?.isShowing(token) == true {
            fiber.graph.after { navigation?.pop(token) }
        }
    }
    func removed(_ storage: Void, _ fiber: _Fiber) {
        let navigation = fiber.environment.navigation
        if navigation?.isShowing(token) == true { fiber.graph.after { navigation?.pop(token) } }
    }
}
