import Foundation
@_spi(Graph) import ViewGraph

/// A menu that is compared by identity.
struct MenuReference: Equatable {
    let menu: UIMenu?
    static func == (a: MenuReference, b: MenuReference) -> Bool { a.menu === b.menu }
}

extension UIButton {
    /// The displayed look of a button. The text and the color of the title are in the label, and the image is in the
    /// image view.
    struct Look: Equatable {
        /// The values that determine the size of the button.
        struct Layout: Equatable {
            var hasTitle = false
            var subtitle = ""
            var subtitleFont = Font.footnote
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
        /// Whether an image without texts fills the width, and whether it fills the height.
        var fillsWidth = false, fillsHeight = false
        /// The opacity of everything.
        var opacity = 1.0
        var background = Color.clear
        var backgroundImage: UIImage?
        /// The radius of the background's corners, or nil for half circles.
        var cornerRadius: CGFloat? = Radius.control
        var strokeWidth: CGFloat = 0
        var strokeColor = Color.clear
        var horizontal = UIControl.ContentHorizontalAlignment.center
        var vertical = VerticalAlignment.center
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
    let picture: UIImageView.Look
    @Environment(\.platformStyle) private var platform

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
        } else if let size = imageSize {
            let isAlone = !look.layout.hasTitle && look.layout.subtitle.isEmpty
            let (fillsWidth, fillsHeight) = (look.fillsWidth && isAlone, look.fillsHeight && isAlone)
            // A symbol has the size of the text, unless it fills the button.
            let keepsSpace = !fillsWidth && !fillsHeight
            ImageFace(look: picture, rendering: look.isTemplate ? .template : nil, keepsSpace: keepsSpace)
                .frame(
                    minWidth: 0, idealWidth: size.width, maxWidth: fillsWidth ? .infinity : size.width,
                    minHeight: 0, idealHeight: size.height, maxHeight: fillsHeight ? .infinity : size.height
                )
                .font(label.font).foregroundStyle(look.imageColor).opacity(look.imageOpacity)
                // In a narrow button, the title becomes shorter, not the image.
                .layoutPriority(1)
        }
    }
    /// The size of the image in points, or nil without an image. A symbol has the size of the text.
    private var imageSize: CGSize? {
        guard let image = picture.image ?? picture.playback?.images.first else { return nil }
        guard image.isSymbolImage else { return image.size }
        let side = (label.font.styled(for: platform).shownSize * 1.2).rounded()
        return CGSize(width: side, height: side)
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
    let picture: ControlValues<UIImageView.Look>

    var body: some View {
        let shown = look.shown
        let face = ButtonSurface(look: shown, label: label.shown, picture: picture.shown)
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
    let picture: UIImageView.Look
    @Environment(\.layoutDirection) private var direction

    var body: some View {
        ButtonFace(look: look, label: label, picture: picture)
            .frame(
                maxWidth: .infinity, maxHeight: .infinity,
                alignment: Alignment(horizontal: horizontal, vertical: look.vertical)
            )
            .background { ground }
            .opacity(look.opacity)
            // The colors are those of the state, so disabled text is not dimmed again.
            .environment(\.isEnabled, true)
    }
    private var horizontal: HorizontalAlignment {
        switch look.horizontal {
        case .left: .left(in: direction)
        case .right: .right(in: direction)
        case .leading: .leading
        case .trailing: .trailing
        case .center, .fill: .center
        }
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
