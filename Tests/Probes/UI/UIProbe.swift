import DeclarativeUI
import Foundation

/// An app with one page of controls, named by the first argument. It prints a line for each change of state.
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
    /// Whether the page tests the window itself, so that the page determines the window's initial size.
    private var isRoot: Bool { page.hasPrefix("open-") }
}

extension UIProbe {
    /// Prints a named value for the tests.
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
            case "editor": EditorPage()
            case "inputs": InputsPage()
            case "growing": GrowingPage()
            case "progress": ProgressPage()
            case "stepper": StepperPage()
            case "order": OrderPage()
            case "focus-scope": FocusScopePage()
            case "share": SharePage()
            case "color": ColorPage()
            case "fields": FieldsPage()
            case "contrast": ContrastPage()
            case "residue": ResiduePage()
            case "leaving": LeavingPage()
            case "numbers": NumbersPage()
            case "appearance": AppearancePage()
            case "represented": RepresentedPage()
            case "supplied": SuppliedPage()
            case "uikit": UIKitPage()
            case "uikit-image": UIKitImagePage()
            case "uikit-hit": UIKitHitPage()
            case "uikit-slider": UIKitSliderPage()
            case "uikit-motion": UIKitMotionPage()
            case "uikit-navigation": UIKitNavigationPage()
            case "uikit-presentation": UIKitPresentationPage()
            case "window-look": WindowLookPage()
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
    /// Prints the value after each change.
    func saying<V: Equatable>(_ name: String, _ value: V) -> some View { onChange(of: value) { UIProbe.say(name, $0) } }
}

extension View {
    /// Prints the frame of the view in the window, in points.
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
