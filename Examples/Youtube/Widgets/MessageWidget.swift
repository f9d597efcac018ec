import ExampleKit
import VideoPlayerContainer
import Zoetrope

/// A button that opens the comments panel, which makes the video smaller.
struct MessageWidget: View {
    var body: some View {
        WithService(FeatureService.self) { feature in
            SymbolButton("ellipsis.message", "Comments") {
                // The panel takes at most half of a narrow container.
                let width = min(290, (feature.context?.viewSize.width ?? 580) / 2)
                feature.present(.right(.squeeze(0))) { AnyView(CommentsPanel(width: width) { feature.dismiss() }) }
            }
        }
    }
}

private struct Comment: Identifiable {
    let id: Int
    let name, text: String
    static let all = [
        Comment(id: 0, name: "Ada", text: "The light at 0:12 alone makes it worth watching."),
        Comment(id: 1, name: "Konrad", text: "Recorded in one take? Impressive."),
        Comment(id: 2, name: "Grace", text: "I have this on loop while I work."),
        Comment(id: 3, name: "Joseph", text: "Someone should build this with a drum and slits."),
        Comment(id: 4, name: "Hedy", text: "More of these, please!"),
    ]
}

private struct CommentsPanel: View {
    let width: CGFloat
    let close: @MainActor () -> Void

    var body: some View {
        NavigationView {
            List(Comment.all) { comment in
                HStack(alignment: .top, spacing: 10) {
                    Circle().fill(Color.blue.opacity(0.7)).frame(width: 28, height: 28)
                        .overlay { Text(comment.name.prefix(1)).foregroundColor(.white).font(.caption) }
                    VStack(alignment: .leading, spacing: 2) {
                        Text(comment.name).font(.caption).foregroundColor(.secondary)
                        Text(comment.text)
                    }
                    Spacer(minLength: 0)
                }
                .padding(.vertical, 6)
            }
            .listStyle(.plain)
            .navigationTitle("Comments")
            .toolbar {
                ToolbarItem(placement: .primaryAction) {
                    Button(action: close) { Image(systemName: "xmark") }.buttonStyle(.plain).accessibilityLabel(
                        "Close Comments")
                }
            }
        }
        .frame(width: width)
        .background(.background)
    }
}
