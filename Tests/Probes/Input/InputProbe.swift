import DeclarativeUI
import Foundation

/// An app for gestures, keys, focus and accessibility. The argument selects the page: `words`, `gestures`, `habits`,
/// `moved`, `relabeled`, `images`, `uikit`, or none. It prints a line for each event.
struct InputProbe: App {
    var body: some Scene {
        WindowGroup("Input") {
            if Probes.arguments.contains("words") {
                WordsView()
            } else if Probes.arguments.contains("gestures") {
                GesturePage()
            } else if Probes.arguments.contains("habits") {
                HabitsPage()
            } else if Probes.arguments.contains("moved") {
                MovedPage()
            } else if Probes.arguments.contains("relabeled") {
                RelabeledPage()
            } else if Probes.arguments.contains("images") {
                SwitchedImages()
            } else if Probes.arguments.contains("uikit") {
                UIKitButtons().frame(width: 500, height: 40)
            } else {
                InputView()
            }
        }.defaultSize(width: 600, height: 400)
    }
}

extension InputProbe {
    nonisolated static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    /// UIKit's buttons in a row: a title, a symbol, a disabled one, and a menu.
    struct UIKitButtons: UIViewRepresentable {
        func makeUIView(context: Context) -> UIView {
            let row = UIView()
            let play = UIButton(configuration: .filled(), primaryAction: UIAction(title: "Play") { _ in })
            play.setImage(UIImage(systemName: "heart.fill"), for: .normal)
            let skip = UIButton(type: .system)
            skip.setImage(UIImage(systemName: "goforward.10"), for: .normal)
            let off = UIButton(type: .custom)
            off.setTitle("Off", for: .normal)
            off.isEnabled = false
            let more = UIButton(type: .system)
            more.setTitle("More", for: .normal)
            more.menu = UIMenu(children: [UIAction(title: "Share") { _ in }])
            more.showsMenuAsPrimaryAction = true
            for (index, button) in [play, skip, off, more].enumerated() {
                button.frame = CGRect(x: index * 120, y: 0, width: 110, height: 40)
                row.addSubview(button)
            }
            return row
        }
        func updateUIView(_ uiView: UIView, context: Context) {}
    }

    /// A label and a hint that belong to a single button, and then to a group.
    struct RelabeledPage: View {
        @State private var isGroup = false
        var body: some View {
            HStack {
                Button("Alone") {}
                if isGroup { Text("Beside") }
            }
            .accessibilityLabel("Both").accessibilityHint("Hint")
            .onAppear { isGroup = true }
        }
    }

    /// Two images, of which one becomes decorative and the other no longer is.
    struct SwitchedImages: View {
        @State private var isSwitched = false
        var body: some View {
            HStack {
                isSwitched ? Image(decorative: "Decorative") : Image("Decorative")
                isSwitched ? Image("Named") : Image(decorative: "Named")
            }
            .onAppear { isSwitched = true }
        }
    }

    struct InputView: View {
        @State private var drag = CGSize.zero
        @State private var presses = 0
        @State private var isHovered = false
        @State private var text = ""
        @State private var isGone = false
        @FocusState private var field: Field?
        @GestureState private var isDragging = false
        enum Field: Hashable { case first, second }

        var body: some View {
            // Four rows of 100 points, from the top: taps, drags, buttons, fields.
            VStack(spacing: 0) {
                HStack(spacing: 0) {
                    Color.red.onTapGesture { say("tap red") }.frame(width: 150, height: 100)
                    Color.green.onTapGesture(count: 2) { say("double tap green") }.frame(width: 150, height: 100)
                    Color.blue.onLongPressGesture(minimumDuration: 0.3) { say("long press blue") }.frame(
                        width: 150, height: 100)
                    // A button inside a view with a tap gesture takes its own clicks. A click beside it taps the view.
                    ZStack {
                        Color.yellow
                        Button("Inner") { say("inner button") }
                    }
                    .onTapGesture { (point: CGPoint) in say("tap yellow \(Int(point.x)) \(Int(point.y))") }
                    .frame(width: 150, height: 100)
                }
                ZStack {
                    Color.gray
                    Circle().fill(isDragging ? Color.orange : Color.white).frame(width: 60, height: 60).offset(drag)
                        .gesture(
                            DragGesture(minimumDistance: 5)
                                .updating($isDragging) { _, state, _ in state = true }
                                .onChanged { drag = $0.translation }
                                .onEnded { value in
                                    say("drag \(Int(value.translation.width)) \(Int(value.translation.height))")
                                    drag = .zero
                                })
                }
                .frame(width: 600, height: 100)
                .background {
                    Button("") {
                        isGone.toggle()
                        say("gone \(isGone)")
                    }.keyboardShortcut("g")
                }
                HStack(spacing: 0) {
                    Button("Press \(presses)") {
                        presses += 1
                        say("pressed \(presses)")
                    }
                    .keyboardShortcut("k")
                    .accessibilityIdentifier("press-button")
                    .accessibilityHint("Counts")
                    .frame(width: 200, height: 100)
                    Button("Off") { say("never") }.disabled(true).frame(width: 200, height: 100)
                    Color(white: isHovered ? 0.2 : 0.8)
                        .onHover {
                            isHovered = $0
                            say("hover \($0)")
                        }
                        .accessibilityLabel("Hover area").accessibilityValue("empty")
                        .frame(width: 200, height: 100)
                }
                HStack {
                    TextField("first", text: $text).focused($field, equals: .first)
                    if !isGone { TextField("second", text: $text).focused($field, equals: .second) }
                    Button("To second") { field = .second }
                }
                .padding()
                .frame(width: 600, height: 100)
                .onChange(of: field) { say("focus \(field.map { "\($0)" } ?? "none")") }
                .onChange(of: text) { say("text \(text)") }
            }
            .onAppear { say("ready") }
        }
    }

    /// Labels, controls and rows with texts for assistive technology.
    struct WordsView: View {
        @State private var volume = 0.3
        @State private var position = 65.0
        @State private var gain = 2.5
        @State private var isLooped = true
        @State private var speed = 1.5
        @State private var count = 2
        @State private var film: Int? = 2
        private let films = ["Alpha", "Beta", "Gamma", "Delta"]

        var body: some View {
            VStack(spacing: 6) {
                HStack {
                    Button {
                    } label: {
                        Label("Like it", systemImage: "heart.fill")
                    }
                    Button {
                    } label: {
                        Image(systemName: "goforward.10")
                    }
                    Button {
                    } label: {
                        Image(systemName: "gearshape.fill")
                    }.disabled(true)
                    Button {
                    } label: {
                        Label("Only seen", systemImage: "star")
                    }.labelStyle(.iconOnly)
                    Button {
                    } label: {
                        Image(systemName: "star").accessibilityLabel("Rate")
                    }
                    Menu {
                        Button("One") {}
                    } label: {
                        Label("Choices", systemImage: "ellipsis.circle")
                    }
                }
                Label("Beside", systemImage: "bolt")
                Label("Inner", systemImage: "tag").accessibilityLabel("Outer")
                Image(systemName: "captions.bubble.fill")
                Text("Never said").accessibilityHidden(true)
                Text("Chapters").accessibilityAddTraits(.isHeader)
                Slider(value: $volume) { Text("Volume") }
                Slider(value: $position, in: 0...180).accessibilityLabel("Position").accessibilityValue(
                    SpokenTime.text(position, of: 180))
                Slider(value: $gain, in: 0...10, step: 0.5) { Text("Gain") }
                HStack {
                    Toggle("Looped", isOn: $isLooped)
                    Stepper("Copies", value: $count, in: 1...9)
                    Picker("Speed", selection: $speed) {
                        ForEach([1, 1.5, 2], id: \.self) { Text(verbatim: "\($0)×").tag($0) }
                    }
                }
                List(selection: $film) {
                    Section("Films") {
                        ForEach(0..<4) { index in
                            Label {
                                Text(verbatim: films[index])
                            } icon: {
                                Image(systemName: "film")
                            }.tag(index)
                        }
                    }
                }
                .frame(height: 180)
            }
            .padding()
            .onAppear { say("ready") }
        }
    }
}
