import CX11
import Foundation

/// A minimal window manager (Extended Window Manager Hints). It places windows where they request, focuses new windows,
/// and handles full-screen requests. It prints "managing" when it is ready.
struct WindowManager {
    private let display: OpaquePointer
    private let root: Window
    /// The frames that full-screen windows had before.
    private var places: [Window: (x: Int32, y: Int32, width: UInt32, height: UInt32)] = [:]

    static func main() {
        guard let display = XOpenDisplay(nil) else { exit(1) }
        XSetErrorHandler { _, _ in 0 }  // Ignore errors: a window may close during a request for it.
        var manager = WindowManager(display: display, root: zt_x11_root(display))
        manager.announce()
        FileHandle.standardOutput.write(Data("managing\n".utf8))
        manager.run()
    }

    private init(display: OpaquePointer, root: Window) {
        self.display = display
        self.root = root
    }

    private func atom(_ name: String) -> Atom { XInternAtom(display, name, 0) }

    private func set(_ window: Window, _ property: String, _ type: Atom, _ values: [UInt]) {
        values.withUnsafeBytes { raw in
            _ = XChangeProperty(
                display, window, atom(property), type, 32, 0, raw.bindMemory(to: UInt8.self).baseAddress,
                Int32(values.count))  // PropModeReplace
        }
    }

    private func announce() {
        XSelectInput(display, root, 1 << 19 | 1 << 20)  // SubstructureNotifyMask, SubstructureRedirectMask
        let check = XCreateSimpleWindow(display, root, -10, -10, 1, 1, 0, 0, 0)
        for window in [root, check] { set(window, "_NET_SUPPORTING_WM_CHECK", 33, [UInt(check)]) }  // XA_WINDOW
        set(
            root, "_NET_SUPPORTED", zt_x11_atom,
            [
                "_NET_SUPPORTED", "_NET_SUPPORTING_WM_CHECK", "_NET_WM_STATE", "_NET_WM_STATE_FULLSCREEN",
                "_NET_ACTIVE_WINDOW",
            ].map { UInt(atom($0)) })
        XSync(display, 0)
    }

    private mutating func run() {
        var event = XEvent()
        while XNextEvent(display, &event) == 0 {
            switch event.type {
            case 20:  // MapRequest
                XMapWindow(display, event.xmaprequest.window)
                give(event.xmaprequest.window)
            case 23:  // ConfigureRequest
                let wish = event.xconfigurerequest
                // A full-screen window keeps its size.
                guard places[wish.window] == nil else { continue }
                var changes = XWindowChanges(
                    x: wish.x, y: wish.y, width: wish.width, height: wish.height, border_width: 0, sibling: wish.above,
                    stack_mode: wish.detail)
                XConfigureWindow(display, wish.window, UInt32(truncatingIfNeeded: wish.value_mask), &changes)
            case 17: places[event.xdestroywindow.window] = nil  // DestroyNotify
            case 33: heard(event.xclient)  // ClientMessage
            default: break
            }
            XFlush(display)
        }
    }

    private func give(_ window: Window) {
        XRaiseWindow(display, window)
        XSync(display, 0)
        XSetInputFocus(display, window, 2, 0)  // RevertToParent, CurrentTime
    }

    private mutating func heard(_ message: XClientMessageEvent) {
        let window = message.window
        if message.message_type == atom("_NET_ACTIVE_WINDOW") { return give(window) }
        let full = Int(atom("_NET_WM_STATE_FULLSCREEN"))
        let data = message.data.l
        guard message.message_type == atom("_NET_WM_STATE"), data.1 == full || data.2 == full else { return }
        let isFull = places[window] != nil
        // The action is 0 for remove, 1 for add, 2 for toggle.
        let wants = data.0 == 1 || data.0 == 2 && !isFull
        guard wants != isFull else { return }
        if wants {
            var parent: Window = 0
            var x: Int32 = 0
            var y: Int32 = 0
            var width: UInt32 = 0
            var height: UInt32 = 0
            var border: UInt32 = 0
            var depth: UInt32 = 0
            XGetGeometry(display, window, &parent, &x, &y, &width, &height, &border, &depth)
            places[window] = (x, y, width, height)
            var screen = XWindowAttributes()
            XGetWindowAttributes(display, root, &screen)
            XMoveResizeWindow(display, window, 0, 0, UInt32(screen.width), UInt32(screen.height))
            XRaiseWindow(display, window)
        } else if let place = places.removeValue(forKey: window) {
            XMoveResizeWindow(display, window, place.x, place.y, place.width, place.height)
        }
        set(window, "_NET_WM_STATE", zt_x11_atom, wants ? [UInt(full)] : [])
    }
}
