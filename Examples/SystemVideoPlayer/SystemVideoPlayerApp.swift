import ExampleKit
import VideoPlayerContainer
import Zoetrope

/// A player like those of operating systems, with all common controls. The controls hide during playback.
@main struct SystemVideoPlayerApp: App {
    var body: some Scene {
        WindowGroup("System Video Player") {
            ContentView().frame(minWidth: 340, minHeight: 320).background(Color.black).preferredColorScheme(.dark)
        }
        .defaultSize(width: 1100, height: 640)
    }
}

struct ContentView: View {
    @StateObject private var context = Context()

    var body: some View {
        GeometryReader { proxy in
            let isUpright = proxy.size.height > proxy.size.width
            PlayerWidget(context, launch: [GestureSeekService.self])
                .onChange(of: isUpright, initial: true) {
                    isUpright ? context.status.toPortrait() : context.status.toFullScreen()
                }
        }
        .onAppear {
            try? AVAudioSession.sharedInstance().setCategory(.playback)
            arrangeControls()
            context.render.player.replaceCurrentItem(with: AVPlayerItem(url: ExampleMedia.url("demo")))
            context.render.player.play()
        }
    }

    private func arrangeControls() {
        let control = context.control
        control.configure(displayStyle: .auto(firstAppear: true, animation: .default, duration: 5))
        control.configure(.portrait, insets: .init(top: 10, leading: 14, bottom: 14, trailing: 14))
        control.configure(.fullScreen, insets: .init(top: 12, leading: 22, bottom: 14, trailing: 22))
        control.configure(shadow: AnyView(Color.black.opacity(0.25)))
        control.configure([.portrait(.top), .fullScreen(.top), .portrait(.bottom), .fullScreen(.bottom)], shadow: nil)
        control.configure(
            [
                .portrait(.top), .fullScreen(.top), .portrait(.bottom), .fullScreen(.bottom), .portrait(.center),
                .fullScreen(.center),
            ], transition: .opacity)

        control.configure([.portrait(.top1), .fullScreen(.top1)]) {
            [
                CloseWidget(), PictureInPictureButton(), Spacer(), RouteWidget(), VolumeWidget(),
            ]
        }
        control.configure([.portrait(.center), .fullScreen(.center)]) {
            [StepWidget(frames: -150), PlaybackWidget(), StepWidget(frames: 150)]
        }
        // The middle between the bars is above the middle of the window, so the buttons are moved down.
        control.configure([.portrait(.center), .fullScreen(.center)]) { views in
            HStack(spacing: 34) { ForEach(views) { $0 } }.offset(y: 23)
        }
        control.configure([.portrait(.bottom1), .fullScreen(.bottom1)]) {
            [ElapsedWidget(), SeekBarWidget(), DurationWidget()]
        }
        control.configure([.portrait(.bottom2), .fullScreen(.bottom2)]) { [TitleWidget(), Spacer(), SpeedWidget()] }
    }
}
