import CGTK
import Foundation

/// A controller that accepts files and text dropped on its widget.
package struct GTKDropTarget: GTKControllerObject {
    package static var type: GType { gtk_drop_target_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    /// The content that was dropped.
    package enum Dropped {
        case text(String)
        /// Files, as URIs.
        case files([String])
    }

    @MainActor package init() {
        self.init(new: gtk_drop_target_new(GType(0), GDK_ACTION_COPY))
        // Files have priority, because file managers offer text as well.
        var types = [gdk_file_list_get_type(), FundamentalType.string]
        gtk_drop_target_set_gtypes(pointer, &types, gsize(types.count))
    }

    /// Returns the value for handlers of "enter" and "motion".
    package static func answer(_ takes: Bool) -> UInt32 { takes ? GDK_ACTION_COPY.rawValue : 0 }

    /// Whether the content over the widget contains files.
    @MainActor package var hasFiles: Bool {
        guard let drop = gtk_drop_target_get_current_drop(pointer), let offered = gdk_drop_get_formats(drop),
            let formats = gdk_content_formats_union_deserialize_gtypes(gdk_content_formats_ref(offered))
        else { return false }
        defer { gdk_content_formats_unref(formats) }
        return gdk_content_formats_contain_gtype(formats, gdk_file_list_get_type()) != 0
    }

    /// Returns the content that was dropped.
    ///
    /// - Parameter value: The `GValue *` that the signal "drop" passes.
    @MainActor package static func dropped(_ value: OpaquePointer?) -> Dropped? {
        guard let value = value.map({ UnsafePointer<GValue>($0) }) else { return nil }
        if value.pointee.g_type == FundamentalType.string {
            return g_value_get_string(value).map { .text(String(cString: $0)) }
        }
        guard value.pointee.g_type == gdk_file_list_get_type(), let list = g_value_get_boxed(value) else { return nil }
        var uris: [String] = []
        let first = gdk_file_list_get_files(OpaquePointer(list))
        var node = first
        while let current = node {
            node = current.pointee.next
            if let file = current.pointee.data, let uri = String(owned: g_file_get_uri(OpaquePointer(file))) {
                uris.append(uri)
            }
        }
        g_slist_free(first)
        return .files(uris)
    }
}

/// A controller that lets the user drag the content of its widget.
package struct GTKDragSource: GTKControllerObject {
    package static var type: GType { gtk_drag_source_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init() {
        self.init(new: gtk_drag_source_new())
        gtk_drag_source_set_actions(pointer, GDK_ACTION_COPY)
    }

    /// Returns the value for handlers of "prepare": a `GdkContentProvider *` for a file.
    @MainActor package static func content(file: URL) -> OpaquePointer? {
        guard let gFile = g_file_new_for_uri(file.absoluteString) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(gFile)) }
        var files: [OpaquePointer?] = [gFile]
        return content(gdk_file_list_get_type()) {
            g_value_take_boxed($0, UnsafeRawPointer(gdk_file_list_new_from_array(&files, 1)))
        }
    }
    /// Returns the value for handlers of "prepare": a `GdkContentProvider *` for a text.
    @MainActor package static func content(text: String) -> OpaquePointer? {
        content(FundamentalType.string) { g_value_set_string($0, text) }
    }
    @MainActor private static func content(_ type: GType, _ fill: (UnsafeMutablePointer<GValue>) -> Void)
        -> OpaquePointer?
    {
        var value = GValue()
        g_value_init(&value, type)
        defer { g_value_unset(&value) }
        fill(&value)
        return gdk_content_provider_new_for_value(&value).map { OpaquePointer($0) }
    }

    /// - Parameter drag: The object that the signal "drag-begin" passes.
    @MainActor package static func setIcon<Icon: GTKWidgetObject>(_ icon: Icon, of drag: OpaquePointer) {
        guard let holder = gtk_drag_icon_get_for_drag(drag) else { return }
        gtk_drag_icon_set_child(OpaquePointer(holder), icon.raw())
    }
}
