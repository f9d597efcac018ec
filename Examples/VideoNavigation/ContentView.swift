import ExampleKit
import VideoPlayerContainer
import Zoetrope

struct ContentView: View {
    @StateObject private var model = FeedsViewModel()
    @State private var path = NavigationPath()

    var body: some View {
        NavigationStack(path: $path) {
            FeedsView(model: model, path: $path)
                .navigationTitle("Videos")
                .navigationDestination(for: FeedItem.self) { item in
                    DetailView(item: item, model: model, source: model.context(of: item))
                }
        }
        .searchable(text: $model.search, prompt: "Search videos and channels")
    }
}

/// The frames of the rows, in the list's coordinates.
private struct RowFrames: PreferenceKey {
    static let defaultValue: [Int: CGRect] = [:]
    static func reduce(value: inout [Int: CGRect], nextValue: () -> [Int: CGRect]) { value.merge(nextValue()) { $1 } }
}

private struct FeedsView: View {
    @ObservedObject var model: FeedsViewModel
    @Binding var path: NavigationPath

    var body: some View {
        GeometryReader { list in
            ScrollView {
                LazyVStack(spacing: 18) {
                    if let problem = model.problem { Text(problem).foregroundColor(.red).padding() }
                    if model.found.isEmpty, model.problem == nil {
                        Text("No Results").foregroundColor(.secondary).padding(40)
                    }
                    ForEach(model.found) { item in
                        RowView(item: item, context: model.context(of: item)) { path.append(item) }
                            .onAppear { model.open(item, in: model.context(of: item)) }
                            .background {
                                GeometryReader { row in
                                    Color.clear.preference(
                                        key: RowFrames.self, value: [item.id: row.frame(in: .named("feed"))])
                                }
                            }
                    }
                }
                .frame(maxWidth: 640)
                .frame(maxWidth: .infinity)
                .padding(.vertical, 18).padding(.horizontal, 16)
            }
            .coordinateSpace(name: "feed")
            .onPreferenceChange(RowFrames.self) { frames in
                guard path.isEmpty else { return }
                playMostVisible(frames, height: list.size.height)
            }
        }
    }

    private func playMostVisible(_ frames: [Int: CGRect], height: CGFloat) {
        let seen = frames.mapValues { max(0, min($0.maxY, height) - max($0.minY, 0)) }
        // If two rows are equally visible, the upper one plays.
        let best = model.found.filter { (seen[$0.id] ?? 0) > 0 }.max { (seen[$0.id] ?? 0) < (seen[$1.id] ?? 0) }
        guard best?.id != model.playing else { return }
        model.play(best)
    }
}

private struct RowView: View {
    let item: FeedItem
    let context: Context
    let open: @MainActor () -> Void

    var body: some View {
        VStack(alignment: .leading, spacing: 10) {
            PlayerWidget(context)
                .background(Color.black)
                .aspectRatio(16 / 9, contentMode: .fit)
                .clipShape(RoundedRectangle(cornerRadius: 12))
                .overlay { RoundedRectangle(cornerRadius: 12).strokeBorder(Color.gray.opacity(0.25), lineWidth: 1) }
                .onAppear { context.gesture.simultaneousTapGesture = SpatialTapGesture().onEnded { _ in open() } }
            HStack(alignment: .top, spacing: 10) {
                AuthorMark(name: item.authorName)
                VStack(alignment: .leading, spacing: 2) {
                    Text(item.title).font(.headline)
                    Text("\(item.authorName) · \(item.publishedAt)").font(.caption).foregroundColor(.secondary)
                }
                Spacer(minLength: 0)
                Label("\(item.likeCount.formatted())", systemImage: "suit.heart").labelStyle(CountLabelStyle())
                    .accessibilityLabel("\(item.likeCount) likes")
                Button("Open", action: open).accessibilityLabel("Open \(item.title)")
            }
        }
    }
}
