import Foundation
@_spi(Graph) import ViewGraph

/// A menu that is compared by identity.
struct MenuReference: Equatable {
    let menu: UIMenu?
    static func == (a: MenuReference, b: MenuReference) -> Bool { a.menu === b.menu }
}

extension UIButton {
    /// The displayed look of a button. The text and the color of the title are in the label.
    struct Look: Equatable {
        /// The values that determine the size of the button.
        struct Layout: Equatable {
            var hasTitle = false
            var subtitle = ""
            var subtitleFont = Font.footnote
            var image: UIImage?
            var showsSpinner = false
            var edge = Edge.leading
            var imagePadding: CGFloat = 0
            var titlePadding: CGFloat = 0
            var alignment = HorizontalAlignment.center
            var insets = EdgeInsets()
        }
        var layout = Layout()
        var imageColor = Color.accentColor
        /// Whether only the shape of the image is used.
        var isTemplate = false
        var imageOpacity = 1.0
        /// The opacity of everything.
        var opacity = 1.0
        var background = Color.clear
        var backgroundImage: UIImage?
        /// The radius of the background's corners, or nil for half circles.
        var cornerRadius: CGFloat? = Radius.control
        var strokeWidth: CGFloat = 0
        var strokeColor = Color.clear
        var position = Alignment.center
        var isEnabled = true
        var menu = MenuReference(menu: nil)
        /// Whether a click opens the menu.
        var showsMenu = false
    }
}

/// The image and the texts of a button, with the space around them.
struct ButtonFace: View {
    let look: UIButton.Look
    let label: UILabel.Look

    var body: some View {
        let layout = look.layout
        Group {
            switch layout.edge {
            case .leading:
                HStack(spacing: layout.imagePadding) {
                    image
                    texts
                }
            case .trailing:
                HStack(spacing: layout.imagePadding) {
                    texts
                    image
                }
            case .top:
                VStack(spacing: layout.imagePadding) {
                    image
                    texts
                }
            case .bottom:
                VStack(spacing: layout.imagePadding) {
                    texts
                    image
                }
            }
        }
        .padding(layout.insets)
    }

    @ViewBuilder private var image: some View {
        if look.layout.showsSpinner {
            ProgressView().controlSize(.small).tint(look.imageColor)
        } else if let image = look.layout.image {
            Image(uiImage: image).renderingMode(look.isTemplate ? .template : nil)
                .font(label.font).foregroundStyle(look.imageColor).opacity(look.imageOpacity)
        }
    }
    @ViewBuilder private var texts: some View {
        if look.layout.subtitle.isEmpty {
            title
        } else {
            VStack(alignment: look.layout.alignment, spacing: look.layout.titlePadding) {
                title
                Text(verbatim: look.layout.subtitle).font(look.layout.subtitleFont).foregroundStyle(label.color)
                    .lineLimit(1)
            }
        }
    }
    @ViewBuilder private var title: some View {
        if look.layout.hasTitle { LabelText(look: label) }
    }
}

/// The content of a `UIButton`: a button or a menu as large as the view.
struct ButtonContent: View {
    weak var button: UIButton?
    let look: ControlValues<UIButton.Look>
    let label: ControlValues<UILabel.Look>

    var body: some View {
        let shown = look.shown
        let face = ButtonSurface(look: shown, label: label.shown)
        Group {
            if let menu = shown.menu.menu, shown.showsMenu {
                NativeMenu(look: .bare, content: MenuElements(menu.children), label: face)
            } else if let menu = shown.menu.menu {
                native(face).contextMenu { MenuElements(menu.children) }
            } else {
                native(face)
            }
        }
        .disabled(!shown.isEnabled)
    }
    private func native(_ face: ButtonSurface) -> NativeButton {
        NativeButton(
            role: nil, look: .bare, action: { [weak button] in button?.clicked() },
            onPress: { [weak button] in button?.pressed($0) }, label: AnyView(face))
    }
}

/// The face of a button in front of its background, as large as the button.
private struct ButtonSurface: View {
    let look: UIButton.Look
    let label: UILabel.Look

    var body: some View {
        ButtonFace(look: look, label: label)
            .frame(maxWidth: .infinity, maxHeight: .infinity, alignment: look.position)
            .background { ground }
            .opacity(look.opacity)
            // The colors are those of the state, so disabled text is not dimmed again.
            .environment(\.isEnabled, true)
    }
    @ViewBuilder private var ground: some View {
        ZStack {
            if let radius = look.cornerRadius {
                filled(RoundedRectangle(cornerRadius: radius))
            } else {
                filled(Capsule())
            }
            if let image = look.backgroundImage { Image(uiImage: image).resizable() }
        }
        .accessibilityHidden(true)
    }
    @ViewBuilder private func filled<S: InsettableShape>(_ shape: S) -> some View {
        shape.fill(look.background)
        if look.strokeWidth > 0 { shape.strokeBorder(look.strokeColor, lineWidth: look.strokeWidth) }
    }
}
