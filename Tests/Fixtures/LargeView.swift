import Zoetrope

/// A typical body of an app's view: long, nested, with closures and conditions. `scripts/check-typecheck-time` compiles
/// this file as it is and with mistakes.
struct LargeView: View {
    struct Film: Identifiable { let id: Int; let title: String; let seconds: Double; let isNew: Bool }
    let films: [Film]
    @State private var volume = 0.5
    @State private var isPlaying = false
    @State private var selection = 0
    @State private var search = ""
    @State private var command = PlaybackCommand.play
    @Environment(\.colorScheme) private var colorScheme

    var body: some View {
        NavigationStack {
            VStack(alignment: .leading, spacing: 12) {
                ZStack(alignment: .bottomTrailing) {
                    ExtVideoPlayer(
                        {
                            VideoSettings {
                                SourceName("swipe"); Loop(); Gravity(.resizeAspectFill)
                            }
                        }, command: $command
                    )
                    .onPlayerTimeChange { time in print("at \(time)") }
                    .onPlayerEventChange { events in for event in events { print(event) } }
                    .clipShape(RoundedRectangle(cornerRadius: 16))
                    .shadow(color: .black.opacity(0.3), radius: 8, x: 0, y: 4)
                    .frame(maxWidth: .infinity, minHeight: 180)
                    if isPlaying {
                        HStack(spacing: 6) {
                            Circle().fill(Color.red).frame(width: 8, height: 8)
                            Text("Live").font(.caption.bold()).foregroundColor(.white)
                        }
                        .padding(.horizontal, 10)
                        .padding(.vertical, 4)
                        .background(Color.black.opacity(0.6), in: Capsule())
                        .padding(8)
                    } else {
                        Text("Paused").font(.caption).padding(8)
                    }
                }
                HStack {
                    Button {
                        isPlaying.toggle()
                    } label: {
                        Image(systemName: isPlaying ? "pause.fill" : "play.fill").font(.title2).frame(
                            width: 44, height: 44)
                    }
                    .buttonStyle(.borderedProminent)
                    Slider(value: $volume, in: 0...1) { Text("Volume") }
                        .frame(maxWidth: 200)
                        .onChange(of: volume) { old, new in print(new - old) }
                    Text("\(Int(volume * 100)) %").monospacedDigit().foregroundColor(volume > 0.8 ? .red : .secondary)
                    Spacer()
                    Picker("Speed", selection: $selection) {
                        ForEach(0..<4) { index in Text("\(Double(index + 1) * 0.5, specifier: "%.1f")×").tag(index) }
                    }
                    .pickerStyle(.segmented)
                }
                .padding(.horizontal)
                TextField("Search", text: $search)
                    .textFieldStyle(.roundedBorder)
                    .padding(.horizontal, 16)
                List {
                    Section {
                        ForEach(films.filter { search.isEmpty || $0.title.contains(search) }) { film in
                            HStack(alignment: .firstTextBaseline, spacing: 10) {
                                VStack(alignment: .leading, spacing: 2) {
                                    Text(film.title).font(.headline).lineLimit(1)
                                    Text("\(Int(film.seconds / 60)) min").font(.caption).foregroundColor(.secondary)
                                }
                                Spacer(minLength: 8)
                                if film.isNew {
                                    Text("New").font(.caption2).padding(4).background(Color.yellow.opacity(0.5))
                                        .cornerRadius(4)
                                }
                                GeometryReader { geometry in
                                    RoundedRectangle(cornerRadius: 2).fill(
                                        colorScheme == .dark ? Color.white : Color.black
                                    )
                                    .frame(width: geometry.size.width * film.seconds / 7200, height: 4)
                                    .offset(x: 0, y: geometry.size.height / 2 - 2)
                                }
                                .frame(width: 60, height: 20)
                            }
                            .padding(.vertical, 4)
                            .onTapGesture { command = .seek(to: film.seconds * 0.5 + 1) }
                        }
                    } header: {
                        Text("Films")
                    }
                }
                .frame(minHeight: 200)
            }
            .navigationTitle("Player")
            .toolbar { ToolbarItem { Button("Close") { command = .pause } } }
            .animation(.easeInOut(duration: 0.2), value: isPlaying)
            .sheet(isPresented: $isPlaying) { Text("Sheet").padding() }
        }
    }
}

/// Colors and images by their names in the app's asset catalog compile.
struct NamedColor: View {
    @State private var isOn = false
    var body: some View {
        VStack(spacing: 8) {
            Text("Brand").foregroundColor(Color("brand")).padding(4).background(Color("ground"))
            Image("logo").resizable().scaledToFit().frame(width: 40, height: 40)
            if isOn { Text("On").font(.caption).foregroundStyle(Color("accent").opacity(0.5)) } else { Color("ground") }
        }
    }
}
