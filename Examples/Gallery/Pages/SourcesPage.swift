import Foundation
import Zoetrope

/// One player, several sources: the item is swapped, the player stays.
struct SourcesPage: View {
    @State private var settings = VideoSettings {
        SourceName("zoetrope")
        Loop()
        Mute()
    }
    @State private var typed = ""

    var body: some View {
        VStack(spacing: 12) {
            ExtVideoPlayer(settings: $settings, command: .opening)
            Picker("Gravity", selection: $settings.gravity) {
                Text("Fit").tag(AVLayerVideoGravity.resizeAspect)
                Text("Fill").tag(AVLayerVideoGravity.resizeAspectFill)
                Text("Stretch").tag(AVLayerVideoGravity.resize)
            }
            .pickerStyle(.segmented)
            HStack(spacing: 8) {
                Button("Sample") { settings.name = "zoetrope" }
                TextField("A file, a resource or a URL", text: $typed).onSubmit { settings.name = typed }
                Button("Open") { settings.name = typed }.disabled(typed.isEmpty)
            }
        }
        .padding(16)
    }
}
