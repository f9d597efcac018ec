import CGTK
import Foundation
import GTK
import MediaCore

/// An object that hides the pointer while it rests over a playing video, and shows it again at its first motion.
@MainActor
package final class PointerRest {
    package enum Place: Sendable {
        /// The pointer is hidden only while the window fills the screen.
        case fullScreen
        case everywhere
    }
    var place = Place.fullScreen { didSet { wait() } }

    /// The time without motion until the pointer is hidden, in seconds.
    static let rest = 2.5

    private var videoWidget: GTKWidget?
    private var window: GTKWindow?
    private var controller: GTKController?
    private var fullScreen: (of: WindowFullScreen, token: Int)?
    private var isPlaying: () -> Bool = { false }
    private let signals = Signals()
    /// The position in the window. Nil if the pointer is outside.
    private var point: CGPoint?
    private var isHidden = false
    /// The time when the pointer is hidden.
    private var hidesAt = HostTime.min
    private var isWaiting = false

    init() {}

    /// Watches the pointer in the window of `videoWidget`, which must be mapped, until `leave()` is called.
    func follow(_ videoWidget: GTKWidget, isPlaying: @escaping () -> Bool) {
        leave()
        guard let window = videoWidget.window else { return }
        let motion = GTKController.motion()
        (self.videoWidget, self.window, self.isPlaying, controller) = (videoWidget, window, isPlaying, motion)
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
        (videoWidget, window, controller, point) = (nil, nil, nil, nil)
    }

    /// Handles a position. GTK also reports motion if the content below the pointer changes, so equal positions are
    /// ignored.
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

    /// Schedules hiding the pointer. Only one timer runs, even if the pointer moves often.
    func wait() {
        guard !isHidden, point != nil, mayHide else { return }
        hidesAt = .now() + Int64(PointerRest.rest * 1e9)
        if !isWaiting { sleep() }
    }

    private func sleep() {
        isWaiting = true
        let remaining = max(0, Double(hidesAt - HostTime.now()) / 1e9)
        DispatchQueue.main.asyncAfter(deadline: .now() + remaining) { [weak self] in
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

    /// Returns whether a point is over the video and not over a control.
    private func isOverVideo(_ point: CGPoint) -> Bool {
        guard let window, let videoWidget else { return false }
        guard let own = window.convert(point, to: videoWidget),
            CGRect(origin: .zero, size: videoWidget.size).contains(own)
        else { return false }
        var widget = window.pick(point)
        while let current = widget, current != window.widget {
            if current.isControl { return false }
            widget = current.parent
        }
        return true
    }
}
