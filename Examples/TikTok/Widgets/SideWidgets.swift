import ExampleKit
import VideoPlayerContainer
import Zoetrope

/// A button with a symbol and a number below it.
private struct Counted: View {
    let symbol: String
    let label: LocalizedStringKey
    let count: Int
    var color = Color.white
    let action: @MainActor () -> Void
    @State private var isUnderPointer = false

    var body: some View {
        Button(action: action) {
            VStack(spacing: 3) {
                Image(systemName: symbol).font(.system(size: 28)).foregroundColor(color)
                    .scaleEffect(isUnderPointer ? 1.1 : 1).animation(.easeOut(duration: 0.12), value: isUnderPointer)
                Text(
                    count < 1000
                        ? "\(count)" : "\((Double(count) / 1000).formatted(.number.precision(.fractionLength(1))))K"
                )
                .font(.caption2).fontWeight(.semibold).foregroundColor(.white)
            }
            .frame(width: 48)
            .shadow(color: .black.opacity(0.35), radius: 2)
            .contentShape(Rectangle())
        }
        .buttonStyle(.plain)
        .accessibilityLabel(label)
        .accessibilityValue("\(count)")
        .onHover { isUnderPointer = $0 }
    }
}

struct LikeWidget: View {
    var body: some View {
        WithService(DataService.self) { data in
            Counted(
                symbol: "heart.fill", label: "Like", count: data.likes + (data.isLiked ? 1 : 0),
                color: data.isLiked ? .red : .white
            ) { data.isLiked.toggle() }
        }
    }
}

struct CommentsWidget: View {
    var body: some View {
        WithService(DataService.self) { data in
            WithService(FeatureService.self) { feature in
                Counted(symbol: "ellipsis.message.fill", label: "Comments", count: data.comments) {
                    guard let control = feature.context?.control else { return }
                    feature.present(.bottom(.squeeze(0))) {
                        control.dismiss()
                    } beforeDismiss: {
                        control.present()
                    } content: {
                        AnyView(CommentsPanel(count: data.comments) { feature.dismiss() })
                    }
                }
            }
        }
    }
}

struct ShareWidget: View {
    var body: some View {
        WithService(ToastService.self) { toast in
            Counted(symbol: "arrowshape.turn.up.right.fill", label: "Share", count: 88) {
                toast.configure(content: { text in
                    Text("\(text)").foregroundColor(.white).padding(.horizontal, 14).padding(.vertical, 8)
                        .background { RoundedRectangle(cornerRadius: 8).fill(Color.black.opacity(0.7)) }
                })
                toast.toast("Link copied to the clipboard")
            }
        }
    }
}

struct AvatarWidget: View {
    @State private var isFollowed = false
    var body: some View {
        WithService(DataService.self) { data in
            Button {
                isFollowed.toggle()
            } label: {
                ZStack(alignment: .bottom) {
                    Circle().fill(Color.orange).frame(width: 46, height: 46)
                        .overlay {
                            Text(data.author.dropFirst().prefix(1).uppercased()).font(.title3).fontWeight(.bold)
                                .foregroundColor(.white)
                        }
                        .overlay { Circle().strokeBorder(Color.white, lineWidth: 1.5) }
                        .padding(.bottom, 9)
                    Image(systemName: isFollowed ? "checkmark.circle.fill" : "plus.circle.fill").font(.system(size: 19))
                        .foregroundColor(.red)
                        .background { Circle().fill(Color.white).padding(2) }
                }
            }
            .buttonStyle(.plain)
            .accessibilityLabel(isFollowed ? "Unfollow" : "Follow")
        }
    }
}

struct RecordWidget: View {
    var body: some View {
        Circle().fill(Color.black.opacity(0.7)).frame(width: 42, height: 42)
            .overlay { Circle().strokeBorder(Color.white.opacity(0.3), lineWidth: 7) }
            .overlay { Image(systemName: "music.note").font(.system(size: 14)).foregroundColor(.white) }
            .accessibilityLabel("Original Audio")
    }
}
