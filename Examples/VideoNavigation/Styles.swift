import Zoetrope

/// A label style with a small symbol and a number, in a secondary color.
struct CountLabelStyle: LabelStyle {
    func makeBody(configuration: Configuration) -> some View {
        HStack(spacing: 4) {
            configuration.icon.foregroundColor(.secondary)
            configuration.title.font(.callout).fontWeight(.medium).fixedSize()
        }
    }
}

/// A circle with the first letter of a channel's name, in the channel's color.
struct AuthorMark: View {
    let name: String
    var body: some View {
        Circle().fill(
            Color(
                hue: Double(name.unicodeScalars.reduce(0) { $0 + Int($1.value) } % 100) / 100, saturation: 0.55,
                brightness: 0.75)
        )
        .frame(width: 34, height: 34)
        .overlay { Text(name.prefix(1)).fontWeight(.bold).foregroundColor(.white) }
        .accessibilityHidden(true)
    }
}
