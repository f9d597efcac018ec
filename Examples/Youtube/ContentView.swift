import ExampleKit
import VideoPlayerContainer
import Zoetrope

struct ContentView: View {
    @StateObject private var context = Context()
    @State private var isFullScreen = false

    var body: some View {
        WithService(FilmService.self) { films in page(films) }
            .environmentObject(context)
            .onAppear {
                arrangeControls()
                context[FilmService.self].show(Film.all[0])
            }
            .onFullScreenChange { isFullScreen = $0 }
    }

    private func page(_ films: FilmService) -> some View {
        GeometryReader { proxy in
            let shape = WindowShape(proxy.size, isFullScreen: isFullScreen)
            let picture = pictureSize(shape, proxy.size)
            // A single container serves all layouts, so that playback continues when the window changes its shape.
            ZStack(alignment: .topLeading) {
                if shape == .upright {
                    DetailsView(films: films, isBeside: false)
                        .frame(width: proxy.size.width, height: max(0, proxy.size.height - picture.height))
                        .offset(y: picture.height)
                } else if shape == .wide {
                    TitleView(film: films.film).padding(20)
                        .frame(
                            width: picture.width, height: max(0, proxy.size.height - picture.height),
                            alignment: .topLeading
                        )
                        .offset(y: picture.height)
                    DetailsView(films: films, isBeside: true)
                        .frame(width: proxy.size.width - picture.width, height: proxy.size.height)
                        .offset(x: picture.width)
                }
                PlayerWidget(context, launch: [StepService.self, TimelineService.self])
                    .background(Color.black)
                    .frame(width: picture.width, height: picture.height)
            }
            .onChange(of: shape, initial: true) {
                shape == .picture ? context.status.toFullScreen() : context.status.toHalfScreen()
            }
        }
    }

    private func pictureSize(_ shape: WindowShape, _ window: CGSize) -> CGSize {
        switch shape {
        case .upright: CGSize(width: window.width, height: (window.width * 9 / 16).rounded())
        case .wide:
            CGSize(
                width: (window.width - 340).rounded(),
                height: min(window.height - 90, ((window.width - 340) * 9 / 16).rounded()))
        case .picture: window
        }
    }

    private func arrangeControls() {
        context.toast.configure(content: { MessageView(text: "\($0)") })
        // Toasts must not cover the bars.
        context.toast.configure(insets: .init(top: 60, leading: 16, bottom: 100, trailing: 16))
        let control = context.control
        control.configure(displayStyle: .manual(firstAppear: true, animation: .default))
        control.configure([.halfScreen, .fullScreen], insets: .init(top: 4, leading: 8, bottom: 4, trailing: 8))
        control.configure(shadow: AnyView(Color.black.opacity(0.2)))
        let rows: [ControlService.RawLocation] = [
            .halfScreen(.top), .halfScreen(.bottom), .fullScreen(.top), .fullScreen(.bottom),
        ]
        control.configure(rows, shadow: nil)
        control.configure(rows + [.halfScreen(.center), .fullScreen(.center)], transition: .opacity)

        control.configure(.halfScreen(.top1)) {
            [
                CollapseWidget(), Spacer(), AutoplayWidget(), CastWidget(), CaptionsWidget(), SettingsWidget(),
            ]
        }
        control.configure(.fullScreen(.top1)) {
            [
                CollapseWidget(), FilmTitleWidget(), Spacer(), AutoplayWidget(), CastWidget(), CaptionsWidget(),
                SettingsWidget(),
            ]
        }
        control.configure([.halfScreen(.center), .fullScreen(.center)]) {
            [
                StepWidget(direction: -1), PlaybackWidget(), StepWidget(direction: 1),
            ]
        }
        control.configure([.halfScreen(.center), .fullScreen(.center)]) { views in
            HStack(spacing: 36) { ForEach(views) { $0 } }
        }
        control.configure([.halfScreen(.bottom1), .fullScreen(.bottom2)]) { [SeekBarWidget()] }
        control.configure(.halfScreen(.bottom2)) { [TimeWidget(), Spacer(), MessageWidget(), FullScreenWidget()] }
        control.configure(.fullScreen(.bottom3)) { [TimeWidget(), Spacer(), FullScreenWidget()] }
        control.configure(.fullScreen(.bottom1)) {
            [LikeWidget(), MessageWidget(), ShareWidget(), Spacer(), MoreFilmsWidget()]
        }
    }
}

extension ControlService {
    /// Sets the same insets for several statuses.
    fileprivate func configure(_ statuses: [ScreenStatus], insets: EdgeInsets) {
        for status in statuses { configure(status, insets: insets) }
    }
}
