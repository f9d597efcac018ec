import VideoPlayerContainer
import Zoetrope

// Only so that the package builds while the app is being written: delete it.
@main struct VisionProApp: App {
    @StateObject private var context = Context()
    var body: some Scene { WindowGroup { PlayerWidget(context) } }
}
