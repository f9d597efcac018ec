import CGTK
import Foundation
import GTK
import MediaCore
import MediaEngine

/// Takes the pointer away while it rests over a video that plays; it is back with its first motion. Main actor.
@MainActor
package final class PointerRest {
    package enum Place: Sendable {
        /// Only while the window fills the screen.
        case fullScreen
        case everywhere
    }
    var place = Place.fullScreen { didSet { wait() } }

    /// Seconds without motion until it goes.
    static let rest = 2.5

    private var picture: GTKWidget?
    private var window: GTKWindow?
    private var controller: GTKController?
    private var fullScreen: (of: WindowFullScreen, token: Int)?
    private var isPlaying: () -> Bool = { false }
    private let signals = Signals()
    /// Where it is in the window; nil: not there.
    private var point: CGPoint?
    private var isHidden = false
    /// When it goes.
    private var hidesAt = HostTime.min
    private var isWaiting = false

    init() {}

    /// Watches the pointer in the window of `picture`, which is mapped, until `leave()`.
    func follow(_ picture: GTKWidget, isPlaying: @escaping () -> Bool) {
        leave()
        guard let window = picture.window else { return }
        let motion = GTKController.motion()
        (self.picture, self.window, self.isPlaying, controller) = (picture, window, isPlaying, motion)
        motion.setPhase(GTK_PHASE_CAPTURE)
        for signal in ["enter", "motion"] {
            signals.on(motion, signal) { [weak self] (x: Double, y: Double) in
                self?.moved(to: CGPoint(x: x, y: y))
            }
        }
        signals.on(motion, "leave") { [weak self] in
            self?.point = nil
            self?.show()
        }
        let full = WindowFullScreen.of(window)
        fullScreen = (
            full,
            full.addListener { [weak self] _ in
                self?.show()
                self?.wait()
            }
        )
        window.add(motion)
    }

    func leave() {
        show()
        signals.disconnect()
        if let window, let controller { window.remove(controller) }
        if let fullScreen { fullScreen.of.removeListener(fullScreen.token) }
        fullScreen = nil
        (picture, window, controller, point) = (nil, nil, nil, nil)
    }

    /// GTK tells of motion, too, when what lies below the pointer changes.
    private func moved(to new: CGPoint) {
        guard new != point else { return }
        point = new
        show()
        wait()
    }

    private func show() {
        guard isHidden else { return }
        isHidden = false
        window?.setCursor(nil)
    }

    /// It goes in a while, if it does not move; one timer at a time, however much it does.
    func wait() {
        guard !isHidden, point != nil, mayHide else { return }
        hidesAt = .now() + Int64(PointerRest.rest * 1e9)
        if !isWaiting { sleep() }
    }

    private func sleep() {
        isWaiting = true
        let left = max(0, Double(hidesAt - HostTime.now()) / 1e9)
        DispatchQueue.main.asyncAfter(deadline: .now() + left) { [weak self] in
            MainActor.assumeIsolated {
                guard let self else { return }
                self.isWaiting = false
                guard self.window != nil else { return }
                if HostTime.now() < self.hidesAt { return self.sleep() }
                self.hide()
            }
        }
    }

    private var mayHide: Bool {
        guard window != nil else { return false }
        return (place == .everywhere || fullScreen?.of.isOn == true) && isPlaying()
    }

    private func hide() {
        guard let window, let point, mayHide, isOverVideo(point) else { return }
        isHidden = true
        window.setCursor("none")
    }

    /// Over the picture, and over nothing that wants to be clicked.
    private func isOverVideo(_ point: CGPoint) -> Bool {
        guard let window, let picture else { return false }
        guard let own = window.convert(point, to: picture), CGRect(origin: .zero, size: picture.size).contains(own)
        else { return false }
        var widget = window.pick(point)
        while let current = widget, current != window.widget {
            if current.isControl { return false }
            widget = current.parent
        }
        return true
    }
}
