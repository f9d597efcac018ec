import CGTK

/// Keys of the whole window that its widget stands in.
package struct GTKShortcutController: GTKControllerObject {
    package static var type: GType { gtk_shortcut_controller_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init() {
        self.init(new: gtk_shortcut_controller_new())
        gtk_shortcut_controller_set_scope(pointer, GTK_SHORTCUT_SCOPE_GLOBAL)
    }

    /// - Parameter action: Returns whether the key was for it; else others have it. It is kept as long as the
    ///   controller.
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
