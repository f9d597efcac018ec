import CGTK
import Foundation
import GTK

/// A GTK event controller on a widget, and the Swift closures it calls. Taken off by `remove()`. Main actor.
@MainActor
final class EventController {
    private let widget: GTKReference<GTKWidget>
    private let controller: GTKReference<GTKController>
    private let signals = Signals()

    /// - Parameter controller: a new one; the widget takes it.
    init<Controller: GTKControllerObject>(
        _ controller: Controller, on widget: GTKWidget, phase: GtkPropagationPhase = GTK_PHASE_BUBBLE
    ) {
        self.widget = GTKReference(widget)
        self.controller = GTKReference(GTKController(controller.pointer))
        controller.setPhase(phase)
        widget.add(controller)
    }

    func remove() {
        signals.disconnect()
        // A widget that is being destroyed has let go of it already.
        let controller = controller.object
        if controller.widget == widget.object { widget.object.remove(controller) }
    }

    /// The keys held with the event under way.
    var modifiers: GdkModifierType { controller.object.modifiers }
    /// When the event under way happened, milliseconds of the display's; 0: unknown.
    var time: UInt32 { controller.object.time }
    /// Takes the sequence of events for itself: nobody else is told from now on.
    func claim() { controller.object.as(GTKGesture.self)?.claim() }
    /// Wants no more of the sequence.
    func deny() { controller.object.as(GTKGesture.self)?.deny() }

    typealias Plain = @MainActor () -> Void
    typealias Point = @MainActor (Double, Double) -> Void
    typealias Click = @MainActor (Int, Double, Double) -> Void
    typealias Key = @MainActor (UInt32, GdkModifierType) -> Bool
    typealias KeyDown = @MainActor (_ symbol: UInt32, _ code: UInt32, GdkModifierType) -> Bool
    typealias KeyUp = @MainActor (_ symbol: UInt32, _ code: UInt32, GdkModifierType) -> Void
    typealias Scroll = @MainActor (Double, Double) -> Bool

    /// "leave", "cancel"; of focus "enter" too.
    func on(_ signal: String, _ handler: @escaping Plain) { signals.on(controller.object, signal) { handler() } }

    /// "motion", "enter", "drag-begin", "drag-update", "drag-end": two numbers, points.
    func onPoint(_ signal: String, _ handler: @escaping Point) {
        signals.on(controller.object, signal) { (x: Double, y: Double) in handler(x, y) }
    }

    /// "pressed", "released" of a click: how many, and where.
    func onClick(_ signal: String, _ handler: @escaping Click) {
        signals.on(controller.object, signal) { (count: Int32, x: Double, y: Double) in handler(Int(count), x, y) }
    }

    /// "key-pressed": true when the key was for us.
    func onKey(_ handler: @escaping Key) {
        signals.answer(controller.object, "key-pressed") { (symbol: UInt32, _: UInt32, held: UInt32) in
            handler(symbol, GdkModifierType(rawValue: held))
        }
    }

    /// "key-pressed" and "key-released", with the number of the key on the keyboard: true when a press was for us.
    func onKeys(pressed: @escaping KeyDown, released: @escaping KeyUp) {
        signals.answer(controller.object, "key-pressed") { (symbol: UInt32, code: UInt32, held: UInt32) in
            pressed(symbol, code, GdkModifierType(rawValue: held))
        }
        signals.on(controller.object, "key-released") { (symbol: UInt32, code: UInt32, held: UInt32) in
            released(symbol, code, GdkModifierType(rawValue: held))
        }
    }

    /// "scroll": right and down, true when it was for us.
    func onScroll(_ handler: @escaping Scroll) {
        signals.answer(controller.object, "scroll") { (dx: Double, dy: Double) in handler(dx, dy) }
    }

    /// The event under way.
    var event: GDKEvent? { controller.object.event }
    /// Of a scroll under way: its numbers are points, not notches of a wheel.
    var isScrollPrecise: Bool { controller.object.as(GTKScrollController.self)?.isPrecise ?? false }
}
