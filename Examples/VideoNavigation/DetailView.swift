import ExampleKit
import VideoPlayerContainer
import Zoetrope

/// The details page of a video. The page uses the row's player, so playback continues.
struct DetailView: View {
    let item: FeedItem
    let model: FeedsViewModel
    let source: Context
    @StateObject private var context = Context()
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        GeometryReader { proxy in
            let isWide = proxy.size.width > proxy.size.height
            let height =
                isWide
                ? min(proxy.size.height - 130, (proxy.size.width * 9 / 16).rounded())
                : (proxy.size.width * 9 / 16).rounded()
            VStack(spacing: 0) {
                PlayerWidget(context).background(Color.black).frame(height: max(0, height))
                ScrollView { about.padding(18) }
            }
        }
        .navigationTitle(item.title)
        // The Back button is over the video.
        .navigationBarHidden(true)
        .onAppear {
            context.render.attach(player: source.render.player)
            context[TransportService.self].follow()
            arrangeControls()
            context.render.player.play()
        }
    }

    private var about: some View {
        VStack(alignment: .leading, spacing: 12) {
            HStack(spacing: 12) {
                AuthorMark(name: item.authorName)
                VStack(alignment: .leading, spacing: 2) {
                    Text(item.title).font(.title3).fontWeight(.semibold)
                    Text("\(item.authorName) · \(item.publishedAt)").font(.caption).foregroundColor(.secondary)
                }
                Spacer()
                Label("\(item.likeCount.formatted())", systemImage: "suit.heart").labelStyle(CountLabelStyle())
                Label("\(item.commentCount.formatted())", systemImage: "ellipsis.message").labelStyle(CountLabelStyle())
            }
            Text(item.aboutText)
        }
        .frame(maxWidth: 760, alignment: .leading)
        .frame(maxWidth: .infinity)
    }

    private func arrangeControls() {
        let control = context.control
        control.configure(displayStyle: .auto(firstAppear: true, animation: .default, duration: 4))
        control.configure(.halfScreen, insets: .init(top: 6, leading: 10, bottom: 6, trailing: 10))
        control.configure(.halfScreen(.top1)) { [BackWidget { dismiss() }, Spacer(), CastWidget()] }
        control.configure(.halfScreen(.center)) { [PlaybackWidget()] }
        control.configure(.halfScreen(.bottom1)) { [TimeWidget(), SeekBarWidget(), CountdownWidget()] }
    }
}
