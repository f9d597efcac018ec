import DeclarativeUI
import Foundation
import Observation

/// When controls are seen: they come with the pointer, with keys and with a touch, and go after rest. Main actor.
@MainActor @Observable
final class ControlsPresence {
    private(set) var isShown = false
    /// Seconds without motion until they go; after the pointer has left, and what fading takes.
    static let rest = 3.0, left = 0.5, fade = Motion.standardSeconds

    @ObservationIgnored private var hidesAt = DispatchTime.now()
    @ObservationIgnored private var isWaiting = false
    /// A knob is in the user's hand: they stay.
    @ObservationIgnored var isHeld = false { didSet { if !isHeld, oldValue { show() } } }
    /// So they do while a menu is open.
    @ObservationIgnored private var menus = 0
    @ObservationIgnored private(set) lazy var menuWatch = MenuWatch { [weak self] isOpen in
        guard let self else { return }
        menus = isOpen ? 1 : 0
        show()
    }

    nonisolated init() {}

    func show(for seconds: Double = ControlsPresence.rest) {
        hidesAt = .now() + seconds
        if !isShown { withAnimation(Motion.standard) { isShown = true } }
        wait()
    }
    func pointerLeft() { if isShown { show(for: ControlsPresence.left) } }

    /// One timer at a time, however much the pointer moves; a sooner end waits for none that is later.
    private func wait() {
        guard !isWaiting else { return }
        isWaiting = true
        DispatchQueue.main.asyncAfter(deadline: min(hidesAt, .now() + ControlsPresence.left)) { [weak self] in
            MainActor.assumeIsolated {
                guard let self else { return }
                self.isWaiting = false
                guard self.isShown else { return }
                if self.isHeld || self.menus > 0 || DispatchTime.now() < self.hidesAt { return self.wait() }
                withAnimation(Motion.standard) { self.isShown = false }
            }
        }
    }
}
