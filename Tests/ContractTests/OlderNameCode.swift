import Foundation
import Zoetrope

// API that public apps use in short or older forms.

struct ShapePage: View {
    var body: some View {
        VStack {
            Color.red.clipShape(.rect)
            Color.red.clipShape(.rect(cornerRadius: 12))
            Color.red.clipShape(.rect(cornerRadius: 12, style: .continuous))
            Color.red.clipShape(.rect(cornerSize: CGSize(width: 4, height: 8), style: .circular))
            Color.red.clipShape(.circle).contentShape(.ellipse)
            Text("a").background(.red, in: .capsule)
            Text("b").background(.thinMaterial, in: .capsule(style: .continuous))
            Text("c").background(.ultraThinMaterial, in: .rect(cornerRadius: 4)).contentShape(.rect)
            Color.red.mask { Circle().scale(x: 0.5, y: 1, anchor: .leading) }
        }
    }
}

struct OlderStylePage: View {
    @State private var text = ""
    @State private var isActive = false
    @State private var isLarge = false
    @Environment(\.horizontalSizeClass) private var horizontal
    @Environment(\.verticalSizeClass) private var vertical

    var body: some View {
        NavigationView {
            VStack {
                Text("4K").foregroundStyle(.red) + Text(verbatim: " film")
                Text("\(Text("new").foregroundStyle(.secondary)) film").bold().foregroundStyle(.primary)
                ProgressView().progressViewStyle(CircularProgressViewStyle(tint: .white))
                ProgressView(value: 0.4).progressViewStyle(LinearProgressViewStyle(tint: Color.orange))
                TextField("Name", text: $text).autocapitalization(.none)
                NavigationLink(destination: ShapePage(), isActive: $isActive) { Text("Shapes") }
                NavigationLink("Shapes", destination: ShapePage(), isActive: $isActive)
                NavigationLink(isActive: $isActive) {
                    ShapePage()
                } label: {
                    Text("Shapes")
                }
                Button("Play") { grow() }.buttonStyle(.card)
                Color(#colorLiteral(red: 0.2, green: 0.4, blue: 0.6, alpha: 1))
                    .animation(.snappy(duration: 0.3)) { $0.opacity(isLarge ? 1 : 0.5) }
                if horizontal == .compact && vertical != .compact { Text("narrow") }
            }
            .focusable()
            .onPlayPauseCommand { isLarge.toggle() }
            .onPlayPauseCommand(perform: nil)
            .searchable(text: $text, placement: .navigationBarDrawer(displayMode: .always), prompt: "Films")
            .searchable(text: $text, placement: .navigationBarDrawer)
            .toolbarVisibility(.hidden, for: .navigationBar)
        }
        .navigationViewStyle(StackNavigationViewStyle())
        .navigationViewStyle(.stack)
        .navigationViewStyle(.columns)
        .navigationViewStyle(.automatic)
        .navigationViewStyle(DefaultNavigationViewStyle())
        .navigationViewStyle(DoubleColumnNavigationViewStyle())
        .animation(.interpolatingSpring(stiffness: 170, damping: 15), value: isLarge)
    }

    private func grow() {
        withAnimation(.bouncy(duration: 0.4, extraBounce: 0.1)) {
            isLarge = true
        } completion: {
            isLarge = false
        }
        withAnimation(.smooth(duration: 0.4), completionCriteria: .removed) {
            isLarge = true
        } completion: {
        }
        withAnimation(.interpolatingSpring) { isLarge.toggle() }
        withAnimation(.interpolatingSpring(mass: 1, stiffness: 100, damping: 10, initialVelocity: 2)) {
            isLarge.toggle()
        }
        withAnimation(.interpolatingSpring(duration: 0.4, bounce: 0.2)) { isLarge.toggle() }
    }
}

final class LandscapeController: UIViewController {
    private let poster = UIView()
    private var posters: [UIImage: UIColor] = [:]
    override var shouldAutorotate: Bool { false }
    override var supportedInterfaceOrientations: UIInterfaceOrientationMask { .landscape }
    override var preferredInterfaceOrientationForPresentation: UIInterfaceOrientation { .landscapeRight }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.tintColor = .white
        poster.contentMode = .scaleAspectFill
        poster.tintColor = nil
        poster.backgroundColor = #colorLiteral(red: 1, green: 0.5, blue: 0, alpha: 1)
        let tint: UIColor = poster.tintColor
        if let image = UIImage(systemName: "play") { posters[image] = tint }
        setNeedsUpdateOfSupportedInterfaceOrientations()
    }
}
