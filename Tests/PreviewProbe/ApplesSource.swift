import SwiftUI

/// A view and its preview as on Apple's platforms.
struct Badge: View {
    var body: some View { Color(red: 1, green: 0, blue: 1).frame(width: 300, height: 200) }
}

#Preview("Badge as it was") {
    Badge()
}
