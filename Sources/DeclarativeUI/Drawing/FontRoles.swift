import Foundation

extension Font {
    /// The part of a font that comes from its role.
    struct Role: Hashable, Sendable {
        let style: TextStyle
        /// Whether the weight is that of the role, not one that the app has chosen.
        var hasWeight: Bool
        /// Whether the size is that of a phone.
        var isPhone = false
        /// The factor between the size of the role and the shown size.
        @MainActor var scale: CGFloat {
            let scale = Font.interfaceSize / 14.67
            // The sizes are exact with the usual interface fonts of 10 and 11 typographic points. A larger font has the
            // effect of a larger text size in the settings of a phone.
            return isPhone ? max(1, (scale * 100).rounded() / 100) : scale
        }
    }

    /// Returns the font of the same role in a platform style. A size of the app's own does not change.
    func styled(for platform: PlatformStyle) -> Font {
        guard let role, !role.isPhone, platform == .phone else { return self }
        return with(self) {
            $0.size = role.style.phonePoints
            if role.hasWeight { $0.weight = role.style == .headline ? .semibold : .regular }
            $0.role?.isPhone = true
        }
    }
}

extension Font.TextStyle {
    /// The size on a phone, in points: that of Apple's Human Interface Guidelines for iOS with the text size Large.
    var phonePoints: CGFloat {
        switch self {
        case .largeTitle: 34
        case .title: 28
        case .title2: 22
        case .title3: 20
        case .headline, .body: 17
        case .callout: 16
        case .subheadline: 15
        case .footnote: 13
        case .caption: 12
        case .caption2: 11
        }
    }
}
