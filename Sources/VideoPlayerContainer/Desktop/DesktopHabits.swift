import Zoetrope

/// What people who have a pointer, keys and a window expect of a player, around all of the container.
struct DesktopHabits<Content: View>: View {
    @ObservedObject private var keys: KeyService
    @ObservedObject private var control: ControlService
    @ObservedObject private var player: PlayerService
    @FocusState private var isFocused: Bool
    private let context: Context
    private let content: Content

    init(_ context: Context, @ViewBuilder content: () -> Content) {
        self.context = context
        self.content = content()
        // The container's own: where a test registers what it has, these need not be.
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
            .onScrollWheel { context.own(ScrollService.self).heard($0) }
            .background { WindowFinder(service: context.own(WindowService.self)).frame(width: 0, height: 0) }
            .focusable(keys.enabled)
            .accessibilityLabel(Text(verbatim: PlayerWords.localized("Video player")))
            .focused($isFocused)
            .onKeyPress { keys.heard($0) }
            .onChange(of: isFocused) { if keys.isFocused != isFocused { keys.isFocused = isFocused } }
            .onChange(of: keys.requests, initial: true) { if keys.takeRequest() { isFocused = true } }
    }

    /// An app's own overlay in the controls' place has its own mind.
    private var hidesPointer: Bool { control.hidesPointer && player.enabled.contains(.control) }
}
