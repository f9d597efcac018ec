import ExampleKit
import VideoPlayerContainer
import Zoetrope

// Real apps have dozens of such widgets. Most only change their own symbol.

/// A button that switches between two symbols.
private struct SwitchSymbol: View {
    let off, on: String
    let label: LocalizedStringKey
    @State private var isOn = false
    var body: some View {
        SymbolButton(isOn ? on : off, label) { isOn.toggle() }.accessibilityValue(isOn ? "on" : "off")
    }
}

struct LikeWidget: View {
    var body: some View { SwitchSymbol(off: "hand.thumbsup", on: "hand.thumbsup.fill", label: "Like") }
}
struct DislikeWidget: View {
    var body: some View { SwitchSymbol(off: "hand.thumbsdown", on: "hand.thumbsdown.fill", label: "Dislike") }
}
struct CoinWidget: View {
    var body: some View { SwitchSymbol(off: "bitcoinsign.circle", on: "bitcoinsign.circle.fill", label: "Give a Coin") }
}
struct ChargeWidget: View {
    var body: some View { SwitchSymbol(off: "battery.100.bolt", on: "battery.100.bolt", label: "Support") }
}
struct FavoriteWidget: View { var body: some View { SwitchSymbol(off: "star", on: "star.fill", label: "Favorite") } }
struct FollowWidget: View {
    var body: some View { SwitchSymbol(off: "heart.text.square.fill", on: "heart.fill", label: "Follow") }
}
struct LockWidget: View {
    var body: some View { SwitchSymbol(off: "lock.open", on: "lock", label: "Lock Controls") }
}
struct MusicWidget: View {
    var body: some View { SwitchSymbol(off: "music.quarternote.3", on: "music.note", label: "Audio Only") }
}

struct ShareWidget: View {
    var body: some View {
        WithService(EpisodeService.self) { series in
            SymbolButton("arrowshape.turn.up.right", "Share") {
                series.context?.toast.toast(ExampleMedia.url("wide-\(series.episode)").path)
            }
        }
    }
}
struct MoreWidget: View {
    var body: some View {
        WithService(TransportService.self) { service in
            Menu {
                Button(service.isMuted ? "Unmute" : "Mute") { service.toggleMute() }
                Button("Restart") { service.seek(to: 0) }
            } label: {
                Image(systemName: "ellipsis").font(.system(size: 18)).foregroundColor(.white).frame(
                    width: 36, height: 36)
            }
            .menuStyle(.borderlessButton).menuIndicator(.hidden).fixedSize()
            // Removes the menu's padding, so that it is as wide as the buttons beside it.
            .padding(.horizontal, -5)
            .accessibilityLabel("More")
        }
    }
}
struct CastWidget: View {
    var body: some View {
        SymbolButton("airplayvideo", "Cast to Device").disabled(true).opacity(0.5).help(
            "No cast devices found")
    }
}

struct TitleWidget: View {
    var body: some View {
        WithService(EpisodeService.self) { series in
            Text(series.title).fontWeight(.medium).foregroundColor(.white).lineLimit(1)
        }
    }
}
struct ClockWidget: View {
    var body: some View {
        TimelineView(.everyMinute) { now in
            Text(now.date.formatted(date: .omitted, time: .shortened)).font(.caption).foregroundColor(.white)
        }
    }
}
struct NetworkWidget: View {
    var body: some View {
        Image(systemName: "wifi").font(.system(size: 12)).foregroundColor(.white).accessibilityLabel("Connected")
    }
}
struct BatteryWidget: View {
    var body: some View {
        Image(systemName: "battery.75").font(.system(size: 14)).foregroundColor(.white).accessibilityLabel(
            "Battery at 75%")
    }
}
struct QualityWidget: View { var body: some View { Text("720p").foregroundColor(.white).padding(.horizontal, 8) } }

struct EpisodesWidget: View {
    var body: some View {
        WithService(FeatureService.self) { feature in
            Button("Episodes") {
                // Controls are above every panel, so they are hidden while this panel covers their area.
                feature.present(.right(.cover)) {
                    feature.context?.control.dismiss()
                } beforeDismiss: {
                    feature.context?.control.present()
                } content: {
                    AnyView(
                        WithService(EpisodeService.self) { series in
                            EpisodesPanel(chosen: series.episode) { number in
                                series.show(number)
                                feature.dismiss()
                            }
                        })
                }
            }
            .buttonStyle(.plain).foregroundColor(.white).padding(.horizontal, 8)
        }
    }
}
private struct EpisodesPanel: View {
    let chosen: Int
    let choose: @MainActor (Int) -> Void
    var body: some View {
        VStack(alignment: .leading, spacing: 12) {
            Text("Episodes").font(.headline).foregroundColor(.white)
            LazyVGrid(columns: Array(repeating: GridItem(.flexible(), spacing: 8), count: 4), spacing: 8) {
                ForEach(Array(1...EpisodeService.titles.count), id: \.self) { number in
                    Button {
                        choose(number)
                    } label: {
                        Text("\(number)").frame(maxWidth: .infinity, minHeight: 38)
                            .foregroundColor(number == chosen ? .white : .white.opacity(0.8))
                            .background {
                                RoundedRectangle(cornerRadius: 6).fill(
                                    number == chosen ? Color.pink : .white.opacity(0.12))
                            }
                    }
                    .buttonStyle(.plain)
                    .accessibilityLabel("Episode \(number)")
                }
            }
            Spacer()
        }
        .padding(18)
        .frame(width: 260)
        .background(Color.black.opacity(0.75))
    }
}
