import ExampleKit
import VideoPlayerContainer
import Zoetrope

// A widget each, as an app has dozens of them: most only switch their own symbol.

/// A symbol that is on or off.
private struct SwitchSymbol: View {
    let off, on: String
    let label: LocalizedStringKey
    @State private var isOn = false
    var body: some View {
        SymbolButton(isOn ? on : off, label) { isOn.toggle() }.accessibilityAddTraits(isOn ? .isSelected : [])
    }
}

struct LikeWidget: View { var body: some View { SwitchSymbol(off: "hand.thumbsup", on: "hand.thumbsup.fill", label: "Like") } }
struct DislikeWidget: View { var body: some View { SwitchSymbol(off: "hand.thumbsdown", on: "hand.thumbsdown.fill", label: "Dislike") } }
struct CoinWidget: View { var body: some View { SwitchSymbol(off: "bitcoinsign.circle", on: "bitcoinsign.circle.fill", label: "Give a coin") } }
struct ChargeWidget: View { var body: some View { SwitchSymbol(off: "battery.100.bolt", on: "battery.100.bolt", label: "Support") } }
struct FavoriteWidget: View { var body: some View { SwitchSymbol(off: "star", on: "star.fill", label: "Favourite") } }
struct FollowWidget: View { var body: some View { SwitchSymbol(off: "heart.text.square.fill", on: "heart.fill", label: "Follow") } }
struct LockWidget: View { var body: some View { SwitchSymbol(off: "lock.open", on: "lock", label: "Lock the controls") } }
struct CommentsSwitchWidget: View { var body: some View { SwitchSymbol(off: "square.text.square.fill", on: "text.bubble", label: "Comments over the picture") } }
struct MusicWidget: View { var body: some View { SwitchSymbol(off: "music.quarternote.3", on: "music.note", label: "Sound only") } }

struct ShareWidget: View { var body: some View { SymbolButton("arrowshape.turn.up.right", "Share") } }
struct MoreWidget: View { var body: some View { SymbolButton("ellipsis", "More") } }
struct CastWidget: View {
    var body: some View { SymbolButton("airplayvideo", "Play on another screen").disabled(true).opacity(0.5).help("No screen to play on was found") }
}

struct SnapshotWidget: View {
    var body: some View {
        WithService(ToastService.self) { toast in
            SymbolButton("camera", "Keep this picture") {
                toast.configure(content: { MessageView(text: "\($0)") })
                toast.toast("A picture was kept")
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

struct TitleWidget: View {
    var body: some View { Text("Northern lights above a still lake").fontWeight(.medium).foregroundColor(.white).lineLimit(1) }
}
struct ClockWidget: View {
    var body: some View {
        TimelineView(.everyMinute) { now in
            Text(now.date.formatted(date: .omitted, time: .shortened)).font(.caption).foregroundColor(.white)
        }
    }
}
struct NetworkWidget: View {
    var body: some View { Image(systemName: "wifi").font(.system(size: 12)).foregroundColor(.white).accessibilityLabel("Connected") }
}
struct BatteryWidget: View {
    var body: some View { Image(systemName: "battery.75").font(.system(size: 14)).foregroundColor(.white).accessibilityLabel("Battery at three quarters") }
}
struct QualityWidget: View { var body: some View { Text("720p").foregroundColor(.white).padding(.horizontal, 8) } }

struct CommentFieldWidget: View {
    @State private var text = ""
    var body: some View {
        TextField("Say something friendly", text: $text).textFieldStyle(.roundedBorder).frame(maxWidth: 260)
    }
}

struct EpisodesWidget: View {
    var body: some View {
        WithService(FeatureService.self) { feature in
            Button("Episodes") { feature.present(.right(.cover)) { AnyView(EpisodesPanel { feature.dismiss() }) } }
                .buttonStyle(.plain).foregroundColor(.white).padding(.horizontal, 8)
        }
    }
}
private struct EpisodesPanel: View {
    let close: @MainActor () -> Void
    @State private var chosen = 1
    var body: some View {
        VStack(alignment: .leading, spacing: 12) {
            Text("Episodes").font(.headline).foregroundColor(.white)
            LazyVGrid(columns: Array(repeating: GridItem(.flexible(), spacing: 8), count: 4), spacing: 8) {
                ForEach(1..<13) { number in
                    Button {
                        chosen = number
                        close()
                    } label: {
                        Text("\(number)").frame(maxWidth: .infinity, minHeight: 38)
                            .foregroundColor(number == chosen ? .white : .white.opacity(0.8))
                            .background { RoundedRectangle(cornerRadius: 6).fill(number == chosen ? Color.pink : .white.opacity(0.12)) }
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
