import Foundation

/// The height of a view above its background, which its shadow shows. The steps belong to the visual language
/// (docs/design.md).
package enum Elevation: CaseIterable {
    /// The elevation of cards, and of previews over a bar.
    case raised
    /// The elevation of panels and of texts that appear over content for a short time.
    case floating
    /// The elevation of dialogs that require a response.
    case modal

    /// The distance that the shadow reaches, in points.
    package var radius: CGFloat {
        switch self {
        case .raised: 3
        case .floating: 10
        case .modal: 24
        }
    }
    /// The vertical offset of the shadow, in points.
    package var drop: CGFloat {
        switch self {
        case .raised: 1
        case .floating: 3
        case .modal: 8
        }
    }
    /// The opacity of the shadow, from 0 to 1.
    package var opacity: Double {
        switch self {
        case .raised: 0.2
        case .floating: 0.3
        case .modal: 0.4
        }
    }
    /// The shadow in the syntax of GTK's style sheets.
    package var css: String { "0 \(Int(drop))px \(Int(radius))px rgba(0,0,0,\(opacity))" }
}

extension View {
    /// Adds the shadow of `elevation` to this view.
    package func elevation(_ elevation: Elevation) -> some View {
        shadow(
            color: Color.black.opacity(elevation.opacity), radius: elevation.radius / 2, x: 0, y: elevation.drop)
    }
}
