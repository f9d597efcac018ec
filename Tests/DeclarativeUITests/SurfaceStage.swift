import CGTK
import Foundation
import GTK
import TestSupport
import Testing

@_spi(Graph) @testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

extension Stage {
    /// The first list, also in scrolled areas.
    var list: ListElement? { everything.first { $0 is ListElement } as? ListElement }

    /// Returns a pixel of one element's drawing, including parts that are scrolled out of sight: red, green, blue and
    /// alpha, 0…255, premultiplied.
    func pixel(_ x: Int, _ y: Int, of element: Element) -> [UInt8] {
        _ = pixel(0, 0)
        // At most 2000 points per side, because cairo limits the size of its surfaces.
        let size = CGSize(width: min(2000, element.frame.width), height: min(2000, element.frame.height))
        guard let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(size.width), Int32(size.height))
        else { return [] }
        defer { cairo_surface_destroy(surface) }
        let drawn = GTKSnapshot.node { snapshot in
            let context = DrawContext(snapshot: snapshot, now: time, container: nil)
            element.drawItself(context, size)
            context.finish()
        }
        if let node = drawn, let cr = cairo_create(surface) {
            gsk_render_node_draw(node, cr)
            gsk_render_node_unref(node)
            cairo_destroy(cr)
        }
        cairo_surface_flush(surface)
        guard let data = cairo_image_surface_get_data(surface), x < Int(size.width), y < Int(size.height) else {
            return []
        }
        let at = Int(cairo_image_surface_get_stride(surface)) * y + x * 4
        return [data[at + 2], data[at + 1], data[at], data[at + 3]]
    }
}

extension ContainerProcess {
    /// Returns the number of the probe's windows and menus on the screen.
    func windowCount() throws -> Int {
        try display.xdotool(["search", "--onlyvisible", "--class", "Probes"]).split(separator: "\n").count
    }
    /// Waits until a second window or a menu of the probe is on the screen.
    func opens() async throws {
        guard try await (comes("a second window") { try windowCount() > 1 }) else {
            throw NotSeen(what: "a second window; \(errors)")
        }
    }
    /// Waits until the probe has only one window on the screen.
    func closes() async throws {
        guard try await (comes("one window") { try windowCount() == 1 }) else {
            throw NotSeen(what: "one window; \(errors)")
        }
    }
    /// Waits until the probe's log contains `words`.
    func logs(_ words: String) async throws {
        guard try await (comes(words) { errors.contains(words) }) else {
            throw NotSeen(what: "\(words) in the log; \(errors)")
        }
    }
    /// Presses `keys` in the open menu, and waits until the probe prints `line` and the menu closes.
    func choose(_ keys: String..., until line: String) async throws {
        try display.xdotool(["key", "--delay", "60"] + keys)
        try await says(line)
        try await closes()
    }
    /// Presses the button at `from` and moves the pointer to `to`, until the probe prints `line`. The button stays down.
    func drag(_ from: (x: Int, y: Int), to: (x: Int, y: Int), until line: String) async throws {
        try display.xdotool(["mousemove", "\(from.x)", "\(from.y)", "mousedown", "1"])
        for step in 1...10 {
            try display.xdotool([
                "mousemove", "\(from.x + (to.x - from.x) * step / 10)", "\(from.y + (to.y - from.y) * step / 10)",
            ])
        }
        // A drag begins some time after these moves, and reaches a target with the next one.
        var isRight = false
        _ = try await comes(line) {
            isRight.toggle()
            try display.xdotool(["mousemove", "\(to.x + (isRight ? 1 : 0))", "\(to.y)"])
            return said.contains(line)
        }
        try await says(line)
    }
    /// Resizes the probe's window, in points.
    func resize(_ width: Int, _ height: Int) async throws {
        let found = try await until("the window") { [display] in try display.window("containers") }
        guard let window = found else { throw NotSeen(what: "its window; \(errors)") }
        try display.xdotool(["windowsize", window, "\(width)", "\(height)"])
    }
    /// Waits for a line that begins with `prefix`, and returns the whole numbers in the last such line.
    func numbers(after prefix: String) async throws -> [Int] {
        var found: [Int]?
        let isSaid = try await comes(prefix) {
            found = said.last { $0.hasPrefix(prefix) }?.dropFirst(prefix.count).split(separator: " ").compactMap {
                Int($0)
            }
            return found != nil
        }
        guard isSaid else { throw NotSeen(what: "\(prefix); said: \(said); \(errors)") }
        return found ?? []
    }
    func click(_ x: Int, _ y: Int, button: Int) throws {
        try display.xdotool(["mousemove", "\(x)", "\(y)", "click", "\(button)"])
    }
}
