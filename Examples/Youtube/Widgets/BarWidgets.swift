import ExampleKit
import VideoPlayerContainer
import Zoetrope

// What stands in the bars and needs no service of its own.

struct CollapseWidget: View {
    var body: some View {
        WithService(StatusService.self) { status in
            if status.isFullScreen { SymbolButton("chevron.down", "Leave full screen") { toggleWindow(ifFullScreen: true) } }
        }
    }
}

struct FullScreenWidget: View {
    var body: some View {
        WithService(StatusService.self) { status in
            SymbolButton(
                status.isFullScreen ? "arrow.down.right.and.arrow.up.left" : "arrow.up.left.and.arrow.down.right",
                status.isFullScreen ? "Leave full screen" : "Full screen", size: 16
            ) { toggleWindow() }
        }
    }
}

@MainActor private func toggleWindow(ifFullScreen: Bool = false) {
    guard let window = NSApp.keyWindow ?? NSApp.windows.first, !ifFullScreen || window.styleMask.contains(.fullScreen) else { return }
    window.toggleFullScreen(nil)
}

struct FilmTitleWidget: View {
    @Binding var film: Film
    var body: some View { Text(film.title).font(.headline).foregroundColor(.white).lineLimit(1).padding(.leading, 4) }
}

/// Whether the next film begins by itself; said by a message.
struct AutoplayWidget: View {
    @State private var isOn = true
    var body: some View {
        WithService(ToastService.self) { toast in
            SymbolButton(isOn ? "play.circle" : "pause.circle", "Autoplay") {
                isOn.toggle()
                toast.configure(content: { MessageView(text: "\($0)") })
                toast.toast(isOn ? "Autoplay is on" : "Autoplay is off")
            }
        }
    }
}

private struct MessageView: View {
    let text: String
    var body: some View {
        Text(text).foregroundColor(.white).padding(.horizontal, 14).padding(.vertical, 8)
            .background { RoundedRectangle(cornerRadius: 8).fill(Color.black.opacity(0.7)) }
    }
}

struct CastWidget: View {
    var body: some View { SymbolButton("airplayvideo", "Play on another screen").disabled(true).opacity(0.5).help("No screen to play on was found") }
}
struct CaptionsWidget: View {
    @State private var isOn = false
    var body: some View { SymbolButton(isOn ? "captions.bubble.fill" : "captions.bubble", "Captions") { isOn.toggle() } }
}
struct SettingsWidget: View {
    var body: some View {
        WithService(TransportService.self) { service in
            Menu {
                ForEach([Float(0.5), 1, 1.5, 2], id: \.self) { speed in
                    Button("\(speed.formatted())×\(speed == service.speed ? " ✓" : "")") { service.setSpeed(speed) }
                }
            } label: {
                Image(systemName: "gearshape").font(.system(size: 18)).foregroundColor(.white).frame(width: 36, height: 36)
            }
            .menuStyle(.borderlessButton)
            .menuIndicator(.hidden)
            .fixedSize()
            .accessibilityLabel("Speed")
        }
    }
}
struct LikeWidget: View {
    @State private var isOn = false
    var body: some View { SymbolButton(isOn ? "hand.thumbsup.fill" : "hand.thumbsup", "Like") { isOn.toggle() } }
}
struct ShareWidget: View {
    var body: some View { SymbolButton("arrowshape.turn.up.right", "Share") {} }
}
struct MoreFilmsWidget: View {
    var body: some View {
        WithService(FeatureService.self) { feature in
            SymbolButton("rectangle.stack", "More films") { feature.present(.bottom(.cover)) { AnyView(MoreFilms()) } }
        }
    }
}
private struct MoreFilms: View {
    var body: some View {
        ScrollView(.horizontal, showsIndicators: false) {
            LazyHStack(spacing: 12) {
                ForEach(Film.all) { film in
                    VStack(alignment: .leading, spacing: 6) {
                        FilmPoster(ExampleMedia.url(film.file)).frame(width: 176, height: 99).cornerRadius(8)
                        Text(film.title).font(.caption).foregroundColor(.white).lineLimit(1).frame(width: 176, alignment: .leading)
                    }
                }
            }
            .padding(16)
        }
        .frame(height: 160)
        .background(Color.black.opacity(0.7))
    }
}
