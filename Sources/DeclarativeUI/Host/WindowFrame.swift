import CGTK
import GTK

/// The frame of a GTK window: its title, its buttons, and how users resize and move the window.
@MainActor
final class WindowFrame {
    private let window: GTKWindow
    /// The values that `follow` has set.
    private var followed = Followed()
    private struct Followed {
        var isResizable = true
        var isDeletable = true
        var isPlain = false
    }
    private var contentDrag: ContentDrag?
    private var isClosed = false

    var title: String {
        didSet { if title != oldValue { showTitle() } }
    }

    /// The properties that apps set by AppKit's names.
    struct Look: Equatable {
        var isMinimizable = true
        var showsTitle = true
        var hasClearTitlebar = false
        var isMovedByContent = false
    }
    var look = Look() {
        didSet {
            guard look != oldValue, !isClosed else { return }
            if look.showsTitle != oldValue.showsTitle { showTitle() }
            if look.hasClearTitlebar != oldValue.hasClearTitlebar {
                Stylesheet.titlebars.ensure()
                window.setClass("zt-clear-titlebar", look.hasClearTitlebar)
            }
            if look.isMovedByContent != oldValue.isMovedByContent {
                contentDrag?.close()
                contentDrag = look.isMovedByContent ? ContentDrag(of: window) : nil
            }
        }
    }

    /// Creates the frame and shows its title.
    /// - Parameter window: The window, which must outlive this object.
    init(of window: GTKWindow, title: String) {
        self.window = window
        self.title = title
        window.setTitle(title)
    }

    private func showTitle() { window.setTitle(look.showsTitle ? title : "") }

    /// Changes the frame where these values differ from those of the previous call.
    ///
    /// Values that the app has set by AppKit's names stay until then.
    func follow(isResizable: Bool, isDeletable: Bool, isPlain: Bool) {
        if isResizable != followed.isResizable {
            followed.isResizable = isResizable
            window.isResizable = isResizable
        }
        if isDeletable != followed.isDeletable {
            followed.isDeletable = isDeletable
            window.isDeletable = isDeletable
        }
        if isPlain != followed.isPlain {
            followed.isPlain = isPlain
            window.isDecorated = !isPlain
        }
    }

    /// Removes the desktop's frame with its buttons. The window draws its own corners and shadow if the display
    /// supports transparency.
    func becomeDialog() {
        Stylesheet.modals.ensure()
        window.isResizable = false
        window.addClass("zt-dialog")
        if GDKDisplay.standard?.isComposited == true {
            let emptyTitlebar = GTKBox(GTK_ORIENTATION_HORIZONTAL)
            emptyTitlebar.isVisible = false
            window.setTitlebar(emptyTitlebar.widget)
        } else {
            window.isDecorated = false
        }
    }

    /// Stops moving the window by its content. Later changes of `look` have no effect.
    func close() {
        isClosed = true
        contentDrag?.close()
        contentDrag = nil
    }
}
