import Zoetrope

/// An error message at the lower edge of a video. The message is an overlay, so the layout does not move when it
/// appears.
struct ProblemNote: View {
    let text: String

    var body: some View {
        if !text.isEmpty {
            Label(text, systemImage: "exclamationmark.triangle.fill")
                .font(.callout)
                .lineLimit(3)
                .foregroundColor(.white)
                .padding(.horizontal, 12)
                .padding(.vertical, 8)
                .background(RoundedRectangle(cornerRadius: 8).fill(Color.black.opacity(0.75)))
                .padding(12)
        }
    }
}
