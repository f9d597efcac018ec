import Zoetrope

/// What went wrong, over the lower edge of what it is about: nothing moves when it comes and goes.
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
