import VideoPlayerContainer
import Zoetrope

/// The controls of a page.
@MainActor
enum FeedControls {
    static func arrange(_ context: Context, _ film: FeedFilm) {
        context[DataService.self].film = film
        context.render.layer.videoGravity = .resizeAspect
        // The Up and Down keys turn the page, regardless of the focus.
        context.keys.remove(.upArrow)
        context.keys.remove(.downArrow)
        let control = context.control
        control.configure(displayStyle: .always)
        control.configure(.portrait, insets: .init(top: 0, leading: 14, bottom: 0, trailing: 10))
        control.configure(.portrait(.left)) { [Spacer(), TitleWidget()] }
        control.configure(.portrait(.left)) { views in
            VStack(alignment: .leading, spacing: 8) { ForEach(views) { $0 } }.padding(.bottom, 16)
        }
        control.configure(.portrait(.right)) {
            [Spacer(), AvatarWidget(), LikeWidget(), CommentsWidget(), ShareWidget(), RecordWidget()]
        }
        control.configure(.portrait(.right)) { views in
            VStack(spacing: 18) { ForEach(views) { $0 } }.padding(.bottom, 16)
        }
        control.configure(.portrait(.bottom1)) { [ProgressWidget()] }
        control.configure(.portrait(.bottom1)) { views in
            VStack(spacing: 0) { ForEach(views) { $0 } }.padding(.bottom, 4)
        }
        control.configure([.portrait(.left), .portrait(.right), .portrait(.bottom)], transition: .opacity)
        // From now on, only the comments panel hides the controls.
        control.configure(displayStyle: .custom(animation: .default))
        control.present()
    }
}
