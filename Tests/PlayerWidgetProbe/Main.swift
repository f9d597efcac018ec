import VideoPlayerContainer
import Zoetrope

@main struct PlayerWidgetProbe: App {
    var body: some Scene { WindowGroup("Probe") { Text("") } }
}
