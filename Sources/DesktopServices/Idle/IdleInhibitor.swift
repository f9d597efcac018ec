import GTK
import Presentation

/// An inhibitor that keeps the screen on while a moving video is visible.
///
/// It requests the inhibition from the desktop's portal, the screen saver, the Wayland compositor and GTK, in this
/// order, and releases it when it is no longer needed. If a service withdraws its inhibition or disappears, the next
/// service is requested. If all refuse, the screen may turn off.
@MainActor
package final class IdleInhibitor {
    package static let shared = IdleInhibitor()
    private var wanted = false
    private var held: IdleInhibition?
    private var working: Task<Void, Never>?
    /// The number of inhibitions of each service that were lost since the current request began. A refusal counts
    /// twice.
    private var lost: [IdleInhibition.Kind: Int] = [:]

    /// Starts to follow the visibility of moving videos. A second call has no effect.
    package func begin() {
        guard MovingVideoMonitor.shared.onChange == nil else { return }
        MovingVideoMonitor.shared.onChange = { [weak self] view in
            guard let self else { return }
            (self.view, isShowing) = (view, view != nil)
            want(isShowing || isKeptAwake)
            if let window = view?.widget.window { held?.follow(window) }
        }
    }

    /// Sets whether the screen stays on even while nothing plays.
    package func keepAwake(_ isKept: Bool) {
        isKeptAwake = isKept
        want(isShowing || isKeptAwake)
    }
    private var isShowing = false, isKeptAwake = false
    /// The view whose video is moving; nil if there is none.
    private weak var view: PlayerView?

    /// Releases the inhibition before the process ends, after its main loop.
    ///
    /// Waits up to half a second for a pending answer, so that an inhibition that arrives too late is released too.
    package func end() {
        MovingVideoMonitor.shared.onChange = nil
        wanted = false
        MainLoop.linger(atMost: 0.5) { working == nil }
        held?.release()
        held = nil
    }

    private func want(_ wanted: Bool) {
        if wanted, !self.wanted { lost = [:] }
        self.wanted = wanted
        work()
    }

    private func work() {
        guard working == nil else { return }
        // One step at a time: an inhibition has to be granted before it can be released.
        working = Task { [weak self] in
            while let self, self.wanted != (self.held != nil) {
                if self.wanted {
                    guard let new = await self.requestInhibition() else { break }
                    take(new)
                } else {
                    held?.release()
                    held = nil
                }
            }
            self?.working = nil
        }
    }

    private func take(_ new: IdleInhibition) {
        held = new
        new.onLoss = { [weak self, weak new] loss in
            guard let self, let new, held === new else { return }
            // A service that disappeared once is requested again, because it may have restarted. A service that refused
            // is not.
            lost[new.kind, default: 0] += loss == .refused ? 2 : 1
            held = nil
            work()
        }
    }

    private func requestInhibition() async -> IdleInhibition? {
        func mayRequest(_ kind: IdleInhibition.Kind) -> Bool { lost[kind, default: 0] < 2 }
        if let bus = await SessionBus.connect() {
            if mayRequest(.portal), let hold = await PortalHold(bus) { return hold }
            if mayRequest(.screenSaver), let hold = await ScreenSaverHold(bus) { return hold }
        }
        // Without a moving video, any view that has a size will do. A view gets its size when its window opens.
        guard let window = (view ?? PlayerView.all.first { $0.size.width > 0 })?.widget.window else { return nil }
        return CompositorHold(window) ?? GTKHold(window)
    }
}

/// An inhibition that a service has granted.
@MainActor
class IdleInhibition {
    enum Kind { case portal, screenSaver, compositor, gtk }
    enum Loss {
        /// The service has refused after it had granted the request.
        case refused
        /// The service has disappeared from the bus.
        case gone
    }
    /// The time to wait for an answer, in seconds. It equals the usual timeout on D-Bus, because an inhibition that a
    /// slow service grants after the timeout could not be released.
    static let patience = 25.0
    let kind: Kind
    private var loss: Loss?
    /// Called once if the inhibition is lost without having been released. Called at once if this has already happened.
    var onLoss: ((Loss) -> Void)? { didSet { if let loss { onLoss?(loss) } } }

    init(_ kind: Kind) { self.kind = kind }
    func release() {}
    /// Moves the inhibition to the window of the video that is moving now.
    func follow(_ window: GTKWindow) {}
    final func lose(_ loss: Loss) {
        guard self.loss == nil else { return }
        self.loss = loss
        onLoss?(loss)
    }

    /// Returns a subscription that reports a loss when `name` disappears from the bus.
    final func watch(_ name: String, on bus: SessionBus) -> BusSignals {
        BusSignals(
            from: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
            signal: "NameOwnerChanged", first: name, on: bus
        ) {
            [weak self] _, _, arguments in
            if arguments.count == 3, arguments[1].string?.isEmpty == false { self?.lose(.gone) }
        }
    }
}

/// An inhibition by the portal (flatpak.github.io/xdg-desktop-portal: org.freedesktop.portal.Inhibit,
/// org.freedesktop.portal.Request).
@MainActor
final class PortalHold: IdleInhibition {
    private let bus: SessionBus
    private var handle: String
    private var watches: [BusSignals] = []
    private static let name = "org.freedesktop.portal.Desktop"
    private static var count = 0

    init?(_ bus: SessionBus) async {
        PortalHold.count += 1
        let token = "zoetrope\(PortalHold.count)"
        self.bus = bus
        handle =
            "/org/freedesktop/portal/desktop/request/\(bus.uniqueName.dropFirst().replacing(".", with: "_"))/\(token)"
        super.init(.portal)
        // Subscribe before the call, because the response may arrive before the call returns.
        watches = [answers(), watch(PortalHold.name, on: bus)]
        // The flag 8 stands for "Idle".
        switch await bus.call(
            PortalHold.name, "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Inhibit.Inhibit",
            [.string(""), .uint32(8), .table(["handle_token": .string(token), "reason": .string(IdleReason.text)])],
            seconds: IdleInhibition.patience, starts: true)
        {
        case .success(let answer):
            guard let given = answer.first?.string else { return nil }
            guard given != handle else { break }
            // Portals before version 0.9 choose the handle themselves.
            handle = given
            watches.append(answers())
        case .failure(let error):
            // The portal may still grant the request after the timeout.
            if error == .noAnswer { release() }
            return nil
        }
    }
    /// Subscribes to the response. The portal first accepts the call, and later reports whether its back end has
    /// accepted the request, too ("0: Success").
    private func answers() -> BusSignals {
        BusSignals(
            from: PortalHold.name, path: handle, interface: "org.freedesktop.portal.Request", signal: "Response",
            on: bus
        ) { [weak self] _, _, arguments in
            if arguments.first != .uint32(0) { self?.lose(.refused) }
        }
    }
    override func release() { bus.send(PortalHold.name, handle, "org.freedesktop.portal.Request.Close") }
}

/// An inhibition by the screen saver (specifications.freedesktop.org/idle-inhibit-spec).
@MainActor
final class ScreenSaverHold: IdleInhibition {
    private let bus: SessionBus
    private var cookie: UInt32 = 0
    private var watches: [BusSignals] = []
    private static let name = "org.freedesktop.ScreenSaver"

    init?(_ bus: SessionBus) async {
        self.bus = bus
        super.init(.screenSaver)
        watches = [watch(ScreenSaverHold.name, on: bus)]
        guard
            case .success(let answer) = await bus.call(
                ScreenSaverHold.name, "/org/freedesktop/ScreenSaver", "org.freedesktop.ScreenSaver.Inhibit",
                [.string(AppIdentity.identifier), .string(IdleReason.text)], seconds: IdleInhibition.patience,
                starts: true),
            case .uint32(let cookie)? = answer.first
        else { return nil }
        self.cookie = cookie
    }
    override func release() {
        bus.send(
            ScreenSaverHold.name, "/org/freedesktop/ScreenSaver", "org.freedesktop.ScreenSaver.UnInhibit",
            [.uint32(cookie)])
    }
}

enum IdleReason {
    /// The reason that the desktop shows to the user, for example when logging out.
    static var text: String { PlayerWords.localized("Playing a video") }
}
