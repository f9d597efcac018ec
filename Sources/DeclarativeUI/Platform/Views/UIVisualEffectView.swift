import Foundation
@_spi(Graph) import ViewGraph

/// The base class of effects of a `UIVisualEffectView`. Modeled on UIKit's type.
@MainActor @preconcurrency
open class UIVisualEffect {
    init() {}
}

/// An effect that covers the views behind with a translucent gray. Modeled on UIKit's type.
///
/// GTK can't blur what other widgets have drawn. The effect is drawn like ``Material``.
@MainActor @preconcurrency
open class UIBlurEffect: UIVisualEffect {
    /// The opacity and the brightness of an effect.
    public enum Style: Int, Sendable {
        /// A light gray, and a dark gray.
        case extraLight = 0, light, dark
        /// A gray that follows the appearance; `prominent` is more opaque.
        case regular = 4, prominent
        /// The grays of the materials, which follow the appearance.
        case systemUltraThinMaterial = 6, systemThinMaterial, systemMaterial, systemThickMaterial, systemChromeMaterial
        /// The light grays of the materials.
        case systemUltraThinMaterialLight = 11, systemThinMaterialLight, systemMaterialLight, systemThickMaterialLight,
            systemChromeMaterialLight
        /// The dark grays of the materials.
        case systemUltraThinMaterialDark = 16, systemThinMaterialDark, systemMaterialDark, systemThickMaterialDark,
            systemChromeMaterialDark

        var material: Material {
            switch self {
            case .systemUltraThinMaterial, .systemUltraThinMaterialLight, .systemUltraThinMaterialDark: .ultraThin
            case .systemThinMaterial, .systemThinMaterialLight, .systemThinMaterialDark, .light: .thin
            case .systemMaterial, .systemMaterialLight, .systemMaterialDark, .regular, .dark: .regular
            case .systemThickMaterial, .systemThickMaterialLight, .systemThickMaterialDark, .prominent, .extraLight:
                .thick
            case .systemChromeMaterial, .systemChromeMaterialLight, .systemChromeMaterialDark: .bar
            }
        }
        /// The appearance of the gray, or nil for the appearance of the window.
        var scheme: ColorScheme? {
            switch self {
            case .extraLight, .light, .systemUltraThinMaterialLight, .systemThinMaterialLight, .systemMaterialLight,
                .systemThickMaterialLight, .systemChromeMaterialLight:
                .light
            case .dark, .systemUltraThinMaterialDark, .systemThinMaterialDark, .systemMaterialDark,
                .systemThickMaterialDark, .systemChromeMaterialDark:
                .dark
            case .regular, .prominent, .systemUltraThinMaterial, .systemThinMaterial, .systemMaterial,
                .systemThickMaterial, .systemChromeMaterial:
                nil
            }
        }
    }
    let style: Style
    /// Creates an effect.
    public init(style: Style) {
        self.style = style
        super.init()
    }
}

/// A view that covers the views behind with an effect, below its own content. Modeled on UIKit's view.
///
/// ```swift
/// let panel = UIVisualEffectView(effect: UIBlurEffect(style: .systemMaterial))
/// panel.layer.cornerRadius = 12
/// panel.clipsToBounds = true
/// panel.contentView.addSubview(controls)
/// ```
@MainActor @preconcurrency
open class UIVisualEffectView: UIView {
    /// The view that contains the app's subviews. It is as large as this view.
    public final let contentView = UIView(frame: .zero)
    /// The effect, or nil for none. A change is not animated.
    open var effect: UIVisualEffect? { didSet { if effect !== oldValue { showEffect() } } }

    /// Creates a view with an effect, or without one.
    public init(effect: UIVisualEffect?) {
        self.effect = effect
        super.init(frame: .zero)
        setUp()
    }
    /// Creates a view without an effect.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        setUp()
    }
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    private func setUp() {
        contentView.frame = bounds
        contentView.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        addSubview(contentView)
        showEffect()
    }
    private func showEffect() {
        show((effect as? UIBlurEffect).map { AnyView(BlurContent(style: $0.style)) })
    }
}

private struct BlurContent: View {
    let style: UIBlurEffect.Style
    @Environment(\.colorScheme) private var scheme
    var body: some View {
        Rectangle().fill(style.material)
            .environment(\.colorScheme, style.scheme ?? scheme)
            .allowsHitTesting(false)
    }
}
