import DeclarativeUI
import Foundation
import MediaCore
import Observation

/// The visibility of controls over a video.
///
/// The controls appear when they are used, and disappear after a while. Main actor.
///
/// ```swift
/// @State private var presence = ControlsPresence()
///
/// var body: some View {
///     ZStack {
///         PlayerLayer()
///         if presence.isShown { Controls() }
///     }
///     .onContinuousHover { _ in presence.show() }
/// }
/// ```
@MainActor @Observable
public final class ControlsPresence {
    /// Whether the controls are visible. Changes are animated.
    public private(set) var isShown = false
    /// The seconds without use after which the controls disappear.
    @ObservationIgnored public let rest: TimeInterval
    @ObservationIgnored private let animation: Animation?
    /// The seconds until the controls disappear after the pointer has left, and the seconds that fading takes.
    static let left = 0.5, fade = Motion.standardSeconds

    @ObservationIgnored private var hidesAt = DispatchTime.now()
    @ObservationIgnored private var isWaiting = false
    /// Whether a control is being dragged. Until the drag ends, visible controls stay visible. When the value changes
    /// from true to false, the controls are shown for `rest` seconds.
    @ObservationIgnored public var isHeld = false { didSet { if !isHeld, oldValue { show() } } }
    /// 1 while a menu is open, otherwise 0. While a menu is open, the controls stay visible.
    @ObservationIgnored private var menus = 0
    @ObservationIgnored private(set) lazy var menuObserver = MenuObserver { [weak self] isOpen in
        guard let self else { return }
        menus = isOpen ? 1 : 0
        show()
    }

    func access<Member>(keyPath: KeyPath<ControlsPresence, Member>) {
        ObservationScope.access(_$observationRegistrar, self, keyPath)
    }

    /// Creates a presence whose controls are hidden.
    /// - Parameters:
    ///   - rest: The seconds without use after which the controls disappear. A value below 0 counts as 0, and a value
    ///     that is not finite as 3.
    ///   - animation: The animation of appearing and disappearing; nil selects the animation of the player views.
    public nonisolated init(rest: TimeInterval = 3, animation: Animation? = nil) {
        self.rest = max(0, rest.isFinite ? rest : 3)
        self.animation = animation
    }

    /// Shows the controls, for `rest` seconds from now.
    public func show() { show(for: rest) }

    func show(for seconds: Double) {
        hidesAt = .now() + seconds
        if !isShownNow { withAnimation(animation ?? Motion.standard) { isShown = true } }
        wait()
    }
    func pointerLeft() { if isShownNow { show(for: min(rest, ControlsPresence.left)) } }
    /// Whether the controls are visible, read without a dependency on later changes.
    private var isShownNow: Bool { withoutObservationTracking { isShown } }

    /// Keeps visible controls visible for `rest` seconds from now. Hidden controls stay hidden.
    public func isUsed() { if isShownNow { hidesAt = .now() + rest } }
    /// Hides the controls now.
    public func hide() { if isShownNow { withAnimation(animation ?? Motion.standard) { isShown = false } } }
    /// Shows hidden controls, and hides visible ones.
    public func toggle() { isShownNow ? hide() : show() }

    /// Waits with one timer at a time, however often the controls are used. Each wait takes at most `left` seconds, so
    /// that a `hidesAt` that has become earlier is noticed.
    private func wait() {
        guard !isWaiting else { return }
        isWaiting = true
        DispatchQueue.main.asyncAfter(deadline: min(hidesAt, .now() + ControlsPresence.left)) { [weak self] in
            MainActor.assumeIsolated {
                guard let self else { return }
                self.isWaiting = false
                // `show()`, which is called when the use ends, waits again.
                guard self.isShown, !self.isHeld, self.menus == 0 else { return }
                DispatchTime.now() < self.hidesAt ? self.wait() : self.hide()
            }
        }
    }
}
