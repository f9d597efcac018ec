import CGTK
import Foundation
import GTK

/// A GTK event controller on a widget, and the Swift closures that it calls. ``remove()`` removes it from the widget.
@MainActor
final class EventController {
    private let widget: GTKReference<GTKWidget>
    private let controller: GTKReference<GTKController>
    private let signals = Signals()

    /// Adds an event controller to a widget.
    /// - Parameter controller: A new controller, which the widget then owns.
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
        // A widget that is being destroyed has already released its controllers.
        let controller = controller.object
        if controller.widget == widget.object { widget.object.remove(controller) }
    }

    /// The modifier keys held during the current event.
    var modifiers: GdkModifierType { controller.object.modifiers }
    /// The time of the current event in milliseconds of the display's clock, or 0 if unknown.
    var time: UInt32 { controller.object.time }
    /// Claims the current event sequence, so that other gestures no longer receive it.
    func claim() { controller.object.as(GTKGesture.self)?.claim() }
    /// Denies the current event sequence, so that this gesture no longer receives it.
    func deny() { controller.object.as(GTKGesture.self)?.deny() }

    typealias Plain = @MainActor () -> Void
    typealias Point = @MainActor (Double, Double) -> Void
    typealias Click = @MainActor (Int, Double, Double) -> Void
    typealias Key = @MainActor (UInt32, GdkModifierType) -> Bool
    typealias KeyDown = @MainActor (_ symbol: UInt32, _ code: UInt32, GdkModifierType) -> Bool
    typealias KeyUp = @MainActor (_ symbol: UInt32, _ code: UInt32, GdkModifierType) -> Void
    typealias Scroll = @MainActor (Double, Double) -> Bool

    /// Connects to a signal without arguments: `leave`, `cancel`, and `enter` of a focus controller.
    func on(_ signal: String, _ handler: @escaping Plain) { signals.on(controller.object, signal) { handler() } }

    /// Connects to a signal with two numbers in points: `motion`, `enter`, `drag-begin`, `drag-update`, `drag-end`.
    func onPoint(_ signal: String, _ handler: @escaping Point) {
        signals.on(controller.object, signal) { (x: Double, y: Double) in handler(x, y) }
    }

    /// Connects to `pressed` or `released` of a click gesture, with the number of clicks and the position.
    func onClick(_ signal: String, _ handler: @escaping Click) {
        signals.on(controller.object, signal) { (count: Int32, x: Double, y: Double) in handler(Int(count), x, y) }
    }

    /// Connects to `key-pressed`. The handler returns true if it has handled the key.
    func onKey(_ handler: @escaping Key) {
        signals.answer(controller.object, "key-pressed") { (symbol: UInt32, _: UInt32, held: UInt32) in
            handler(symbol, GdkModifierType(rawValue: held))
        }
    }

    /// Connects to `key-pressed` and `key-released`, with the hardware key code.
    ///
    /// The handler of presses returns true if it has handled the key.
    func onKeys(pressed: @escaping KeyDown, released: @escaping KeyUp) {
        signals.answer(controller.object, "key-pressed") { (symbol: UInt32, code: UInt32, held: UInt32) in
            pressed(symbol, code, GdkModifierType(rawValue: held))
        }
        signals.on(controller.object, "key-released") { (symbol: UInt32, code: UInt32, held: UInt32) in
            released(symbol, code, GdkModifierType(rawValue: held))
        }
    }

    /// Connects to `scroll`; positive numbers are right and down. The handler returns true if it has handled the event.
    func onScroll(_ handler: @escaping Scroll) {
        signals.answer(controller.object, "scroll") { (dx: Double, dy: Double) in handler(dx, dy) }
    }

    /// The current event, or nil outside of events.
    var event: GDKEvent? { controller.object.event }
    /// Whether the deltas of the current scroll event are in points, not in notches of a wheel.
    var isScrollPrecise: Bool { controller.object.as(GTKScrollController.self)?.isPrecise ?? false }
}
