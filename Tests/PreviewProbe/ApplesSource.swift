import SwiftUI

/// A view and its preview as on Apple's platforms.
struct Badge: View {
    var body: some View { Color(red: 1, green: 0, blue: 1).frame(width: 300, height: 200) }
}

#Preview("Badge as it was") {
    Badge()
}

extension EnvironmentValues {
    @Entry var badgeColor: Color = Color(red: 0.5, green: 0, blue: 1)
    @Entry var badgeWidth = CGFloat(100)
    @Entry fileprivate var badgeHeight: CGFloat?
}

/// A view that reads entries of the environment.
struct EntryBadge: View {
    @Environment(\.badgeColor) private var color
    @Environment(\.badgeWidth) private var width
    @Environment(\.badgeHeight) private var height
    var body: some View { color.frame(width: width, height: height ?? 200) }
}

#Preview("Default entries") { EntryBadge() }

#Preview("Entries that a parent sets") {
    EntryBadge().environment(\.badgeColor, Color(red: 1, green: 0.5, blue: 0)).environment(\.badgeWidth, 300)
        .environment(\.badgeHeight, 160)
}
