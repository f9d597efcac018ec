import Foundation

/// How far something stands above what is behind it, shown by its shadow: steps of the visual language
/// (docs/design.md).
package enum Elevation: CaseIterable {
    /// A card, a preview over a bar.
    case raised
    /// What floats over content: a panel, words that come and go.
    case floating
    /// What has to be answered: a dialog.
    case modal

    /// Points: how far the shadow reaches.
    package var radius: CGFloat {
        switch self {
        case .raised: 3
        case .floating: 10
        case .modal: 24
        }
    }
    /// Points: how far it falls.
    package var drop: CGFloat {
        switch self {
        case .raised: 1
        case .floating: 3
        case .modal: 8
        }
    }
    /// 0…1.
    package var opacity: Double {
        switch self {
        case .raised: 0.2
        case .floating: 0.3
        case .modal: 0.4
        }
    }
    /// For GTK's style sheets.
    package var css: String { "0 \(Int(drop))px \(Int(radius))px rgba(0,0,0,\(opacity))" }
}

extension View {
    /// Stands as far above what is behind it as `elevation` says.
    package func elevation(_ elevation: Elevation) -> some View {
        shadow(
            color: Color.black.opacity(elevation.opacity), radius: elevation.radius / 2, x: 0, y: elevation.drop)
    }
}
