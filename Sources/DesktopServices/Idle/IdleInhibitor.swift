import Foundation
import Presentation

/// Keeps the screen from going dark while pictures that move are seen. Asks, in this order, the desktop's portal, the screen saver and GTK;
/// who says yes is told when it is over. Where nobody does nothing happens. Main actor.
@MainActor
package final class IdleInhibitor {
    package static let shared = IdleInhibitor()
    private var wanted = false
    private var held: (any IdleHold)?
    private var working: Task<Void, Never>?

    /// From now on. Once is enough.
    package func begin() {
        guard PictureWatch.shared.onChange == nil else { return }
        PictureWatch.shared.onChange = { [weak self] isShowing in self?.want(isShowing) }
    }

    /// Before the process ends.
    package func end() {
        PictureWatch.shared.onChange = nil
        wanted = false
        held?.release()
        held = nil
    }

    private func want(_ wanted: Bool) {
        self.wanted = wanted
        guard working == nil else { return }
        // One thing after the other: what is asked for has been answered before it is given back.
        working = Task { [weak self] in
            while let self, self.wanted != (self.held != nil) {
                if self.wanted {
                    guard let new = await IdleInhibitor.ask() else { break }
                    held = new
                } else {
                    held?.release()
                    held = nil
                }
            }
            self?.working = nil
        }
    }

    private static func ask() async -> (any IdleHold)? {
        if let bus = await SessionBus.connect() {
            if let hold = await PortalHold(bus) { return hold }
            if let hold = await ScreenSaverHold(bus) { return hold }
        }
        return GTKHold()
    }
}

/// A promise of somebody to keep the screen awake.
@MainActor
protocol IdleHold: AnyObject {
    func release()
}

/// The portal's. (flatpak.github.io/xdg-desktop-portal: org.freedesktop.portal.Inhibit)
@MainActor
final class PortalHold: IdleHold {
    private let bus: SessionBus
    private let handle: String
    private static let name = "org.freedesktop.portal.Desktop"

    init?(_ bus: SessionBus) async {
        // "8: Idle"
        guard case .success(let answer) = await bus.call(
            PortalHold.name, "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Inhibit.Inhibit",
            [.string(""), .uint32(8), .table(["reason": .string(IdleReason.text)])], starts: true), let handle = answer.first?.string else { return nil }
        (self.bus, self.handle) = (bus, handle)
    }
    func release() { bus.send(PortalHold.name, handle, "org.freedesktop.portal.Request.Close") }
}

/// The screen saver's. (specifications.freedesktop.org/idle-inhibit-spec)
@MainActor
final class ScreenSaverHold: IdleHold {
    private let bus: SessionBus
    private let cookie: UInt32
    private static let name = "org.freedesktop.ScreenSaver"

    init?(_ bus: SessionBus) async {
        guard case .success(let answer) = await bus.call(
            ScreenSaverHold.name, "/org/freedesktop/ScreenSaver", "org.freedesktop.ScreenSaver.Inhibit",
            [.string(AppIdentity.identifier), .string(IdleReason.text)], starts: true), case .uint32(let cookie)? = answer.first else { return nil }
        (self.bus, self.cookie) = (bus, cookie)
    }
    func release() { bus.send(ScreenSaverHold.name, "/org/freedesktop/ScreenSaver", "org.freedesktop.ScreenSaver.UnInhibit", [.uint32(cookie)]) }
}

enum IdleReason {
    /// As a desktop shows it to its user.
    static let text = "Playing a video"
}
