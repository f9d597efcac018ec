import ExampleKit
import VideoPlayerContainer
import Zoetrope

// These widgets of the bars need no separate service.

struct CollapseWidget: View {
    var body: some View {
        WithService(WindowService.self) { window in
            if window.isFullScreen { SymbolButton("chevron.down", "Exit Full Screen") { window.exitFullScreen() } }
        }
    }
}

struct FullScreenWidget: View {
    var body: some View {
        WithService(WindowService.self) { window in
            SymbolButton(
                window.isFullScreen ? "arrow.down.right.and.arrow.up.left" : "arrow.up.left.and.arrow.down.right",
                window.isFullScreen ? "Exit Full Screen" : "Full Screen", size: 16
            ) { window.toggleFullScreen() }
        }
    }
}

struct FilmTitleWidget: View {
    var body: some View {
        WithService(FilmService.self) { films in
            Text(films.film.title).font(.headline).foregroundColor(.white).lineLimit(1).padding(.leading, 4)
        }
    }
}

/// A button that turns autoplay on or off, and shows a message.
struct AutoplayWidget: View {
    var body: some View {
        WithService(FilmService.self) { films in
            SymbolButton(films.playsNext ? "play.circle" : "pause.circle", "Autoplay") {
                films.playsNext.toggle()
                films.context?.toast.toast(films.playsNext ? "Autoplay is on" : "Autoplay is off")
            }
            .accessibilityValue(films.playsNext ? "on" : "off")
        }
    }
}

/// A message in a toast.
struct MessageView: View {
    let text: String
    var body: some View {
        Text(text).foregroundColor(.white).padding(.horizontal, 14).padding(.vertical, 8)
            .background { RoundedRectangle(cornerRadius: 8).fill(Color.black.opacity(0.7)) }
    }
}

struct CastWidget: View {
    var body: some View {
        SymbolButton("airplayvideo", "Cast to Device").disabled(true).opacity(0.5).help(
            "No cast devices found")
    }
}
struct CaptionsWidget: View {
    var body: some View {
        SymbolButton("captions.bubble", "Subtitles").disabled(true).opacity(0.5).help("No subtitles available")
    }
}
struct SettingsWidget: View {
    var body: some View {
        WithService(TransportService.self) { service in
            Menu {
                ForEach([Float(0.5), 1, 1.5, 2], id: \.self) { speed in
                    Button("\(speed.formatted())×\(speed == service.speed ? " ✓" : "")") { service.setSpeed(speed) }
                }
            } label: {
                Image(systemName: "gearshape").font(.system(size: 18)).foregroundColor(.white).frame(
                    width: 36, height: 36)
            }
            .menuStyle(.borderlessButton)
            .menuIndicator(.hidden)
            .fixedSize()
            // Removes the menu's padding, so that it is as wide as the buttons beside it.
            .padding(.horizontal, -5)
            .accessibilityLabel("Speed")
        }
    }
}
struct LikeWidget: View {
    @State private var isOn = false
    var body: some View {
        SymbolButton(isOn ? "hand.thumbsup.fill" : "hand.thumbsup", "Like") { isOn.toggle() }.accessibilityValue(
            isOn ? "on" : "off")
    }
}
struct ShareWidget: View {
    var body: some View {
        WithService(FilmService.self) { films in
            SymbolButton("arrowshape.turn.up.right", "Share") {
                films.context?.toast.toast(ExampleMedia.url(films.film.file).path)
            }
        }
    }
}
struct MoreFilmsWidget: View {
    var body: some View {
        WithService(FeatureService.self) { feature in
            SymbolButton("rectangle.stack", "More Videos") {
                // Controls are above every panel, so they are hidden while this panel covers their area.
                feature.present(.bottom(.cover)) {
                    feature.context?.control.dismiss()
                } beforeDismiss: {
                    feature.context?.control.present()
                } content: {
                    AnyView(
                        WithService(FilmService.self) { films in
                            MoreFilms(current: films.film) { film in
                                films.show(film)
                                feature.dismiss()
                            }
                        })
                }
            }
        }
    }
}
private struct MoreFilms: View {
    let current: Film
    let choose: @MainActor (Film) -> Void
    var body: some View {
        ScrollView(.horizontal, showsIndicators: false) {
            LazyHStack(spacing: 12) {
                ForEach(Film.all) { film in
                    Button {
                        choose(film)
                    } label: {
                        VStack(alignment: .leading, spacing: 6) {
                            FilmPoster(ExampleMedia.url(film.file)).frame(width: 176, height: 99).cornerRadius(8)
                                .overlay {
                                    RoundedRectangle(cornerRadius: 8).strokeBorder(
                                        Color.red.opacity(film == current ? 1 : 0), lineWidth: 2)
                                }
                            Text(film.title).font(.caption).foregroundColor(.white).lineLimit(1).frame(
                                width: 176, alignment: .leading)
                        }
                    }
                    .buttonStyle(.plain)
                    .accessibilityLabel(film.title)
                }
            }
            .padding(16)
        }
        .frame(height: 160)
        .background(Color.black.opacity(0.7))
    }
}
