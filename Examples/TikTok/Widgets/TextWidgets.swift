import ExampleKit
import VideoPlayerContainer
import Zoetrope

struct TitleWidget: View {
    var body: some View {
        WithService(DataService.self) { data in
            VStack(alignment: .leading, spacing: 5) {
                Text(data.author).fontWeight(.bold)
                Text(data.text).lineLimit(3)
                HStack(spacing: 6) {
                    Image(systemName: "music.note").font(.system(size: 12))
                    Text("Original audio").font(.caption)
                }
            }
            .foregroundColor(.white)
            .shadow(color: .black.opacity(0.4), radius: 2)
            .frame(maxWidth: 250, alignment: .leading)
        }
    }
}

struct ProgressWidget: View {
    var body: some View {
        WithService(TransportService.self) { service in
            GeometryReader { proxy in
                ZStack(alignment: .leading) {
                    Capsule().fill(Color.white.opacity(0.25))
                    Capsule().fill(Color.white.opacity(0.9)).frame(width: proxy.size.width * service.fraction)
                }
            }
            .frame(height: 3)
            .accessibilityLabel("Position")
            .accessibilityValue(TimeText.clock(service.time))
        }
    }
}

struct CommentsPanel: View {
    let count: Int
    let close: @MainActor () -> Void
    @State private var text = ""
    @State private var own: [String] = []
    private let others = [
        ("Ada", "I watched this five times."), ("Konrad", "Where is this?"), ("Grace", "The sound!"),
        ("Hedy", "More please."),
    ]

    var body: some View {
        VStack(spacing: 0) {
            HStack {
                Spacer()
                Text("\(count + own.count) comments").font(.headline)
                Spacer()
            }
            .padding(.vertical, 12)
            .overlay(alignment: .trailing) {
                Button(action: close) { Image(systemName: "xmark").font(.system(size: 14)) }
                    .buttonStyle(.plain).accessibilityLabel("Close Comments").padding(.trailing, 16)
            }
            Form {
                ForEach(own, id: \.self) { CommentRow(name: "You", text: $0) }
                ForEach(others, id: \.0) { CommentRow(name: $0.0, text: $0.1) }
            }
            HStack(spacing: 8) {
                TextField("Add a comment", text: $text).textFieldStyle(.roundedBorder).onSubmit(send)
                Button("Send", action: send).disabled(text.isEmpty)
            }
            .padding(12)
        }
        .frame(height: 400)
        .background(Color(.systemBackground))
    }

    private func send() {
        guard !text.isEmpty else { return }
        own.insert(text, at: 0)
        text = ""
    }
}

private struct CommentRow: View {
    let name, text: String
    var body: some View {
        VStack(alignment: .leading, spacing: 2) {
            Text(name).font(.caption).foregroundColor(.secondary)
            Text(text)
        }
        .padding(.vertical, 4)
    }
}
