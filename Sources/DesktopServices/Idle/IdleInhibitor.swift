import Foundation
import GTK
import Presentation

/// Keeps the screen from going dark while pictures that move are seen. Asks, in this order, the desktop's portal, the
/// screen saver and GTK; who says yes is told when it is over. Who takes its word back, or goes, is passed over for the
/// next. Where nobody says yes nothing happens. Main actor.
@MainActor
package final class IdleInhibitor {
    package static let shared = IdleInhibitor()
    private var wanted = false
    private var held: IdleHold?
    private var working: Task<Void, Never>?
    /// Who let go of a promise since the screen is to stay awake.
    private var lost: [IdleHold.Kind: Int] = [:]

    /// From now on. Once is enough.
    package func begin() {
        guard PictureWatch.shared.onChange == nil else { return }
        PictureWatch.shared.onChange = { [weak self] isShowing in
            guard let self else { return }
            self.isShowing = isShowing
            want(isShowing || isKeptAwake)
        }
    }

    /// Whether the screen stays awake also while nothing plays.
    package func keepAwake(_ isKept: Bool) {
        isKeptAwake = isKept
        want(isShowing || isKeptAwake)
    }
    private var isShowing = false, isKeptAwake = false

    /// Before the process ends, after its loop. Who has been asked and has not answered yet is waited for, half a second
    /// at most: what comes too late to be used is given back all the same.
    package func end() {
        PictureWatch.shared.onChange = nil
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
        // One thing after the other: what is asked for has been answered before it is given back.
        working = Task { [weak self] in
            while let self, self.wanted != (self.held != nil) {
                if self.wanted {
                    guard let new = await self.ask() else { break }
                    take(new)
                } else {
                    held?.release()
                    held = nil
                }
            }
            self?.working = nil
        }
    }

    private func take(_ new: IdleHold) {
        held = new
        new.onLoss = { [weak self, weak new] loss in
            guard let self, let new, held === new else { return }
            // A service that began anew is asked once more; one that says no is not.
            lost[new.kind, default: 0] += loss == .refused ? 2 : 1
            held = nil
            work()
        }
    }

    private func ask() async -> IdleHold? {
        func mayBeAsked(_ kind: IdleHold.Kind) -> Bool { lost[kind, default: 0] < 2 }
        if let bus = await SessionBus.connect() {
            if mayBeAsked(.portal), let hold = await PortalHold(bus) { return hold }
            if mayBeAsked(.screenSaver), let hold = await ScreenSaverHold(bus) { return hold }
        }
        return GTKHold()
    }
}

/// A promise of somebody to keep the screen awake. Main actor.
@MainActor
class IdleHold {
    enum Kind { case portal, screenSaver, gtk }
    enum Loss {
        /// It was no promise, as it turned out.
        case refused
        /// Who gave it has gone.
        case gone
    }
    /// How long an answer is waited for, in seconds: as long as most programs on a bus do. What a service that is only
    /// slow has promised later could not be given back.
    static let patience = 25.0
    let kind: Kind
    private var loss: Loss?
    /// Called once, when it is a promise no more without having been released; at once, if that has been so before.
    var onLoss: ((Loss) -> Void)? { didSet { if let loss { onLoss?(loss) } } }

    init(_ kind: Kind) { self.kind = kind }
    func release() {}
    final func lose(_ loss: Loss) {
        guard self.loss == nil else { return }
        self.loss = loss
        onLoss?(loss)
    }

    /// Whether `name` goes from the bus.
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

/// The portal's. (flatpak.github.io/xdg-desktop-portal: org.freedesktop.portal.Inhibit, org.freedesktop.portal.Request)
@MainActor
final class PortalHold: IdleHold {
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
        // Before it is asked: its answer may be there before the call's is.
        watches = [answers(), watch(PortalHold.name, on: bus)]
        // "8: Idle"
        switch await bus.call(
            PortalHold.name, "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Inhibit.Inhibit",
            [.string(""), .uint32(8), .table(["handle_token": .string(token), "reason": .string(IdleReason.text)])],
            seconds: IdleHold.patience, starts: true)
        {
        case .success(let answer):
            guard let given = answer.first?.string else { return nil }
            guard given != handle else { break }
            // Portals before version 0.9 choose it themselves.
            handle = given
            watches.append(answers())
        case .failure(let error):
            // It may yet say yes, to nobody.
            if error == .noAnswer { release() }
            return nil
        }
    }
    /// It says yes to the call, and afterwards whether its back end does. (Response: "0: Success")
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

/// The screen saver's. (specifications.freedesktop.org/idle-inhibit-spec)
@MainActor
final class ScreenSaverHold: IdleHold {
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
                [.string(AppIdentity.identifier), .string(IdleReason.text)], seconds: IdleHold.patience, starts: true),
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
