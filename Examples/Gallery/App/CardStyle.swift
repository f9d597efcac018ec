import Zoetrope

/// A button that looks like a card and reacts to the pointer.
struct CardStyle: ButtonStyle {
    func makeBody(configuration: Configuration) -> some View { CardBody(configuration: configuration) }
}

private struct CardBody: View {
    let configuration: ButtonStyleConfiguration
    @Environment(\.isEnabled) private var isEnabled
    @State private var isUnderPointer = false

    private var ground: Color {
        Color.primary.opacity(!isEnabled ? 0.03 : configuration.isPressed ? 0.16 : isUnderPointer ? 0.1 : 0.05)
    }

    var body: some View {
        configuration.label
            .padding(12)
            .background { RoundedRectangle(cornerRadius: 12).fill(ground) }
            .onHover { isUnderPointer = $0 }
    }
}
