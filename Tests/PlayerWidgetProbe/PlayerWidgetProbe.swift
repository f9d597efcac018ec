import Foundation
import VideoPlayerContainer
import Zoetrope

/// An app with a container. Its arguments are a page's name and a video. It reads commands, one per line, from the pipe
/// named by `--input`. It prints events, one per line, and `did LINE` after each command.
@main
struct PlayerWidgetProbe: App {
    @State private var model = ProbeModel()
    var body: some Scene {
        WindowGroup("Probe") {
            if model.page == "walkthrough" {
                ContentView().onAppear { model.begin() }
            } else {
                ProbePage(model: model).onAppear { model.begin() }
            }
        }
        .defaultSize(width: 640, height: 400)
    }
}

func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

extension Color {
    static let red255 = Color(red: 1, green: 0, blue: 0), green255 = Color(red: 0, green: 1, blue: 0),
        blue255 = Color(red: 0, green: 0, blue: 1)
    static let cyan255 = Color(red: 0, green: 1, blue: 1), magenta255 = Color(red: 1, green: 0, blue: 1),
        yellow255 = Color(red: 1, green: 1, blue: 0)
}

@Observable @MainActor
final class ProbeModel {
    let page: String
    /// The parts of the page. `gone` is a container whose context is not retained, `outside` a widget without a
    /// context, `below` a widget with one, and `narrow` another layout of the window.
    var shows: Set<String> = ["widget"]
    @ObservationIgnored var context = Context()
    @ObservationIgnored private let film: String
    @ObservationIgnored private var input: DispatchSourceRead?
    @ObservationIgnored private var pending = ""
    @ObservationIgnored private var kept: [AnyCancellable] = []
    @ObservationIgnored private let other = AVPlayer()

    init() {
        let words = CommandLine.arguments.dropFirst(3)
        page = words.first ?? "overlays"
        film = words.dropFirst().first ?? ""
    }

    func begin() {
        guard input == nil, CommandLine.arguments.count > 2 else { return }
        let descriptor = open(CommandLine.arguments[2], O_RDWR)
        guard descriptor >= 0 else { return }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
        source.setEventHandler { [weak self] in
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = read(descriptor, &bytes, bytes.count)
            let text = count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : ""
            MainActor.assumeIsolated { self?.take(text) }
        }
        source.resume()
        input = source
        if page != "walkthrough" { prepare() }
        say("ready")
    }

    private func item() -> AVPlayerItem { AVPlayerItem(url: URL(fileURLWithPath: film)) }

    private func prepare() {
        let render = context.render
        render.layer.videoGravity = .resize
        render.player.isMuted = true
        render.player.actionAtItemEnd = .pause
        render.player.replaceCurrentItem(with: item())
        let gestures: [GestureService.Gesture] = [
            .tap(.all), .doubleTap(.all), .drag(.horizontal), .drag(.vertical(.all)), .longPress, .hover,
        ]
        for gesture in gestures { context.gesture.observe(gesture) { say("event \(Self.words($0))") }.store(in: &kept) }
        context.control.configure(displayStyle: .custom(animation: nil))
        context.control.$isBeingPresented.dropFirst().sink { say("controls \($0)") }.store(in: &kept)
    }

    private static func words(_ event: GestureService.GestureEvent) -> String {
        let end = event.action == .end ? "end" : "start"
        func half(_ location: GestureService.Gesture.Location) -> String {
            switch location {
            case .all: return "all"
            case .left: return "left"
            case .right: return "right"
            }
        }
        switch (event.gesture, event.value) {
        case (.tap(let place), .tap(let point)):
            return "tap \(half(place)) \(end) \(Int(point.x.rounded())) \(Int(point.y.rounded()))"
        case (.doubleTap(let place), .doubleTap(let point)):
            return "doubleTap \(half(place)) \(end) \(Int(point.x.rounded())) \(Int(point.y.rounded()))"
        case (.drag(.horizontal), .drag(let value)):
            return
                "drag horizontal \(end) \(Int(value.translation.width.rounded())) \(Int(value.translation.height.rounded()))"
        case (.drag(.vertical(let place)), .drag(let value)):
            return
                "drag vertical \(half(place)) \(end) \(Int(value.translation.width.rounded())) \(Int(value.translation.height.rounded()))"
        default: return "\(event.gesture) \(end)"
        }
    }

    private func take(_ text: String) {
        pending += text
        while let end = pending.firstIndex(of: "\n") {
            let line = String(pending[..<end])
            pending.removeSubrange(...end)
            perform(line.split(separator: " ").map(String.init))
            DispatchQueue.main.async { DispatchQueue.main.async { say("did \(line)") } }
        }
    }

    private func perform(_ words: [String]) {
        let rest = Array(words.dropFirst())
        switch words.first {
        case "show": shows.formUnion(rest)
        case "hide": shows.subtract(rest)
        case "own": say("own rate \(own.rate) item \(own.currentItem == nil ? "none" : "some")")
        case "other": say("other rate \(other.rate) item \(other.currentItem == nil ? "none" : "some")")
        case "play": own.play()
        case "attach":
            other.isMuted = true
            other.replaceCurrentItem(with: item())
            other.play()
            context.render.attach(player: other)
        case "size": say("size \(context.viewSize.width) \(context.viewSize.height)")
        default: configure(words, rest)
        }
    }
    @ObservationIgnored private lazy var own = context.render.player

    private func configure(_ words: [String], _ rest: [String]) {
        switch words.first {
        case "enable":
            context.container.enable(overlays: PlayerService.Overlay.allCases.filter { rest.contains("\($0)") })
        case "order": OverlayOrder.arrange(context)
        case "slots": Slots.arrange(context)
        case "status":
            switch rest.first {
            case "full": context.status.toFullScreen()
            case "portrait": context.status.toPortrait()
            default: context.status.toHalfScreen()
            }
        case "style":
            switch rest.first {
            case "manual": context.control.configure(displayStyle: .manual(firstAppear: true, animation: nil))
            case "auto":
                context.control.configure(displayStyle: .auto(firstAppear: true, animation: nil, duration: 0.5))
            case "never": context.control.configure(displayStyle: .never)
            default: context.control.configure(displayStyle: .always)
            }
        case "present": present(rest)
        case "dismiss": context.feature.dismiss(animation: nil)
        case "leave": context.feature.dismiss(animation: .linear(duration: 1))
        case "keep": context.feature.configure(dismissOnTap: false)
        case "plugin":
            if rest.first == "none" { return context.plugin.dismiss(animation: nil) }
            let alignment: Alignment = rest.first == "bottomTrailing" ? .bottomTrailing : .topLeading
            context.plugin.present(alignment, animation: nil) { AnyView(Color.cyan255.frame(width: 40, height: 30)) }
        case "toasts":
            context.toast.configure { object in
                object as? String == "wide"
                    ? Color.magenta255.frame(width: 80, height: 20) : Color.cyan255.frame(width: 40, height: 20)
            }
        case "duration": context.toast.configure(duration: .milliseconds(Int(rest.first ?? "") ?? 0))
        case "toast": context.toast.toast(rest.first ?? "")
        case "shadow": context.control.configure(shadow: AnyView(Color.black.opacity(0.5)))
        case "opacity": context.control.opacity(rest.first.flatMap(Double.init).map { CGFloat($0) } ?? 1)
        case "frames":
            context.control.configure(.halfScreen(.center)) {
                [
                    GeometryReader { proxy -> AnyView in
                        let frame = proxy.frame(in: .containerSpace)
                        say(
                            "frame \(Int(frame.minX.rounded())) \(Int(frame.minY.rounded())) \(Int(frame.width)) \(Int(frame.height))"
                        )
                        return AnyView(Color.yellow255)
                    }
                    .frame(width: 60, height: 40)
                ]
            }
        case "button":
            context.control.configure(.halfScreen(.center)) {
                [
                    Color.yellow255.frame(width: 60, height: 40).onTapGesture { say("pressed") }
                ]
            }
        case "gestures": context.gesture.configure(rest.first != "off")
        case "simultaneous":
            context.gesture.simultaneousDragGesture = DragGesture(coordinateSpace: .global).onChanged { _ in }.onEnded {
                say("own drag \(Int($0.translation.width.rounded()))")
            }
            context.gesture.simultaneousTapGesture = SpatialTapGesture().onEnded {
                say("own tap \(Int($0.location.x.rounded())) \(Int($0.location.y.rounded()))")
            }
        case "plain": context.gesture.simultaneousDragGesture = nil
        default: say("unknown \(words)")
        }
    }

    /// Presents a panel. The words are SIDE STYLE THICKNESS.
    private func present(_ words: [String]) {
        guard words.count == 3, let thickness = Double(words[2]) else { return say("unknown \(words)") }
        let style: FeatureService.Direction.Style =
            words[1] == "cover" ? .cover : .squeeze(CGFloat(Double(words[1]) ?? 0))
        let isUpright = words[0] == "left" || words[0] == "right"
        let direction: FeatureService.Direction
        switch words[0] {
        case "left": direction = .left(style)
        case "right": direction = .right(style)
        case "top": direction = .top(style)
        default: direction = .bottom(style)
        }
        context.feature.present(direction, animation: nil) {
            say("before present")
        } afterPresent: {
            say("after present")
        } beforeDismiss: {
            say("before dismiss")
        } afterDismiss: {
            say("after dismiss")
        } content: {
            AnyView(
                Color.magenta255.frame(
                    width: isUpright ? CGFloat(thickness) : nil, height: isUpright ? nil : CGFloat(thickness)))
        }
    }
}

/// A service that the container creates at launch, without a widget.
class LaunchedService: Service {
    required init(_ context: Context) {
        super.init(context)
        say("launched")
    }
}

/// A widget that is used outside a container.
struct OutsideWidget: View {
    var body: some View {
        WithService(StatusService.self) { Text("Status \($0.isHalfScreen ? "half" : "other")") }
    }
}

struct ProbePage: View {
    let model: ProbeModel
    var body: some View {
        ZStack {
            Color.blue255
            if model.shows.contains("widget") {
                // The two layouts of the window.
                if model.shows.contains("narrow") {
                    HStack { PlayerWidget(model.context).frame(width: 320, height: 180) }
                } else {
                    PlayerWidget(model.context, launch: [LaunchedService.self]).padding(20)
                }
            }
            // Nothing retains the context.
            if model.shows.contains("gone") {
                PlayerWidget(Context()).frame(width: 400, height: 200).background(Color.yellow255)
            }
            if model.shows.contains("outside") {
                OutsideWidget().frame(width: 400, height: 200).background(Color.green255)
            }
            if model.shows.contains("below") {
                OutsideWidget().frame(width: 400, height: 200).background(Color.green255).environmentObject(
                    model.context)
            }
        }
    }
}
