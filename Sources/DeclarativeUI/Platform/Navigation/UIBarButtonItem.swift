import Foundation
import Presentation
@_spi(Graph) import ViewGraph

/// A button in a navigation bar. Modeled on UIKit's type.
///
/// Swift on Linux has no selectors, so a `UIAction` replaces a target and an action.
@MainActor @preconcurrency
open class UIBarButtonItem {
    /// The look of a button.
    public enum Style: Int, Sendable {
        /// A plain button, and a button for the main action, whose title is bold.
        case plain = 0, done = 2
    }
    /// The purpose of a button, which determines its title or its symbol.
    public enum SystemItem: Int, Sendable {
        /// Buttons with a title.
        case done = 0, cancel, edit, save
        /// Buttons with a symbol.
        case add = 4, compose = 7, action = 9, search = 12, refresh = 13, stop = 14, trash = 16, play = 17, pause = 18,
            rewind = 19, fastForward = 20, close = 24

        var title: String? {
            switch self {
            case .done: PlayerWords.localized("Done")
            case .cancel: PlayerWords.localized("Cancel")
            case .edit: PlayerWords.localized("Edit")
            case .save: PlayerWords.localized("Save")
            default: nil
            }
        }
        var symbol: String? {
            switch self {
            case .done, .cancel, .edit, .save: nil
            case .add: "plus"
            case .compose: "square.and.pencil"
            case .action: "square.and.arrow.up"
            case .search: "magnifyingglass"
            case .refresh: "arrow.clockwise"
            case .stop, .close: "xmark"
            case .trash: "trash"
            case .play: "play.fill"
            case .pause: "pause.fill"
            case .rewind: "backward.fill"
            case .fastForward: "forward.fill"
            }
        }
    }

    /// Creates a button without a title.
    public init() {}
    /// Creates a button with a title or an image. A tap runs `primaryAction`, or opens `menu` if there is no action.
    /// - Parameters:
    ///   - title: The title. Nil means the title of the action.
    ///   - image: The image, which is shown in place of the title. Nil means the image of the action.
    ///   - primaryAction: The action, or nil for none.
    ///   - menu: The menu, or nil for none.
    public convenience init(
        title: String? = nil, image: UIImage? = nil, primaryAction: UIAction? = nil, menu: UIMenu? = nil
    ) {
        self.init()
        (self.primaryAction, self.menu) = (primaryAction, menu)
        self.title = title ?? primaryAction?.title
        self.image = image ?? primaryAction?.image
    }
    /// Creates a button with the title or the symbol of a purpose.
    public convenience init(systemItem: SystemItem, primaryAction: UIAction? = nil, menu: UIMenu? = nil) {
        self.init()
        (self.primaryAction, self.menu, title) = (primaryAction, menu, systemItem.title)
        image = systemItem.symbol.flatMap { UIImage(systemName: $0) }
        style = systemItem == .done || systemItem == .save ? .done : .plain
    }
    /// Creates an item that shows a view in its own size.
    public convenience init(customView: UIView) {
        self.init()
        self.customView = customView
    }

    var onChange: (@MainActor () -> Void)?
    private func changed() { onChange?() }

    /// The title.
    open var title: String? { didSet { changed() } }
    /// The image, which is shown in place of the title.
    open var image: UIImage? { didSet { changed() } }
    /// The look of the button.
    open var style = Style.plain { didSet { changed() } }
    /// Whether the button can be pressed.
    open var isEnabled = true { didSet { changed() } }
    /// Whether the button is not shown.
    open var isHidden = false { didSet { changed() } }
    /// The color of the button, or nil for the color of the bar's buttons.
    open var tintColor: UIColor? { didSet { changed() } }
    /// The action of the button. Its `sender` is this item.
    open var primaryAction: UIAction? { didSet { changed() } }
    /// The menu that the button opens if there is no action.
    open var menu: UIMenu? { didSet { changed() } }
    /// The view that is shown in place of a button.
    open var customView: UIView? { didSet { changed() } }
    /// The text that screen readers read. Nil means the title, or the name of the symbol.
    open var accessibilityLabel: String? { didSet { changed() } }
    /// A number for the app's own use.
    open var tag = 0
}

/// A bar button item as a declarative view.
struct BarButton: View {
    let item: UIBarButtonItem
    let tint: UIColor?
    /// A number that changes with the item, so that the view is evaluated again.
    let revision: Int

    var body: some View {
        if let view = item.customView {
            BarView(view: view)
        } else if let name = item.accessibilityLabel ?? item.title, !name.isEmpty {
            button.accessibilityLabel(Text(verbatim: name))
        } else {
            // Symbols have names of their own.
            button
        }
    }
    private var button: some View {
        Group {
            if let menu = item.menu, item.primaryAction == nil {
                Menu {
                    MenuElements(menu.children)
                } label: {
                    label
                }
            } else {
                Button {
                    item.primaryAction?.choose(from: item)
                } label: {
                    label
                }
                .buttonStyle(.borderless)
            }
        }
        .disabled(!item.isEnabled)
        .tint((item.tintColor ?? tint).map { Color($0) })
    }
    @ViewBuilder private var label: some View {
        if let image = item.image {
            Image(uiImage: image)
        } else {
            Text(verbatim: item.title ?? "").fontWeight(item.style == .done ? .semibold : .regular)
        }
    }
}

private struct BarView: View {
    let view: UIView
    var body: some View {
        let size = view.intrinsicContentSize
        Represented(view: view).frame(
            width: size.width >= 0 ? size.width : view.bounds.width,
            height: size.height >= 0 ? size.height : view.bounds.height)
    }
    struct Represented: UIViewRepresentable {
        let view: UIView
        func makeUIView(context: Context) -> UIView { view }
        func updateUIView(_ uiView: UIView, context: Context) {}
    }
}
