import Zoetrope

/// The behavior that users expect of a player with a pointer, a keyboard and a window. It applies to the whole
/// container.
struct DesktopInput<Content: View>: View {
    @ObservedObject private var keys: KeyService
    @ObservedObject private var control: ControlService
    @ObservedObject private var player: PlayerService
    @FocusState private var isFocused: Bool
    private let context: Context
    private let content: Content

    init(_ context: Context, @ViewBuilder content: () -> Content) {
        self.context = context
        self.content = content()
        // These services are the container's own, so a test does not have to register them.
        (keys, control, player) = (
            context.own(KeyService.self), context.own(ControlService.self), context.own(PlayerService.self)
        )
    }

    var body: some View {
        content
            .pointerVisibility(hidesPointer ? .hidden : .automatic)
            .onContinuousHover { phase in
                switch phase {
                case .active(let point): control.pointerMoved(to: point)
                case .ended: control.pointerLeft()
                }
            }
            .onScrollWheel { context.own(ScrollService.self).handle($0) }
            .background { WindowFinder(service: context.own(WindowService.self)).frame(width: 0, height: 0) }
            .focusable(keys.enabled)
            .accessibilityLabel(Text(verbatim: PlayerWords.localized("Video player")))
            .focused($isFocused)
            .onKeyPress { keys.handle($0) }
            .onChange(of: isFocused) { if keys.isFocused != isFocused { keys.isFocused = isFocused } }
            .onChange(of: keys.requests, initial: true) { if keys.takeRequest() { isFocused = true } }
    }

    /// Whether the pointer is hidden. It stays visible if the control overlay is off, because the app then decides what
    /// is shown.
    private var hidesPointer: Bool { control.hidesPointer && player.enabled.contains(.control) }
}
