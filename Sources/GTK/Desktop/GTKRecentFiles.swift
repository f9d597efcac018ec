import CGTK
import Foundation

/// The desktop's list of recently opened files, which other programs share.
@MainActor
package struct GTKRecentFiles {
    package struct Item {
        package let uri, type: String
        package let name: String?
        /// The time of the last change of the entry, in seconds since 1970.
        package let modified: Int64
        /// Whether this program has opened the file.
        package let isOurs: Bool
        /// Whether the file exists.
        package let exists: Bool
    }

    private let manager: UnsafeMutablePointer<GtkRecentManager>

    /// The desktop's list, or nil without a display.
    package static var standard: GTKRecentFiles? {
        gtk_recent_manager_get_default().map { GTKRecentFiles(manager: $0) }
    }

    package func onChange(_ signals: Signals, _ changed: @escaping @MainActor () -> Void) {
        signals.on(manager, "changed") { changed() }
    }

    /// Returns all entries.
    ///
    /// - Parameter application: The name of this program in the list.
    package func items(of application: String) -> [Item] {
        var items: [Item] = []
        let list = gtk_recent_manager_get_items(manager)
        var node = list
        while let current = node {
            node = current.pointee.next
            guard let info = current.pointee.data.map({ OpaquePointer($0) }) else { continue }
            defer { gtk_recent_info_unref(info) }
            guard let uri = gtk_recent_info_get_uri(info).map({ String(cString: $0) }) else { continue }
            items.append(
                Item(
                    uri: uri, type: gtk_recent_info_get_mime_type(info).map { String(cString: $0) } ?? "",
                    name: gtk_recent_info_get_display_name(info).map { String(cString: $0) },
                    modified: gtk_recent_info_get_modified(info).map { Int64(g_date_time_to_unix($0)) } ?? 0,
                    isOurs: gtk_recent_info_has_application(info, application) != 0,
                    exists: gtk_recent_info_exists(info) != 0))
        }
        g_list_free(list)
        return items
    }

    /// Adds a file to the list.
    ///
    /// - Parameter program: The command that opens the file, in the format of desktop files: “zoetrope app %u”.
    package func add(_ uri: String, type: String, application: String, program: String) {
        let texts = [type, application, program].map { (text: String) in strdup(text) }
        var data = GtkRecentData(
            display_name: nil, description: nil, mime_type: texts[0], app_name: texts[1], app_exec: texts[2],
            groups: nil, is_private: 0)
        _ = gtk_recent_manager_add_full(manager, uri, &data)
        for text in texts { free(text) }
    }

    package func remove(_ uri: String) { gtk_recent_manager_remove_item(manager, uri, nil) }
}
