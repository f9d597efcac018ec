import CGTK
import GallerySources
import Zoetrope

/// The source code of a page.
struct SourcePanel: View {
    let page: Page
    @State private var isCopied = false

    var body: some View {
        let text = PageSource.text(of: page.file)
        VStack(spacing: 0) {
            HStack(spacing: 4) {
                Image(systemName: "doc.text").foregroundColor(.secondary).accessibilityHidden(true)
                Text(verbatim: page.file).font(.system(size: 12, design: .monospaced)).lineLimit(1)
                    .frame(maxWidth: .infinity, alignment: .leading)
                Button {
                    copy(text ?? "")
                } label: {
                    Image(systemName: isCopied ? "checkmark" : "doc.on.doc")
                        .foregroundColor(isCopied ? .accentColor : .primary)
                }
                .buttonStyle(.borderless)
                .disabled(text == nil)
                .help(isCopied ? "Copied" : "Copy Source")
                .accessibilityLabel(isCopied ? "Copied" : "Copy Source")
            }
            .padding(.horizontal, 12)
            .frame(height: 40)
            Divider()
            if let text {
                ScrollView([.vertical, .horizontal]) {
                    CodeText(code: text).padding(12)
                }
                .frame(maxWidth: .infinity, maxHeight: .infinity, alignment: .topLeading)
                // Scroll to the top when the page changes.
                .id(page)
            } else {
                Text("The source code was not found: the program was moved without its resources. Build it again.")
                    .foregroundColor(.secondary)
                    .multilineTextAlignment(.center)
                    .padding(16)
                    .frame(maxWidth: .infinity, maxHeight: .infinity)
            }
        }
        .background(Color.primary.opacity(0.03))
        .task(id: page) { isCopied = false }
    }

    private func copy(_ text: String) {
        guard let display = gdk_display_get_default() else { return }
        gdk_clipboard_set_text(gdk_display_get_clipboard(display), text)
        isCopied = true
    }
}

/// Swift code with syntax colors.
private struct CodeText: View {
    let code: String
    @Environment(\.colorScheme) private var scheme

    var body: some View {
        CodePiece.pieces(of: code)
            .reduce(Text(verbatim: "")) { $0 + Text(verbatim: $1.text).foregroundColor(color($1.kind)) }
            .font(.system(size: 12, design: .monospaced))
            .fixedSize()
    }

    /// Returns the color of a kind. Each color has a contrast of at least 4.5 to the panel's background.
    private func color(_ kind: CodePiece.Kind) -> Color {
        let isDark = scheme == .dark
        return switch kind {
        case .plain: .primary
        case .keyword: isDark ? Color(red: 0.98, green: 0.48, blue: 0.67) : Color(red: 0.66, green: 0.1, blue: 0.4)
        case .type: isDark ? Color(red: 0.46, green: 0.83, blue: 0.83) : Color(red: 0.05, green: 0.4, blue: 0.45)
        case .text: isDark ? Color(red: 0.98, green: 0.62, blue: 0.5) : Color(red: 0.68, green: 0.16, blue: 0.1)
        case .number: isDark ? Color(red: 0.85, green: 0.78, blue: 0.5) : Color(red: 0.36, green: 0.28, blue: 0.7)
        case .comment: isDark ? Color(red: 0.56, green: 0.66, blue: 0.56) : Color(red: 0.3, green: 0.42, blue: 0.3)
        }
    }
}
