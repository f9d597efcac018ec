import Foundation
import MediaCore
import Observation
import Presentation

/// The full screen of a player view: a second view of the same player, in a window that fills the screen. Main actor.
@MainActor @Observable
final class FullScreenStage {
    /// Whether the video fills the screen.
    private(set) var isOn = false
    /// The view that shows the player in full screen.
    @ObservationIgnored private(set) var view: PictureView?
    /// Called before the video enters full screen, and after it has exited.
    @ObservationIgnored var onChange: ((Bool) -> Void)?
    /// Toggles the full screen of a window that manages it itself; nil if this stage manages it.
    @ObservationIgnored var outer: (@MainActor () -> Void)?
    @ObservationIgnored private var window: FilledWindow?

    nonisolated init() {}

    func access<Member>(keyPath: KeyPath<FullScreenStage, Member>) {
        ObservationScope.access(_$observationRegistrar, self, keyPath)
    }

    /// Follows a window that manages its full screen itself.
    func follow(_ isFull: Bool) { if outer != nil, isFull != isOn { isOn = isFull } }

    func enter(from inlineView: PictureView, makeView: () -> PictureView) {
        guard !isOn, let window = WindowFullScreen.around(inlineView.widget) else { return }
        view = makeView()
        self.window = FilledWindow(window) { [weak self] in self?.exit() }
        onChange?(true)
        isOn = true
        // Delayed, because views are being added to the window at this moment.
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

/// A window that fills the screen until this object is released, and then returns to its former state.
@MainActor
private final class FilledWindow {
    private let window: WindowFullScreen
    private let wasFullScreen: Bool
    private let token: Int
    /// - Parameter left: Called when full screen has ended for another reason, such as a key or the desktop.
    init(_ window: WindowFullScreen, left: @escaping @MainActor () -> Void) {
        self.window = window
        wasFullScreen = window.isOn
        token = window.addListener { if !$0 { left() } }
    }
    func fill() { window.set(true) }
    isolated deinit {
        window.removeListener(token)
        if !wasFullScreen { window.set(false) }
    }
}
