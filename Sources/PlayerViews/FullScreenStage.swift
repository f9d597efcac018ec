import Foundation
import MediaCore
import Observation
import Presentation

/// The full screen of a player view: a second view of the same player, in a window that fills the screen. Main actor.
@MainActor @Observable
final class FullScreenStage {
    /// Whether the video fills the screen.
    private(set) var isOn = false
    /// The view that shows the player meanwhile.
    @ObservationIgnored private(set) var view: PictureView?
    /// Called before the video fills the screen, and after it has ended.
    @ObservationIgnored var onChange: ((Bool) -> Void)?
    /// Set if the window fills the screen by itself: asks the window to begin or end that.
    @ObservationIgnored var outer: (@MainActor () -> Void)?
    @ObservationIgnored private var window: FilledWindow?

    nonisolated init() {}

    func access<Member>(keyPath: KeyPath<FullScreenStage, Member>) {
        ObservationScope.access(_$observationRegistrar, self, keyPath)
    }

    /// The window around the view fills the screen by itself, or no longer.
    func follow(_ isFull: Bool) { if outer != nil, isFull != isOn { isOn = isFull } }

    func enter(from place: PictureView, makeView: () -> PictureView) {
        guard !isOn, let window = WindowFullScreen.around(place.widget) else { return }
        view = makeView()
        self.window = FilledWindow(window) { [weak self] in self?.exit() }
        onChange?(true)
        isOn = true
        // Not now: views are on their way into the window.
        DispatchQueue.main.async { [weak self] in
            MainActor.assumeIsolated { self?.window?.fill() }
        }
    }

    func exit() {
        guard isOn, outer == nil else { return }
        isOn = false
        window = nil
        view = nil
        onChange?(false)
    }
}

/// A window that fills the screen as long as this lives, and is then as it was.
@MainActor
private final class FilledWindow {
    private let window: WindowFullScreen
    private let wasOn: Bool
    private let token: Int
    /// - Parameter left: somebody else has ended it: a key, the desktop.
    init(_ window: WindowFullScreen, left: @escaping @MainActor () -> Void) {
        self.window = window
        wasOn = window.isOn
        token = window.addListener { if !$0 { left() } }
    }
    func fill() { window.set(true) }
    isolated deinit {
        window.removeListener(token)
        if !wasOn { window.set(false) }
    }
}
