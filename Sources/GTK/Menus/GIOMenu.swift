import CGTK

/// A menu model (`GMenu`).
package struct GIOMenu: GTKObject {
    package static var type: GType { g_menu_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    /// Creates an empty menu.
    @MainActor package static func make() -> GTKReference<GIOMenu> { GTKReference(adopting: GIOMenu(g_menu_new())) }

    /// - Parameter action: The action in GIO's format: “app.quit”, “app.scheme::dark”.
    @MainActor package func append(_ title: String, action: String) { g_menu_append(pointer, title, action) }
    @MainActor package func append(section: GIOMenu, title: String? = nil) {
        g_menu_append_section(pointer, title, section.raw())
    }
}

/// A group of named actions that a widget makes available to the widgets inside it.
package struct GIOActionGroup: GTKObject {
    package static var type: GType { g_simple_action_group_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package static func make() -> GTKReference<GIOActionGroup> {
        GTKReference(adopting: GIOActionGroup(g_simple_action_group_new()))
    }
}
