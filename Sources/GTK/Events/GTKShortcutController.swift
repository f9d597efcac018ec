import CGTK

/// A controller for shortcuts that apply to the whole window of its widget.
package struct GTKShortcutController: GTKControllerObject {
    package static var type: GType { gtk_shortcut_controller_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init() {
        self.init(new: gtk_shortcut_controller_new())
        gtk_shortcut_controller_set_scope(pointer, GTK_SHORTCUT_SCOPE_GLOBAL)
    }

    /// Adds a shortcut.
    ///
    /// - Parameter action: A closure that returns whether it handled the key. If false, other shortcuts are tried. The
    ///   controller keeps the closure.
    @MainActor package func add(
        _ key: UInt32, _ modifiers: GdkModifierType, _ action: @escaping @MainActor () -> Bool
    ) {
        let perform = gtk_callback_action_new(
            { _, _, closure in
                MainThread.run(closure, as: GTKClosure.self) { $0.call() } ?? false ? 1 : 0
            }, GTKClosure(action).retained(), { GTKClosure.release($0) })
        gtk_shortcut_controller_add_shortcut(
            pointer, gtk_shortcut_new(gtk_keyval_trigger_new(key, modifiers), perform))
    }
}
