import DeclarativeUI
import Foundation

extension UIProbe {
    struct SliderPage: View {
        @State private var plain = 0.5
        @State private var stepped = 2.0
        @State private var stubborn = 0.5
        var body: some View {
            VStack(spacing: 16) {
                Slider(value: $plain) {
                    Text("Plain")
                } onEditingChanged: {
                    say("editing", $0)
                }.labelsHidden().located("plain")
                Slider(value: $stepped, in: 0...10, step: 2) {
                    Text("Stepped")
                } minimumValueLabel: {
                    Text("0")
                } maximumValueLabel: {
                    Text("10")
                }
                .tint(.red).labelsHidden().located("stepped")
                Slider(value: Binding(get: { stubborn }, set: { say("refused", $0 != stubborn) })) { Text("Stubborn") }
                    .labelsHidden().located("stubborn")
                Slider(value: $plain) { Text("Off") }.disabled(true).labelsHidden().located("off")
            }
            .saying("plain", String(format: "%.2f", plain))
            .saying("stepped", stepped)
        }
    }

    struct TogglePage: View {
        @State private var a = false
        @State private var b = false
        @State private var c = false
        @State private var locked = false
        var body: some View {
            VStack(alignment: .leading, spacing: 12) {
                Toggle("Switch", isOn: $a).tint(.green).located("a")
                Toggle("Box", isOn: $b).toggleStyle(.checkbox).located("b")
                Toggle("Button", isOn: $c).toggleStyle(.button).located("c")
                Toggle("Locked", isOn: Binding(get: { locked }, set: { say("refused", $0) })).toggleStyle(.checkbox)
                    .located("locked")
                Toggle("Off", isOn: $a).disabled(true).help("This one is off").located("off")
            }
            .saying("a", a).saying("b", b).saying("c", c)
        }
    }

    enum Speed: String, CaseIterable, Identifiable {
        case slow, normal, fast
        var id: Self { self }
    }

    struct PickerPage: View {
        @State private var menu = Speed.normal
        @State private var segment = Speed.normal
        @State private var inline: Int?
        var body: some View {
            VStack(alignment: .leading, spacing: 12) {
                Picker("Menu", selection: $menu) {
                    ForEach(Speed.allCases) { Text($0.rawValue) }
                }
                .labelsHidden()
                .located("menu")
                Picker("Segments", selection: $segment) {
                    ForEach(Speed.allCases) { Text($0.rawValue).tag($0) }
                }
                .pickerStyle(.segmented)
                .tint(.orange)
                .labelsHidden()
                .located("segment")
                Picker("Inline", selection: $inline) {
                    Text("None").tag(Int?.none)
                    Text("One").tag(1)
                    Text("Two").tag(2)
                }
                .pickerStyle(.inline)
                .labelsHidden()
                .located("inline")
            }
            .saying("menu", menu).saying("segment", segment).saying("inline", inline ?? 0)
        }
    }

    struct MenuPage: View {
        @State private var loops = false
        @State private var speed = Speed.normal
        var body: some View {
            VStack(spacing: 12) {
                Menu("More") {
                    Button("First") { say("chose", "first") }
                    Button("Second") { say("chose", "second") }
                    Divider()
                    Toggle("Loop", isOn: $loops)
                    Picker("Speed", selection: $speed) {
                        ForEach(Speed.allCases) { Text($0.rawValue) }
                    }
                    Menu("Deeper") {
                        Button("Down here") { say("chose", "deep") }
                    }
                }
                .located("more")
                Menu {
                    Button("Only") { say("chose", "only") }
                } label: {
                    Image(systemName: "ellipsis")
                }
                .menuStyle(.borderlessButton)
                .menuIndicator(.hidden)
            }
            .saying("loops", loops).saying("speed", speed)
        }
    }

    struct TextPage: View {
        @State private var plain = ""
        @State private var digits = ""
        @State private var secret = ""
        @State private var search = ""
        var body: some View {
            VStack(spacing: 12) {
                TextField("Name", text: $plain).onSubmit { say("submitted", plain) }.located("plain")
                TextField("Digits", text: Binding(get: { digits }, set: { digits = $0.filter(\.isNumber) }))
                    .textFieldStyle(
                        .plain
                    ).located("digits")
                SecureField("Secret", text: $secret).located("secret")
                Text("Below")
            }
            .searchable(text: $search, prompt: "Find")
            .saying("plain", plain).saying("digits", digits).saying("secret", secret).saying("search", search)
        }
    }

    struct EditorPage: View {
        @State private var text = "HHHH"
        var body: some View {
            TextEditor(text: $text).font(.system(size: 60)).foregroundColor(.red).frame(height: 150).located("editor")
        }
    }

    struct FieldsPage: View {
        @State private var text = "HHHH"
        var body: some View {
            VStack {
                TextField("Name", text: $text).located("plain")
                SecureField("Secret", text: $text).located("secret")
            }
            .font(.system(size: 60)).foregroundStyle(.red)
        }
    }

    struct SharePage: View {
        @State private var pasted = ""
        var body: some View {
            VStack(alignment: .leading, spacing: 12) {
                if let url = URL(string: "https://example.com/live") { ShareLink(item: url).located("share") }
                TextField("Text", text: $pasted).located("field")
            }
            .frame(maxHeight: .infinity, alignment: .top)
            .saying("pasted", pasted)
        }
    }

    struct ColorPage: View {
        @State private var color = Color.red
        var body: some View {
            ColorPicker("Key color", selection: $color).onChange(of: color) { _, _ in say("chosen", true) }
                .labelsHidden()
                .located("picker")
        }
    }

    struct ProgressPage: View {
        @State private var done = 0.25
        var body: some View {
            VStack(spacing: 14) {
                ProgressView(value: done) {
                    Text("Loading")
                } currentValueLabel: {
                    Text("\(Int(done * 100)) %")
                }
                ProgressView(value: done).tint(.red).located("bar")
                HStack(spacing: 20) {
                    ProgressView()
                    ProgressView("Waiting").controlSize(.large)
                    ProgressView(value: done).progressViewStyle(.circular).controlSize(.large).tint(.purple)
                }
                ProgressView().progressViewStyle(.linear)
                Button("Further") { done = min(1, done + 0.25) }.buttonStyle(.borderedProminent).tint(.pink).located(
                    "further")
            }
            .saying("done", done)
        }
    }

    struct StepperPage: View {
        @State private var count = 1
        var body: some View {
            VStack(spacing: 14) {
                Stepper("Count \(count)", value: $count, in: 0...3).labelsHidden().located("count")
                GroupBox("Group") {
                    Text("One")
                    Divider()
                    Text("Two")
                }
            }
            .saying("count", count)
        }
    }

    struct ImagePage: View {
        let address: String
        @State private var shows = true
        var body: some View {
            VStack {
                if shows {
                    AsyncImage(url: URL(string: address)) { phase in
                        switch phase {
                        case .empty: Text("Wait")
                        case .success(let image):
                            image.resizable().frame(width: 64, height: 64).onAppear { say("image", "there") }
                        case .failure(let error):
                            Text(error.localizedDescription).onAppear { say("image", error.localizedDescription) }
                        }
                    }
                }
                Button("Hide") { shows = false }.located("hide")
            }
        }
    }

    struct AllPage: View {
        @State private var value = 0.4
        @State private var on = true
        @State private var speed = Speed.normal
        @State private var text = ""
        var body: some View {
            VStack(alignment: .leading, spacing: 12) {
                Slider(value: $value) {
                    Text("Volume")
                } minimumValueLabel: {
                    Image(systemName: "speaker")
                } maximumValueLabel: {
                    Image(systemName: "speaker.wave.3")
                }
                HStack {
                    Toggle("Switch", isOn: $on)
                    Toggle("Box", isOn: $on).toggleStyle(.checkbox)
                    Toggle("Button", isOn: $on).toggleStyle(.button)
                }
                Divider()
                Picker("Speed", selection: $speed) { ForEach(Speed.allCases) { Text($0.rawValue) } }
                Picker("Speed", selection: $speed) { ForEach(Speed.allCases) { Text($0.rawValue) } }.pickerStyle(
                    .segmented)
                Picker("Speed", selection: $speed) { ForEach(Speed.allCases) { Text($0.rawValue) } }.pickerStyle(
                    .inline)
                HStack {
                    Menu("More") { Button("First") {} }
                    Menu("Flat") { Button("First") {} }.menuStyle(.borderlessButton)
                    Stepper("Steps", value: $value, in: 0...1, step: 0.1)
                }
                TextField("Name", text: $text)
                SecureField("Secret", text: $text)
                ProgressView(value: value)
                HStack {
                    ProgressView()
                    ProgressView(value: value).progressViewStyle(.circular)
                    Button("Prominent") {}.buttonStyle(.borderedProminent)
                    ForEach([ControlSize.mini, .small, .regular, .large], id: \.self) { size in
                        Button("Size") {}.controlSize(size)
                    }
                }
                GroupBox("Group") { Text("In a box") }
            }
        }
    }
}
