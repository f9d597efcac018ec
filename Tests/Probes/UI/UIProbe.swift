import DeclarativeUI
import Foundation

/// One page of controls in a window, named by the first argument; every change of state is a line on standard
/// output. Driven by the tests.
struct UIProbe: App {
    private let arguments = Array(Probes.arguments.dropFirst())
    private var page: String { arguments.first ?? "all" }

    var body: some Scene {
        let group = WindowGroup("probe") {
            let pages = Pages(page: page)
                .padding(isRoot ? 0 : 20)
                .onAppear { UIProbe.say("ready", page) }
            if page == "appearance" {
                pages
            } else {
                pages.preferredColorScheme(arguments.contains("--dark") ? .dark : .light)
            }
        }
        return isRoot
            ? group : group.defaultSize(width: 480, height: ["all", "contrast", "numbers"].contains(page) ? 760 : 240)
    }
    /// Pages about the window itself: what it opens with is theirs to say.
    private var isRoot: Bool { page.hasPrefix("open-") }
}

extension UIProbe {
    /// Told to the tests.
    nonisolated static func say(_ name: String, _ value: Any) {
        FileHandle.standardOutput.write(Data("\(name)=\(value)\n".utf8))
    }

    struct Pages: View {
        let page: String
        var body: some View {
            switch page {
            case "slider": SliderPage()
            case "toggle": TogglePage()
            case "picker": PickerPage()
            case "menu": MenuPage()
            case "text": TextPage()
            case "progress": ProgressPage()
            case "stepper": StepperPage()
            case "order": OrderPage()
            case "contrast": ContrastPage()
            case "residue": ResiduePage()
            case "leaving": LeavingPage()
            case "numbers": NumbersPage()
            case "appearance": AppearancePage()
            case "represented": RepresentedPage()
            case "supplied": SuppliedPage()
            case "canvas": CanvasPage()
            case "open-flexible":
                VStack {
                    Color.gray
                    Button("Below") {}
                }.padding()
            case "open-wide":
                HStack {
                    Text("Name")
                    Spacer()
                    Button("Edit") {}
                }.padding()
            case "open-fixed": Color.gray.frame(width: 300, height: 260)
            case "open-least": Color.gray.frame(minWidth: 1000, minHeight: 300)
            case "open-ideal":
                Color.gray.frame(
                    minWidth: 100, idealWidth: 420, maxWidth: .infinity, minHeight: 100, idealHeight: 310,
                    maxHeight: .infinity)
            case "accent": AccentPage()
            case "ring": RingPage()
            case "rows": RowsPage()
            case "question": QuestionPage()
            case "motion": MotionPage()
            case "toolbar": ToolbarRootPage()
            case "image": ImagePage(address: Probes.arguments.dropFirst(2).first ?? "")
            default: AllPage()
            }
        }
    }
}

extension View {
    /// Tells the value now and whenever it is another one.
    func saying<V: Equatable>(_ name: String, _ value: V) -> some View { onChange(of: value) { UIProbe.say(name, $0) } }
}

extension View {
    /// Tells where this view lies in the window, points.
    func located(_ name: String) -> some View {
        background(
            GeometryReader { geometry -> Color in
                let frame = geometry.frame(in: .global)
                UIProbe.say(
                    "at-\(name)", "\(Int(frame.minX)),\(Int(frame.minY)),\(Int(frame.width)),\(Int(frame.height))")
                return Color.clear
            })
    }
}
