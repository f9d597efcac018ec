import ExampleKit
import VideoPlayerContainer
import Zoetrope

/// A service that shows viewers' comments over the video, unless they are turned off.
final class CommentService: Service {
    @Published var isShown = true

    func post(_ text: String) {
        guard isShown, !text.isEmpty else { return }
        context?.toast.toast(text)
    }
}

struct CommentsSwitchWidget: View {
    var body: some View {
        WithService(CommentService.self) { comments in
            SymbolButton(comments.isShown ? "square.text.square.fill" : "square.dashed", "Show Comments") {
                comments.isShown.toggle()
            }
            .accessibilityValue(comments.isShown ? "on" : "off")
        }
    }
}

struct CommentFieldWidget: View {
    @State private var text = ""
    var body: some View {
        WithService(CommentService.self) { comments in
            TextField("Say something friendly", text: $text)
                .textFieldStyle(.roundedBorder)
                .frame(maxWidth: 260)
                .onSubmit {
                    comments.post(text)
                    text = ""
                }
                .disabled(!comments.isShown)
        }
    }
}

/// A comment or a message of the app, over the video.
struct MessageView: View {
    let text: String
    var body: some View {
        Text(text).foregroundColor(.white).lineLimit(2).padding(.horizontal, 14).padding(.vertical, 8)
            .background { RoundedRectangle(cornerRadius: 8).fill(Color.black.opacity(0.7)) }
    }
}
