import Foundation
import GTK
import PlayerControls
import Presentation

/// The mouse actions on a player's video: wheel, right button, side buttons and drags. Main actor.
@MainActor
package final class PlayerMouse {
    private let signals = Signals()
    private var controllers: [any GTKControllerObject] = []
    private let widget: GTKWidget
    private let perform: @MainActor (PlayerCommand) -> Void
    private var scrolling = ScrollSteps()

    /// - Parameters:
    ///   - widget: The window, or the widget that shows the video. Its children handle clicks first.
    ///   - perform: Performs a command.
    ///   - menu: Opens the menu at a point of `widget`.
    package init(
        _ widget: GTKWidget, perform: @escaping @MainActor (PlayerCommand) -> Void,
        menu: @escaping @MainActor (_ x: Double, _ y: Double) -> Void
    ) {
        self.widget = widget
        self.perform = perform
        signals.on(widget, "destroy") { [weak self] in self?.controllers = [] }
        let scroll = GTKScrollController()
        signals.on(scroll, "scroll-begin") { [weak self] in self?.scrolling.reset() }
        signals.answer(scroll, "scroll") { [weak self] (x: Double, y: Double) in
            self?.scrolled(x, y, isPrecise: scroll.isPrecise)
            return true
        }
        signals.on(scroll, "scroll-end") { [weak self] in self?.scrolling.reset() }
        add(scroll)
        let click = GTKClickGesture()
        click.setButton(3)
        signals.on(click, "pressed") { (_: Int32, x: Double, y: Double) in menu(x, y) }
        add(click)
        // A long touch opens the menu, because a touch screen has no right button.
        let longPress = GTKLongPressGesture()
        longPress.setTouchOnly(true)
        signals.on(longPress, "pressed") { (x: Double, y: Double) in menu(x, y) }
        add(longPress)
        for (button, step) in [(UInt32(8), -1), (9, 1)] {
            let click = GTKClickGesture()
            click.setButton(button)
            signals.on(click, "pressed") { [weak self] in self?.perform(.entry(step)) }
            add(click)
        }
        let drag = GTKDragGesture()
        signals.on(drag, "drag-update") { [weak self] (x: Double, y: Double) in
            // A small movement belongs to a click.
            if abs(x) + abs(y) > 8 { self?.moveWindow(drag) }
        }
        add(drag)
    }

    private func add<Controller: GTKControllerObject>(_ controller: Controller) {
        widget.add(controller)
        controllers.append(controller)
    }

    /// Removes the controllers. It can be called at any time: a destroyed widget has already removed its controllers.
    package func close() {
        signals.disconnect()
        for controller in controllers { widget.remove(controller) }
        controllers = []
    }

    private func scrolled(_ x: Double, _ y: Double, isPrecise: Bool) {
        guard let steps = scrolling.add(x, y, isPrecise: isPrecise) else { return }
        switch steps.axis {
        case .vertical: perform(.action(.volume(Double(-steps.count) * 0.05)))
        case .horizontal: perform(.action(.seek(Double(steps.count) * 5)))
        }
    }

    /// Lets the window manager move the window.
    private func moveWindow(_ drag: GTKDragGesture) {
        guard let native = widget.native, let surface = native.surface, let device = drag.sequenceDevice else { return }
        let (start, origin, button) = (drag.start, native.surfaceOrigin, drag.button)
        drag.claim()
        surface.beginMove(
            device, button: button, at: CGPoint(x: start.x + origin.x, y: start.y + origin.y), time: drag.time)
        drag.reset()
    }
}
