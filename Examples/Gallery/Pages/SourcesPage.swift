import Foundation
import Zoetrope

/// One player for several sources: only the item is replaced.
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
            Picker("Scaling", selection: $settings.gravity) {
                Text("Fit").tag(AVLayerVideoGravity.resizeAspect)
                Text("Fill").tag(AVLayerVideoGravity.resizeAspectFill)
                Text("Stretch").tag(AVLayerVideoGravity.resize)
            }
            .pickerStyle(.segmented)
            HStack(spacing: 8) {
                Button("Sample") { settings.name = "zoetrope" }
                TextField("File, resource or URL", text: $typed).onSubmit { settings.name = typed }
                Button("Open") { settings.name = typed }.disabled(typed.isEmpty)
            }
        }
        .padding(16)
    }
}
