import ExampleKit
import VideoPlayerContainer
import Zoetrope

struct ContentView: View {
    @StateObject private var context = Context()
    @State private var isFullScreen = false

    var body: some View {
        GeometryReader { proxy in
            let isUpright = proxy.size.height > proxy.size.width && !isFullScreen
            VStack(spacing: 0) {
                PlayerWidget(context)
                    .frame(height: isUpright ? (proxy.size.width * 9 / 16).rounded() : proxy.size.height)
                // In a narrow window the space around the video is black, as on a phone.
                if isUpright { Color.black }
            }
            .onChange(of: isUpright, initial: true) {
                isUpright ? context.status.toHalfScreen() : context.status.toFullScreen()
            }
        }
        .background(Color.black)
        .onAppear {
            arrangeControls()
            context[EpisodeService.self].show(3)
        }
        .onFullScreenChange { isFullScreen = $0 }
    }

    private func arrangeControls() {
        context.toast.configure(content: { MessageView(text: "\($0)") })
        // Toasts must not cover the bars.
        context.toast.configure(insets: .init(top: 60, leading: 16, bottom: 100, trailing: 16))
        let control = context.control
        control.configure(.halfScreen, insets: .init(top: 4, leading: 8, bottom: 4, trailing: 8))
        control.configure(.fullScreen, insets: .init(top: 8, leading: 18, bottom: 8, trailing: 18))

        control.configure(.halfScreen(.top1)) {
            [
                BackWidget(), Spacer(), MusicWidget(), CastWidget(), MoreWidget(),
            ]
        }
        control.configure(.halfScreen(.bottom1)) {
            [
                PlaybackWidget(), SeekBarWidget(), TimeWidget(), FullScreenWidget(),
            ]
        }

        control.configure(.fullScreen(.top1)) { [ClockWidget(), Spacer(), NetworkWidget(), BatteryWidget()] }
        control.configure(.fullScreen(.top2)) {
            [
                BackWidget(), TitleWidget(), Spacer(), LikeWidget(), DislikeWidget(), CoinWidget(), ChargeWidget(),
                ShareWidget(), MusicWidget(), CastWidget(), MoreWidget(),
            ]
        }
        control.configure(.fullScreen(.left)) { [SnapshotWidget(), LockWidget()] }
        control.configure(.fullScreen(.right)) { [FavoriteWidget(), FollowWidget()] }
        control.configure([.fullScreen(.left), .fullScreen(.right)]) { views in
            VStack(spacing: 20) { ForEach(views) { $0 } }
        }
        control.configure(.fullScreen(.bottom2)) { [TimeWidget(), SeekBarWidget(), LengthWidget()] }
        control.configure(.fullScreen(.bottom1)) {
            [
                PlaybackWidget(), NextWidget(), CommentsSwitchWidget(), CommentFieldWidget(), Spacer(),
                EpisodesWidget(), SpeedWidget(), QualityWidget(), FullScreenWidget(),
            ]
        }
    }
}
